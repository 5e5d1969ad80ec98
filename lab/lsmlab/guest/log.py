# SPDX-License-Identifier: GPL-2.0-only
"""Kernel logs: where they are kept, their last lines, and complaints in them."""

from __future__ import annotations

import os
import re
from pathlib import Path

from lsmlab.places import REPO

KEPT = 400  # more than guests that may run at once
DIRECTORY = REPO / "build" / "log"

# Complaints of lockdep and of the sleep checker, after which the kernel goes on despite panic_on_warn.
COMPLAINT = re.compile(
    r"(BUG: |kernel BUG at |Oops: |UBSAN: |WARNING: (CPU|possible|suspicious|inconsistent|bad|Nested|held)"
    r"|INFO: (possible|trying to register|task |rcu_)|Kernel panic)")


def _written(path: Path) -> float:
    """Return when a log was last written; one that another guest has just removed counts as old."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0


def new(runner: str) -> Path:
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    old = sorted(DIRECTORY.glob("*.log"), key=_written)
    for path in old[:-KEPT]:
        path.unlink(missing_ok=True)
    return DIRECTORY / f"{runner}-{os.getpid()}.log"


def lines(path: Path) -> list[str]:
    return path.read_text(errors="replace").replace("\r", "").splitlines()


def tail(path: Path, count: int = 30) -> str:
    return "\n".join(lines(path)[-count:])


def complaint(path: Path) -> str | None:
    """Return the first line in which the kernel complains, or None."""
    return next((line for line in lines(path) if COMPLAINT.search(line)), None)
