# SPDX-License-Identifier: GPL-2.0-only
"""A walk through a tree, the measurement of 2008."""

from __future__ import annotations

from . import published
from .blocks import NotRun, Table, Text, percent, whole
from .book import Book, Column, title, where

WALK = {"openit": "openit"}


def blocks(book: Book) -> list:
    found = {name.partition("-")[2]: result for name, result in book.results.part("openit").items()}
    walks = {name: result for name, result in found.items() if result.median("openit") is not None}
    base = walks.get("dac")
    if not base or len(walks) < 2:
        cells = f"{book.results.main}-dac, -capability and modules"
        return [NotRun("openit", f"{cells}, a walk over 266 directories and 19,255 files")]
    columns = [Column(title(name), base, result) for name, result in walks.items() if result is not base]
    entry = book.compare("openit", columns, WALK)
    rows = [(title("dac"), [whole(base.median("openit")), "0"])]
    rows += [(name, [whole(found.value), percent(found.change)]) for (_, name), found in entry.found.items()]
    said = where(walks.values(), "a whole walk; change over no LSM")
    table = Table("openit", "stat and open of every entry of a tree", said, "module", ["median", "change"], rows)
    return [table, Text(_why(), "What differs, and why.")]


def _why() -> str:
    walks = "; ".join(
        f"{name} {before} s before credentials and {after} s after ({percent(after / before - 1)})"
        for name, (before, after) in published.H08_WALK.items()
    )
    return (
        f"Published, for the same system calls (fstatat and openat of a name in an open directory) in 2008: {walks}."
        " Those are two kernels with the same module, ours are modules on one kernel. TOMOYO has a learned rule for"
        " each depth of the tree and searches its list from the head: the row with few rules has the same module and a"
        " list of a few."
    )
