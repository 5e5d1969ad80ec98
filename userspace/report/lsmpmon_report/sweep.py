# SPDX-License-Identifier: GPL-2.0-only
"""Latencies under known delays, and the permission checks in each call, as `lmbench-hook sweep` saved them."""

from __future__ import annotations

import pathlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from .benchmarks import read_benchmarks, timed_calls
from .kernelfiles import FormatError, Info, Row, calls, read_info, read_json, read_table

# The hooks with a delay.
HOOKS = ("inode_permission", "file_permission")


@dataclass(frozen=True)
class Point:
    """One setting of the delays, in ns by hook, and the latency of each sub-benchmark under it, in ns."""

    kind: str
    delays: dict[str, int]
    latency: dict[str, float]


@dataclass(frozen=True)
class Sweep:
    """`checks`: calls of each hook per timed call, by sub-benchmark; `statistic`: which one is the latency."""

    points: list[Point]
    checks: dict[str, dict[str, float]]
    about: dict[str, str]
    statistic: str

    def of(self, kind: str) -> list[Point]:
        """Return the points with one delay for all hooks (`delay`), or with one delay per hook (`apart`)."""
        return [point for point in self.points if point.kind == kind]

    @property
    def title(self) -> str:
        runner = self.about.get("runner") or "this machine"
        accel = self.about.get("accel", "")
        return f"Linux {self.about.get('kernel', '?')} on {runner}" + (f", {accel}" if accel not in ("", "none") else "")


def load_sweep(directory: pathlib.Path, statistic: str = "min") -> Sweep:
    """Return a sweep. Disturbances only ever add time, and more often to longer waits: use the minimum by default."""
    files = sorted(directory.glob("*,*.json"))
    if not files:
        raise FormatError(f"{directory}: no results of `lmbench-hook sweep` in it")
    points = _merged([_point(path, statistic) for path in files])
    about = read_info(directory / "about")
    timed = {row["name"]: timed_calls(row["calls"]) for row in read_json(files[0])["benchmarks"]}
    return Sweep(sorted(points, key=lambda p: p.delays["inode_permission"]), _checks(directory, timed, about), about, statistic)


def _point(path: pathlib.Path, statistic: str) -> Point:
    """Return the point of a file such as delay-2,inode_permission=10000,file_permission=10000.json, of the second pass."""
    kind, *settings = path.name.removesuffix(".json").split(",")
    delays = {}
    for setting in settings:
        hook, _, ns = setting.partition("=")
        if hook not in HOOKS or not ns.isdigit():
            raise FormatError(f"{path}: its name should have the delay of each of {', '.join(HOOKS)}")
        delays[hook] = int(ns)
    return Point(kind.partition("-")[0], delays, read_benchmarks(path, statistic, "ns"))


def _merged(points: list[Point]) -> list[Point]:
    """Return the least disturbed pass for each setting of the delays and each sub-benchmark."""
    found: dict[tuple[str, frozenset[tuple[str, int]]], Point] = {}
    for point in points:
        seen = found.setdefault((point.kind, frozenset(point.delays.items())), point)
        for name, latency in point.latency.items():
            seen.latency[name] = min(latency, seen.latency.get(name, latency))
    return list(found.values())


def _checks(directory: pathlib.Path, timed: Mapping[str, Collection[str]], about: Info) -> dict[str, dict[str, float]]:
    rows = read_table(directory / "syscalls", "benchmark", "syscall", "hook", "count", "cs_count")
    rounds = about.number("rounds")
    checks = {name: dict.fromkeys(HOOKS, 0.0) for name in timed}
    for row in rows:
        if row["benchmark"] in checks and row["hook"] in HOOKS and row["syscall"] in timed[row["benchmark"]]:
            checks[row["benchmark"]][row["hook"]] += _calls(row) / rounds
    return checks


def _calls(row: Row) -> int:
    """Return the calls without the one file_permission of the write() that stopped the monitor."""
    return calls(row) - int(row["syscall"] == "write" and row["hook"] == "file_permission")
