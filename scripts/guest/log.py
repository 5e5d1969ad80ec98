# SPDX-License-Identifier: GPL-2.0-only
"""Kernel logs: where they are kept, their last lines, what they complain of."""

import os
import re

from guest.settings import REPO

KEPT = 400  # more than guests that may run at once
DIRECTORY = REPO / "build" / "log"

# The checkers of locks and of sleeping print a complaint and go on: panic_on_warn does not stop them.
COMPLAINT = re.compile(
    r"(BUG: |WARNING: (CPU|possible|suspicious|inconsistent|bad|Nested|held)"
    r"|INFO: (possible|trying to register|task |rcu_)|Kernel panic)")


def new(runner):
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    old = sorted(DIRECTORY.glob("*.log"), key=lambda path: path.stat().st_mtime)
    for path in old[:-KEPT]:
        path.unlink(missing_ok=True)
    return DIRECTORY / f"{runner}-{os.getpid()}.log"


def lines(path):
    return path.read_text(errors="replace").replace("\r", "").splitlines()


def tail(path, count=30):
    return "\n".join(lines(path)[-count:])


def complaint(path):
    """The first line in which the kernel complains, or None."""
    return next((line for line in lines(path) if COMPLAINT.search(line)), None)
