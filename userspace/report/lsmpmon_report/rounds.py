# SPDX-License-Identifier: GPL-2.0-only
"""One round of each sub-benchmark, as make overhead saved it: its ticks, and the calls in it."""

from __future__ import annotations

import json
import pathlib

from .kernelfiles import FormatError, Row, calls, read_table

# These run from RCU's softirq, some time after the round that caused them and outside the timed part.
DEFERRED = ("inode_free_security_rcu",)


def read_ticks(path: pathlib.Path) -> dict[str, float]:
    """The smallest sample: samples without a timer interrupt agree to the instruction."""
    try:
        return {row["name"]: row["min"] for row in json.loads(path.read_text())["benchmarks"]}
    except (OSError, ValueError, KeyError) as error:
        raise FormatError(f"{path}: not a result of `lmbench-hook run --json`: {error}") from error


def hook_calls(path: pathlib.Path, rounds: int) -> float:
    """Hook calls of one round, from `result`; callbacks, from `modules`."""
    return sum(_calls(row) for row in read_table(path, "hook", "count", "cs_count")) / rounds


def _calls(row: Row) -> int:
    """Without the one file_permission, and its callbacks, of the write that stopped the monitor."""
    if row["hook"] in DEFERRED or not calls(row):
        return 0
    return calls(row) - (row["hook"] == "file_permission")


def system_calls(path: pathlib.Path, rounds: int) -> int:
    """System calls of one round, from `calls`; those that start and stop the monitor are fewer than rounds."""
    return sum(calls(row) for row in read_table(path, "syscall", "count")) // rounds


def counted(path: pathlib.Path) -> int:
    """Sum of the calls in any table."""
    return sum(calls(row) for row in read_table(path, "count"))
