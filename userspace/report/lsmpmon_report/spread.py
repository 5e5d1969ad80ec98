# SPDX-License-Identifier: GPL-2.0-only
"""The distance of the medians of several runs of lmbench-hook."""

from __future__ import annotations

import pathlib
import statistics
from dataclasses import dataclass

from .benchmarks import read_benchmarks
from .kernelfiles import FormatError
from .stats import spread


@dataclass(frozen=True)
class Spread:
    """The medians of one sub-benchmark, one per run."""

    name: str
    medians: list[float]

    @property
    def percent(self) -> float:
        return 100 * spread(self.medians)


def load_spread(paths: list[pathlib.Path], unit: str) -> list[Spread]:
    """Return the spreads of the sub-benchmarks that all files have; `unit` is ns or ticks."""
    runs = [read_benchmarks(path, "median", unit) for path in paths]
    names = [name for name in runs[0] if all(name in run for run in runs)]
    return [Spread(name, [run[name] for run in runs]) for name in names]


def render(spreads: list[Spread], unit: str) -> str:
    if not spreads:
        raise FormatError("no sub-benchmark is in all of these files")
    runs = len(spreads[0].medians)
    lines = [
        f"Medians of {runs} runs, {unit}; spread: largest minus smallest, relative to the median",
        f"{'':<18} {'least':>10} {'middle':>10} {'largest':>10} {'spread':>9}",
        *(_line(spread) for spread in spreads),
    ]
    percents = [spread.percent for spread in spreads]
    same = sum(percent == 0 for percent in percents)
    lines.append(
        f"Spread: median {statistics.median(percents):.2f} %, largest {max(percents):.2f} %; "
        f"{same} of {len(spreads)} are identical in all runs"
    )
    return "\n".join(lines) + "\n"


def _line(spread: Spread) -> str:
    values = (min(spread.medians), statistics.median(spread.medians), max(spread.medians))
    return f"{spread.name:<18} " + " ".join(f"{value:>10.1f}" for value in values) + f" {spread.percent:>7.2f} %"
