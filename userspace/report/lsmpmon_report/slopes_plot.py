# SPDX-License-Identifier: GPL-2.0-only
"""Latency of each system call by the delay of a permission check: measured points and fitted lines."""

from __future__ import annotations

import math
import pathlib

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

from .slopes import Fit, fits  # noqa: E402
from .sweep import Sweep  # noqa: E402

COLUMNS = 4


def plot(sweep: Sweep, path: pathlib.Path) -> None:
    """One panel per system call, with its variations. The same input gives the same file."""
    panels = _panels(fits(sweep, "delay"))
    rows = math.ceil(len(panels) / COLUMNS)
    figure, axes = pyplot.subplots(rows, COLUMNS, figsize=(4.6 * COLUMNS, 3.8 * rows),
                                  squeeze=False, layout="constrained")
    for axis in axes.flat[len(panels):]:
        axis.remove()
    for axis, (call, members) in zip(axes.flat, panels.items()):
        _panel(axis, sweep, call, members)
    figure.suptitle(f"Latency of a system call by the delay of a permission check. {sweep.title}")
    with matplotlib.rc_context({"svg.hashsalt": "lsmpmon"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def _call(fit: Fit) -> str:
    """read-4k is a read, stat/depth-1 is a stat."""
    return fit.name.partition("/")[0].partition("-")[0]


def _panels(found: list[Fit]) -> dict[str, list[Fit]]:
    panels: dict[str, list[Fit]] = {}
    for fit in found:
        panels.setdefault(_call(fit), []).append(fit)
    return panels


def _panel(axis, sweep: Sweep, call: str, members: list[Fit]) -> None:
    points = sweep.of("delay")
    delays = [point.delays["inode_permission"] / 1000 for point in points]
    colours = pyplot.colormaps["tab20"].colors
    for number, fit in enumerate(members):
        label = f"{fit.name.partition('/')[2] or fit.name}: {fit.slopes[0].value:.2f}"
        line = [(fit.intercept + fit.slopes[0].value * delay * 1000) / 1000 for delay in delays]
        colour = colours[number % len(colours)]
        axis.plot(delays, line, linewidth=0.8, label=label, color=colour)
        measured = [point.latency[fit.name] / 1000 for point in points]
        axis.plot(delays, measured, ".", markersize=4, color=colour)
    axis.set_title(call)
    axis.set_xlabel("delay, us")
    axis.set_ylabel(f"latency ({sweep.statistic}), us")
    axis.set_ylim(bottom=0)
    axis.legend(fontsize=5, title="slope", title_fontsize=6, ncol=1 + len(members) // 9, loc="upper left")
