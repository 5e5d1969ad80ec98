# SPDX-License-Identifier: GPL-2.0-only
"""Section 6 of 2021: its questions, answered by what was measured here."""

from __future__ import annotations

from . import causes, kernels
from .blocks import Block, NotRun, Points
from .book import MODULES, Book
from .passages import passage
from .titles import title


def blocks(book: Book) -> list[Block]:
    said = [found for answer in (_order, _repeated, _hooks_or_code) if (found := answer(book))]
    return [Points(said)] if said else [NotRun("stacking", passage("questions.not_run"))]


def _order(book: Book) -> str:
    entry = book.entries.get("orders")
    if not entry or not entry.found:
        return ""
    most = max(abs(found.change) for found in entry.found.values())
    return passage("questions.order", most=most, comparisons=len(entry.found))


def _repeated(book: Book) -> str:
    """Return what a check of a directory costs on two kernels: each call checks every directory of its path."""
    changed = {hook: (before, after) for hook, before, after, _ in kernels.by_hook(book, "selinux")}
    if "inode_permission" not in changed:
        return ""
    (before, after), (old, new) = changed["inode_permission"], kernels.since(book)
    cause = causes.proved("selinux", "stat", after - before, old, new)
    came = cause.came if cause else None
    return passage("questions.repeated", before=before, after=after, old=old, new=new, cause=came)


def _hooks_or_code(book: Book) -> str:
    """Return whether modules with more hooks, or with more code, cost more."""
    entry, static = book.entries.get("state-enforcing"), book.results.static.get(book.results.main)
    if not entry or not static:
        return ""
    known = static.data["modules"]
    there = [m for m in MODULES if m in known and entry.column(title(m))]
    if len(there) < 4:
        return ""
    costs = [entry.middle(title(m)) for m in there]
    by_hooks = _agreement(costs, [known[m]["count"] for m in there])
    by_lines = _agreement(costs, [known[m]["code_lines"] for m in there])
    return passage("questions.hooks_or_code", modules=there, by_hooks=by_hooks, by_lines=by_lines)


def _agreement(one: list[float], other: list[float]) -> float:
    """Return Spearman's rank correlation; there must be no ties."""
    ranks, others = ([sorted(values).index(value) for value in values] for values in (one, other))
    count = len(one)
    return 1 - 6 * sum((a - b) ** 2 for a, b in zip(ranks, others)) / (count * (count**2 - 1))
