# SPDX-License-Identifier: GPL-2.0-only
"""Page: a walk through a tree, the measurement of 2008."""

from __future__ import annotations

from . import published
from .blocks import EMPTY, Block, Heading, NotRun, Table, Text, percent, whole
from .blocks import published as theirs
from .book import Book, Column, cell_of, columns_of, where
from .passages import passage
from .results import Result, version
from .titles import title

WALK = {"openit": "openit"}

# Medians of the walks on one kernel, by module.
Walks = dict[str, float]


def blocks(book: Book) -> list[Block]:
    walks = _walks(book, book.results.main)
    base, medians = walks.get("dac"), _medians(walks)
    if not base or len(walks) < 2:
        return [NotRun("openit", passage("openit.no_walks", main=book.results.main))]
    columns = [Column(title(name), base, result) for name, result in walks.items() if result is not base]
    entry = book.compare("openit", columns, WALK)
    rows = [(title("dac"), [whole(medians["dac"]), "0"])]
    rows += [(name, [whole(found.value), percent(found.change)]) for (_, name), found in entry.found.items()]
    said = where(walks.values(), passage("openit.walks_are"))
    table = Table("openit", passage("openit.walks"), said, "module", ["median", "change"], rows)
    why = Text(passage("openit.why", published=_published()))
    return [table, *_configurations(book), why, Heading(passage("openit.orders_title")), *_order(book, medians)]


def _walks(book: Book, kver: str) -> dict[str, Result]:
    """Return the walks on one kernel, by module."""
    found = book.results.part("openit")
    walks = {name.partition("-")[2]: result for name, result in found.items() if name.partition("-")[0] == kver}
    return {name: result for name, result in walks.items() if result.median("openit") is not None}


def _medians(walks: dict[str, Result]) -> Walks:
    return {name: median for name, result in walks.items() if (median := result.median("openit")) is not None}


def _configurations(book: Book) -> list[Block]:
    """Return the table of 2008: two kernels, each with SELinux and without LSM; and the newer one with a patch."""
    kernels = sorted({str(result.cell.get("kver")) for result in book.results.part("openit").values()}, key=version)
    before, after = _walks(book, kernels[0]), _walks(book, kernels[-1])
    if len(kernels) < 2 or not all(name in walks for name in ("selinux", "dac") for walks in (before, after)):
        return [NotRun("openit", passage("openit.no_configurations"))]
    rows = []
    for name, (old, new) in published.H08_WALK.items():
        first, last = (_medians(walks)["selinux" if name == "SELinux" else "dac"] for walks in (before, after))
        rows += [_row(f"{name}, before", old, old, first, first), _row(f"{name}, after", old, new, first, last)]
    old = published.H08_WALK["SELinux"][0]
    patched = ("SELinux, after, with a patch for speed", [*_theirs(old, published.H08_PATCHED), EMPTY, EMPTY])
    are = passage("openit.configurations_are", before=kernels[0], after=kernels[-1])
    said = where([*before.values(), *after.values()], are)
    header = [theirs("2008, s"), theirs("change"), "a walk", "change"]
    return [Table("openit-five", passage("openit.configurations"), said, "configuration", header, [*rows, patched])]


def _row(name: str, old: float, new: float, before: float, after: float) -> tuple[str, list[str]]:
    return name, [*_theirs(old, new), whole(after), percent(after / before - 1)]


def _theirs(old: float, new: float) -> list[str]:
    return [theirs(f"{new:.4f}"), theirs(percent(new / old - 1))]


def _published() -> list[dict[str, object]]:
    return [
        {"configuration": name, "before": before, "after": after, "change": after / before - 1}
        for name, (before, after) in published.H08_WALK.items()
    ]


FIRST, LAST = "tomoyo-first", "tomoyo-last"


def _order(book: Book, walks: Walks) -> list[Block]:
    """Compare one list in two orders: only the number of rules before the one that matches differs."""
    base, (first, last) = cell_of(book, "capability"), (cell_of(book, f"{policy}-enforcing") for policy in (FIRST, LAST))
    columns = columns_of([(title(FIRST), base, first), (title(LAST), base, last), ("last over first", first, last)])
    if len(columns) < 3:
        cells = [f"{book.results.main}-{policy}-enforcing" for policy in (FIRST, LAST)]
        return [NotRun("modules", passage("openit.no_orders", cells=cells))]
    tables = book.table("order-tomoyo", passage("openit.orders"), columns)
    worst = book.entries["order-tomoyo"].largest("last over first")
    return [*tables, Text(passage("openit.orders_are", worst=worst, walk=_ordered_walk(walks)))]


def _ordered_walk(walks: Walks) -> dict[str, float]:
    """Return what a walk takes more with the needed rules last, and what both orders cost over no LSM; {} if one was not run."""
    if not all(name in walks for name in ("dac", FIRST, LAST)):
        return {}
    base, first, last = (walks[name] for name in ("dac", FIRST, LAST))
    return {"difference": last - first, "first": first / base - 1, "last": last / base - 1}


def advice(book: Book) -> list[str]:
    """Return what the first page says of a list of rules: its part of the cost is not the module's."""
    lists = {"learned": ("sizes", "tomoyo"), "first": ("order-tomoyo", FIRST), "few": ("sizes", "tomoyo-few")}
    found = {
        name: each.change
        for name, (ident, module) in lists.items()
        if ident in book.entries and (each := book.entries[ident].found.get(("creat", title(module))))
    }
    return [passage("openit.advice", **found)] if len(found) == len(lists) else []
