# SPDX-License-Identifier: GPL-2.0-only
"""Figures 7 and 8 of 2021: stacks of modules, and integrity."""

from __future__ import annotations

import re
from statistics import median

from ..drawing import plots
from .blocks import Block, Figure, NotRun, Table, Text
from .book import LARGEST, Book, Column, Entry, cell_of, changed, columns_of, names_of, where
from .passages import passage
from .results import Result
from .titles import stack_title

# The end of the names of stacks without policies.
BARE = "-bare"

IDLE = "IMA and EVM built in, not in use"
# What stands for each cell of the part; a cell without rules or key is not "hooks only": it does other work.
INTEGRITY = {
    "audit-off": "audit on, no rules",
    "audit": "audit, two rules",
    "audit-10": "audit, ten rules more",
    "audit-100": "audit, a hundred rules more",
    "ima-off": "IMA, appraisal only logged",
    "ima": "IMA, appraisal enforced",
    "evm-off": "EVM, no key",
    "evm": "EVM, a key",
    "ima.evm": "IMA and EVM",
}


def compare_all(book: Book) -> None:
    base = cell_of(book, "capability")
    if base and (stacks := _stacks(book)):
        book.compare("stacks", [Column(stack_title(name), base, result) for name, result in stacks.items()])
        book.compare("orders", _orders(stacks))
    if base and (bare := _stacks(book, BARE)):
        book.compare("stacks-bare", [Column(stack_title(name), base, result) for name, result in bare.items()])
    idle = cell_of(book, "none", "integrity")
    others = {name: cell_of(book, name, "integrity") for name in INTEGRITY}
    columns = columns_of([(IDLE, base, idle), *((INTEGRITY[name], idle, result) for name, result in others.items())])
    if columns:
        book.compare("integrity", columns)


def _stacks(book: Book, end: str = "") -> dict[str, Result]:
    """Return the stacks by their modules, the shortest first."""
    name_of = re.compile(re.escape(book.results.main) + r"-([a-z.]+)" + end)
    found = {name_of.fullmatch(name): r for name, r in book.results.part("stacking").items() if r.benchmarks}
    stacks = {match[1]: result for match, result in found.items() if match}
    return {name: stacks[name] for name in sorted(stacks, key=lambda name: (name.count("."), name))}


def _orders(stacks: dict[str, Result]) -> list[Column]:
    """Return comparisons of the same modules in another order with the first such stack."""
    first: dict[frozenset[str], str] = {}
    columns = []
    for stack in sorted(stacks):
        same = first.setdefault(frozenset(stack.split(".")), stack)
        if same != stack:
            columns.append(Column(f"{stack_title(stack)} instead of {stack_title(same)}", stacks[same], stacks[stack]))
    return columns


def stacking(book: Book) -> list[Block]:
    if "stacks" not in book.entries:
        return [NotRun("stacking", passage("stacking.not_run"))]
    some = _one_order(book, "stacks")
    return [
        _plot(book, "stacks", passage("stacking.stacks_drawn"), some),
        book.summary("stacks", passage("stacking.stacks"), "stack", some=some),
        *book.table("stacks", passage("stacking.stacks_by_call"), some, more=True),
        *_bare(book),
        *_order_blocks(book),
        Text(passage("stacking.why", apart=_additive(book))),
    ]


def _one_order(book: Book, ident: str) -> list[Column]:
    """Return the columns without those whose calls cost what they cost in the first order of the same modules."""
    entry, some = book.entries[ident], []
    first: dict[frozenset[str], Column] = {}
    for column in entry.columns:
        same = first.setdefault(frozenset(column.title.split(" + ")), column)
        if same is column or not _equal(entry, same.title, column.title):
            some.append(column)
    return some


def _equal(entry: Entry, one: str, other: str) -> bool:
    known, found = entry.column(one), entry.column(other)
    return known.keys() == found.keys() and all(round(known[row].value) == round(found[row].value) for row in known)


def _bare(book: Book) -> list[Block]:
    """Return the summary of 2021's stacks: modules that are active and have no policy."""
    if "stacks-bare" not in book.entries:
        return [NotRun("stacking", passage("stacking.bare_not_run", end=BARE))]
    some = _one_order(book, "stacks-bare")
    return [book.summary("stacks-bare", passage("stacking.bare"), "stack", some=some)]


def _plot(book: Book, ident: str, caption: str, columns: list[Column]) -> Figure:
    """Draw a row for each column: its median call, and the one with the largest increase by name."""
    entry = book.entries[ident]
    rows = {}
    for column in columns:
        if entry.column(column.title):
            worst, most = entry.worst(column.title)
            middle = plots.Point(1 + entry.middle(column.title), f"{column.title}: median")
            rows[column.title] = [[middle], [plots.Point(1 + most.change, f"{column.title}: {worst}", worst)]]
    plot = plots.dots(rows, ["median call", LARGEST], "times the base, logarithmic", plots.times, log=True)
    return Figure(f"plot-{ident}", caption, where([column.other for column in columns]), plot)


def _order_blocks(book: Book) -> list[Block]:
    """Return a table of the orders that differ, or a remark that none does."""
    entry = book.entries["orders"]
    differ = {key: found for key, found in entry.found.items() if round(found.difference)}
    if not differ:
        return [Text(passage("stacking.no_order", comparisons=len(entry.found)))]
    order = sorted(differ, key=lambda key: -abs(differ[key].change))
    rows = [(name, [row, changed(differ[row, name])]) for row, name in order[:12]]
    caption = passage("stacking.orders", differ=len(differ), comparisons=len(entry.found))
    return [Table("orders", caption, book.said(entry.columns), "order", ["call", "change"], rows)]


def _additive(book: Book) -> dict[str, float]:
    """Return how far a stack's cost is from the sum of its modules' costs, in parts of the call; {} without these."""
    stacks, singles, apart = book.entries["stacks"], book.entries.get("state-enforcing"), []
    for column in stacks.columns:
        for row, found in stacks.column(column.title).items():
            names = column.title.split(" + ")
            parts = [each.difference for name in names if singles and (each := singles.found.get((row, name)))]
            if len(parts) == len(names):
                apart.append((found.difference - sum(parts)) / found.base)
    return {"median": median(map(abs, apart)), "worst": max(apart, key=abs)} if apart else {}


def integrity(book: Book) -> list[Block]:
    if "integrity" not in book.entries:
        return [NotRun("integrity", passage("stacking.integrity_not_run"))]
    entry = book.entries["integrity"]
    missing = names_of(book, {name: cell_of(book, name, "integrity") for name in INTEGRITY}, "integrity")
    together = entry.largest(INTEGRITY["ima.evm"]) if entry.column(INTEGRITY["ima.evm"]) else None
    return [
        _plot(book, "integrity", passage("stacking.integrity_drawn"), entry.columns),
        book.summary("integrity", passage("stacking.integrity"), "in use", missing),
        *book.table("integrity", passage("stacking.integrity_by_call"), entry.columns, more=True),
        Text(passage("stacking.integrity_why", together=together)),
    ]
