# SPDX-License-Identifier: GPL-2.0-only
"""The table of slopes: how often a system call waits for a check, by the depth of its path."""

from __future__ import annotations

from ..slopes import PUBLISHED, explanations, fit_together
from ..sweep import Sweep
from .blocks import EMPTY, Cell, NotRun, Points, Table, link
from .book import Book


def blocks(book: Book) -> list:
    sweeps = [sweep for _, sweep in book.slopes]
    names = [name for name in PUBLISHED if any(name in sweep.checks for sweep in sweeps)]
    if not names:
        return [NotRun("slopes", "none of the sub-benchmarks that were published")]
    rows = [(name, _row(book, name)) for name in names]
    header = ["5.3, published", *(link(sweep.about.get("kernel", "?"), href) for href, sweep in book.slopes)]
    said = "; ".join(dict.fromkeys(sweep.title for sweep in sweeps))
    said += "; slopes have no unit; in brackets the checks that were counted"
    caption = "Slope of a system call's latency on the delay of a permission check"
    return [Table("slopes", caption, said, header, rows, corner="benchmark"), Points(explanations(sweeps, names))]


def _row(book: Book, name: str) -> list[Cell]:
    theirs = Cell(f"{PUBLISHED[name]:.1f}", kind="published")
    return [theirs, *(_slope(sweep, name, href) for href, sweep in book.slopes)]


def _slope(sweep: Sweep, name: str, href: str) -> Cell:
    if name not in sweep.checks:
        return EMPTY
    (found,) = fit_together(sweep, name).slopes
    return Cell(f"{found.value:.3f} ({found.checks:.0f})", href, f"95 % interval {found.low:.3f} to {found.high:.3f}")
