# SPDX-License-Identifier: GPL-2.0-only
"""Page: what a policy of real size costs, and a call as rules are added."""

from __future__ import annotations

import math

from ..drawing import plots
from ..drawing.svg import Drawing
from ..stats import AFFECTED
from . import states
from .blocks import Block, Figure, Heading, NotRun, Text, whole
from .book import FILES, Book, Column, cell_of, names_of, where
from .passages import passage
from .results import Result
from .titles import title

RULES = (10, 100, 1000, 10000)
RULED = ("landlock", "tomoyo", "apparmor", "smack", "bpf")
# Policies of the benchmark, and others of the same modules.
SIZES = ("selinux", "selinux-debian", "apparmor", "apparmor-debian", "tomoyo-few", "tomoyo")


def _cells(book: Book, module: str) -> dict[int, Result]:
    found = {number: cell_of(book, f"{module}-{number}", "rules") for number in RULES}
    return {number: result for number, result in found.items() if result}


def _columns(module: str, found: dict[int, Result]) -> list[Column]:
    least = min(found, default=0)
    return [Column(f"{title(module)}, {n:,} over {least:,}", found[least], r) for n, r in found.items() if n != least]


def compare_all(book: Book) -> None:
    columns = [column for module in RULED for column in _columns(module, _cells(book, module))]
    if columns:
        book.compare("rules", columns)
    if found := [column for policy in SIZES if (column := states.over_capability(book, policy, "enforcing"))]:
        book.compare("sizes", found)


def blocks(book: Book) -> list[Block]:
    return [Heading(passage("rules.sizes_title")), *_sizes(book), Heading(passage("rules.more_title")), *_more(book)]


def _sizes(book: Book) -> list[Block]:
    if "sizes" not in book.entries:
        return [NotRun("modules", passage("rules.sizes_not_run"))]
    entry = book.entries["sizes"]
    wanted = {f"{policy}-enforcing": states.over_capability(book, policy, "enforcing") for policy in SIZES}
    return [
        book.summary("sizes", passage("rules.sizes"), "policy", names_of(book, wanted)),
        *book.table("sizes", passage("rules.sizes_by_call"), entry.columns, more=True),
        Text(passage("rules.sizes_are")),
    ]


def _more(book: Book) -> list[Block]:
    if "rules" not in book.entries:
        return [NotRun("rules", passage("rules.more_not_run"))]
    entry = book.entries["rules"]
    wanted = {f"{module}-{n}": _cells(book, module).get(n) for module in RULED for n in RULES}
    said = where([column.other for column in entry.columns], passage("rules.more_axes"))
    return [
        Figure("rules-calls", passage("rules.more_drawn"), said, _plot(book)),
        book.summary("rules", passage("rules.more"), "rules", names_of(book, wanted, "rules")),
        *book.table("rules", passage("rules.more_by_call"), entry.columns, more=True),
        Text(passage("rules.more_cost", most=_costs(book))),
    ]


def _plot(book: Book) -> Drawing | None:
    series = {f"{title(m)} {row}": _points(_cells(book, m), row) for m in RULED for row in ("open", "creat")}
    series = {name: points for name, points in series.items() if len(points) > 1}
    return plots.lines(series, "instructions a call", "rules", whole, log=True)


def _points(there: dict[int, Result], row: str) -> list[tuple[float, plots.Point]]:
    return [
        (float(number), plots.Point(middle, f"{row}, {number:,} rules: {middle:,.0f}"))
        for number, result in there.items()
        if (middle := result.median(FILES[row]))
    ]


def is_most(column: Column) -> bool:
    """Return whether a column has the most rules of all."""
    return f"{max(RULES):,} over" in column.title


def _most(book: Book) -> dict[str, Column]:
    """Return the column with the most rules, by module."""
    entry = book.entries["rules"]
    found = {column.other.name.split("-")[1]: column for column in entry.columns if is_most(column)}
    return {module: column for module, column in found.items() if entry.column(column.title)}


# Modules that compare with one rule after the other, and come to the added ones first.
PASSING = ("tomoyo", "smack")


def advice(book: Book) -> list[str]:
    """Return what the first page says of rules: what one costs, and the call with the largest increase in percent."""
    said = [_each(book, module, column) for module, column in _most(book).items()] if "rules" in book.entries else []
    return [*said, *(found for pair in POLICIES if (found := _policy(book, *pair)))]


def _each(book: Book, module: str, column: Column) -> str:
    entry, numbers = book.entries["rules"], sorted(_cells(book, module))
    calls = [entry.found[name, column.title].difference for name in entry.affected(column.title)]
    each = [round(ticks / (numbers[-1] - numbers[0])) for ticks in calls]
    passed = _passed(each) if each and module in PASSING else {}
    largest = entry.largest(column.title) if calls else None
    counts = {"least": numbers[0], "most": numbers[-1]}
    return passage("rules.advice", module=module, **counts, largest=largest, passed=passed, threshold=AFFECTED)


def _passed(ticks: list[int]) -> dict[str, int]:
    """Return what one added rule takes in a call, which makes several checks, each of which may pass all rules."""
    least, most, check = min(ticks), max(ticks), math.gcd(*ticks)
    if least < 1:
        return {}
    return {"least": least, "most": most, "check": check if 1 < check < least else 0}


# The policy of the benchmark, and one of real size.
POLICIES = (("selinux", "selinux-debian"), ("apparmor", "apparmor-debian"))


def _policy(book: Book, small: str, large: str) -> str:
    """Return what the larger policy costs more in the call that it makes most expensive."""
    entry = book.entries.get("sizes")
    found = [entry.column(title(policy)) for policy in (small, large)] if entry else [{}, {}]
    added = {row: found[1][row].difference - found[0][row].difference for row in found[0] if row in found[1]}
    if not added:
        return ""
    row = max(added, key=added.__getitem__)
    calls = sum(value > AFFECTED * found[0][each].value for each, value in added.items())
    largest = {"call": row, "difference": added[row]}
    return passage("rules.policy", policy=large, largest=largest, calls=calls, of=len(added), threshold=AFFECTED)


def _costs(book: Book) -> list[dict[str, object]]:
    """Return what the most rules cost with each module."""
    entry, names = book.entries["rules"], [column.title for column in _most(book).values()]
    return [{"column": name, "median": entry.middle(name), "largest": entry.largest(name)} for name in names]
