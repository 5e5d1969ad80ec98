# SPDX-License-Identifier: GPL-2.0-only
"""Page: what each module costs, by its state, its time and its place in a stack."""

from __future__ import annotations

from . import atomics, denials, growth, misses, processors, share, stacking, states
from .blocks import Heading, Page
from .book import Book


def page(book: Book) -> Page:
    return Page(
        "modules",
        "What each module costs",
        [
            Heading("By state (2021, Figures 2, 3 and 6, Table 1)"),
            *states.blocks(book),
            Heading("Time in hooks"),
            *share.times(book),
            Heading("The share of LSM in each system call"),
            *share.blocks(book),
            Heading("Stacks and their order (2021, Figure 7)"),
            *stacking.stacking(book),
            Heading("Denials (2021, Figure 5)"),
            *denials.blocks(book),
            Heading("Audit, IMA and EVM (2021, Figure 8)"),
            *stacking.integrity(book),
            Heading("SELinux's cache of decisions"),
            *misses.blocks(book),
            Heading("What processors share"),
            *processors.blocks(book),
            *atomics.blocks(book),
            Heading("More modules"),
            *growth.blocks(book),
        ],
    )
