# SPDX-License-Identifier: GPL-2.0-only
"""Network, processes, memory, mounts, keys."""

from __future__ import annotations

from ..drawing import plots
from .blocks import Block, Figure, NotRun, Text
from .book import CELLS_ARE, Book, where
from .comparison import compare
from .passages import passage
from .states import columns

KINDS = ("net", "task", "mm", "mount", "key")


def blocks(book: Book) -> list[Block]:
    found = columns(book, "enforcing")
    names = {b: b for column in found[:1] for b in column.base.benchmarks if b.partition("/")[0] in KINDS}
    if not names:
        return [NotRun("modules", passage("others.not_run"))]
    tables = book.table("others", passage("others.calls"), found, names)
    rows = {row: [book.points("others", row, column.title) for column in found] for row in names}
    plot = plots.dots(rows, [column.title for column in found], "times capability, logarithmic", plots.times, log=True)
    said = where([column.other for column in found])
    return [Figure("plot-others", passage("others.drawn"), said, plot), *tables, Text(_cost(book))]


def _cost(book: Book) -> str:
    entry = book.entries["others"]
    found = {key: change for key, change in entry.found.items() if key not in entry.unsure}
    largest = None
    if found:
        row, column = max(found, key=lambda key: found[key].change)
        largest = found[row, column].data(call=row, module=column)
    return passage("others.cost", largest=largest, labelled=_labelled(book), cells=CELLS_ARE)


def _labelled(book: Book) -> dict[str, float]:
    """Return what SELinux's policy adds to calls that label a new object; {} if SELinux was not run with it and without."""
    entries = [book.entries.get(f"state-{state}") for state in ("bare", "enforcing")]
    columns = [column for entry in entries if entry for column in entry.columns if column.title == "SELinux"]
    pairs = {row: [compare(column.base, column.other, row) for column in columns] for row in ("net/socket", "creat")}
    found = {row: [each.difference for each in pair if each] for row, pair in pairs.items()}
    if not all(len(pair) == 2 for pair in found.values()):
        return {}
    return {row: enforcing - bare for row, (bare, enforcing) in found.items()}
