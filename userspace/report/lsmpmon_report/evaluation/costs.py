# SPDX-License-Identifier: GPL-2.0-only
"""What a hook call costs, as a cell of a table."""

from __future__ import annotations

from .blocks import EMPTY, Cell, heat
from .book import Book
from .records import Hook
from .results import Result


def instructions(book: Book, found: Hook | None, result: Result) -> Cell:
    return (
        Cell(
            f"{found.average:,.1f}", book.results.href(result), f"{found.calls:,} calls", heat=heat(found.average, 1000)
        )
        if found
        else EMPTY
    )
