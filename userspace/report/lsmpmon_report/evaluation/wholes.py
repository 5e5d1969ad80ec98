# SPDX-License-Identifier: GPL-2.0-only
"""Whole calls and the hooks inside them, of part calls: ticks from entry to exit, by boot and sub-benchmark."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median

from ..kernelfiles import Row, known, own
from ..stats import Interval, difference_over_turns
from .book import FILES, MODULES, Book
from .records import STOP, timed
from .results import Result, version

PART = "calls"
NEEDS = ("syscall", "count", "sum", "hook_count", "hook_own")


@dataclass(frozen=True)
class Whole:
    """Ticks of a call, of these the ones in hooks, and how many hooks it calls. A difference of two calls is one, too."""

    ticks: float
    hooks: float
    asked: float

    @property
    def elsewhere(self) -> float:
        return self.ticks - self.hooks


def _records(result: Result, benchmark: str) -> list[str]:
    """Return the records of one benchmark, as lab/inside/eval names them."""
    return [name for name in result.records if re.fullmatch(r"calls-\d+/.+", name) and name.partition("/")[2] == benchmark]


def _rows(result: Result, record: str) -> list[Row]:
    return [row for table in result.tables(record, PART, NEEDS) for row in table if row.get("count")]


@functools.cache
def _stop(result: Result) -> Whole:
    """Return the call that stops the monitor, from the benchmarks that write nothing else. It takes more than any other."""
    rows = [
        row
        for benchmark in FILES.values()
        if STOP not in timed(benchmark)
        for record in _records(result, benchmark)
        for row in _rows(result, record)
        if row["syscall"] == STOP
    ]
    if not rows:
        return Whole(0, 0, 0)
    return Whole(*(median(each) for each in zip(*((own(row), row["hook_own"], row["hook_count"]) for row in rows))))


def _call(row: Row, stop: Whole) -> Whole:
    """Return the mean call of a row, without the one that stops the monitor."""
    one = row["syscall"] == STOP
    ticks, hooks, asked = own(row) - one * stop.ticks, row["hook_own"] - one * stop.hooks, row["hook_count"] - one * stop.asked
    return Whole(*(total / (known(row) - one) for total in (ticks, hooks, asked)))


@functools.cache
def records_of(result: Result, benchmark: str) -> list[Whole]:
    """Return the timed operation of a benchmark in each of its records: a copy is two system calls."""
    found = []
    for record in _records(result, benchmark):
        calls = {row["syscall"]: _call(row, _stop(result)) for row in _rows(result, record) if row["syscall"] in timed(benchmark)}
        if len(calls) == len(timed(benchmark)):
            found.append(together(calls.values()))
    return found


def together(calls: Iterable[Whole]) -> Whole:
    """Return the sum of some calls."""
    return Whole(*map(sum, zip(*((call.ticks, call.hooks, call.asked) for call in calls))))


@functools.cache
def whole(result: Result, benchmark: str) -> Whole | None:
    """Return the quietest record of a boot: what else the machine does only makes a call slower."""
    return min(records_of(result, benchmark), key=lambda each: each.ticks, default=None)


# A call in each boot, by its number.
Boots = dict[int, Whole]
Measure = Callable[[Whole], float]


def ticks(call: Whole) -> float:
    return call.ticks


def hooks(call: Whole) -> float:
    return call.hooks


def elsewhere(call: Whole) -> float:
    return call.elsewhere


def added(before: Boots, after: Boots, figure: Measure) -> Interval:
    """Return how much more it is after, over boots with the same number: what else the machine does changes from turn to turn
    by more than a module adds.
    """
    both = sorted(before.keys() & after.keys())
    return difference_over_turns(*([figure(boots[boot]) for boot in both] for boots in (before, after)))


@dataclass(frozen=True)
class Calls:
    """The boots of one stack: that in which instructions are counted, and those in which cycles are."""

    exact: Result | None
    boots: list[Result]

    def instructions(self, row: str) -> Whole | None:
        return whole(self.exact, FILES[row]) if self.exact else None

    def cycles(self, row: str) -> Boots:
        """Return the call in each boot."""
        return {boot.cell.get("boot", 1): found for boot in self.boots if (found := whole(boot, FILES[row]))}

    def all_cycles(self, rows: Iterable[str]) -> Boots:
        """Return all these calls together, one each, in each boot that has them."""
        each = [self.cycles(row) for row in rows]
        boots = set.intersection(*(set(calls) for calls in each))
        return {boot: together(calls[boot] for calls in each) for boot in sorted(boots)}


def newest(book: Book) -> str:
    """Return the version of the kernel."""
    return max((name.partition("-")[0] for name in book.results.part(PART)), key=version, default="")


def calls_of(book: Book) -> dict[str, Calls]:
    """Return the boots by module, without modules that no cycles were counted of."""
    kver, found = newest(book), {}
    for module in ("capability", *MODULES):
        boots = book.results.boots(PART, f"{kver}-{module}")
        if any(boot.records for boot in boots):
            found[module] = Calls(book.results.get(PART, f"{kver}-{module}-exact"), boots)
    return found
