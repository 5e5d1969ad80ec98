# SPDX-License-Identifier: GPL-2.0-only
"""Differences of medians, and intervals over boots. Counts of instructions are exact and need no interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from .results import Result

LEVEL = 0.95
RESAMPLES = 1999
SEED = 20211
# With fewer boots, there is no interval.
BOOTS_LEAST = 10


@dataclass(frozen=True)
class Comparison:
    """Two medians: `base`, without the thing in question, and `value`, with it. `exact`: both are instructions."""

    base: float
    value: float
    exact: bool

    @property
    def difference(self) -> float:
        return self.value - self.base

    @property
    def change(self) -> float:
        return self.difference / self.base


@dataclass(frozen=True)
class Interval:
    """A median over boots with its 95 % interval, which is None if there are too few boots."""

    median: float
    low: float | None
    high: float | None

    @property
    def sure(self) -> bool:
        """Whether 0 is outside of the interval."""
        return self.low is not None and not self.low <= 0 <= self.high


def compare(base: Result, value: Result, benchmark: str) -> Comparison | None:
    """None if one of them did not run it, or if their machines cannot be compared."""
    before, after = base.median(benchmark), value.median(benchmark)
    if before is None or after is None or before <= 0 or base.setting != value.setting:
        return None
    return Comparison(before, after, base.exact)


def over_boots(values: Sequence[float]) -> Interval:
    """The median of one figure a boot."""
    return _interval(float(numpy.median(values)), _resampled(values) if len(values) >= BOOTS_LEAST else None)


def change_over_boots(before: Sequence[float], after: Sequence[float]) -> Interval:
    """How much larger the median of `after` is, relative to that of `before`."""
    change = float(numpy.median(after) / numpy.median(before) - 1)
    if min(len(before), len(after)) < BOOTS_LEAST:
        return _interval(change, None)
    return _interval(change, _resampled(after) / _resampled(before, SEED + 1) - 1)


def _resampled(values: Sequence[float], seed: int = SEED) -> numpy.ndarray:
    """Medians of resamples, the same each time."""
    drawn = numpy.random.default_rng(seed).choice(numpy.array(values, float), (RESAMPLES, len(values)))
    return numpy.median(drawn, axis=1)


def _interval(median: float, resampled: numpy.ndarray | None) -> Interval:
    if resampled is None:
        return Interval(median, None, None)
    low, high = numpy.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(median, float(low), float(high))
