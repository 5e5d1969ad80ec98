# SPDX-License-Identifier: GPL-2.0-only
"""What SELinux's cache of access vectors saves: Debian's policy with and without it."""

from __future__ import annotations

from .blocks import NotRun, Text
from .book import Book, Column, cell_of


def blocks(book: Book) -> list:
    hits, misses = cell_of(book, "selinux-debian-enforcing"), cell_of(book, "selinux-misses-enforcing")
    if not hits or not misses:
        return [NotRun("modules", "SELinux with Debian's policy, and the same with a cache that keeps no entry")]
    columns = [Column("cache_threshold 0", hits, misses)]
    return [*book.table("misses", "SELinux with Debian's policy, when the cache keeps no entry for long", columns, more=True),
            Text(MISSES_ARE)]


MISSES_ARE = (
    "SELinux keeps the answers of its policy in a cache of 512 entries. The column is the same work with"
    " cache_threshold 0, where each new entry drives others out, so that a call searches the policy again: what a call"
    " costs at first, and under a load with many more pairs of subjects and objects than the cache has entries."
)
