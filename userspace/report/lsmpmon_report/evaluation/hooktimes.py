# SPDX-License-Identifier: GPL-2.0-only
"""Calls of each hook in a work, times what a call takes on a real processor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..kernelfiles import Row, calls, parse_info
from .results import Result

# What starts each of the works.
NOTHING = "nothing"
SPANS = ("hook", "count", "sum", "irq_count", "irq_sum")
CALLBACKS = ("module", "hook", "count", "cs_count", "sum")
# A hook, or a module and a hook.
Key = TypeVar("Key", str, tuple[str, str])


@dataclass(frozen=True)
class Spent:
    """Calls and the time of one of them, in ns, without the clock's own; None if none was timed."""

    calls: int
    each: float | None

    @property
    def ns(self) -> float:
        return self.calls * (self.each or 0)


def by_hook(row: Row) -> str:
    return str(row["hook"])


def by_callback(row: Row) -> tuple[str, str]:
    return row["module"], row["hook"]


def hook_calls(result: Result, work: str) -> dict[str, int]:
    return _called(result, work, "result", ("hook", "count", "cs_count"), by_hook)


def callback_calls(result: Result, work: str) -> dict[tuple[str, str], int]:
    return _called(result, work, "modules", CALLBACKS, by_callback)


def _called(result: Result, work: str, file: str, needs: tuple[str, ...], key: Callable[[Row], Key]) -> dict[Key, int]:
    """Return the calls in a work, without those in what starts it."""
    found, start = (
        {key(row): calls(row) for table in result.tables(f"{name}-module", file, needs)[:1] for row in table}
        for name in (work, NOTHING)
    )
    left = {each: number - start.get(each, 0) for each, number in found.items()}
    return {each: number for each, number in left.items() if number > 0}


def _clock(result: Result, record: str) -> tuple[float, float]:
    """Return ticks of an empty span, and ns of a tick."""
    about = parse_info(result.records[record]["runs"][0]["files"]["info"], name=f"{result.path}: {record}/info")
    return float(about.number("overhead")), about.ns(1)


def means(
    result: Result, record: str, file: str, needs: tuple[str, ...], key: Callable[[Row], Key]
) -> list[dict[Key, float]]:
    """Return ns of a call in each run. Calls with an interrupt inside are not in it, where the file tells them apart."""
    if record not in result.records:
        return []
    empty, tick = _clock(result, record)
    found = []
    for rows in result.tables(record, file, needs):
        sums: dict[Key, tuple[int, int]] = {}
        for row in rows:
            number, ticks = sums.get(key(row), (0, 0))
            quiet = row.get("count", 0) - row.get("irq_count", 0), row.get("sum", 0) - row.get("irq_sum", 0)
            sums[key(row)] = number + quiet[0], ticks + quiet[1]
        found.append({each: max(ticks / n - empty, 0) * tick for each, (n, ticks) in sums.items() if n})
    return found


def hook_runs(boots: list[Result], work: str) -> list[dict[str, float]]:
    """Return ns of a call by hook, in each run of these boots."""
    return [run for boot in boots for run in means(boot, f"{work}-none", "verdicts", SPANS, by_hook)]


def callback_runs(boots: list[Result], work: str) -> list[dict[tuple[str, str], float]]:
    """Return the same by module and hook."""
    return [run for boot in boots for run in means(boot, f"{work}-module", "modules", CALLBACKS, by_callback)]


def spent(number: dict[Key, int], runs: Sequence[Mapping[Key, float]]) -> dict[Key, Spent]:
    """Return calls times times. The machine only makes hooks slower, so the quietest run is what they take."""
    times = min(runs, key=lambda run: of_run(number, run), default={})
    return {key: Spent(calls, times.get(key)) for key, calls in number.items()}


def of_run(number: Mapping[Key, int], run: Mapping[Key, float]) -> float:
    """Return what all calls take, in ns, by the times of one run."""
    return sum(calls * run.get(key, 0) for key, calls in number.items())


def total(found: Mapping[Key, Spent]) -> float:
    """Return what all calls take, in ns."""
    return sum(each.ns for each in found.values())
