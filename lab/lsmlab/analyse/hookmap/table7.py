# SPDX-License-Identifier: GPL-2.0-only
"""Table 7 of the 2021 paper on this kernel: authorisation hooks of a system call, by module, beside the published ones.

Zhang, Liu, Jaeger: Analyzing the Overhead of File Protection by Linux Security
Modules, ASIA CCS 2021. d is the depth of the directory; their numbers are of Linux 5.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lsmlab.analyse.hookmap.document import Document
from lsmlab.measure.hookmap import Failed

# {hook: calls by SELinux, AppArmor, Smack, TOMOYO}.
Asked = dict[str, tuple[str, ...]]
# The minimum that is needed, and the calls of each module.
Published = tuple[str, Asked]

MODULES = ("selinux", "apparmor", "smack", "tomoyo")
MADE: dict[str, Asked] = {
    call: {f"path_{call}": ("0", "d", "0", "d"), f"inode_{call}": ("d", "0", "d", "0"),
           "inode_permission": ("d", "0", "d", "0")} for call in ("mkdir", "rmdir", "symlink", "unlink")}
PERMISSION: Asked = {"file_permission": ("1", "1", "0", "0")}
RENAME: Asked = {"inode_rename": ("2", "0", "2", "0"), "path_rename": ("0", "1", "0", "1"),
                 "inode_permission": ("5", "0", "5", "0")}
# The published rows, by call.
PUBLISHED: dict[str, Published] = {
    "open": ("d", {"inode_permission": ("6d", "0", "6d", "0"), "file_open": ("6d", "6d", "6d", "6d")}),
    "openat": ("1", {"inode_permission": ("6", "0", "6", "0"), "file_open": ("6", "6", "6", "6")}),
    "close": ("0", {}),
    "creat": ("d", {"inode_permission": ("d", "0", "d", "0")}),
    "rename": ("4", RENAME),
    "rename, two directories": ("4", RENAME),
    "sendfile": ("2", {"file_permission": ("2", "2", "0", "0")}),
    "read": ("1", PERMISSION),
    "write": ("1", PERMISSION),
    **{call: ("d", hooks) for call, hooks in MADE.items()},
    "chmod": ("1", {"path_chmod": ("0", "d", "0", "d"), "inode_permission": ("d", "0", "d", "0"),
                    "inode_setattr": ("1", "0", "1", "0")}),
    "fchmod": ("1", {"path_chmod": ("0", "1", "0", "1"), "inode_permission": ("1", "0", "1", "0"),
                     "inode_setattr": ("1", "0", "1", "0")}),
    "stat": ("d", {"inode_getattr": ("1", "1", "1", "1"), "inode_permission": ("d", "0", "0", "d")}),
}
# Calls that the paper did not list, each below the one that it is like.
ALIKE = {"rename": ["renameat"], "read": ["pread64"], "write": ["pwrite64"], "mkdir": ["mkdirat"],
         "rmdir": ["unlinkat, directory"], "symlink": ["symlinkat"], "unlink": ["unlinkat"], "chmod": ["fchmodat"],
         "stat": ["newfstatat"]}
# These prepare, label or name an object, and authorise nothing.
KEEPING = frozenset(("d_instantiate", "current_getsecid_subj", "current_getlsmprop_subj", "inode_post_setattr",
                     "inode_init_security", "inode_alloc_security", "inode_free_security", "inode_free_security_rcu",
                     "file_alloc_security", "file_free_security", "file_release"))
HEAD = ("call", "hook", "", "asked", *MODULES, "| needed", *MODULES)
NOTES = """\
Ours: must or may, by the code; how often a call that succeeds asks, counted in calls made one by one (d: components of
each path), and by whom: the hook's count where a module implements it, else -. Hooks that only prepare or label an
object are left out. In a rename across two directories, the paths have one directory of their own each.
Right of the bar: what the paper has, of Linux 5.3; needed is its minimum."""


def _term(number: float, name: str = "") -> str:
    return f"{number:g}{name}" if number != 1 or not name else name


def formula(times: Mapping[str, float]) -> str:
    """Return the formula for any depth that the numbers of two depths give: 2d+1."""
    (low, first), (high, second) = sorted((int(depth), count) for depth, count in times.items())
    slope = (second - first) / (high - low)
    rest = first - slope * low
    if not slope:
        return _term(rest)
    return _term(slope, "d") + (f"{rest:+g}" if rest else "")


def _depths(hooks: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return every hook at every depth; where it was not called, 0."""
    depths = {depth for times in hooks.values() for depth in times}
    return {hook: {depth: times.get(depth, 0) for depth in depths} for hook, times in hooks.items()}


def _row(content: Document, call: str, name: str, hook: str, times: str, published: Published | None) -> tuple[str, ...]:
    entry, needed = content["syscalls"][name], published[0] if published else ""
    theirs = published[1].get(hook, ("0",) * 4) if published else ("",) * 4
    sure = "must" if hook in entry["must"] else "may" if hook in entry["may"] else "-"
    ours = [times if times != "0" and module in content["modules"].get(hook, ()) else "-" for module in MODULES]
    return (call, hook, sure, times, *ours, f"| {needed}", *theirs)


def _rows_of(content: Document, call: str, published: Published | None) -> Iterator[tuple[str, ...]]:
    made = content["table7"].get(call)
    if not made:
        return
    times = {hook: formula(depths) for hook, depths in _depths(made["-"]).items() if hook not in KEEPING}
    hooks = dict.fromkeys([*(published[1] if published else ()), *times])
    for hook in hooks:
        yield _row(content, call, made["call"], hook, times.get(hook, "0"), published)
    if not hooks:
        needed, theirs = (published[0], "0") if published else ("", "")
        yield (call, "none asked", "-", "0", *("-",) * 4, f"| {needed}", *(theirs,) * 4)


def _rows(content: Document) -> Iterator[tuple[str, ...]]:
    for call, published in PUBLISHED.items():
        yield from _rows_of(content, call, published)
        for other in ALIKE.get(call, ()):
            yield from _rows_of(content, other, None)


def _asked_again(content: Document) -> Iterator[str]:
    """Yield the objects of which one call asks the same hook more than once."""
    for call, made in content["table7"].items():
        for wanted in sorted(made.keys() - {"call", "-"}):
            formulas = {hook: formula(times) for hook, times in _depths(made[wanted]).items()}
            yield from (f"{call}: {hook} is asked of the directory `{wanted}` {times} times"
                        for hook, times in formulas.items() if times != "1")


def _rename(content: Document) -> Iterator[str]:
    """Yield how often a rename calls its hooks. In the paper, SELinux checks 7 times in a rename, where 4 would do."""
    for call in ("rename", "rename, two directories"):
        hooks = _depths(content["table7"].get(call, {}).get("-", {}))
        formulas = {hook: formula(hooks[hook]) for hook in PUBLISHED[call][1]
                    if hook in hooks and "selinux" in content["modules"].get(hook, ())}
        if formulas:
            yield (f"{call}: SELinux is asked {' + '.join(formulas.values())} times ({', '.join(formulas)}); "
                   "published: 7, where 4 would do")


def _unmediated(content: Document) -> Iterator[str]:
    """Yield whether modules still leave out the checks that the paper names."""
    for hook in ("file_permission", "inode_create", "inode_mkdir", "path_mknod", "path_mkdir"):
        without = [module for module in MODULES if module not in content["modules"].get(hook, ())]
        yield f"{hook} is not implemented by: {' '.join(without) or 'none of the four leaves it out'}"


def text(content: Document) -> Iterator[str]:
    if not content.get("table7"):
        raise Failed("the map has no calls made one by one: scripts/lab map-counts table7 makes them, then make map")
    rows = [HEAD, *_rows(content)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    yield f"Linux {content['kernel']}: Table 7 of the 2021 paper"
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
    yield NOTES
    yield from _asked_again(content)
    yield from _rename(content)
    yield from _unmediated(content)
