# SPDX-License-Identifier: GPL-2.0-only
"""Cost of a call as rules are added."""

from __future__ import annotations

from . import svg
from .blocks import Figure, NotRun, Text, percent
from .book import FILES, Book, Column, cell_of, median, title, where
from .results import Result

RULES = (10, 100, 1000, 10000)
RULED = ("landlock", "tomoyo", "apparmor")


def blocks(book: Book) -> list:
    cells = {module: {n: cell_of(book, f"{module}-{n}", "rules") for n in RULES} for module in RULED}
    there = {module: {n: result for n, result in found.items() if result} for module, found in cells.items()}
    columns = [column for module, found in there.items() for column in _rule_columns(module, found)]
    if not columns:
        return [NotRun("rules", "Landlock, TOMOYO and AppArmor with 10, 100, 1,000 and 10,000 rules")]
    missing = [f"{book.results.main}-{module}-{n}" for module in RULED for n in RULES if n not in there[module]]
    table = book.table("rules", "More rules, over the least number of them", columns, full=5.0, missing=missing)
    series = {
        f"{title(m)} {row}": _absolute(book, found, row) for m, found in there.items() for row in ("open", "creat")
    }
    series = {name: points for name, points in series.items() if len(points) > 1}
    plot = svg.lines(series, "a call", "rules", lambda value: f"{value:,.0f}", log=True)
    said = where([c.other for c in columns], "both axes logarithmic")
    return [
        Figure("plot-rules", "What a call costs with more rules", said, plot),
        table,
        Text(_rules_said(book, columns)),
    ]


def _rule_columns(module: str, found: dict[int, Result]) -> list[Column]:
    least = min(found, default=0)
    return [Column(f"{title(module)} {n:,} over {least:,}", found[least], r) for n, r in found.items() if n != least]


def _absolute(book: Book, there: dict[int, Result], row: str) -> list:
    return [
        (float(n), svg.Point(middle, f"{row}, {n:,} rules: {middle:,.0f}", book.results.href(result)))
        for n, result in there.items()
        if (samples := result.samples(FILES[row])) is not None and (middle := float(median(samples))) > 0
    ]


def _rules_said(book: Book, columns: list[Column]) -> str:
    said = []
    for column in columns:
        changes = book.entries["rules"].column(column.title)
        if f"{max(RULES):,} over" in column.title and changes:
            worst = max(changes, key=lambda row: changes[row].change)
            middle = median(found.change for found in changes.values())
            said.append(
                f"{column.title} rules: {percent(middle)} at the median, {percent(changes[worst].change)} on {worst}."
            )
    return " ".join(said) + " A line that stays level does not ask its rules one by one."
