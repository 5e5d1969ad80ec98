# SPDX-License-Identifier: GPL-2.0-only
"""Cells for guests of another architecture than x86-64, and why such guests cannot have some."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lsmlab.guest.machines import MACHINES
from lsmlab.guest.settings import ARCHES, FLAVOURS_ELSEWHERE
from lsmlab.measure.evaluation import atomics
from lsmlab.measure.evaluation.cell import WORK, Cell

# A part with fewer cells compares nothing.
LEAST = 2
# Policies with rules about system calls that other architectures do not have, such as open() and rename().
OLD_CALLS = ("audit",)


def why_not(cell: Cell, arch: str) -> str:
    """Return why guests of an architecture cannot have a cell; an empty word if they can."""
    if arch == ARCHES[0]:
        return ""
    if cell.runner != "qemu":
        return f"User-Mode Linux is for {ARCHES[0]} only"
    if cell.flavour not in FLAVOURS_ELSEWHERE:
        return f"kernels of FLAVOUR={cell.flavour} are built for {ARCHES[0]} only"
    if atomics.MEASURE in cell.measures:
        return f"atomic operations are found in code of {ARCHES[0]} only"
    if any(measure in WORK for measure in cell.measures):
        return "everyday work is done by programs of this machine"
    if old := [policy for policy in cell.policies if policy in OLD_CALLS]:
        return f"the rules of {old[0]} name system calls that {arch} does not have"
    return ""


def cell_for(cell: Cell, arch: str) -> Cell:
    """Return the cell with the processor of an architecture."""
    return cell if arch == ARCHES[0] else replace(cell, cpu=MACHINES[arch].emulated)


def refusal(cells: Iterable[Cell], arch: str) -> str:
    """Return why a part with these cells is not measured on an architecture; an empty word if it is."""
    reasons = [why_not(cell, arch) for cell in cells]
    return "" if reasons.count("") >= LEAST else next(filter(None, reasons), "")
