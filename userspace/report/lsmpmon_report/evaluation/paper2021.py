# SPDX-License-Identifier: GPL-2.0-only
"""Page: the figures and tables of Zhang, Liu & Jaeger, 2021."""

from __future__ import annotations

from . import questions, table1, table3
from .blocks import Block, Heading, NotRun, Points, Text
from .book import Book
from .observed import executions, observed
from .passages import passage
from .static import static


def blocks(book: Book) -> list[Block]:
    return [
        Text(passage("paper2021.page_is")),
        Points([passage("paper2021.overhead"), passage("paper2021.framework"), passage("paper2021.state")]),
        Text(passage("paper2021.files_are")),
        Heading(passage("paper2021.calls")),
        *table3.blocks(book),
        Heading(passage("paper2021.latencies")),
        *table1.blocks(book),
        Heading(passage("paper2021.executed")),
        *executions(book),
        Heading(passage("paper2021.observed")),
        *observed(book),
        Heading(passage("paper2021.slopes")),
        *_slopes(book),
        Heading(passage("paper2021.static")),
        *static(book),
        Heading(passage("paper2021.questions")),
        *questions.blocks(book),
    ]


def _slopes(book: Book) -> list[Block]:
    if not book.slopes:
        return [NotRun("slopes", passage("paper2021.no_slopes"))]
    # Slow to import.
    from . import depths

    return depths.blocks(book)
