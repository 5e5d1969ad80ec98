# SPDX-License-Identifier: GPL-2.0-only
"""The price of each sub-benchmark in one state under one stack: instructions of the timed call and of hooks in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..benchmarks import timed_calls
from ..evaluation.files import Benchmark
from ..evaluation.results import Result
from ..kernelfiles import FormatError, parse_info

# A call that enters the kernel executes more than this.
LEAST = 50


@dataclass(frozen=True)
class Spent:
    """Calls and instructions in one round. The monitor's own instructions in a span are not in it."""

    calls: float = 0
    instructions: float = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.calls + other.calls, self.instructions + other.instructions)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.calls - other.calls, self.instructions - other.instructions)

    def __mul__(self, factor: float) -> Spent:
        return Spent(self.calls * factor, self.instructions * factor)


@dataclass(frozen=True)
class Price:
    """`callbacks` are by hook and module. Calls inside other calls are only in what they are themselves, so that all add up."""

    benchmark: str
    instructions: float
    hooks: dict[str, Spent]
    callbacks: dict[tuple[str, str], Spent]

    def framework(self, hook: str) -> Spent:
        """Return what the dispatch of a hook takes, outside of the modules."""
        inside = sum(spent.instructions for (where, _), spent in self.callbacks.items() if where == hook)
        whole = self.hooks.get(hook, Spent())
        return Spent(whole.calls, whole.instructions - inside)


def _rounds(result: Result, benchmark: str, table: str) -> list[int]:
    """Return after how many rounds there are tables of that name."""
    files = result.records[benchmark]["runs"][0]["files"]
    return sorted(int(name.rpartition("-")[2]) for name in files if name.startswith(f"{table}-"))


def _in_one_round(result: Result, benchmark: str, table: str, key: tuple[str, ...]) -> dict[tuple[str, ...], Spent]:
    """Return what was spent by the columns of a key: what a table has more after many rounds than after few."""
    empty = parse_info(result.records[benchmark]["runs"][0]["files"]["info"], name=f"{result.path}: info").number("overhead_min")
    rounds = _rounds(result, benchmark, table)
    if len(rounds) != 2:
        raise FormatError(f"{result.path}: {benchmark} has {len(rounds)} tables '{table}-ROUNDS'; there should be two")
    found: dict[tuple[str, ...], Spent] = {}
    for number, sign in zip(rounds, (-1, 1), strict=True):
        for row in result.tables(benchmark, f"{table}-{number}", (*key, "count", "sum"))[0]:
            if row.get("count"):
                name = tuple(row[column] for column in key)
                spent = Spent(row["count"], row["sum"] - empty * row["count"]) * (sign / (rounds[1] - rounds[0]))
                found[name] = found.get(name, Spent()) + spent
    return {name: spent for name, spent in found.items() if spent.calls}


def _together(spent: dict[tuple[str, ...], Spent], syscalls: Collection[str] | None = None) -> dict[tuple[str, ...], Spent]:
    """Add up what was spent by system call and other columns over the system calls, or over some of them."""
    found: dict[tuple[str, ...], Spent] = {}
    for (syscall, *name), each in spent.items():
        if syscalls is None or syscall in syscalls:
            found[tuple(name)] = found.get(tuple(name), Spent()) + each
    return found


def _nested(result: Result, benchmark: str, table: str, shares: dict[str, float]) -> dict[tuple[str, ...], Spent]:
    """Return what calls inside of others took, by the hook and the module around them.

    That table has no system calls: of a hook, the timed calls have their share. A monitor of before has no such table.
    """
    if not _rounds(result, benchmark, table):
        return {}
    found = _in_one_round(result, benchmark, table, ("outer", "module"))
    return {key: spent * shares[key[0]] for key, spent in found.items() if key[0] in shares}


def _itself(whole: Spent, nested: Iterable[Spent]) -> Spent:
    """Return what calls took without the calls inside of them."""
    return Spent(whole.calls, whole.instructions - sum(spent.instructions for spent in nested))


def _price(row: Benchmark, empty: float, callbacks: Result) -> Price:
    name, syscalls = row["name"], timed_calls(row["calls"])
    if row["min"] - empty < LEAST:
        raise FormatError(f"{name} executes {row['min'] - empty:g} instructions: it makes no system call")
    by_syscall = _in_one_round(callbacks, name, "syscalls", ("syscall", "hook"))
    hooks = {hook: spent for (hook,), spent in _together(by_syscall, syscalls).items()}
    if not hooks:
        raise FormatError(f"{name} reaches no hook in {' '.join(syscalls)}, so it cannot tell what hooks cost")
    every = _together(by_syscall)
    shares = {hook: spent.calls / every[hook,].calls for hook, spent in hooks.items()}
    nested = _nested(callbacks, name, "nested", shares)
    in_callbacks = _nested(callbacks, name, "nested_stack", shares)
    inside = _together(_in_one_round(callbacks, name, "stacks", ("syscall", "hook", "module")), syscalls)
    own = {hook: _itself(spent, (each for key, each in nested.items() if key[0] == hook)) for hook, spent in hooks.items()}
    callback = {(hook, module): _itself(spent, [in_callbacks.get((hook, module), Spent())])
                for (hook, module), spent in inside.items()}
    return Price(name, row["min"] - empty, own, callback)


def prices(latency: Result, callbacks: Result) -> dict[str, Price]:
    """Return prices by sub-benchmark, from the least sample: those without a timer interrupt agree to the instruction."""
    run = latency.data["latency"]
    if not run:
        raise FormatError(f"{latency.path}: no latencies")
    missing = [row["name"] for row in run["benchmarks"] if row["name"] not in callbacks.records]
    if missing:
        raise FormatError(f"{callbacks.path}: nothing of {' '.join(missing)}")
    return {row["name"]: _price(row, run["empty"]["min"], callbacks) for row in run["benchmarks"]}
