# SPDX-License-Identifier: GPL-2.0-only
"""Table 7 of the 2021 paper on this kernel: authorisation hooks of a system call, by module, beside the published ones.

Zhang, Liu, Jaeger: Analyzing the Overhead of File Protection by Linux Security
Modules, ASIA CCS 2021. d is the depth of the directory; their numbers are of Linux 5.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lsmlab.analyse.hookmap.document import Call, Document, On
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
STATIC = ("call", "hook", "", "times", *MODULES, "| needed", *MODULES)
COUNTED = ("call", "hook", "asked", *MODULES)
STATIC_NOTES = """\
By the code, on a regular file of ext4: must or may, and how often on the shortest way there: 1, d (once for each component of
a path) or n (in another loop); for each module that implements the hook. Hooks that only prepare or label an object are left
out. Right of the bar: what the paper has, by the code of Linux 5.3 and of the worst case; needed is its minimum."""
COUNTED_NOTES = """\
Counted in calls made one by one: how often a call that succeeds asks (d: components of each path), and the modules that
implement the hook. In a rename across two directories, the paths have one directory of their own each. The paper counted
none."""
# The object of the calls.
FILE = "ext4"
# How often a hook is called, by what the map says of its path; what it does not say is a loop of another kind.
TIMES = {"once": "1", "each path component": "d"}


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


def _on_file(entry: Call) -> On | None:
    return next((one for one in entry["on"] if FILE in one["objects"]), None)


def _by_module(content: Document, hook: str, times: str) -> list[str]:
    return [times if times != "0" and module in content["modules"].get(hook, ()) else "-" for module in MODULES]


def _static(content: Document, call: str, name: str, hook: str, published: Published | None) -> tuple[str, ...]:
    on, needed = _on_file(content["syscalls"][name]), published[0] if published else ""
    theirs = published[1].get(hook, ("0",) * 4) if published else ("",) * 4
    may = on is not None and hook in on["paths"]
    times = TIMES.get(on["times"].get(hook, "once"), "n") if on and may else "0"
    sure = "must" if on and hook in on["must"] else "may" if may else "-"
    return (call, hook, sure, times, *_by_module(content, hook, times), f"| {needed}", *theirs)


def _asked(content: Document, call: str) -> dict[str, str]:
    """Return {hook: how often a call asks it} of those that authorise something."""
    made = content["table7"].get(call)
    return {hook: formula(depths) for hook, depths in _depths(made["-"]).items() if hook not in KEEPING} if made else {}


def _rows(content: Document) -> Iterator[tuple[str, Published | None]]:
    """Yield (call, what was published of it) of the calls that were made."""
    for call, published in PUBLISHED.items():
        for one, row in ((call, published), *((other, None) for other in ALIKE.get(call, ()))):
            if one in content["table7"]:
                yield one, row


def _static_rows(content: Document) -> Iterator[tuple[str, ...]]:
    for call, published in _rows(content):
        hooks = dict.fromkeys([*(published[1] if published else ()), *_asked(content, call)])
        for hook in hooks:
            yield _static(content, call, content["table7"][call]["call"], hook, published)
        if not hooks:
            needed, theirs = (published[0], "0") if published else ("", "")
            yield (call, "none asked", "-", "0", *("-",) * 4, f"| {needed}", *(theirs,) * 4)


def _counted_rows(content: Document) -> Iterator[tuple[str, ...]]:
    for call, _published in _rows(content):
        asked = _asked(content, call)
        yield from ((call, hook, times, *_by_module(content, hook, times)) for hook, times in asked.items())
        if not asked:
            yield (call, "none asked", "0", *("-",) * 4)


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


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
    yield f"Linux {content['kernel']}: Table 7 of the 2021 paper"
    yield from _table([STATIC, *_static_rows(content)])
    yield STATIC_NOTES
    yield ""
    yield from _table([COUNTED, *_counted_rows(content)])
    yield COUNTED_NOTES
    yield from _asked_again(content)
    yield from _rename(content)
    yield from _unmediated(content)
