# SPDX-License-Identifier: GPL-2.0-only
"""Locks of folders that one process at a time works in."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def held(folder: Path, waiting: Callable[[], object]) -> Iterator[TextIO]:
    """Hold the lock of a folder, which is made if it is not there. `waiting` is called before a wait for another process."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock
