# SPDX-License-Identifier: GPL-2.0-only
"""The cost of measuring a hook call on the real processor, above two ordered clock readings around the same call."""

from __future__ import annotations

import pathlib
import re
import statistics
from dataclasses import dataclass

from .kernelfiles import FormatError

# On above off, over two clock readings above off.
TARGET_RATIO = 1.10

LINE = re.compile(r"hundredths of a cycle a hook call: off (\d+) on (\d+) clocks (\d+)")


@dataclass(frozen=True)
class Boot:
    """Cycles of one hook call in one boot: not measured, measured, and between two clock readings."""

    off: float
    on: float
    clocks: float

    @property
    def ratio(self) -> float:
        return (self.on - self.off) / (self.clocks - self.off)


def load_cycles(directory: pathlib.Path) -> list[Boot]:
    """Return what make overhead saved of each boot, in DIRECTORY/N/cycles; nothing when uml was not measured."""
    return [_boot(path) for path in sorted(directory.glob("*/cycles"))]


def _boot(path: pathlib.Path) -> Boot:
    found = LINE.search(path.read_text())
    if not found:
        raise FormatError(f"{path}: the kernel printed no cycles")
    boot = Boot(*(int(number) / 100 for number in found.groups()))
    if boot.clocks <= boot.off:
        raise FormatError(f"{path}: two clock readings took no time")
    return boot


def _medians(boots: list[Boot]) -> dict[str, float]:
    return {name: statistics.median(getattr(boot, name) for boot in boots) for name in ("off", "on", "clocks", "ratio")}


def render_cycles(boots: list[Boot]) -> list[str]:
    if not boots:
        return []
    medians, ratios = _medians(boots), [boot.ratio for boot in boots]
    return [
        f"On uml, cycles of a call of inode_permission, median of {len(boots)} boots: {medians['off']:.0f} off,"
        f" {medians['on']:.0f} on, {medians['clocks']:.0f} between two clock readings.",
        f"On above off is {medians['ratio']:.2f} times what two clock readings add"
        f" ({min(ratios):.2f} to {max(ratios):.2f}); target {TARGET_RATIO:.2f}.",
    ]


def cycles_json(boots: list[Boot]) -> dict[str, object]:
    ratios = [boot.ratio for boot in boots]
    return {"cycles": {**_medians(boots), "ratios": ratios, "target": TARGET_RATIO}} if boots else {}


def cycles_misses(boots: list[Boot]) -> list[str]:
    ratio = _medians(boots)["ratio"] if boots else 0
    missed = round(ratio, 3) > TARGET_RATIO
    return [f"cycles: {ratio:.2f} of what two clock readings add, target {TARGET_RATIO:.2f}"] if missed else []
