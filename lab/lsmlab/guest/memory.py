# SPDX-License-Identifier: GPL-2.0-only
"""The directory for the memory of User-Mode Linux, which is a file that programs are mapped from."""

from __future__ import annotations

import mmap
import os
import tempfile

from lsmlab.console import CommandError

MIB = 512
# The first is a tmpfs, but in a container as Docker makes it, small and noexec. UML reads TMPDIR itself.
PLACES = ("/dev/shm", os.environ.get("TMPDIR", ""), "/tmp", "/var/tmp")


class NoPlace(CommandError):
    """No directory takes the memory of a guest, which cannot boot; the message says why not, for each."""

    status = 125


def _may_hold_programs(path: str) -> bool:
    """Say whether a program can be mapped from a file there, as the kernel does, and not on a file system that is noexec."""
    with tempfile.TemporaryFile(dir=path) as file:
        file.truncate(mmap.PAGESIZE)
        try:
            mmap.mmap(file.fileno(), mmap.PAGESIZE, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC).close()
        except PermissionError:
            return False
    return True


def unfit(path: str) -> str:
    """Return why a directory does not take a guest's memory; empty if it does."""
    try:
        if not _may_hold_programs(path):
            return "is noexec"
        about = os.statvfs(path)
    except OSError as error:
        return f"cannot be written to ({error.strerror})"
    free = about.f_bavail * about.f_frsize >> 20
    return "" if free >= MIB else f"has {free} MiB free"


def directory() -> str:
    """Return the first directory that takes a guest's memory."""
    reasons: dict[str, str] = {}
    for path in filter(None, PLACES):
        reasons[path] = unfit(path)
        if not reasons[path]:
            return path
    why = ", ".join(f"{path} {reason}" for path, reason in reasons.items())
    raise NoPlace(f"a guest needs a directory for {MIB} MiB of memory, with programs in it: {why}; TMPDIR=DIR names another")
