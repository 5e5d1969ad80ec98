# SPDX-License-Identifier: GPL-2.0-only
"""A bar chart of the cost of each module, from the figures of `make run`."""

from __future__ import annotations

from typing import TypedDict

from lsmpmon_report import stats, table
from lsmpmon_report.drawing import plots
from lsmpmon_report.drawing.svg import document

BASE = "capability"
NAMES = {"selinux": "SELinux", "apparmor": "AppArmor", "tomoyo": "TOMOYO", "smack": "Smack",
         "landlock": "Landlock"}

# Module, nanoseconds above capability, costliest hook, its nanoseconds.
Row = tuple[str, float, str, float]


class Hook(TypedDict):
    """The calls of a hook, and the mean time of one in nanoseconds."""

    ave_ns: float
    calls: int


class Module(TypedDict):
    """The hooks of a run with the module, by name."""

    hooks: dict[str, Hook]


class Figures(TypedDict):
    """The figures that `make run` writes."""

    modules: dict[str, Module]
    about: dict[str, str]
    unit: str


def _round_ns(module: Module, rounds: int) -> float:
    """Return the nanoseconds spent in hooks in one round of all operations."""
    return sum(hook["ave_ns"] * hook["calls"] for hook in module["hooks"].values()) / rounds


def _costliest(hooks: dict[str, Hook], base: dict[str, Hook]) -> tuple[float, str]:
    """Return (mean of a call, name) of the hook with the longest mean call, among those whose cost the module raises."""
    means = [(hook["ave_ns"], name) for name, hook in hooks.items() if hook["calls"] >= table.RANKED_CALLS
             and (name not in base or stats.noticeable(hook["ave_ns"], base[name]["ave_ns"]))]
    return max(means)


def rows(figures: Figures) -> list[Row]:
    """Return the rows, the cheapest first."""
    modules, rounds = figures["modules"], int(figures["about"]["rounds"])
    base = modules[BASE]
    drawn: list[Row] = []
    for name in modules.keys() - {BASE}:
        ave, hook = _costliest(modules[name]["hooks"], base["hooks"])
        drawn.append((name, _round_ns(modules[name], rounds) - _round_ns(base, rounds), hook, ave))
    return sorted(drawn, key=lambda row: row[1])


def _bar(row: Row) -> plots.Point:
    module, added, hook, ave = row
    cost = f"{added / 1000:,.1f} µs; {hook}: {ave:,.0f} ns"
    return plots.Point(added / 1000, f"{NAMES.get(module, module)}: {cost}", cost)


def svg(figures: Figures) -> str:
    """Return the picture."""
    bars, about = rows(figures), figures["about"]
    title = "What security modules add to 16 file operations"
    axis = "time in hooks of one round, beyond capability, µs; behind it, the mean call of the costliest hook"
    drawing = plots.bars({NAMES.get(row[0], row[0]): _bar(row) for row in bars}, axis, lambda value: f"{value:g}")
    if not drawing:
        raise ValueError("no modules beside capability")
    where = f"Linux {about['kernel']}; runner {about['runner']}, accelerator {about['accel']}, {figures['unit']}"
    return document(drawing, title, f"{where} of a real processor ({about['processor']}); {about['work']}")
