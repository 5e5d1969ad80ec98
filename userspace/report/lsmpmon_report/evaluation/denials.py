# SPDX-License-Identifier: GPL-2.0-only
"""Figure 5 of 2021: what an open costs that a module denies, by one module and by each of two."""

from __future__ import annotations

from dataclasses import dataclass

from .blocks import EMPTY, Block, NotRun, Table, Text, whole
from .book import Book, where
from .passages import passage
from .results import Result, medians
from .titles import stack_title


def _stacks(book: Book) -> dict[tuple[str, ...], Result]:
    """Return the stacks by the order of their modules, single ones first."""
    part, begin = book.results.part("denials"), f"{book.results.main}-"
    found = {tuple(name.removeprefix(begin).split(".")): part[name] for name in part if name.startswith(begin)}
    return {stack: found[stack] for stack in sorted(found, key=lambda stack: (len(stack), sorted(stack), stack))}


def denied(result: Result, module: str) -> dict[str, float]:
    """Return the medians of an open that all allow and of one that the module denies."""
    return medians((result.data.get("denied") or {}).get(module))


def blocks(book: Book) -> list[Block]:
    stacks = _stacks(book)
    if not stacks:
        return [NotRun("denials", passage("denials.no_denials"))]
    rows = [(stack_title(".".join(stack)), _cells(stack, result)) for stack, result in stacks.items()]
    header = ["allowed", "denied by the first", "denied by the second"]
    return [Table("denials", passage("denials.denials"), where(stacks.values()), "asked in this order", header, rows),
            Text(passage("denials.denials_are", most=_most_saved(stacks)))]


def _cells(stack: tuple[str, ...], result: Result) -> list[str]:
    found = [denied(result, module) for module in stack]
    cells = [whole(found[0]["open"]), *(whole(each["denied/open"]) for each in found)]
    return [*cells, *[EMPTY] * (3 - len(cells))]


@dataclass(frozen=True)
class Denial:
    """An open that one of two modules denies: what it takes where this one is asked first, and where the other one is."""

    denies: str
    other: str
    before: float
    after: float


def _most_saved(stacks: dict[tuple[str, ...], Result]) -> Denial | None:
    """Return the pair in which it matters most whether the module that denies is asked first."""
    found = []
    for stack, result in stacks.items():
        other = stacks.get(stack[::-1])
        if len(stack) == 2 and other:
            before, after = (denied(each, stack[0])["denied/open"] for each in (result, other))
            found.append(Denial(stack[0], stack[1], before, after))
    return max(found, key=lambda each: each.after - each.before, default=None)


def advice(book: Book) -> str:
    """Return the first page's sentence on the order in which modules are asked; empty if no pair was measured."""
    most = _most_saved(_stacks(book))
    return passage("denials.advice", **vars(most)) if most else ""
