# SPDX-License-Identifier: GPL-2.0-only
"""The table of slopes: how often a system call waits for a check, by the depth of its path."""

from __future__ import annotations

from ..drawing import plots
from ..slopes import PUBLISHED, differing, fit_together, shown, was
from ..slopes_plot import latencies
from ..sweep import Sweep
from .blocks import EMPTY, Block, Figure, NotRun, Points, Table, published, whole
from .book import Book
from .passages import passage
from .published import Z21_R2

# Of the figure of latency against delay.
DRAWN = (
    "stat/depth-1",
    "stat/depth-4",
    "stat/depth-8",
    "open/depth-1",
    "open/depth-8",
    "rename/depth-2",
    "read/4k",
    "close",
)
# The kernel that has the monitor.
FLAVOUR = "flavour patched"


def blocks(book: Book) -> list[Block]:
    names = shown(book.slopes)
    if not names:
        return [NotRun("slopes", passage("depths.not_run"))]
    theirs = {name: published(was(name)) for name in PUBLISHED}
    rows = [(name, [theirs.get(name, EMPTY), *(_slope(sweep, name) for sweep in book.slopes)]) for name in names]
    header = [published("5.3"), *(sweep.about.get("kernel", "?") for sweep in book.slopes)]
    said = passage("depths.slopes_are", sweeps=list(dict.fromkeys(sweep.title for sweep in book.slopes)), flavour=FLAVOUR)
    table = Table("slopes", passage("depths.slopes"), said, "benchmark", header, rows)
    return [*_figures(book.slopes[-1]), table, Points([*explanations(book.slopes, names), _fitted(book.slopes)])]


def explanations(sweeps: list[Sweep], names: list[str]) -> list[str]:
    """Return a reason for each kind of benchmark that differs from what was published."""
    return [passage("depths.differs", kind=kind) for kind in differing(sweeps, names)]


def _fitted(sweeps: list[Sweep]) -> str:
    """Return how well a line fits, where a call waits for a check."""
    least = min(fit.r2 for sweep in sweeps for name in sweep.checks if (fit := fit_together(sweep, name)).waits)
    return passage("depths.fit", least=least, published=Z21_R2)


def _figures(sweep: Sweep) -> list[Figure]:
    """Return Figure 4: latency against delay, and all slopes."""
    lines = {name: latencies(sweep, name) for name in DRAWN if name in sweep.checks}
    left = plots.lines(lines, "latency, µs", "delay of a permission check, µs", whole)
    found = {name: fit_together(sweep, name).slopes[0].value for name in sweep.checks}
    rows = {name: [[plots.Point(value, f"{name}: {value:.3f}")]] for name, value in found.items()}
    right = plots.dots(rows, [""], "slope", lambda value: f"{value:g}")
    said = passage("depths.drawn_are", sweep=sweep.title, flavour=FLAVOUR)
    return [
        Figure("plot-delays", passage("depths.delays_drawn"), said, left),
        Figure("plot-slopes", passage("depths.slopes_drawn"), said, right),
    ]


def _slope(sweep: Sweep, name: str) -> str:
    if name not in sweep.checks:
        return EMPTY
    (found,) = fit_together(sweep, name).slopes
    return f"{found.value:.3f} ({found.checks:.0f})"
