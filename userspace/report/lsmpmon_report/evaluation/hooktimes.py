# SPDX-License-Identifier: GPL-2.0-only
"""How often a work calls each hook, what a call takes on a real processor, and the product."""

from __future__ import annotations

from dataclasses import dataclass

from ..kernelfiles import calls, parse_info
from .results import Result

# What starts each of the works.
NOTHING = "nothing"
SPANS = ("hook", "count", "sum", "irq_count", "irq_sum")
CALLBACKS = ("module", "hook", "count", "cs_count", "sum")


@dataclass(frozen=True)
class Spent:
    """Calls and the time of one of them, in ns, without the clock's own; None if none was timed."""

    calls: int
    each: float | None

    @property
    def ns(self) -> float:
        return self.calls * (self.each or 0)


def hook_calls(result: Result, work: str) -> dict[str, int]:
    """By hook, without what starts the work."""
    return _without(_counted(result, work), _counted(result, NOTHING))


def _counted(result: Result, work: str) -> dict[str, int]:
    tables = result.tables(f"{work}-module", "result", ("hook", "count", "cs_count"))
    return {row["hook"]: calls(row) for row in tables[0] if calls(row)} if tables else {}


def callback_calls(result: Result, work: str) -> dict[tuple[str, str], int]:
    """By module and hook."""
    return _without(_callbacks(result, work), _callbacks(result, NOTHING))


def _callbacks(result: Result, work: str) -> dict[tuple[str, str], int]:
    tables = result.tables(f"{work}-module", "modules", CALLBACKS)
    return {(row["module"], row["hook"]): calls(row) for row in tables[0]} if tables else {}


def _without(found: dict, start: dict) -> dict:
    left = {key: number - start.get(key, 0) for key, number in found.items()}
    return {key: number for key, number in left.items() if number > 0}


def _clock(result: Result, record: str) -> tuple[float, float]:
    """Ticks of an empty span, and ns of a tick."""
    about = parse_info(result.records[record]["runs"][0]["files"]["info"], name=f"{result.path}: {record}/info")
    return float(about.number("overhead")), 1e6 / about.number("clock_khz")


def means(result: Result, record: str, file: str, needs: tuple[str, ...], key) -> list[dict]:
    """Of each run, ns of a call by key. Calls with an interrupt inside are not in it, where the file tells them apart."""
    if record not in result.records:
        return []
    empty, tick = _clock(result, record)
    found = []
    for rows in result.tables(record, file, needs):
        sums: dict = {}
        for row in rows:
            number, ticks = sums.get(key(row), (0, 0))
            quiet = row.get("count", 0) - row.get("irq_count", 0), row.get("sum", 0) - row.get("irq_sum", 0)
            sums[key(row)] = number + quiet[0], ticks + quiet[1]
        found.append({each: max(ticks / n - empty, 0) * tick for each, (n, ticks) in sums.items() if n})
    return found


def hook_runs(boots: list[Result], work: str) -> list[dict[str, float]]:
    """Of each run of these boots, ns of a call by hook."""
    return [run for boot in boots for run in means(boot, f"{work}-none", "verdicts", SPANS, lambda row: row["hook"])]


def callback_runs(boots: list[Result], work: str) -> list[dict[tuple[str, str], float]]:
    """The same by module and hook."""

    def key(row: dict) -> tuple[str, str]:
        return row["module"], row["hook"]

    return [run for boot in boots for run in means(boot, f"{work}-module", "modules", CALLBACKS, key)]


def spent(number: dict, runs: list[dict]) -> dict:
    """Calls times times, by the same keys. The machine only makes hooks slower, so the quietest run is what they take."""
    times = min(runs, key=lambda run: of_run(number, run), default={})
    return {key: Spent(calls, times.get(key)) for key, calls in number.items()}


def of_run(number: dict, run: dict) -> float:
    """What all calls take, in ns, by the times of one run."""
    return sum(calls * run.get(key, 0) for key, calls in number.items())


def total(found: dict) -> float:
    """In ns."""
    return sum(each.ns for each in found.values())
