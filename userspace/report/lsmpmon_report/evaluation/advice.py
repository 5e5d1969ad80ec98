# SPDX-License-Identifier: GPL-2.0-only
"""Advice of the first page, where the results show it."""

from __future__ import annotations

from ..drawing import plots
from ..stats import AFFECTED
from . import denials, ext4, openit, rules
from .blocks import Block, Figure, NotRun, Points
from .book import LARGEST, Book, Column, Entry, where
from .passages import passage
from .stacking import IDLE, INTEGRITY


def blocks(book: Book) -> list[Block]:
    said = [*_order(book), *openit.advice(book), *rules.advice(book), *_integrity(book)]
    if not said:
        return [NotRun("stacking", passage("advice.not_run"))]
    figure = _figure(book)
    return [*([figure] if figure else []), Points(said)]


def _figure(book: Book) -> Figure | None:
    """Draw the largest increase by each thing that can be left out, made shorter or put elsewhere."""
    rows, columns = {}, []
    for ident in ("orders", "rules", "integrity"):
        for column in _drawn(book, ident):
            row, most = book.entries[ident].worst(column.title)
            rows[column.title] = [[plots.Point(1 + most.change, f"{column.title}: {row}", row)]]
            columns.append(column)
    if not rows:
        return None
    plot = plots.dots(rows, [""], passage("advice.axis", largest=LARGEST), plots.times, log=True)
    return Figure("advice", passage("advice.drawn"), where([column.other for column in columns]), plot)


def _drawn(book: Book, ident: str) -> list[Column]:
    """Return the orders that matter, the largest number of rules, and one of the integrity options that are equal."""
    entry = book.entries.get(ident)
    if not entry:
        return []
    columns = [column for column in entry.columns if entry.column(column.title)]
    if ident == "orders":
        return [column for column in columns if entry.affected(column.title)][:3]
    if ident == "rules":
        return [column for column in columns if rules.is_most(column)]
    return [column for column in columns if column.title != INTEGRITY["ima-off"] or not _logging_is_equal(entry)]


def _order(book: Book) -> list[str]:
    entry = book.entries.get("orders")
    said: list[str] = []
    if entry and entry.found:
        most = max((found.change for found in entry.found.values()), key=abs)
        affected = abs(most) > AFFECTED
        said.append(passage("advice.order", most=most, affected=affected, comparisons=len(entry.found), threshold=AFFECTED))
    if denied := denials.advice(book):
        said.append(passage("advice.denials", denied=denied))
    return said


# Audit, IMA and EVM


def _integrity(book: Book) -> list[str]:
    entry = book.entries.get("integrity")
    if not entry:
        return []
    used = [_in_use(entry, name) for name in ("ima", "evm", "ima.evm")]
    return [said for said in (_idle(entry), *used, ext4.advice(book), _audit(entry)) if said]


def cost(entry: Entry, name: str) -> str:
    """Return the largest increase in percent, and how many calls are affected."""
    affected, calls = len(entry.affected(name)), len(entry.column(name))
    return passage("advice.cost", largest=entry.largest(name), affected=affected, of=calls, threshold=AFFECTED)


def _idle(entry: Entry) -> str:
    if not entry.column(IDLE):
        return ""
    return passage("advice.idle", cost=cost(entry, IDLE), affected=bool(entry.affected(IDLE)))


def _in_use(entry: Entry, cell: str) -> str:
    """Return what one of them costs, and of IMA, whether it costs as much where it only logs."""
    name = INTEGRITY[cell]
    if not entry.column(name):
        return ""
    equal = cell == "ima" and _logging_is_equal(entry)
    return passage("advice.in_use", name=name, cost=cost(entry, name), logging_is_equal=equal)


def _logging_is_equal(entry: Entry) -> bool:
    logged, enforced = (entry.column(INTEGRITY[name]) for name in ("ima-off", "ima"))
    both = set(logged) & set(enforced)
    return bool(both) and all(round(logged[row].value) == round(enforced[row].value) for row in both)


def _audit(entry: Entry) -> str:
    """Return what audit=1 costs by itself, and what the rules add."""
    plain, ruled = (entry.column(INTEGRITY[name]) for name in ("audit-off", "audit"))
    costs = [
        {"cost": cost(entry, INTEGRITY[name]), "affected": bool(entry.affected(INTEGRITY[name]))} if column else None
        for name, column in (("audit-off", plain), ("audit", ruled))
    ]
    added = sum(ruled[row].value > (1 + AFFECTED) * plain[row].value for row in ruled if row in plain)
    rule = _each_rule(entry) if added else {}
    return passage("advice.audit", plain=costs[0], ruled=costs[1], added=added, of=len(ruled), rule=rule, threshold=AFFECTED)


def _each_rule(entry: Entry) -> dict[str, float]:
    """Return what a rule adds to a call, of ninety that no call of the benchmark matches; {} if these were not measured."""
    ten, hundred = (entry.column(INTEGRITY[name]) for name in ("audit-10", "audit-100"))
    found = [(hundred[row].difference - ten[row].difference) / 90 for row in hundred if row in ten]
    return {"least": min(found), "most": max(found)} if found else {}
