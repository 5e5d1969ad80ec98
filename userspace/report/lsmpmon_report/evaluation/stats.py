# SPDX-License-Identifier: GPL-2.0-only
"""Whether two sets of samples differ, by how much, and how sure that is."""

from __future__ import annotations

import functools
import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

import numpy
from scipy import stats

from .results import Result

LEVEL = 0.95
RESAMPLES = 1999
SEED = 20211


@dataclass(frozen=True)
class Interval:
    """A median with its bootstrap interval."""

    median: float
    low: float
    high: float

    @property
    def exact(self) -> bool:
        return self.low == self.high


@dataclass(frozen=True)
class Comparison:
    """Comparison of two medians: `change` is (value - base) / base, with its interval. `p`: Mann-Whitney test.

    `delta`: Cliff's delta, how much more often a sample of one is above than below one of the other, -1 to 1.
    `holm`: `p` corrected for all comparisons of a table. `exact`: the samples of each side are all equal.
    """

    base: float
    value: float
    change: float
    low: float
    high: float
    delta: float
    p: float
    exact: bool
    holm: float = math.nan

    @property
    def corrected(self) -> float:
        return self.p if math.isnan(self.holm) else self.holm

    @property
    def noise(self) -> bool:
        """Whether the samples show no significant difference."""
        if self.exact:
            return False
        return not self.corrected < 1 - LEVEL or self.low <= 0 <= self.high


def interval(samples: numpy.ndarray) -> Interval:
    median = float(numpy.median(samples))
    if len(samples) < 2 or numpy.ptp(samples) == 0:
        return Interval(median, median, median)
    low, high = _bootstrap((samples,), lambda x, axis: numpy.median(x, axis=axis))
    return Interval(median, low, high)


def _bootstrap(data: tuple, statistic) -> tuple[float, float]:
    """Percentile bootstrap: with many ties, bias correction of a median is undefined."""
    found = stats.bootstrap(
        data,
        statistic,
        n_resamples=RESAMPLES,
        vectorized=True,
        confidence_level=LEVEL,
        method="percentile",
        rng=numpy.random.default_rng(SEED),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def _relative(base: numpy.ndarray, value: numpy.ndarray, axis: int) -> numpy.ndarray:
    before = numpy.median(base, axis=axis)
    return (numpy.median(value, axis=axis) - before) / before


def compare(base: numpy.ndarray, value: numpy.ndarray) -> Comparison:
    """Compares `base`, without the thing in question, with `value`, with it."""
    before, after = float(numpy.median(base)), float(numpy.median(value))
    change = (after - before) / before
    if numpy.ptp(base) == 0 and numpy.ptp(value) == 0:
        # Nothing varies, so there is nothing to test: any difference is real.
        delta = float(numpy.sign(after - before))
        return Comparison(before, after, change, change, change, delta, 1.0 if before == after else 0.0, True)
    low, high = _bootstrap((base, value), _relative) if min(len(base), len(value)) > 1 else (change, change)
    test = stats.mannwhitneyu(value, base, alternative="two-sided", method="asymptotic")
    delta = 2 * float(test.statistic) / (len(base) * len(value)) - 1
    return Comparison(before, after, change, low, high, delta, float(test.pvalue), False)


@functools.cache
def compare_results(base: Result, value: Result, benchmark: str) -> Comparison | None:
    """None if one of them did not run it, or if their machines cannot be compared."""
    before, after = base.samples(benchmark), value.samples(benchmark)
    if before is None or after is None or base.setting != value.setting:
        return None
    return compare(before, after) if numpy.median(before) > 0 else None


def holm(found: dict[Hashable, Comparison]) -> dict[Hashable, Comparison]:
    """Corrects `p` by Holm's method for their number. Exact comparisons are not tested and do not count."""
    tested = sorted((key for key in found if not found[key].exact), key=lambda key: found[key].p)
    corrected, least = dict(found), 0.0
    for number, key in enumerate(tested):
        least = max(least, min(1.0, found[key].p * (len(tested) - number)))
        corrected[key] = replace(found[key], holm=least)
    return corrected


def spread(comparisons: Iterable[Comparison]) -> tuple[int, int, int]:
    """Number of exact, sure and noise comparisons."""
    found = list(comparisons)
    exact, noise = sum(c.exact for c in found), sum(c.noise for c in found)
    return exact, len(found) - exact - noise, noise
