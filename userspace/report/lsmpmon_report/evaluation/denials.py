# SPDX-License-Identifier: GPL-2.0-only
"""Figure 5 of 2021: what an open costs that a module denies, by one module and by each of two."""

from __future__ import annotations

from .blocks import EMPTY, NotRun, Table, Text, whole
from .book import Book, where
from .passages import passage
from .results import Result
from .titles import stack_title


def _stacks(book: Book) -> dict[tuple[str, ...], Result]:
    """By the order of modules, single ones first."""
    part, begin = book.results.part("denials"), f"{book.results.main}-"
    found = {tuple(name.removeprefix(begin).split(".")): part[name] for name in part if name.startswith(begin)}
    return {stack: found[stack] for stack in sorted(found, key=lambda stack: (len(stack), sorted(stack), stack))}


def denied(result: Result, module: str) -> dict[str, float]:
    """Medians of an open that all allow and of one that the module denies."""
    rows = ((result.data.get("denied") or {}).get(module) or {}).get("benchmarks", [])
    return {row["name"]: row["median"] for row in rows}


def blocks(book: Book) -> list:
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


def _most_saved(stacks: dict[tuple[str, ...], Result]) -> dict | None:
    """Return the pair in which it matters most whether the module that denies is asked first: what it costs then, and if not."""
    found = []
    for stack, result in stacks.items():
        other = stacks.get(stack[::-1])
        if len(stack) == 2 and other:
            before, after = (denied(each, stack[0])["denied/open"] for each in (result, other))
            found.append({"denies": stack[0], "other": stack[1], "before": before, "after": after})
    return max(found, key=lambda pair: pair["after"] - pair["before"], default=None)


def advice(book: Book) -> str:
    """Return the first page's sentence on the order in which modules are asked; empty if no pair was measured."""
    most = _most_saved(_stacks(book))
    return passage("denials.advice", **most) if most else ""
