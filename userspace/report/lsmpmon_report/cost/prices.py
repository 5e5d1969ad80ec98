# SPDX-License-Identifier: GPL-2.0-only
"""The price of each sub-benchmark in one state under one stack: instructions of the timed call and of hooks in it."""

from __future__ import annotations

from dataclasses import dataclass

from ..benchmarks import timed_calls
from ..evaluation.files import Benchmark
from ..evaluation.results import Result
from ..kernelfiles import FormatError, Row, parse_info

# A call that enters the kernel executes more than this.
LEAST = 50
NEEDS = ("syscall", "hook", "count", "sum")


@dataclass(frozen=True)
class Spent:
    """Calls and instructions in one round. The monitor's own instructions in a span are not in it."""

    calls: float = 0
    instructions: float = 0

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.calls - other.calls, self.instructions - other.instructions)


@dataclass(frozen=True)
class Price:
    """`callbacks` are by hook and module."""

    benchmark: str
    instructions: float
    hooks: dict[str, Spent]
    callbacks: dict[tuple[str, str], Spent]

    def framework(self, hook: str) -> Spent:
        """Return what the dispatch of a hook takes, outside of the modules."""
        inside = sum(spent.instructions for (where, _), spent in self.callbacks.items() if where == hook)
        whole = self.hooks.get(hook, Spent())
        return Spent(whole.calls, whole.instructions - inside)


def _table(result: Result, benchmark: str, table: str) -> tuple[list[Row], list[Row], int]:
    """Return the table after few rounds and after many, and how many rounds are between."""
    files = result.records[benchmark]["runs"][0]["files"]
    rounds = sorted(int(name.rpartition("-")[2]) for name in files if name.startswith(f"{table}-"))
    if len(rounds) != 2:
        raise FormatError(f"{result.path}: {benchmark} has {len(rounds)} tables '{table}-ROUNDS'; there should be two")
    few, many = (result.tables(benchmark, f"{table}-{number}", NEEDS)[0] for number in rounds)
    return few, many, rounds[1] - rounds[0]


def _spent(rows: list[Row], key: tuple[str, ...], syscalls: tuple[str, ...], empty: int) -> dict[tuple[str, ...], Spent]:
    return {
        tuple(row[name] for name in key): Spent(row["count"], row["sum"] - empty * row["count"])
        for row in rows
        if row["syscall"] in syscalls and row.get("count")
    }


def _in_one_round(result: Result, benchmark: str, table: str, syscalls: tuple[str, ...]) -> dict[tuple[str, ...], Spent]:
    """Return what was spent by hook, and by module in the table of callbacks."""
    info = parse_info(result.records[benchmark]["runs"][0]["files"]["info"], name=f"{result.path}: info")
    key = ("syscall", "hook", "module") if table == "stacks" else ("syscall", "hook")
    few, many, rounds = _table(result, benchmark, table)
    less, more = (_spent(rows, key, syscalls, info.number("overhead_min")) for rows in (few, many))
    found: dict[tuple[str, ...], Spent] = {}
    for name in more:
        each = more[name] - less.get(name, Spent())
        before = found.get(name[1:], Spent())
        found[name[1:]] = Spent(before.calls + each.calls / rounds, before.instructions + each.instructions / rounds)
    return {name: spent for name, spent in found.items() if spent.calls}


def _price(row: Benchmark, empty: float, callbacks: Result) -> Price:
    name, syscalls = row["name"], timed_calls(row["calls"])
    hooks = {hook: spent for (hook,), spent in _in_one_round(callbacks, name, "syscalls", syscalls).items()}
    if row["min"] - empty < LEAST:
        raise FormatError(f"{name} executes {row['min'] - empty:g} instructions: it makes no system call")
    if not hooks:
        raise FormatError(f"{name} reaches no hook in {' '.join(syscalls)}, so it cannot tell what hooks cost")
    inside = {(hook, module): spent for (hook, module), spent in _in_one_round(callbacks, name, "stacks", syscalls).items()}
    return Price(name, row["min"] - empty, hooks, inside)


def prices(latency: Result, callbacks: Result) -> dict[str, Price]:
    """Return prices by sub-benchmark, from the least sample: those without a timer interrupt agree to the instruction."""
    run = latency.data["latency"]
    if not run:
        raise FormatError(f"{latency.path}: no latencies")
    missing = [row["name"] for row in run["benchmarks"] if row["name"] not in callbacks.records]
    if missing:
        raise FormatError(f"{callbacks.path}: nothing of {' '.join(missing)}")
    return {row["name"]: _price(row, run["empty"]["min"], callbacks) for row in run["benchmarks"]}
