# SPDX-License-Identifier: GPL-2.0-only
"""What SELinux's cache of access vectors saves: Debian's policy with it, with one that is too small, and at a cold start."""

from __future__ import annotations

from .blocks import NotRun, Table, Text, more, rise, whole
from .book import FILES, Book, Column, cell_of, where
from .results import Result

CACHES = ("kept", "flushed")


def blocks(book: Book) -> list:
    return [*_misses(book), *_cold(book)]


def _misses(book: Book) -> list:
    hits, misses = cell_of(book, "selinux-debian-enforcing"), cell_of(book, "selinux-misses-enforcing")
    if not hits or not misses:
        return [NotRun("modules", "SELinux with Debian's policy, and the same with a cache that keeps no entry")]
    columns = [Column("cache_threshold 0", hits, misses)]
    return [*book.table("misses", "SELinux with Debian's policy, when the cache keeps no entry for long", columns, more=True),
            Text(MISSES_ARE)]


MISSES_ARE = (
    "SELinux keeps the answers of its policy in a cache of 512 entries. The column is the same work with"
    " cache_threshold 0, where each new entry drives others out, so that a call searches the policy again: what a call"
    " costs under a load with many more pairs of subjects and objects than the cache has entries."
)


def _cold(book: Book) -> list:
    result = book.results.get("modules", f"{book.results.main}-selinux-debian-cold")
    medians = {cache: _medians(result, cache) for cache in CACHES} if result else {}
    if not result or not all(medians.values()):
        return [NotRun("modules", "SELinux with Debian's policy, calls at a cold start of its cache")]
    kept, flushed = (medians[cache] for cache in CACHES)
    rows = [(row, _cells(kept[name], flushed[name])) for row, name in FILES.items() if name in kept and name in flushed]
    said = where([result], "the first call after the cache was emptied, by enforcing again")
    header = ["with its cache", "cache empty", "difference"]
    return [Table("cold", "SELinux with Debian's policy, at a cold start of its cache", said, "call", header, rows),
            Text(_most(kept, flushed) + COLD_IS)]


def _medians(result: Result, cache: str) -> dict[str, float]:
    return {row["name"]: row["median"] for row in ((result.data.get("cold") or {}).get(cache) or {}).get("benchmarks", [])}


def _cells(before: float, after: float) -> list[str]:
    change = f"{more(after - before)} ({rise(after / before - 1)})"
    return [whole(before), whole(after), change]


def _most(kept: dict[str, float], flushed: dict[str, float]) -> str:
    name = max(kept, key=lambda each: flushed.get(each, 0) - kept[each])
    return f"{name} takes {whole(flushed[name])} instructions instead of {whole(kept[name])}. "


COLD_IS = (
    "Each pair of a subject's and an object's type is searched in the policy once. A policy that is"
    " loaded, and enforcing that is switched on, empty the cache."
)
