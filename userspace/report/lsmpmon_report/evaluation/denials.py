# SPDX-License-Identifier: GPL-2.0-only
"""Figure 5 of 2021: what an open costs that a module denies, by one module and by each of two."""

from __future__ import annotations

from .blocks import EMPTY, NotRun, Table, Text, whole
from .book import Book, where
from .results import Result
from .titles import stack_title, title


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
        return [NotRun("denials", "an open that one module denies, in stacks of one and two modules")]
    rows = [(stack_title(".".join(stack)), _cells(stack, result)) for stack, result in stacks.items()]
    header = ["allowed", "denied by the first", "denied by the second"]
    caption = "An open that all modules allow, and one that a single module denies"
    return [Table("denials", caption, where(stacks.values()), "asked in this order", header, rows),
            Text(_orders(stacks) + DENIALS_ARE, "What it shows.")]


def _cells(stack: tuple[str, ...], result: Result) -> list[str]:
    found = [denied(result, module) for module in stack]
    cells = [whole(found[0]["open"]), *(whole(each["denied/open"]) for each in found)]
    return [*cells, *[EMPTY] * (3 - len(cells))]


def _most_saved(stacks: dict[tuple[str, ...], Result]) -> tuple[tuple[str, ...], float, float] | None:
    """The pair in which it matters most whether the module that denies is asked first: what it costs, and if not."""
    found = []
    for stack, result in stacks.items():
        other = stacks.get(stack[::-1])
        if len(stack) == 2 and other:
            found.append((stack, *(denied(each, stack[0])["denied/open"] for each in (result, other))))
    return max(found, key=lambda pair: pair[2] - pair[1], default=None)


def _orders(stacks: dict[tuple[str, ...], Result]) -> str:
    most = _most_saved(stacks)
    if not most:
        return ""
    (denies, other), first, second = most
    return (
        f"The order matters most for {title(denies)} and {title(other)}: where {title(denies)} denies and is asked"
        f" first, that saves {whole(second - first)} instructions, which is what {title(other)} does to allow it. "
    )


def advice(book: Book) -> str:
    """For the first page, of the order in which modules are asked."""
    most = _most_saved(_stacks(book))
    if not most:
        return ""
    (denies, other), first, second = most
    searched = SEARCHED if other == "tomoyo" else ""
    return (
        f" Where {title(denies)} denies, a denied open takes {whole(first)} instructions with {title(denies)} asked"
        f" before {title(other)}, {whole(second)} with it asked after.{searched}"
    )


SEARCHED = " TOMOYO's rules for that file are the last of its list, so it searches all of it."

DENIALS_ARE = (
    "The kernel asks the modules of a stack in turn and stops at the first that denies. For each module there is a file"
    " that it denies and that the others allow, in directories of the same depth; with each module by itself, the files of"
    " the others were opened. SELinux and Smack deny the search of a directory on the way, before the other modules are"
    " asked at all, so their place in the stack changes nothing where they deny; AppArmor, Landlock and TOMOYO deny in"
    " file_open. Denials are not logged: AppArmor and Smack have a setting for this, SELinux's policy has dontaudit rules."
    " TOMOYO searches its whole list before it denies. Its rules for the files of the others are the last of its list, so"
    " it searches all of it to allow them, too."
)
