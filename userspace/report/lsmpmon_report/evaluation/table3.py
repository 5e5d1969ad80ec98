# SPDX-License-Identifier: GPL-2.0-only
"""Table 3 of 2021: the calls of each benchmark, which of them is timed here, and what all of them together cost."""

from __future__ import annotations

from . import published
from .blocks import EMPTY, NotRun, Table, Text, percent, whole
from .blocks import published as theirs
from .book import FILES, Book, cell_of, where
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


def blocks(book: Book) -> list:
    dac, plain = cell_of(book, "dac"), cell_of(book, "capability")
    if not dac or not plain:
        return [NotRun("modules", f"{book.results.main}-dac and {book.results.main}-capability, for sums of calls")]
    disk = [cell_of(book, f"capability{more}", "ext4") for more in ("", ".ima.evm")]
    rows = [(row, _cells(row, dac, plain, *disk)) for row in TIMED]
    header = [
        theirs("a round, 5.3"), "timed here", "no LSM, the round", "capability, the round",
        "IMA and EVM, the call", "IMA and EVM, the round", theirs("IMA and EVM, 5.3"),
    ]
    said = where(filter(None, (dac, plain, *disk)), "capability is over no LSM; IMA and EVM are on ext4, over capability there")
    missing = [name for name, cell in zip(("ext4/capability", "ext4/capability.ima.evm"), disk) if not cell]
    table = Table("table-3", "Calls of each benchmark", said, "benchmark", header, rows, missing)
    return [table, Text(ROUNDS_ARE, "What differs, and why.")]


def _cells(row: str, dac: Result, plain: Result, disk: Result | None, both: Result | None) -> list[str]:
    base = _round(dac, row)
    sums = [whole(base) if base else EMPTY, _over(base, _round(plain, row))]
    call = _over(disk and disk.median(FILES[row]), both and both.median(FILES[row]))
    there = _over(disk and _round(disk, row), both and _round(both, row))
    beside = published.Z21_INTEGRITY.get(row)
    return [theirs(published.Z21_ROUNDS[row]), TIMED[row], *sums, call, there, theirs(beside) if beside else EMPTY]


def _round(result: Result, row: str) -> float | None:
    found = [result.median(CALLS[call]) for call in published.Z21_ROUNDS[row].split(", ")]
    return sum(found) if all(found) else None


def _over(before: float | None, after: float | None) -> str:
    return percent(after / before - 1) if before and after else EMPTY


ROUNDS_ARE = (
    "A published benchmark is several system calls, and a figure on the other pages is of the one in brackets. So a sum is"
    " made here of the medians of those calls, each timed by itself. How many reads and writes a published round has for"
    " its 100 KiB is not among the figures at hand; a sum has one of 4 KiB. IMA looks at a file when it is opened and closed, so a round"
    " with open and close has what a read or a write has not. Published times are of a machine with a disk, and"
    " instructions have no waiting in them."
)
