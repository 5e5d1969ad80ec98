# SPDX-License-Identifier: GPL-2.0-only
"""The slope of each system call's latency on the delay of a permission check: how many checks it waits for."""

from __future__ import annotations

import json
from dataclasses import dataclass

from .kernelfiles import FormatError
from .stats import TOLERANCE, regress
from .sweep import HOOKS, Point, Sweep

# Published for the worst of their lines.
R2_LEAST = 0.999

# Zhang, Liu & Jaeger, ASIA CCS 2021, Table 6; Linux 5.3.
PUBLISHED = {
    "open/depth-1": 2.0, "stat/depth-1": 1.0,
    "open/depth-2": 3.0, "stat/depth-2": 2.0,
    "open/depth-4": 5.0, "stat/depth-4": 4.0,
    "open/depth-8": 8.9, "stat/depth-8": 7.9,
    "open/dotdot-3": 4.0, "stat/dotdot-3": 3.0,
    "open/dotdot-9": 9.9, "stat/dotdot-9": 8.9,
    "openat": 3.0, "rename/depth-2": 6.0,
}
# Shown below what they explain.
TESTED = ("openat/depth-2", "openat/fcntl")


@dataclass(frozen=True)
class Slope:
    """Slope of the latency on the delay of one hook, or of all, with its 95 % interval and the calls counted."""

    hook: str
    value: float
    low: float
    high: float
    checks: float

    def agrees(self, among: float) -> bool:
        """Return whether it is within 1 % of the hook's checks, or of all checks of the call if it does not call this hook."""
        return abs(self.value - self.checks) <= TOLERANCE * max(self.checks or among, 1)


@dataclass(frozen=True)
class Fit:
    """The regression of one sub-benchmark. `r2` means nothing if the call waits for no check."""

    name: str
    intercept: float
    slopes: list[Slope]
    r2: float

    @property
    def agrees(self) -> bool:
        return all(slope.agrees(self.checks) for slope in self.slopes)

    @property
    def checks(self) -> float:
        return sum(slope.checks for slope in self.slopes)

    @property
    def waits(self) -> bool:
        return any(slope.checks for slope in self.slopes)


def fit_together(sweep: Sweep, name: str) -> Fit:
    """Return one slope for all checks, of one delay for all hooks."""
    points = _points(sweep, "delay", name)
    columns = {"all": [point.delays[HOOKS[0]] for point in points]}
    return _fit(name, points, columns, {"all": sum(sweep.checks[name].values())})


def fit_apart(sweep: Sweep, name: str) -> Fit:
    """Return a slope for each hook, which has a delay of its own, from one regression on both."""
    points = _points(sweep, "apart", name)
    return _fit(name, points, {hook: [point.delays[hook] for point in points] for hook in HOOKS}, sweep.checks[name])


def _points(sweep: Sweep, kind: str, name: str) -> list[Point]:
    points = [point for point in sweep.of(kind) if name in point.latency]
    if len(points) < 4:
        raise FormatError(f"{name}: {len(points)} delays are too few for a regression")
    return points


def _fit(name: str, points: list[Point], columns: dict[str, list[int]], checks: dict[str, float]) -> Fit:
    line = regress([point.latency[name] for point in points], list(columns.values()))
    slopes = [Slope(hook, *slope, checks[hook]) for hook, slope in zip(columns, line.slopes)]
    return Fit(name, line.constant, slopes, line.r2)


def fits(sweep: Sweep, kind: str) -> list[Fit]:
    """Return the regressions of all sub-benchmarks, in their order."""
    fit = fit_apart if kind == "apart" else fit_together
    return [fit(sweep, name) for name in sweep.checks] if sweep.of(kind) else []


def all_fits(sweep: Sweep) -> list[Fit]:
    return fits(sweep, "delay") + fits(sweep, "apart")


def least_r2(found: list[Fit]) -> float | None:
    return min((fit.r2 for fit in found if fit.waits), default=None)


def shown(sweeps: list[Sweep]) -> list[str]:
    """Return what was published, and what tests an explanation of it."""
    return [name for name in (*PUBLISHED, *TESTED) if any(name in sweep.checks for sweep in sweeps)]


def was(name: str) -> str:
    return f"{PUBLISHED[name]:.1f}" if name in PUBLISHED else "-"


def differing(sweeps: list[Sweep], names: list[str]) -> list[str]:
    """Return each kind of benchmark of which a kernel counts another number of checks than was published."""
    found = [name for name in names if any(_differs(sweep, name) for sweep in sweeps)]
    return list(dict.fromkeys(name.partition("/")[2] or name for name in found))


def _differs(sweep: Sweep, name: str) -> bool:
    theirs = PUBLISHED.get(name)
    if not theirs or name not in sweep.checks:
        return False
    return abs(sum(sweep.checks[name].values()) - theirs) > TOLERANCE * theirs


def to_json(sweeps: list[Sweep], *, brief: bool = False) -> str:
    """Return the figures of some sweeps; in brief, without those of each slope."""
    return json.dumps([_sweep_json(sweep, brief) for sweep in sweeps], indent=1)


def _sweep_json(sweep: Sweep, brief: bool) -> dict[str, object]:
    found = all_fits(sweep)
    summed = {
        "about": sweep.about,
        "regressions": len(found),
        "agree": sum(fit.agrees for fit in found),
        "least_r2": least_r2(found),
    }
    if brief:
        return summed
    return summed | {"fits": [_fit_json(fit, kind) for kind in ("delay", "apart") for fit in fits(sweep, kind)]}


def _fit_json(fit: Fit, kind: str) -> dict[str, object]:
    slopes = [{**vars(slope), "agrees": slope.agrees(fit.checks)} for slope in fit.slopes]
    return {"name": fit.name, "kind": kind, "intercept_ns": fit.intercept, "r2": fit.r2 if fit.waits else None, "slopes": slopes}
