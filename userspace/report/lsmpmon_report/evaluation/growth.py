# SPDX-License-Identifier: GPL-2.0-only
"""Cost of a call as modules are added."""

from __future__ import annotations

from ..drawing import plots
from ..drawing.svg import Drawing
from ..stats import AFFECTED
from .blocks import Block, Figure, NotRun, Text, rise
from .book import Book, Column, Entry, where
from .passages import passage
from .results import Result
from .titles import title

DRAWN = ("open", "stat", "creat", "unlink", "rename", "read")


def compare_all(book: Book) -> None:
    found = book.results.part("growth")
    numbers = {int(name.rpartition("-")[2]): r for name, r in found.items() if name.rpartition("-")[2].isdigit()}
    cells = [(number, result) for number, result in sorted(numbers.items()) if result.benchmarks]
    if len(cells) < 2 or cells[0][0] != 0:
        return
    pairs = zip(cells, cells[1:])
    book.compare("growth", [Column(f"{n}: + {_added(before, r)}", cells[0][1], r) for (_, before), (n, r) in pairs])


def _added(before: Result, result: Result) -> str:
    """Return the modules that are active in the second boot only."""
    old, new = (str(r.state.get("lsm") or "").split(",") for r in (before, result))
    return ", ".join(title(module) for module in new if module and module not in old) or "nothing"


def blocks(book: Book) -> list[Block]:
    if "growth" not in book.entries:
        return [NotRun("growth", passage("growth.not_run", main=book.results.main))]
    entry = book.entries["growth"]
    said = where([column.other for column in entry.columns])
    some = _adding(entry)
    return [
        Figure("plot-growth", passage("growth.drawn"), said, _plot(book)),
        book.summary("growth", passage("growth.all"), "modules", some=some),
        *book.table("growth", passage("growth.by_call"), some, more=True),
        Text(_grows(book, some)),
    ]


def _adding(entry: Entry) -> list[Column]:
    """Return the first column, and those in which a call differs by over 1 % from the one before in the table."""
    some = entry.columns[:1]
    for column in entry.columns[1:]:
        before, after = entry.column(some[-1].title), entry.column(column.title)
        if any(abs(after[row].value / before[row].value - 1) > AFFECTED for row in after if row in before):
            some = [*some, column]
    return some


def _plot(book: Book) -> Drawing | None:
    entry = book.entries["growth"]
    names = {0.0: "none"} | {float(n): _module(column.title) for n, column in enumerate(entry.columns, 1)}
    series = {row: [(0.0, plots.Point(1, f"{row}: base"))] for row in DRAWN}
    for row, points in series.items():
        for number, column in enumerate(entry.columns, 1):
            if found := entry.found.get((row, column.title)):
                points.append((float(number), plots.Point(1 + found.change, f"{row}: {rise(found.change)}")))
    there = {row: points for row, points in series.items() if len(points) > 1}
    return plots.lines(there, "times no LSM, logarithmic", "modules, one more each", plots.times, log_up=True, names=names)


def _grows(book: Book, some: list[Column]) -> str:
    entry = book.entries["growth"]
    middles = {c.title: entry.middle(c.title) for c in entry.columns if entry.column(c.title)}
    rises = {name: value - before for before, (name, value) in zip([0.0, *middles.values()], middles.items())}
    last, left_out = entry.columns[-1].title, [_module(column.title) for column in entry.columns if column not in some]
    step, largest = _module(max(rises, key=rises.__getitem__)), entry.largest(last)
    return passage("growth.grows", median=middles[last], last=largest, step=step, left_out=left_out, threshold=AFFECTED)


def _module(title: str) -> str:
    """Return the modules that a column adds."""
    return title.partition("+ ")[2]
