# SPDX-License-Identifier: GPL-2.0-only
"""Network, processes, memory, mounts, keys."""

from __future__ import annotations

from .blocks import Figure, NotRun, Text, percent
from .book import MODULES, Book, Column, cell_of, title, where
from .drawn import dots

# Variations of file operations; other sub-benchmarks with a "/" are of other kinds.
FILE_FAMILIES = {
    "stat",
    "fstatat",
    "open",
    "openat",
    "read",
    "write",
    "copy",
    "rename",
    "chmod",
    "mkdir",
    "rmdir",
    "creat",
    "unlink",
    "symlink",
    "close",
}


def blocks(book: Book) -> list:
    base = cell_of(book, "dac") or cell_of(book, "capability")
    names = [b for b in base.benchmarks if "/" in b and b.partition("/")[0] not in FILE_FAMILIES] if base else []
    if not base or not names:
        return [NotRun("modules", "sub-benchmarks net/*, task/*, mm/*, mount/* and key/*")]
    cells = {"capability": cell_of(book, "capability")} | {m: cell_of(book, f"{m}-on") for m in MODULES}
    columns = [Column(title(m), base, result) for m, result in cells.items() if result and result is not base]
    rows = {name: name for name in names}
    missing = [f"{book.results.main}-{m}-on" for m, result in cells.items() if not result]
    table = book.table("others", f"Other system calls, over {base.ident}", columns, rows, missing=missing)
    plot = dots(book, "others", rows, columns, base)
    return [
        Figure("plot-others", "Other system calls, by module", where([c.other for c in columns]), plot),
        table,
        Text(_others_said(book)),
    ]


def _others_said(book: Book) -> str:
    found = [(c.change, row, column) for (row, column), c in book.entries["others"].found.items() if not c.noise]
    if not found:
        return ""
    change, row, column = max(found)
    said = f"The most expensive of them is {row} under {column}: {percent(change)}."
    return said + " “Left out”: the policy does not let the benchmark do this; hovering shows what it answered."
