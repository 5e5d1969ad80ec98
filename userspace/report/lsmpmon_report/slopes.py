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
        """Within 1 % of the hook's checks, or of all checks of the call if it does not call this hook."""
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
    """One delay for all hooks: one slope for all checks."""
    points = _points(sweep, "delay", name)
    columns = {"all": [point.delays[HOOKS[0]] for point in points]}
    return _fit(name, points, columns, {"all": sum(sweep.checks[name].values())})


def fit_apart(sweep: Sweep, name: str) -> Fit:
    """One delay per hook: a slope for each, from one regression on both."""
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
    """The regressions of all sub-benchmarks, in their order."""
    fit = fit_apart if kind == "apart" else fit_together
    return [fit(sweep, name) for name in sweep.checks] if sweep.of(kind) else []


def render(sweeps: list[Sweep], *, brief: bool = False) -> str:
    """Return the text of some sweeps; in brief, without a line for each slope."""
    lines = []
    for sweep in sweeps:
        lines += [*_agreement(sweep), *([] if brief else _sweep_lines(sweep)), ""]
    return "\n".join(lines + _depth_lines(sweeps)) + "\n"


def _all_fits(sweep: Sweep) -> list[Fit]:
    return fits(sweep, "delay") + fits(sweep, "apart")


def _least_r2(found: list[Fit]) -> float | None:
    return min((fit.r2 for fit in found if fit.waits), default=None)


def _agreement(sweep: Sweep) -> list[str]:
    found = _all_fits(sweep)
    bad, least = [fit.name for fit in found if not fit.agrees], _least_r2(found)
    said = f"smallest r^2 of those that wait: {least:.5f} (target: at least {R2_LEAST})" if least is not None else "none waits"
    return [
        sweep.title,
        f"{len(found) - len(bad)} of {len(found)} regressions have the slopes that lsmpmon counts, to {TOLERANCE:.0%}; {said}",
        *([f"MISSED: {', '.join(bad)}"] if bad else []),
    ]


def _sweep_lines(sweep: Sweep) -> list[str]:
    return [
        f"Latency: {sweep.statistic} of {sweep.about.get('runs', '?')} calls; one delay for both hooks, in {len(sweep.of('delay'))} steps",
        f"{'':<18} {'checks':>7} {'slope':>7} {'95 % interval':>18} {'differs':>9} {'r^2':>8} {'at 0, ns':>9}",
        *(_fit_line(fit) for fit in fits(sweep, "delay")),
        *_apart_lines(fits(sweep, "apart")),
    ]


def _slope_text(slope: Slope) -> str:
    differs = f"{100 * (slope.value / slope.checks - 1):+.2f} %" if slope.checks else "-"
    interval = f"[{slope.low:.3f}, {slope.high:.3f}]"
    return f"{slope.checks:>7.3f} {slope.value:>7.3f} {interval:>18} {differs:>9}"


def _fit_line(fit: Fit) -> str:
    r2 = f"{fit.r2:.5f}" if fit.waits else "-"
    return f"{fit.name:<18} {_slope_text(fit.slopes[0])} {r2:>8} {fit.intercept:>9.0f}"


def _apart_lines(found: list[Fit]) -> list[str]:
    if not found:
        return []
    return [
        "One delay per hook, one regression on both",
        f"{'':<18} {'':<17} {'checks':>7} {'slope':>7} {'95 % interval':>18} {'differs':>9} {'r^2':>8}",
        *(line for fit in found for line in _apart_fit(fit)),
    ]


def _apart_fit(fit: Fit) -> list[str]:
    r2 = f"{fit.r2:.5f}" if fit.waits else "-"
    return [
        f"{fit.name if number == 0 else '':<18} {slope.hook:<17} {_slope_text(slope)} {r2 if number == 0 else '':>8}".rstrip()
        for number, slope in enumerate(fit.slopes)
    ]


def _depth_lines(sweeps: list[Sweep]) -> list[str]:
    """The published table of depths next to ours."""
    names = shown(sweeps)
    if not names:
        return []
    return [
        "Slopes by depth of the path, and the checks counted: published for Linux 5.3 (Zhang, Liu & Jaeger 2021, Table 6), ours",
        f"{'':<18} {'5.3':>8}" + "".join(f" {sweep.about.get('kernel', '?'):>16}" for sweep in sweeps),
        *(f"{name:<18} {was(name):>8}" + "".join(_cell(sweep, name) for sweep in sweeps) for name in names),
        *explanations(sweeps, names),
    ]


def shown(sweeps: list[Sweep]) -> list[str]:
    """What was published, and what tests an explanation of it."""
    return [name for name in (*PUBLISHED, *TESTED) if any(name in sweep.checks for sweep in sweeps)]


def was(name: str) -> str:
    return f"{PUBLISHED[name]:.1f}" if name in PUBLISHED else "-"


def _cell(sweep: Sweep, name: str) -> str:
    if name not in sweep.checks:
        return f" {'-':>16}"
    (slope,) = fit_together(sweep, name).slopes
    return f" {slope.value:>10.3f} ({slope.checks:.0f})".rjust(17)


def explanations(sweeps: list[Sweep], names: list[str]) -> list[str]:
    """Return each case where today's kernel counts another number of checks than was published."""
    # Only what differs needs Jinja2.
    from .evaluation.passages import passage

    differing = [name for name in names if any(_differs(sweep, name) for sweep in sweeps)]
    kinds = dict.fromkeys(name.partition("/")[2] or name for name in differing)
    return [passage("depths.differs", kind=kind) for kind in kinds]


def _differs(sweep: Sweep, name: str) -> bool:
    theirs = PUBLISHED.get(name)
    return theirs and name in sweep.checks and abs(sum(sweep.checks[name].values()) - theirs) > TOLERANCE * theirs


def to_json(sweeps: list[Sweep], *, brief: bool = False) -> str:
    """Return the figures of some sweeps; in brief, without those of each slope."""
    return json.dumps([_sweep_json(sweep, brief) for sweep in sweeps], indent=1)


def _sweep_json(sweep: Sweep, brief: bool) -> dict:
    found = _all_fits(sweep)
    summed = {
        "about": sweep.about,
        "regressions": len(found),
        "agree": sum(fit.agrees for fit in found),
        "least_r2": _least_r2(found),
    }
    if brief:
        return summed
    return summed | {"fits": [_fit_json(fit, kind) for kind in ("delay", "apart") for fit in fits(sweep, kind)]}


def _fit_json(fit: Fit, kind: str) -> dict:
    slopes = [{**vars(slope), "agrees": slope.agrees(fit.checks)} for slope in fit.slopes]
    return {"name": fit.name, "kind": kind, "intercept_ns": fit.intercept, "r2": fit.r2 if fit.waits else None, "slopes": slopes}
