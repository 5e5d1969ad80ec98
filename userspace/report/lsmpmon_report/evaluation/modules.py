# SPDX-License-Identifier: GPL-2.0-only
"""Page: what each module costs, by its state, its time and its place in a stack."""

from __future__ import annotations

from . import atomics, denials, growth, misses, share, stacking, states
from .blocks import Block, Heading
from .book import Book
from .passages import passage


def blocks(book: Book) -> list[Block]:
    return [
        Heading(passage("modules.states")),
        *states.blocks(book),
        Heading(passage("modules.times")),
        *share.times(book),
        Heading(passage("modules.share")),
        *share.blocks(book),
        Heading(passage("modules.stacking")),
        *stacking.stacking(book),
        Heading(passage("modules.denials")),
        *denials.blocks(book),
        Heading(passage("modules.integrity")),
        *stacking.integrity(book),
        Heading(passage("modules.misses")),
        *misses.blocks(book),
        Heading(passage("modules.shared")),
        *atomics.blocks(book),
        Heading(passage("modules.growth")),
        *growth.blocks(book),
    ]
