# SPDX-License-Identifier: GPL-2.0-only
"""Hooks by category: each hook is in one category, determined by its name.

The first categories are those of the 2021 paper (Table 5), chosen so that its
numbers come out for the hooks that still exist: every sb_ is "superblock", and
labels of inodes count as inode. Categories that the paper leaves out follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

PAPER = {
    "inode": r"inode_",
    "dentry": r"dentry_",
    "file": r"file_",
    "superblock": r"sb_",
    "mmap": r"mmap_",
    "path": r"path_",
    "bprm": r"bprm_",
    "task": r"task_|current_get",
    "proc": r"[gs]et(proc|self)attr$",
    "ptrace": r"ptrace_",
    "cap": r"cap(get|set|able)$",
    "seclabel": r"ismaclabel$|(secid|lsmprop)_to_secctx$|secctx_to_secid$",
    "cred": r"cred_",
    "audit": r"audit_",
}
MORE = {
    "secctx": r"release_secctx$",
    "fs": r"fs_context_|move_mount$|quota(ctl|_on)$|kernfs_|d_instantiate$|backing_file_|initramfs_",
    "bdev": r"bdev_",
    "kernel": r"kernel_",
    "system": r"syslog$|settime$|vm_enough_memory$|locked_down$",
    "userns": r"userns_",
    "ipc": r"(ipc|msg|shm|sem)_",
    "socket": r"(socket|sock|sk|unix|netlink)_",
    "network": r"(inet|secmark|req|tun|sctp|mptcp)_",
    "xfrm": r"xfrm_",
    "ib": r"ib_",
    "key": r"key_",
    "watch": r"watch_key$|post_notification$",
    "bpf": r"bpf(_|$)",
    "perf": r"perf_",
    "uring": r"uring_",
    "binder": r"binder_",
}
OTHER = "other"
NAMES = (*PAPER, *MORE, OTHER)
# The categories that the paper sums up as "file accessing", without mmap.
FILE_ACCESSING = ("inode", "dentry", "file", "superblock", "path", "bprm")


def of(hook: str) -> str:
    return next((name for name, pattern in {**PAPER, **MORE}.items() if re.match(pattern, hook)), OTHER)


def count(hooks: Iterable[str]) -> dict[str, int]:
    """Return the number of hooks in each non-empty category."""
    categories = [of(hook) for hook in hooks]
    return {name: categories.count(name) for name in NAMES if name in categories}


def file_accessing(counted: Mapping[str, int]) -> int:
    return sum(counted.get(name, 0) for name in FILE_ACCESSING)
