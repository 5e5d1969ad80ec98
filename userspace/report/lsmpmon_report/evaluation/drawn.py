# SPDX-License-Identifier: GPL-2.0-only
"""Plots of what tables say."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from . import svg
from .book import Book, Column, tick
from .results import Result


def dots(book: Book, table: str, rows: Iterable[str], columns: list[Column], base: Result) -> Markup:
    """What a table says: a row for each benchmark, a shape for each column."""
    names = [column.title for column in columns]
    found = {row: [book.points(table, row, name) for name in names] for row in rows}
    found = {row: points for row, points in found.items() if any(points)}
    return svg.dots(found, names, f"overhead over {base.name}", tick)
