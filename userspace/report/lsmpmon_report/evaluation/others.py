# SPDX-License-Identifier: GPL-2.0-only
"""Network, processes, memory, mounts, keys."""

from __future__ import annotations

from ..drawing import plots
from .blocks import Figure, NotRun, Page, Text, more, rise
from .book import CELLS_ARE, Book, where
from .comparison import compare
from .states import columns

KINDS = ("net", "task", "mm", "mount", "key")


def page(book: Book) -> Page:
    return Page("others", "Network, processes, memory, mounts, keys", _blocks(book))


def _blocks(book: Book) -> list:
    found = columns(book, "enforcing")
    names = {b: b for column in found[:1] for b in column.base.benchmarks if b.partition("/")[0] in KINDS}
    if not names:
        return [NotRun("modules", "sub-benchmarks net/*, task/*, mm/*, mount/* and key/*")]
    tables = book.table("others", "Other system calls, over capability", found, names)
    rows = {row: [book.points("others", row, column.title) for column in found] for row in names}
    plot = plots.dots(rows, [column.title for column in found], "times capability, logarithmic", plots.times, log=True)
    said = where([column.other for column in found])
    return [Figure("plot-others", "Other system calls, by module", said, plot), *tables, Text(_said(book))]


def _said(book: Book) -> str:
    entry = book.entries["others"]
    found = {key: change for key, change in entry.found.items() if key not in entry.unsure}
    (row, column), most = max(found.items(), key=lambda item: item[1].change, default=(("", ""), None))
    said = f"The largest increase in percent is that of {row} under {column}: {rise(most.change)}. " if most else ""
    return f"{said}{_socket(book)}{CELLS_ARE}"


def _socket(book: Book) -> str:
    """What a policy adds, beside the module without one: the label of the new object is computed each time."""
    states = [book.entries.get(f"state-{state}") for state in ("bare", "enforcing")]
    found = {
        row: [
            compare(c.base, c.other, benchmark)
            for entry in states
            if entry
            for c in entry.columns
            if c.title == "SELinux"
        ]
        for row, benchmark in (("net/socket", "net/socket"), ("creat", "creat"))
    }
    if not all(len(pair) == 2 and all(pair) for pair in found.values()):
        return ""
    added = [more(enforcing.difference - bare.difference) for bare, enforcing in found.values()]
    return (
        f"Under SELinux, net/socket costs {added[0]} instructions more with a policy than without one, as creat does"
        f" ({added[1]}). That the label of each new object is computed then may be the cause; it was not tested. "
    )
