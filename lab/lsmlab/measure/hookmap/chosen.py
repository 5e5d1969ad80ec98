# SPDX-License-Identifier: GPL-2.0-only
"""Objects may be chosen: file systems and families of sockets, by the folders that have them.

A folder with a struct file_system_type is a file system's, one with a struct
net_proto_family a family's. What is called through a pointer and is in a
folder that was not chosen is not called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lsmlab.measure.hookmap import Failed
from lsmlab.measure.hookmap.facts import Facts

# Objects whose name is not their folder's.
FILES = {"tmpfs": ("mm/shmem.c",), "shmem": ("mm/shmem.c",), "unix": ("net/unix/",), "inet": ("net/ipv4/", "net/ipv6/"),
         "inet6": ("net/ipv6/",), "overlay": ("fs/overlayfs/",), "packet": ("net/packet/",), "netlink": ("net/netlink/",)}
# Folders that every object of a kind needs.
COMMON = ("fs/", "net/core/", "net/", "kernel/", "mm/", "security/")


def _folder(path: str) -> str:
    return path if path == "mm/shmem.c" else path.rpartition("/")[0] + "/"


def folders(facts: Facts, record: str, below: tuple[str, ...]) -> set[str]:
    """Return the folders in which variables of a record are."""
    paths = {_folder(path) for kind, path in facts.variables.values() if kind == record}
    return {folder for folder in paths if folder.startswith(below) and folder not in COMMON}


def _picked(names: Iterable[str], available: set[str], what: str) -> set[str]:
    picked: set[str] = set()
    for name in names:
        places = {f for f in available if f.startswith(FILES.get(name, (f"fs/{name}/", f"net/{name}/")))}
        if not places:
            choices = sorted(f.rstrip("/").rpartition("/")[2] for f in available)
            raise Failed(f"{what}='{name}' is not in this kernel; there are: {' '.join(choices)}")
        picked |= places
    return picked


def chooser(facts: Facts, filesystems: Iterable[str] = (), sockets: Iterable[str] = ()) -> Callable[[str], bool] | None:
    """Return a function that says whether a function, by its name, is of an object that was chosen; None if all objects are."""
    left_out: set[str] = set()
    for names, record, below, what in ((filesystems, "file_system_type", ("fs/", "mm/shmem.c"), "FS"),
                                       (sockets, "net_proto_family", ("net/",), "SOCKET")):
        if names:
            available = folders(facts, record, below)
            left_out |= available - _picked(names, available, what)
    if not left_out:
        return None
    prefixes = tuple(left_out)

    def is_chosen(name: str) -> bool:
        function = facts.functions.get(name)
        return function is None or not function.file.startswith(prefixes)

    return is_chosen
