# SPDX-License-Identifier: GPL-2.0-only
"""The time of hooks where several processors make the same calls at once."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from statistics import median

from ..stats import Interval, over_boots
from .blocks import EMPTY, Block, NotRun, Table, Text, percent
from .book import Book, where
from .boots import averaged
from .hooktimes import SPANS, by_hook, means
from .intervals import printed, written
from .passages import passage
from .results import Result
from .titles import title

MODULES = ("capability", "selinux", "apparmor")
RECORD = re.compile(r"processors-(\d+)-\d+")
# Of open() and creat() on each processor, as in lab/inside/eval. Other hooks are of what starts and ends the benchmark.
ROUNDS = 20000
# Processors at work, in the boots with most of them: what two threads of a machine share says little of more.
LEAST = 4


def _records(boot: Result) -> dict[int, list[str]]:
    """Return the records by number of processors."""
    found: dict[int, list[str]] = {}
    for name in boot.records:
        if match := RECORD.fullmatch(name):
            found.setdefault(int(match[1]), []).append(name)
    return found


def _calls(boot: Result, record: str) -> dict[str, int]:
    calls: dict[str, int] = {}
    for rows in boot.tables(record, "verdicts", SPANS):
        for row in rows:
            calls[row["hook"]] = calls.get(row["hook"], 0) + row["count"]
    return calls


@functools.cache
def _called(boot: Result) -> dict[str, float]:
    """Return the hooks of each round, and how often they are called, as counted on one processor."""
    calls = _calls(boot, _records(boot)[1][0])
    return {hook: number / ROUNDS for hook, number in calls.items() if number >= ROUNDS}


@functools.cache
def _times(boot: Result) -> dict[int, dict[str, float]]:
    """Return ns of a call by number of processors and hook: the median of the boot's records."""
    found = {}
    for number, names in _records(boot).items():
        runs = [run for name in names for run in means(boot, name, "verdicts", SPANS, by_hook)]
        found[number] = {hook: median(run[hook] for run in runs if hook in run) for hook in _called(boot)}
    return found


# By number of processors: a figure, and how many times that of one processor it is in the same boot.
Found = dict[int, tuple[Interval, "Interval | None"]]


def _over(boots: list[Result], figure: Callable[[Result, dict[str, float]], float]) -> Found:
    """Return a figure, and the second one unless a boot's hook took no longer than the clock."""
    each = [{number: figure(boot, times) for number, times in _times(boot).items()} for boot in boots]
    numbers = sorted(set.intersection(*(set(found) for found in each)))
    some = all(found[1] > 0 for found in each)
    return {n: (over_boots([f[n] for f in each]), over_boots([f[n] / f[1] for f in each]) if some else None) for n in numbers}


def _time(hook: str, boot: Result, times: dict[str, float]) -> float:
    return times[hook]


def _round(boot: Result, times: dict[str, float]) -> float:
    return sum(number * times[hook] for hook, number in _called(boot).items())


def _cells(found: Found, numbers: list[int]) -> list[str]:
    took = [printed(found[n][0]) if n in found else EMPTY for n in numbers]
    return took + [_rise(found[n][1]) if n in found else EMPTY for n in numbers if n > 1]


def _rise(each: Interval | None) -> str:
    """Return a ratio in percent."""
    return written(each, lambda ratio: percent(ratio - 1), lambda ratio: percent(ratio - 1, 0)) if each else EMPTY


def _boots(book: Book) -> dict[str, list[Result]]:
    """Return the boots with enough processors."""
    found = {module: book.results.boots("processors", f"{book.results.kernels[-1]}-{module}") for module in MODULES}
    some = {module: [boot for boot in boots if max(_records(boot), default=0) >= LEAST] for module, boots in found.items()}
    return {module: boots for module, boots in some.items() if boots}


def blocks(book: Book) -> list[Block]:
    there = _boots(book)
    if not there:
        return [NotRun("processors", passage("processors.no_processors", least=LEAST))]
    numbers = sorted({number for boots in there.values() for boot in boots for number in _records(boot)})
    header = [f"{n} processor{'s' * (n > 1)}" for n in numbers] + [f"{n} over 1" for n in numbers if n > 1]
    ratios = passage("processors.ratios", unit="ns", averaged=averaged([len(boots) for boots in there.values()]))
    said = where([boot for boots in there.values() for boot in boots], ratios)
    rows = [(title(module), _cells(_over(boots, _round), numbers)) for module, boots in there.items()]
    tables = [Table("processors", passage("processors.processors"), said, "module", header, rows)]
    tables += [_by_hook(module, boots, header, numbers) for module, boots in there.items()]
    return [*tables, Text(passage("processors.what"))]


def _by_hook(module: str, boots: list[Result], header: list[str], numbers: list[int]) -> Table:
    common = sorted(set.intersection(*(set(_called(boot)) for boot in boots)))
    rows = [(hook, _cells(_over(boots, functools.partial(_time, hook)), numbers)) for hook in common]
    said = where(boots, passage("processors.ratios", unit="ns of a call", averaged=averaged([len(boots)])))
    return Table(f"processors-{module}", passage("processors.by_hook", module=module), said, "hook", header, rows, more=True)
