# SPDX-License-Identifier: GPL-2.0-only
"""A walk through a tree, the measurement of 2008."""

from __future__ import annotations

from . import published
from .blocks import EMPTY, Cell, NotRun, Table, Text, link, percent
from .book import Book, Column, title, where
from .results import Result
from .stats import interval


def blocks(book: Book) -> list:
    found = {name.partition("-")[2]: result for name, result in book.results.part("openit").items()}
    walks = {name: result for name, result in found.items() if result.samples("openit") is not None}
    base = walks.get("dac")
    if not base or len(walks) < 2:
        cells = f"{book.results.main}-dac, -capability and modules"
        return [NotRun("openit", f"{cells}, a walk over 266 directories and 19,255 files")]
    columns = [Column(title(name), base, result) for name, result in walks.items() if result is not base]
    entry = book.compare("openit", columns, {"openit": "openit"})
    rows = [(link(title(name), book.results.href(r)), _walk(book, r, entry, title(name))) for name, r in walks.items()]
    said = where(walks.values(), "a whole walk; change over no LSM")
    header = ["median", "95 % interval", "change"]
    table = Table("openit", "stat and open of every entry of a tree", said, header, rows, corner="cell")
    return [table, Text(_openit_why(), "What differs, and why.")]


def _openit_why() -> str:
    walks = "; ".join(
        f"{name} {before} s before credentials and {after} s after ({percent(after / before - 1)})"
        for name, (before, after) in published.H08_WALK.items()
    )
    return (
        f"Published, for the same kind of walk in 2008: {walks}. Those are two kernels with the same module, ours are"
        " modules on one kernel: LSM as a whole, not one change to it."
    )


def _walk(book: Book, result: Result, entry, name: str) -> list[Cell]:
    href, found = book.results.href(result), interval(result.samples("openit"))
    between = "exact" if found.exact else f"{found.low:,.0f} to {found.high:,.0f}"
    change = entry.found.get(("openit", name))
    said = (
        Cell(percent(change.change), href, f"p (Holm) {change.corrected:.2g}", "noise" if change.noise else "number")
        if change
        else EMPTY
    )
    return [Cell(f"{found.median:,.0f}", href), Cell(between, href), said]
