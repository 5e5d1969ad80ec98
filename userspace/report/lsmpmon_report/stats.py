# SPDX-License-Identifier: GPL-2.0-only
"""Criteria by which a figure of this package is called sure, and how far figures spread.

Documentation/explanation/sure.md says which criterion holds for what, and why.
numpy is imported where it is used: make run, overhead and host do without it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy

# The part of all intervals over boots, and of those of regressions, that have the true value inside.
LEVEL = 0.95
# Boots of each side, from which on there is an interval over boots.
BOOTS_LEAST = 10
RESAMPLES = 1999
SEED = 20211

# How much a call has to change to be counted as affected, relative to the call.
AFFECTED = 0.01
# How far apart the quartiles of exact samples are, relative to the median, from where on a benchmark has several modes.
APART = 0.02
# The least part of samples that makes a mode.
MODE = 0.1
# A change of a call that was not measured twice has to be more instructions than this: two measurements of one change, of creat
# from Linux 7.2 to 7.3 under Landlock, differed by so many, since other work came before.
FLOOR = 80
# In one boot, a hook has to take so many times what it takes under capability to be named as a cost of the module.
NOTICEABLE = 1.2
# How far a slope may be from the number of checks, relative to that, or in checks where there are none.
TOLERANCE = 0.01


# Of values


def spread(values: Sequence[float]) -> float:
    """Return the largest minus the smallest of a few values, relative to their median."""
    return (max(values) - min(values)) / statistics.median(values)


def quartiles(samples: Sequence[float] | numpy.ndarray) -> tuple[float, float, float]:
    """Return the first quartile, the median and the third quartile of many samples; each of them is a sample."""
    import numpy

    low, middle, high = numpy.quantile(samples, [0.25, 0.5, 0.75], method="nearest")
    return float(low), float(middle), float(high)


@dataclass(frozen=True)
class Mode:
    """The median of a part of some samples."""

    value: float
    part: float


def modes(samples: Sequence[float] | numpy.ndarray) -> list[Mode]:
    """Return the median of exact samples; where their quartiles are far apart, the medians below and above the widest gap."""
    low, middle, high = quartiles(samples)
    if high - low <= APART * middle:
        return [Mode(middle, 1.0)]
    ordered, least = sorted(map(float, samples)), max(1, round(MODE * len(samples)))
    cut = max(range(least, len(ordered) - least + 1), key=lambda place: ordered[place] - ordered[place - 1])
    return [Mode(quartiles(each)[1], len(each) / len(ordered)) for each in (ordered[:cut], ordered[cut:])]


# Whether values differ


def within_quartiles(difference: float, distance: float) -> bool:
    """Return whether exact samples say nothing of a difference, since the quartiles of one side are further apart.

    Medians that are equal say that there is no difference.
    """
    return 0 < abs(difference) < distance


def agree(changes: Collection[float]) -> bool:
    """Return whether all passes say more, or all say less."""
    return min(changes) > 0 or max(changes) < 0


def noticeable(value: float, base: float) -> bool:
    """Return whether a hook costs so much more than under capability that one boot is enough to see it."""
    return value > base * NOTICEABLE


@dataclass(frozen=True)
class Interval:
    """A median over boots with its 95 % interval, whose ends are None if there are too few boots."""

    median: float
    low: float | None = None
    high: float | None = None

    @property
    def sure(self) -> bool:
        """Return whether 0 is outside of the interval."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    @property
    def chance(self) -> bool:
        """Return whether there is an interval, and 0 is inside of it."""
        return self.low is not None and not self.sure


def over_boots(values: Sequence[float]) -> Interval:
    """Return the median of one figure of each boot."""
    import numpy

    return _interval(float(numpy.median(values)), _resampled(values) if len(values) >= BOOTS_LEAST else None)


def change_over_boots(before: Sequence[float], after: Sequence[float]) -> Interval:
    """Return how much larger the median of `after` is, relative to that of `before`."""
    import numpy

    change = float(numpy.median(after) / numpy.median(before) - 1)
    if min(len(before), len(after)) < BOOTS_LEAST:
        return Interval(change)
    return _interval(change, _resampled(after) / _resampled(before, SEED + 1) - 1)


def difference_over_boots(before: Sequence[Sequence[float] | float], after: Sequence[Sequence[float] | float]) -> Interval:
    """Return how much more `after` is; where a boot has several figures, the median of their differences."""
    import numpy

    old, new = (numpy.array(boots, float).reshape(len(boots), -1) for boots in (before, after))
    difference = float(numpy.median(numpy.median(new, axis=0) - numpy.median(old, axis=0)))
    if min(len(old), len(new)) < BOOTS_LEAST:
        return Interval(difference)
    return _interval(difference, numpy.median(_resampled(new) - _resampled(old, SEED + 1), axis=1))


def difference_over_turns(before: Sequence[float], after: Sequence[float]) -> Interval:
    """Return how much more `after` is, over pairs of boots that took turns: what changes from turn to turn is in neither."""
    return over_boots([new - old for old, new in zip(before, after)])


def _resampled(values: Sequence[float] | numpy.ndarray, seed: int = SEED) -> numpy.ndarray:
    """Return the medians of resamples, which are the same each time."""
    import numpy

    drawn = numpy.random.default_rng(seed).choice(numpy.array(values, float), (RESAMPLES, len(values)))
    return numpy.array(numpy.median(drawn, axis=1))


def _interval(median: float, resampled: numpy.ndarray | None) -> Interval:
    import numpy

    if resampled is None:
        return Interval(median)
    low, high = numpy.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(median, float(low), float(high))


# Regressions


@dataclass(frozen=True)
class Line:
    """A least-squares fit: its constant, the slope on each variable with the ends of its 95 % interval, and r^2.

    If all values are equal, r^2 means nothing.
    """

    constant: float
    slopes: list[tuple[float, float, float]]
    r2: float


def regress(values: Sequence[float], variables: Sequence[Sequence[float]]) -> Line:
    """Fit `values` to a constant and a multiple of each variable. There are more values than these."""
    import numpy

    design = numpy.column_stack([numpy.ones(len(values)), *variables])
    inverse, measured = numpy.linalg.pinv(design), numpy.array(values, float)
    fitted = inverse @ measured
    squares = float(((measured - design @ fitted) ** 2).sum())
    total = float(((measured - measured.mean()) ** 2).sum())
    freedom = len(values) - int(numpy.linalg.matrix_rank(design))
    half = student(LEVEL, freedom) * numpy.sqrt(squares / freedom * (inverse**2).sum(axis=1))
    slopes = [(float(value), float(value - width), float(value + width)) for value, width in zip(fitted[1:], half[1:])]
    return Line(float(fitted[0]), slopes, 1 - squares / total if total else math.nan)


def student(level: float, freedom: int) -> float:
    """Return the t for which this part of Student's distribution is between -t and t, for whole degrees of freedom."""
    low, high = 0.0, math.pi / 2
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if _between(middle, freedom) < level else (low, middle)
    return math.sqrt(freedom) * math.tan(high)


def _between(angle: float, freedom: int) -> float:
    """Return the part of Student's distribution between -t and t, with t = sqrt(freedom) tan(angle), a finite sum."""
    odd = freedom % 2
    total, term = 0.0, math.cos(angle) if odd else 1.0
    for number in range(2 + odd, freedom + 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (number - 1) / number
    total *= math.sin(angle)
    return (angle + total) * 2 / math.pi if odd else total
