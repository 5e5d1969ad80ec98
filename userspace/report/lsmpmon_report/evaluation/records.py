# SPDX-License-Identifier: GPL-2.0-only
"""What the monitor counted in a cell: hooks, callbacks and system calls, by sub-benchmark."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

import numpy

from ..kernelfiles import FormatError, Info, calls, parse_info
from ..rounds import DEFERRED
from .results import Result

TIMED = {
    "openat": ("openat",),
    "fstatat": ("newfstatat",),
    "read/4k": ("read",),
    "write/4k": ("write",),
    "copy/4k": ("read", "write"),
    "copy/sendfile": ("sendfile",),
    "chmod/fd": ("fchmod",),
    "read": ("pread64",),
    "write": ("pwrite64",),
}
# The system call that stops the monitor.
STOP = "write"


@dataclass(frozen=True)
class Hook:
    """One hook: the average of each boot in ticks, and the calls of all boots."""

    averages: numpy.ndarray
    calls: int
    ticks: float

    @property
    def average(self) -> float:
        return float(numpy.median(self.averages))


def timed(benchmark: str) -> tuple[str, ...]:
    """Names of the system calls that a sub-benchmark times."""
    return TIMED.get(benchmark) or TIMED.get(benchmark.partition("/")[0], (benchmark.partition("/")[0],))


def work(result: Result) -> list[str]:
    """Records that repeat all the work."""
    return [name for name in result.records if re.fullmatch(r"work(-\d+)?", name)]


def rounds(result: Result, record: str) -> int:
    """Number of rounds in a record, from the recorded command."""
    command = result.records[record].get("command") or []
    for flag, number in zip(command, command[1:]):
        if flag == "-n" and str(number).isdigit():
            return int(number)
    return 1000 if record.startswith("work") else 64


@functools.cache
def info(result: Result) -> Info:
    """`info` of the first record."""
    for record in result.records.values():
        for run in record["runs"]:
            if run["files"].get("info"):
                return parse_info(run["files"]["info"], name=f"{result.path}: info")
    raise FormatError(f"{result.path}: none of its records has 'info'")


def per_us(result: Result) -> float:
    """Ticks per microsecond."""
    khz = info(result).number("clock_khz")
    if not khz:
        raise FormatError(f"{result.path}: info: 'clock_khz: 0' should be a number")
    return khz / 1000


@functools.cache
def hook_costs(boots: tuple[Result, ...]) -> dict[str, Hook]:
    """Costs by hook: of each boot, the median of its repetitions of the work."""
    rows: dict[str, list[dict]] = {}
    for result in boots:
        for hook, each in _repetitions(result).items():
            average, count = numpy.median([row["ave"] for row in each]), sum(row["count"] for row in each)
            rows.setdefault(hook, []).append({"ave": average, "count": count})
    return {hook: _hook(each) for hook, each in rows.items()}


def _repetitions(result: Result) -> dict[str, list[dict]]:
    """One row per repetition; one row in all if the work was done once, by sub-benchmark."""
    rows: dict[str, list[dict]] = {}
    for record in work(result) or result.records:
        for table in result.tables(record, "result", ("hook", "ave", "count")):
            for row in table:
                if row.get("count"):
                    rows.setdefault(row["hook"], []).append(row)
    return rows if work(result) else {hook: [_together(each)] for hook, each in rows.items()}


def _together(rows: list[dict]) -> dict:
    """The mean over all calls, since a hook's cost differs between sub-benchmarks."""
    count = sum(row["count"] for row in rows)
    return {"ave": sum(row["ave"] * row["count"] for row in rows) / count, "count": count}


def _hook(rows: list[dict]) -> Hook:
    return Hook(
        numpy.array([row["ave"] for row in rows], float),
        sum(row["count"] for row in rows),
        float(sum(row["ave"] * row["count"] for row in rows)),
    )


def hook_counts(result: Result, benchmark: str) -> dict[str, float]:
    """Calls of each hook in one round of a benchmark, without the one that stopped the monitor."""
    found: dict[str, float] = {}
    for table in result.tables(benchmark, "result", ("hook", "count")):
        for row in table:
            number = calls(row) - (row["hook"] == "file_permission")
            if number > 0 and row["hook"] not in DEFERRED:
                found[row["hook"]] = found.get(row["hook"], 0) + number / rounds(result, benchmark)
    return found


@dataclass(frozen=True)
class Share:
    """Ticks of a system call, and of all hooks in it."""

    ticks: float
    hooks: float
    calls: int
    hook_calls: int

    @property
    def part(self) -> float:
        return self.hooks / self.ticks


def share(result: Result, benchmark: str) -> Share | None:
    """Share in the system calls that the benchmark times; None where the kernel does not count them."""
    rows = [
        row
        for table in result.tables(benchmark, "calls", ("syscall", "count", "sum", "hook_count", "hook_sum"))
        for row in table
        if row["syscall"] in timed(benchmark) and row.get("count")
    ]
    ticks = sum(row["sum"] for row in rows)
    if not ticks:
        return None
    return Share(
        ticks,
        sum(row["hook_sum"] for row in rows),
        sum(calls(row) for row in rows),
        sum(row["hook_count"] for row in rows),
    )


def implementers(result: Result) -> dict[str, tuple[str, ...]]:
    """Which modules implement each hook, from `hooks`."""
    for record in result.records:
        for table in result.tables(record, "hooks", ("hook", "modules")):
            return {row["hook"]: tuple(row.get("modules", "-").replace("-", "").split(",")) for row in table}
    return {}


def in_syscall(result: Result, benchmark: str) -> dict[str, float]:
    """Hook calls in one timed operation of a benchmark, from `syscalls`: a copy is two system calls. The write that stops
    the monitor is not one of them.
    """
    found: dict[str, float] = {}
    whole, names = share(result, benchmark), timed(benchmark)
    number = rounds(result, benchmark) if benchmark in result.records else 1
    if whole:
        number = (whole.calls - (STOP in names)) / len(names)
    for row in _syscalls(result, benchmark):
        if row["syscall"] in names:
            stop = row["syscall"] == STOP and row["hook"] == "file_permission"
            found[row["hook"]] = found.get(row["hook"], 0) + (calls(row) - stop) / number
    return {hook: count for hook, count in found.items() if count > 0}


def _syscalls(result: Result, record: str) -> list[dict]:
    tables = result.tables(record, "syscalls", ("syscall", "hook", "count", "sum"))
    return [row for table in tables for row in table if row.get("count")]


# The record of all file operations with hooks by system call, and no other feature of the monitor.
BY_SYSCALL = "by-syscall"


@dataclass(frozen=True)
class Detail:
    """One hook in one system call: the average of each boot, in us; all calls, and what they took in all."""

    hook: str
    averages: list[float]
    total: float
    count: int

    @property
    def average(self) -> float:
        return float(numpy.median(self.averages))


def by_syscall(boots: tuple[Result, ...]) -> tuple[Result, ...]:
    """Those that counted hooks by system call."""
    return tuple(boot for boot in boots if BY_SYSCALL in boot.records)


def detail(boots: tuple[Result, ...], syscall: str) -> list[Detail]:
    """A system call in detail: the most expensive hook first."""
    found: dict[str, list[tuple[float, int]]] = {}
    for boot in boots:
        for row in _syscalls(boot, BY_SYSCALL):
            if row["syscall"] == syscall:
                found.setdefault(row["hook"], []).append((row["sum"] / per_us(boot), row["count"]))
    details = [_detail(hook, rows) for hook, rows in found.items()]
    return sorted(details, key=lambda each: (-each.average, each.hook))


def _detail(hook: str, rows: list[tuple[float, int]]) -> Detail:
    totals, counts = zip(*rows)
    return Detail(hook, [total / count for total, count in rows], sum(totals), sum(counts))


def callbacks(result: Result, module: str) -> dict[str, Hook]:
    """What the module's own callbacks cost, by hook, over all work of a boot."""
    rows: dict[str, list[dict]] = {}
    for record in result.records:
        for table in result.tables(record, "modules", ("module", "hook", "ave", "count")):
            for row in table:
                if row["module"] == module and row.get("count"):
                    rows.setdefault(row["hook"], []).append(row)
    return {hook: _hook([_together(each)]) for hook, each in rows.items()}
