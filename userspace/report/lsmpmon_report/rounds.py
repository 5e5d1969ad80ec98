# SPDX-License-Identifier: GPL-2.0-only
"""Calls in one round of each sub-benchmark, as make overhead saved them."""

from __future__ import annotations

import pathlib

from .kernelfiles import FormatError, Row, calls, read_table

# These run from RCU's softirq, some time after the round that caused them and outside the timed part.
DEFERRED = ("inode_free_security_rcu",)
# No sub-benchmark executes a program.
EXECUTION = "bprm_check_security"


def hook_calls(path: pathlib.Path, rounds: int) -> float:
    """Return the hook calls of one round, from `result`; the callbacks, from `modules`."""
    rows = read_table(path, "hook", "count", "cs_count")
    if any(row["hook"] == EXECUTION and calls(row) for row in rows):
        raise FormatError(f"{path}: {EXECUTION} was called, so more than the rounds was counted")
    return sum(_calls(row) for row in rows) / rounds


def _calls(row: Row) -> int:
    """Return the calls without the one file_permission, and its callbacks, of the write that stopped the monitor."""
    if row["hook"] in DEFERRED or not calls(row):
        return 0
    return calls(row) - int(row["hook"] == "file_permission")


def system_calls(path: pathlib.Path, rounds: int) -> int:
    """Return the system calls of one round, from `calls`; those that start and stop the monitor are fewer than rounds."""
    return sum(calls(row) for row in read_table(path, "syscall", "count")) // rounds


def counted(path: pathlib.Path) -> int:
    """Return the sum of the calls in any table."""
    return sum(calls(row) for row in read_table(path, "count"))
