# SPDX-License-Identifier: GPL-2.0-only
"""Table 7 of the 2021 paper on this kernel: authorisation hooks of a system call, by module, the published beside.

Zhang, Liu, Jaeger: Analyzing the Overhead of File Protection by Linux Security
Modules, ASIA CCS 2021. d is the depth of the directory; their numbers are of Linux 5.3.
"""

MODULES = ("selinux", "apparmor", "smack", "tomoyo")
# {call: (depth, {hook: what SELinux, AppArmor, Smack, TOMOYO ask})}; minimum needed where it is a number.
_MAKES = {"mkdir": "mkdir", "rmdir": "rmdir", "symlink": "symlink", "unlink": "unlink"}
PUBLISHED = {
    "open": ("d", {"inode_permission": ("6d", "0", "6d", "0"), "file_open": ("6d", "6d", "6d", "6d")}),
    "openat": ("1", {"inode_permission": ("6", "0", "6", "0"), "file_open": ("6", "6", "6", "6")}),
    "close": ("0", {}),
    "creat": ("d", {"inode_permission": ("d", "0", "d", "0")}),
    "rename": ("4", {"inode_rename": ("2", "0", "2", "0"), "path_rename": ("0", "1", "0", "1"),
                     "inode_permission": ("5", "0", "5", "0")}),
    "sendfile": ("2", {"file_permission": ("2", "2", "0", "0")}),
    "read": ("1", {"file_permission": ("1", "1", "0", "0")}),
    "write": ("1", {"file_permission": ("1", "1", "0", "0")}),
    **{call: ("d", {f"path_{name}": ("0", "d", "0", "d"), f"inode_{name}": ("d", "0", "d", "0"),
                    "inode_permission": ("d", "0", "d", "0")}) for call, name in _MAKES.items()},
    "chmod": ("1", {"path_chmod": ("0", "d", "0", "d"), "inode_permission": ("d", "0", "d", "0"),
                    "inode_setattr": ("1", "0", "1", "0")}),
    "fchmod": ("1", {"path_chmod": ("0", "1", "0", "1"), "inode_permission": ("1", "0", "1", "0"),
                     "inode_setattr": ("1", "0", "1", "0")}),
    "stat": ("d", {"inode_getattr": ("1", "1", "1", "1"), "inode_permission": ("d", "0", "0", "d")}),
}
HEAD = ("call", "hook", "", "how often", "each success", *MODULES, "| needed", *MODULES)
NOTES = """\
Ours: must or may, how often on a shortest path, calls of the hook for each call that succeeded (counted in
guests, of all works together: failed calls ask, too), and whether a module implements the hook (yes, -).
Right of the bar: what the paper has, of Linux 5.3; needed is its minimum."""


def _rows(said):
    for call, (needed, published) in PUBLISHED.items():
        entry = said["syscalls"].get(call)
        if not entry:
            continue
        for hook in published or {"": ("0",) * 4}:
            theirs = published.get(hook, ("0",) * 4)
            if not hook or entry["kind"].get(hook) != "sync":
                yield (call, hook or "none asked", "-", "", "", *("",) * 4, f"| {needed}", *theirs)
                continue
            rate = f"{entry['calls'].get(hook, 0) / entry['successes']:.2f}" if entry["successes"] else "-"
            ours = ["yes" if module in said["modules"].get(hook, ()) else "-" for module in MODULES]
            yield (call, hook, "must" if hook in entry["must"] else "may", entry["times"][hook], rate, *ours,
                   f"| {needed}", *theirs)


def _unmediated(said):
    """What the paper says modules leave out: whether they still do."""
    for hook in ("file_permission", "inode_create", "inode_mkdir", "path_mknod", "path_mkdir"):
        without = [module for module in MODULES if module not in said["modules"].get(hook, ())]
        yield f"{hook} is not implemented by: {' '.join(without) or 'none of the four leaves it out'}"


def text(said):
    rows = [HEAD, *_rows(said)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    yield f"Linux {said['kernel']}: Table 7 of the 2021 paper"
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
    yield NOTES
    yield from _unmediated(said)
