# SPDX-License-Identifier: GPL-2.0-only
"""Section 6 of 2021: its questions, answered by what was measured here."""

from __future__ import annotations

from . import causes, kernels
from .blocks import NotRun, Points, percent
from .book import MODULES, Book
from .titles import title


def blocks(book: Book) -> list:
    said = [found for answer in (_order, _repeated, _hooks_or_code) if (found := answer(book))]
    return [Points(said)] if said else [NotRun("stacking", "orders, hooks by kernel, and hooks and lines of code")]


def _order(book: Book) -> str:
    entry = book.entries.get("orders")
    if not entry or not entry.found:
        return ""
    most = max(abs(found.change) for found in entry.found.values())
    return (
        f"Does the order of modules matter? Where all of them allow, it changes instructions by"
        f" {percent(most, 2).lstrip('+')} at most, in {len(entry.found)} comparisons with policies. Published is over 10 % for open and stat,"
        " of SELinux and AppArmor, which these kernels do not take together. Where the first denies, the others are not asked."
    )


def _repeated(book: Book) -> str:
    """Every directory of a path is checked in each call."""
    changed = {hook: (before, after) for hook, before, after, _ in kernels.by_hook(book, "selinux")}
    if "inode_permission" not in changed:
        return ""
    (before, after), (old, new) = changed["inode_permission"], kernels.since(book)
    cause = causes.proved("selinux", "stat", after - before, old, new)
    because = f" {cause.came}." if cause else ""
    return (
        "Do repeated checks of the same directories cost? Each call checks each directory of its path again. In"
        f" SELinux such a check takes {before:,.0f} instructions on Linux {old} and {after:,.0f} on {new}.{because}"
    )


def _hooks_or_code(book: Book) -> str:
    """Whether modules with more hooks, or with more code, cost more."""
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
    return (
        f"More hooks or more code: what costs? Of {len(there)} modules, the order by cost agrees with the order by"
        f" hooks with a rank correlation of {by_hooks:+.2f}, with that by lines of code of {by_lines:+.2f}. With so few"
        " modules, this does not prove that either is the reason."
    )


def _agreement(one: list[float], other: list[float]) -> float:
    """Spearman's rank correlation, without ties."""
    ranks = [[sorted(values).index(value) for value in values] for values in (one, other)]
    count = len(one)
    return 1 - 6 * sum((a - b) ** 2 for a, b in zip(*ranks)) / (count * (count**2 - 1))
