# SPDX-License-Identifier: GPL-2.0-only
"""Counts of the monitor in a cell: hooks, callbacks and system calls, by sub-benchmark."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from statistics import fmean, median
from typing import NamedTuple

from .. import runs
from ..kernelfiles import FormatError, Info, Row, calls, parse_info
from ..rounds import DEFERRED
from .images import images
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
    """One hook: the average of each image, the calls of all boots, and what these took in all; in ticks or in us."""

    averages: list[float]
    calls: int
    total: float

    @property
    def average(self) -> float:
        return median(self.averages)


class Mean(NamedTuple):
    """Ticks of a call of a hook, on the average of so many."""

    ave: float
    calls: int


def timed(benchmark: str) -> tuple[str, ...]:
    """Return the names of the system calls that a sub-benchmark times."""
    return TIMED.get(benchmark) or TIMED.get(benchmark.partition("/")[0], (benchmark.partition("/")[0],))


def work(result: Result) -> list[str]:
    """Return the records that repeat all the work."""
    return [name for name in result.records if re.fullmatch(r"work(-\d+)?", name)]


def rounds(result: Result, record: str) -> int:
    """Return the number of rounds in a record, from the recorded command."""
    command = result.records[record].get("command") or []
    for flag, number in zip(command, command[1:]):
        if flag == "-n" and str(number).isdigit():
            return int(number)
    return 1000 if record.startswith("work") else 64


@functools.cache
def info(result: Result) -> Info:
    """Return `info` of the first record."""
    for record in result.records.values():
        for run in record["runs"]:
            if run["files"].get("info"):
                return parse_info(run["files"]["info"], name=f"{result.path}: info")
    raise FormatError(f"{result.path}: none of its records has 'info'")


def per_us(result: Result) -> float:
    """Return the ticks in a microsecond."""
    khz = info(result).number("clock_khz")
    if not khz:
        raise FormatError(f"{result.path}: info: 'clock_khz: 0' should be a number")
    return khz / 1000


@functools.cache
def hook_costs(boots: tuple[Result, ...]) -> dict[str, Hook]:
    """Return costs by hook: of each boot, the median of its repetitions of the work."""
    return {hook: _hook(each) for hook, each in _by_image(boots, _of_boot).items()}


def _of_boot(result: Result) -> dict[str, Mean]:
    found = _repetitions(result).items()
    return {hook: Mean(median(mean.ave for mean in each), sum(mean.calls for mean in each)) for hook, each in found}


def _by_image(boots: tuple[Result, ...], means: Callable[[Result], dict[str, Mean]]) -> dict[str, list[Mean]]:
    """Return one mean of each image by hook, over those of its boots."""
    found: dict[str, list[Mean]] = {}
    for image in images(boots):
        each = [means(boot) for boot in image]
        for hook in dict.fromkeys(hook for one in each for hook in one):
            here = [one[hook] for one in each if hook in one]
            found.setdefault(hook, []).append(Mean(fmean(mean.ave for mean in here), sum(mean.calls for mean in here)))
    return found


def _means(result: Result, records: Collection[str], file: str, module: str = "") -> dict[str, list[Mean]]:
    """Return the means of each hook in a file of some records; in the file modules, those of one module."""
    found: dict[str, list[Mean]] = {}
    needs = ("module", "hook", "ave", "count") if module else ("hook", "ave", "count")
    for row in (row for record in records for table in result.tables(record, file, needs) for row in table):
        if row.get("count") and (not module or row["module"] == module):
            found.setdefault(row["hook"], []).append(Mean(row["ave"], row["count"]))
    return found


def _repetitions(result: Result) -> dict[str, list[Mean]]:
    """Return one mean of each repetition; one in all if the work was done once, by sub-benchmark."""
    found = _means(result, work(result) or result.records, "result")
    return found if work(result) else {hook: [_together(each)] for hook, each in found.items()}


def _together(means: list[Mean]) -> Mean:
    """Return the mean over all calls, since a hook's cost differs between sub-benchmarks."""
    count = sum(mean.calls for mean in means)
    return Mean(sum(mean.ave * mean.calls for mean in means) / count, count)


def _hook(means: list[Mean]) -> Hook:
    ticks = sum(mean.ave * mean.calls for mean in means)
    return Hook([float(mean.ave) for mean in means], sum(mean.calls for mean in means), float(ticks))


def hook_counts(result: Result, benchmark: str) -> dict[str, float]:
    """Return the calls of each hook in one round of a benchmark, without the one that stopped the monitor."""
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

    @property
    def part(self) -> float:
        return self.hooks / self.ticks


def share(result: Result, benchmark: str) -> Share | None:
    """Return the share in the system calls that the benchmark times; None where the kernel does not count them."""
    rows = [
        row
        for table in result.tables(benchmark, "calls", ("syscall", "count", "sum", "hook_sum"))
        for row in table
        if row["syscall"] in timed(benchmark) and row.get("count")
    ]
    ticks = sum(row["sum"] for row in rows)
    if not ticks:
        return None
    return Share(ticks, sum(row["hook_sum"] for row in rows), sum(calls(row) for row in rows))


def implementers(result: Result) -> dict[str, tuple[str, ...]]:
    """Return the modules that implement each hook, from `hooks`."""
    for record in result.records:
        for table in result.tables(record, "hooks", ("hook", "modules")):
            return runs.implementers(table)
    return {}


def in_syscall(result: Result, benchmark: str) -> dict[str, float]:
    """Return hook calls in one timed operation of a benchmark, from `syscalls`: a copy is two system calls. The write that
    stops the monitor is not one of them.
    """
    found: dict[str, float] = {}
    whole, names = share(result, benchmark), timed(benchmark)
    number: float = rounds(result, benchmark) if benchmark in result.records else 1
    if whole:
        number = (whole.calls - (STOP in names)) / len(names)
    for row in _syscalls(result, benchmark):
        if row["syscall"] in names:
            stop = row["syscall"] == STOP and row["hook"] == "file_permission"
            found[row["hook"]] = found.get(row["hook"], 0) + (calls(row) - stop) / number
    return {hook: count for hook, count in found.items() if count > 0}


def _syscalls(result: Result, record: str) -> list[Row]:
    tables = result.tables(record, "syscalls", ("syscall", "hook", "count", "sum"))
    return [row for table in tables for row in table if row.get("count")]


# The record of all file operations with hooks by system call, and no other feature of the monitor.
BY_SYSCALL = "by-syscall"


def by_syscall(boots: tuple[Result, ...]) -> tuple[Result, ...]:
    """Return the boots that counted hooks by system call."""
    return tuple(boot for boot in boots if BY_SYSCALL in boot.records)


def detail(boots: tuple[Result, ...], syscall: str) -> dict[str, Hook]:
    """Return the hooks in a system call, in us: the most expensive one first."""
    def means(boot: Result) -> dict[str, Mean]:
        rows = (row for row in _syscalls(boot, BY_SYSCALL) if row["syscall"] == syscall)
        return {row["hook"]: Mean(row["sum"] / per_us(boot) / row["count"], row["count"]) for row in rows}

    hooks = {hook: _hook(each) for hook, each in _by_image(boots, means).items()}
    return dict(sorted(hooks.items(), key=lambda each: (-each[1].average, each[0])))


def _times(result: Result, benchmark: str) -> list[str]:
    """Return the records of the times of one benchmark by itself, as lab/inside/eval names them."""
    return [name for name in result.records if re.fullmatch(r"times-\d+/(.+)", name) and name.partition("/")[2] == benchmark]


@functools.cache
def hook_times(result: Result, benchmark: str) -> dict[str, float]:
    """Return ticks of a call of each hook inside the system calls that the benchmark times: the median of its records.

    The same hook takes another time in another call, so nothing of other benchmarks is in it.
    """
    found: dict[str, list[float]] = {}
    for record in _times(result, benchmark):
        sums: dict[str, tuple[float, int]] = {}
        for row in _syscalls(result, record):
            if row["syscall"] in timed(benchmark):
                ticks, number = sums.get(row["hook"], (0.0, 0))
                sums[row["hook"]] = ticks + row["sum"], number + row["count"]
        for hook, (ticks, number) in sums.items():
            found.setdefault(hook, []).append(ticks / number)
    return {hook: median(each) for hook, each in found.items()}


def callbacks(result: Result, module: str, records: Collection[str] = ()) -> dict[str, Hook]:
    """Return the cost of the module's own callbacks, by hook, over all work of a boot, or in some records."""
    found = _means(result, records or result.records, "modules", module)
    return {hook: _hook([_together(each)]) for hook, each in found.items()}
