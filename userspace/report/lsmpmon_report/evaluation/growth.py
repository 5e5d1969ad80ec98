# SPDX-License-Identifier: GPL-2.0-only
"""Cost of a call as modules are added."""

from __future__ import annotations

from markupsafe import Markup

from . import svg
from .blocks import Figure, NotRun, Text, percent
from .book import Book, Column, median, tick, title, where
from .results import Result


def blocks(book: Book) -> list:
    found = book.results.part("growth")
    numbers = {int(name.rpartition("-")[2]): r for name, r in found.items() if name.rpartition("-")[2].isdigit()}
    cells = [(number, result) for number, result in sorted(numbers.items()) if result.benchmarks]
    if len(cells) < 2 or cells[0][0] != 0:
        return [NotRun("growth", f"{book.results.main}-0 (no LSM) and one module more each")]
    added = {number: _added(before, result) for (_, before), (number, result) in zip(cells, cells[1:])}
    columns = [Column(f"{number}: + {added[number]}", cells[0][1], result) for number, result in cells[1:]]
    table = book.table("growth", "Cost as modules are added, over no LSM", columns, full=2.0)
    plot = _growth_plot(book, dict(zip(added, columns)), {0: "none"} | added)
    figure = Figure("plot-growth", "Cost as modules are added", where([c.other for c in columns]), plot)
    return [figure, table, Text(_growth_said(book, columns))]


def _growth_plot(book: Book, columns: dict[int, Column], names: dict[int, str]) -> Markup:
    series = {row: [(0, svg.Point(0, f"{row}: base"))] for row in ("open", "stat", "creat", "unlink", "rename", "read")}
    for row, points in series.items():
        points += [(n, point) for n, c in columns.items() for point in book.points("growth", row, c.title)]
    there = {row: points for row, points in series.items() if len(points) > 1}
    return svg.lines(there, "overhead", "modules, one more each", tick, names=names)


def _added(before: Result, result: Result) -> str:
    """By the modules that are active in both."""
    old, new = (str(r.state.get("lsm") or "").split(",") for r in (before, result))
    return ", ".join(title(module) for module in new if module and module not in old) or "nothing"


def _growth_said(book: Book, columns: list[Column]) -> str:
    last = book.entries["growth"].column(columns[-1].title)
    steps = {
        c.title: median(f.change for f in book.entries["growth"].column(c.title).values())
        for c in columns
        if book.entries["growth"].column(c.title)
    }
    if not last or not steps:
        return ""
    worst = max(last, key=lambda row: last[row].change)
    rises = {name: value - before for before, (name, value) in zip([0.0, *steps.values()], steps.items())}
    most = max(rises, key=rises.__getitem__)
    return (
        f"With all of them, the median benchmark costs {percent(steps[columns[-1].title])} more than without LSM,"
        f" {worst} {percent(last[worst].change)}. The largest step at the median is {most.partition('+ ')[2]}."
        " IMA and EVM are on wherever they are built in: what they add is in “Integrity: audit, IMA, EVM”."
    )
