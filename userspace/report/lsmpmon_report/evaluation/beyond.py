# SPDX-License-Identifier: GPL-2.0-only
"""Section: what neither paper has."""

from __future__ import annotations

from . import growth, kernels, openit, others, rules, share
from .blocks import Heading, Section
from .book import Book


def section(book: Book) -> Section:
    return Section(
        "beyond",
        "Beyond both papers",
        [
            Heading("share", "The share of LSM in each system call"),
            *share.blocks(book),
            Heading("growth", "More modules"),
            *growth.blocks(book),
            Heading("rules", "More rules"),
            *rules.blocks(book),
            Heading("calls", "Lists and static calls, kernel by kernel"),
            *kernels.blocks(book),
            Heading("others", "Network, processes, memory, mounts, keys"),
            *others.blocks(book),
            Heading("openit", "A walk through a tree (the measurement of 2008)"),
            *openit.blocks(book),
        ],
    )
