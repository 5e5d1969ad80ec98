# SPDX-License-Identifier: GPL-2.0-only
"""The cost of the monitor itself: the same work on an unpatched kernel, patched and off, on, and with its features."""

from __future__ import annotations

import json
import math
import pathlib
import statistics
from dataclasses import dataclass

from .benches import State, benches_json, load_benches, render_benches
from .benchmarks import read_benchmarks
from .cycles import Boot, cycles_json, cycles_misses, load_cycles, render_cycles
from .features import Feature, feature_misses, features_json, load_features, render_features
from .footprint import Footprint, footprint_json, footprint_misses, load_footprint, render_footprint
from .kernelfiles import FormatError, read_info, read_table
from .rounds import hook_calls
from .runs import arch_of

KERNELS = ("unpatched", "off", "on")

# Instructions per hook call above the unpatched kernel.
TARGET_OFF = 1.0
TARGET_ON = 50.0

# Cycles of an empty hook above the empty span, on uml.
TARGET_EMPTY = 15

# Hooks that no module implements under capability alone, so their spans are empty.
EMPTY_HOOKS = ("file_permission", "inode_permission", "inode_getattr")


@dataclass(frozen=True)
class Row:
    """One sub-benchmark: instructions of one round on each kernel, and the hook calls in it."""

    name: str
    ticks: dict[str, float]
    hooks: float

    def cost(self, kernel: str) -> float:
        """Return the instructions that each hook call costs more than on the unpatched kernel."""
        return (self.ticks[kernel] - self.ticks["unpatched"]) / self.hooks


@dataclass(frozen=True)
class Overhead:
    """All results. `empty` is by hook, in cycles above the shortest empty `span`, and is empty without uml.
    `step` is the resolution of its clock in cycles, as the shortest times of all hooks show it.

    `inside` are the instructions between the two clock readings of an empty span, as the kernel reads them.
    `left_out` has the features that were not measured, and why.
    """

    rows: list[Row]
    inside: int
    features: list[Feature]
    left_out: dict[str, str]
    span: int
    empty: dict[str, int]
    step: int
    about: dict[str, str]
    footprint: Footprint
    cycles: list[Boot]
    benches: list[State]

    def cost(self, kernel: str) -> float:
        extra = sum(row.ticks[kernel] - row.ticks["unpatched"] for row in self.rows)
        return extra / sum(row.hooks for row in self.rows)

    @property
    def blind(self) -> bool:
        """Return whether the clock is too coarse for the target: the median empty hook is within one of its steps."""
        return self.step > TARGET_EMPTY and statistics.median(self.empty.values()) <= self.step

    def misses(self) -> list[str]:
        """Return a sentence for each missed target."""
        checks = [
            ("off", self.cost("off"), TARGET_OFF, "instructions a hook call"),
            ("on", self.cost("on"), TARGET_ON, "instructions a hook call"),
        ]
        if self.empty and not self.blind:
            checks.append(("empty hook", statistics.median(self.empty.values()), TARGET_EMPTY, "cycles above the empty span"))
        missed = [check for check in checks if round(check[1], 3) > check[2]]
        sentences = [f"{what}: {value:.2f} {unit}, target {target:g}" for what, value, target, unit in missed]
        sentences += feature_misses(self.features, self.left_out)
        return sentences + footprint_misses(self.footprint) + cycles_misses(self.cycles)


def load_overhead(directory: pathlib.Path) -> Overhead:
    """Read what make overhead saved: STATE/run.json, on/counts/NAME, about, and perhaps uml/."""
    ticks = {kernel: read_benchmarks(directory / kernel / "run.json", "min") for kernel in KERNELS}
    about = read_info(directory / "about")
    rounds = about.number("rounds")
    hooks = {name: _hook_calls(directory / "on" / "counts" / name, rounds) for name in ticks["unpatched"]}
    rows = [Row(name, {kernel: ticks[kernel][name] for kernel in KERNELS}, hooks[name]) for name in hooks]
    features, left_out = load_features(directory, hooks, rounds)
    inside = read_info(directory / "on" / "info").number("overhead_min")
    empty = _empty(directory / "uml")
    footprint, cycles = load_footprint(directory), load_cycles(directory / "boots")
    benches = load_benches(directory / "boots", cycles)
    return Overhead(rows, inside, features, left_out, *empty, about, footprint, cycles, benches)


def _hook_calls(path: pathlib.Path, rounds: int) -> float:
    calls = hook_calls(path, rounds)
    if calls <= 0:
        raise FormatError(f"{path}: no hook was called")
    return calls


def _empty(directory: pathlib.Path) -> tuple[int, dict[str, int], int]:
    if not directory.exists():
        return 0, {}, 0
    least = read_info(directory / "info").number("overhead_min")
    times = {row["hook"]: row["min"] for row in read_table(directory / "result", "hook", "min") if "min" in row}
    return least, {hook: times[hook] - least for hook in EMPTY_HOOKS if hook in times}, math.gcd(least, *times.values())


def render(overhead: Overhead) -> str:
    about = overhead.about
    lines = [
        f"The monitor costs {overhead.cost('off'):.2f} instructions a hook call when off and "
        f"{overhead.cost('on'):.1f} when on.",
        "",
        f"Linux {about.get('kernel', '?')} on qemu{arch_of(about)}, icount: 1 tick = 1 instruction; LSM={about.get('lsm', '?')}",
        *(f"{name.capitalize()}: {about[name]}" for name in ("compiler", "configuration") if name in about),
        f"Instructions of one round of each sub-benchmark, in the least of {about.get('samples', '?')} samples",
        "",
        f"{'':<12} {'':>9} {'patched':>9} {'patched':>9} {'hook':>6} {'a hook call more':>17}",
        f"{'':<12} {'unpatched':>9} {'off':>9} {'on':>9} {'calls':>6} {'off':>8} {'on':>8}",
    ]
    lines += [_row(row) for row in overhead.rows]
    lines += [f"{'all':<12} {'':>9} {'':>9} {'':>9} {'':>6} {overhead.cost('off'):>8.2f} {overhead.cost('on'):>8.2f}"]
    lines += [f"{'target':<12} {'':>9} {'':>9} {'':>9} {'':>6} {TARGET_OFF:>8.2f} {TARGET_ON:>8.2f}"]
    lines += [f"Of the instructions when on, {overhead.inside} are inside the span: that is what an empty one reads."]
    lines += ["", *render_features(overhead.features, overhead.left_out)]
    lines += [f"several modules: LSM={about['stack']}"] if "stack" in about else []
    lines += ["", *render_footprint(overhead.footprint)]
    lines += [*_empty_lines(overhead), *render_cycles(overhead.cycles)]
    lines += [*render_benches(overhead.benches), ""]
    lines += [f"MISSED: {miss}" for miss in overhead.misses()] or ["All targets met."]
    return "\n".join(lines) + "\n"


def _row(row: Row) -> str:
    ticks = " ".join(f"{row.ticks[kernel]:>9,.1f}" for kernel in KERNELS)
    return f"{row.name:<12} {ticks} {row.hooks:>6.1f} {row.cost('off'):>8.2f} {row.cost('on'):>8.2f}"


def _empty_lines(overhead: Overhead) -> list[str]:
    if not overhead.empty:
        return []
    lines = [
        "",
        f"On uml, least cycles of a hook without modules above the empty span of {overhead.span}",
        f"(target: at most {TARGET_EMPTY} for the middle one):",
    ]
    lines += [f"  {hook:<22} {cycles:>6}" for hook, cycles in overhead.empty.items()]
    if overhead.blind:
        steps = f"This processor's clock moves in steps of {overhead.step} cycles"
        lines.append(f"{steps}, so it cannot tell whether the target is met.")
    return lines


def to_json(overhead: Overhead) -> str:
    rows = [
        {"name": row.name, **row.ticks, "hooks": row.hooks, "off_per_hook": row.cost("off"), "on_per_hook": row.cost("on")}
        for row in overhead.rows
    ]
    return json.dumps(
        {
            "about": overhead.about,
            "unit": "instructions",
            "off_per_hook": overhead.cost("off"),
            "on_per_hook": overhead.cost("on"),
            "on_inside_the_span": overhead.inside,
            "targets": {"off": TARGET_OFF, "on": TARGET_ON, "empty_cycles": TARGET_EMPTY},
            "benchmarks": rows,
            **features_json(overhead.features, overhead.left_out),
            "uml_empty_span": overhead.span,
            "uml_empty_cycles": overhead.empty,
            "uml_clock_step": overhead.step,
            **footprint_json(overhead.footprint),
            **cycles_json(overhead.cycles),
            **benches_json(overhead.benches),
            "missed": overhead.misses(),
        },
        indent=1,
    )
