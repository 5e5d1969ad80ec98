# SPDX-License-Identifier: GPL-2.0-only
"""Table 3 of 2021: the calls of each benchmark, which of them is timed here, and what all of them together cost."""

from __future__ import annotations

from . import published
from .blocks import EMPTY, Block, NotRun, Table, Text, whole
from .blocks import published as theirs
from .book import FILES, Book, cell_of, change_of, where
from .passages import passage
from .results import Result

# Sub-benchmarks whose medians add up to a round.
CALLS = FILES | {"close": "close"}
# As `lmbench-hook list` prints them: the call in brackets is timed.
TIMED = {
    "open": "[open] close", "openat": "[openat] close", "rename": "[rename] renameat2", "creat": "[creat] close unlink",
    "mkdir": "[mkdir] rmdir", "rmdir": "mkdir [rmdir]", "unlink": "creat close [unlink]", "symlink": "[symlink] unlink",
    "chmod": "[chmod]", "stat": "[stat]", "fstatat": "[newfstatat]", "read": "lseek [read]", "write": "lseek [write]",
    "copy": "lseek lseek [read write]",
}


def blocks(book: Book) -> list[Block]:
    dac, plain = cell_of(book, "dac"), cell_of(book, "capability")
    if not dac or not plain:
        return [NotRun("modules", passage("table3.not_run", main=book.results.main))]
    disk = [cell_of(book, f"selinux{more}", "ext4") for more in ("", ".ima.evm")]
    rows = [(row, _cells(row, dac, plain, *disk)) for row in TIMED]
    header = [
        theirs("a round, 5.3"), "timed here", "no LSM, the round", "capability, the round",
        "IMA and EVM, the call", "IMA and EVM, the round", theirs("IMA and EVM, 5.3"),
    ]
    said = where(filter(None, (dac, plain, *disk)), passage("table3.rounds_are"))
    missing = [name for name, cell in zip(("ext4/selinux", "ext4/selinux.ima.evm"), disk) if not cell]
    table = Table("table-3", passage("table3.rounds"), said, "benchmark", header, rows, missing)
    return [table, Text(passage("table3.why"))]


def _cells(row: str, dac: Result, plain: Result, disk: Result | None, both: Result | None) -> list[str]:
    calls = _calls(row)
    base = dac.total(calls)
    sums = [whole(base) if base else EMPTY, change_of(dac, plain, calls)]
    call, there = change_of(disk, both, [FILES[row]]), change_of(disk, both, calls)
    beside = published.Z21_INTEGRITY.get(row)
    return [theirs(published.Z21_ROUNDS[row]), TIMED[row], *sums, call, there, theirs(beside) if beside else EMPTY]


def _calls(row: str) -> list[str]:
    """Return the calls of a round."""
    return [CALLS[call] for call in published.Z21_ROUNDS[row].split(", ")]
