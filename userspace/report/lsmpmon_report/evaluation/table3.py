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

# A base, and what is over it.
Pair = tuple["Result | None", "Result | None"]
# What the paper calls IMA and EVM.
STACK = "SELinux, audit, IMA and EVM over no LSM"


def blocks(book: Book) -> list[Block]:
    dac, plain = cell_of(book, "dac"), cell_of(book, "capability")
    if not dac or not plain:
        return [NotRun("modules", passage("table3.not_run", main=book.results.main))]
    disk = cell_of(book, "selinux", "ext4"), cell_of(book, "selinux.ima.evm", "ext4")
    whole_stack = cell_of(book, "dac", "ext4"), cell_of(book, "selinux.ima.evm-audit", "ext4")
    rows = [(row, _cells(row, dac, plain, disk, whole_stack)) for row in TIMED]
    header = [
        theirs("a round, 5.3"), "timed here", "no LSM, the round", "capability, the round",
        "IMA and EVM, the call", "IMA and EVM, the round", *([STACK] if all(whole_stack) else []), theirs(f"{STACK}, 5.3"),
    ]
    said = where(filter(None, (dac, plain, *disk, *whole_stack)), passage("table3.rounds_are"))
    missing = [name for name, cell in zip(("ext4/selinux", "ext4/selinux.ima.evm"), disk) if not cell]
    table = Table("table-3", passage("table3.rounds"), said, "benchmark", header, rows, missing)
    return [table, Text(passage("table3.why"))]


def _cells(row: str, dac: Result, plain: Result, disk: Pair, stack: Pair) -> list[str]:
    """Return the cells of a row. `disk`: SELinux on ext4, and with IMA and EVM; `stack`: no LSM there, and all of them."""
    calls = _calls(row)
    base = dac.total(calls)
    sums = [whole(base) if base else EMPTY, change_of(dac, plain, calls)]
    (selinux, both), (none, everything) = disk, stack
    over = [change_of(selinux, both, [FILES[row]]), change_of(selinux, both, calls)]
    over += [change_of(none, everything, calls)] if all(stack) else []
    beside = published.Z21_INTEGRITY.get(row)
    return [theirs(published.Z21_ROUNDS[row]), TIMED[row], *sums, *over, theirs(beside) if beside else EMPTY]


def _calls(row: str) -> list[str]:
    """Return the calls of a round."""
    return [CALLS[call] for call in published.Z21_ROUNDS[row].split(", ")]
