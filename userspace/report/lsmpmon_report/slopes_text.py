# SPDX-License-Identifier: GPL-2.0-only
"""Slopes as text: those of each sweep, and the published table of depths beside ours."""

from __future__ import annotations

from .slopes import R2_LEAST, Fit, Slope, all_fits, differing, fit_together, fits, least_r2, shown, was
from .stats import TOLERANCE
from .sweep import Sweep


def render(sweeps: list[Sweep], *, brief: bool = False) -> str:
    """Return the text of some sweeps; in brief, without a line for each slope."""
    lines = []
    for sweep in sweeps:
        lines += [*_agreement(sweep), *([] if brief else _sweep_lines(sweep)), ""]
    return "\n".join(lines + _depth_lines(sweeps)) + "\n"


def _agreement(sweep: Sweep) -> list[str]:
    found = all_fits(sweep)
    bad, least = [fit.name for fit in found if not fit.agrees], least_r2(found)
    said = f"smallest r^2 of those that wait: {least:.5f} (target: at least {R2_LEAST})" if least is not None else "none waits"
    return [
        sweep.title,
        f"{len(found) - len(bad)} of {len(found)} regressions have the slopes that lsmpmon counts, to {TOLERANCE:.0%}; {said}",
        *([f"MISSED: {', '.join(bad)}"] if bad else []),
    ]


def _sweep_lines(sweep: Sweep) -> list[str]:
    return [
        f"Latency: {sweep.statistic} of {sweep.about.get('runs', '?')} calls; one delay for both hooks,"
        f" in {len(sweep.of('delay'))} steps",
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
    """Return the published table of depths, with ours beside it."""
    names = shown(sweeps)
    if not names:
        return []
    return [
        "Slopes by depth of the path, and the checks counted: published for Linux 5.3 (Zhang, Liu & Jaeger 2021, Table 6), ours",
        f"{'':<18} {'5.3':>8}" + "".join(f" {sweep.about.get('kernel', '?'):>16}" for sweep in sweeps),
        *(f"{name:<18} {was(name):>8}" + "".join(_cell(sweep, name) for sweep in sweeps) for name in names),
        *_explanations(sweeps, names),
    ]


def _cell(sweep: Sweep, name: str) -> str:
    if name not in sweep.checks:
        return f" {'-':>16}"
    (slope,) = fit_together(sweep, name).slopes
    return f" {slope.value:>10.3f} ({slope.checks:.0f})".rjust(17)


def _explanations(sweeps: list[Sweep], names: list[str]) -> list[str]:
    if not differing(sweeps, names):
        return []
    # Only what differs needs Jinja2.
    from .evaluation import depths

    return depths.explanations(sweeps, names)
