# SPDX-License-Identifier: GPL-2.0-only
"""Latency of each system call by the delay of a permission check, as measured, with the slopes of the fitted lines."""

from __future__ import annotations

from .drawing import plots, svg
from .slopes import Fit, fits
from .sweep import Sweep

WHERE = "behind each name, the slope of the line that fits best, which has no unit"


def picture(sweep: Sweep) -> str:
    """Return one plot per system call, with its variations. The same input gives the same file."""
    calls = _calls(fits(sweep, "delay"))
    drawn = {call: plot for call, members in calls.items() if (plot := _plot(sweep, members))}
    title = "Latency of a system call by the delay of a permission check"
    return svg.document(svg.below(drawn), title, f"{sweep.title}; the {sweep.statistic} of the samples; {WHERE}")


def latencies(sweep: Sweep, name: str) -> list[tuple[float, plots.Point]]:
    """Return delay and latency of a sub-benchmark, in microseconds."""
    found = []
    for point in sweep.of("delay"):
        latency, delay = point.latency[name] / 1000, point.delays["inode_permission"] / 1000
        found.append((delay, plots.Point(latency, f"{name}, {delay:g} µs: {latency:,.1f} µs")))
    return found


def _calls(found: list[Fit]) -> dict[str, list[Fit]]:
    """Return fits by system call: read-4k is a read, stat/depth-1 is a stat."""
    calls: dict[str, list[Fit]] = {}
    for fit in found:
        calls.setdefault(fit.name.partition("/")[0].partition("-")[0], []).append(fit)
    return calls


def _plot(sweep: Sweep, members: list[Fit]) -> svg.Drawing | None:
    named = {fit.name: f"{fit.name.partition('/')[2] or fit.name}: {fit.slopes[0].value:.2f}" for fit in members}
    series = {said: latencies(sweep, name) for name, said in named.items()}
    return plots.lines(series, "latency, µs", "delay, µs", lambda value: f"{value:g}")
