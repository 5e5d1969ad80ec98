# SPDX-License-Identifier: GPL-2.0-only
"""SELinux's cache of access vectors: Debian's policy with it, with one that is too small, and at a cold start."""

from __future__ import annotations

from .blocks import Block, NotRun, Table, Text, more, rise, whole
from .book import FILES, Book, Column, cell_of, where
from .passages import passage
from .results import medians


def blocks(book: Book) -> list[Block]:
    return [*_misses(book), *_cold(book)]


def _misses(book: Book) -> list[Block]:
    hits, misses = cell_of(book, "selinux-debian-enforcing"), cell_of(book, "selinux-misses-enforcing")
    if not hits or not misses:
        return [NotRun("modules", passage("misses.no_misses"))]
    columns = [Column("cache_threshold 0", hits, misses)]
    return [*book.table("misses", passage("misses.misses"), columns, more=True), Text(passage("misses.misses_are"))]


def _cold(book: Book) -> list[Block]:
    result = book.results.get("modules", f"{book.results.main}-selinux-debian-cold")
    found = (result.data.get("cold") or {}) if result else {}
    kept, flushed = (medians(found.get(cache)) for cache in ("kept", "flushed"))
    if not result or not kept or not flushed:
        return [NotRun("modules", passage("misses.no_cold"))]
    rows = [(row, _cells(kept[name], flushed[name])) for row, name in FILES.items() if name in kept and name in flushed]
    said = where([result], passage("misses.cold_where"))
    header = ["with its cache", "cache empty", "difference"]
    most = max(kept, key=lambda name: flushed.get(name, 0) - kept[name])
    return [Table("cold", passage("misses.cold"), said, "call", header, rows),
            Text(passage("misses.cold_is", call=most, kept=kept[most], flushed=flushed[most]))]


def _cells(before: float, after: float) -> list[str]:
    change = f"{more(after - before)} ({rise(after / before - 1)})"
    return [whole(before), whole(after), change]
