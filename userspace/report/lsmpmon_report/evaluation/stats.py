# SPDX-License-Identifier: GPL-2.0-only
"""Differences of medians, and intervals over boots. Counts of instructions are exact and need no interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy

from .blocks import more, whole
from .results import Result

LEVEL = 0.95
RESAMPLES = 1999
SEED = 20211
# With fewer boots, there is no interval, and a figure is printed with its first digits only.
BOOTS_LEAST = 10
DIGITS = 2
# A call may execute so many instructions more or fewer after other work, in another state of the kernel's tables.
FLOOR = 40


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


def difference_over_boots(before: Sequence, after: Sequence) -> Interval:
    """How much more `after` is. Where a boot has several figures, in the same order: the median of their differences."""
    before, after = (numpy.array(boots, float).reshape(len(boots), -1) for boots in (before, after))
    difference = float(numpy.median(numpy.median(after, axis=0) - numpy.median(before, axis=0)))
    if min(len(before), len(after)) < BOOTS_LEAST:
        return _interval(difference, None)
    return _interval(difference, numpy.median(_resampled(after) - _resampled(before, SEED + 1), axis=1))


def _resampled(values: Sequence[float], seed: int = SEED) -> numpy.ndarray:
    """Medians of resamples, the same each time."""
    drawn = numpy.random.default_rng(seed).choice(numpy.array(values, float), (RESAMPLES, len(values)))
    return numpy.median(drawn, axis=1)


def _interval(median: float, resampled: numpy.ndarray | None) -> Interval:
    if resampled is None:
        return Interval(median, None, None)
    low, high = numpy.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(median, float(low), float(high))


# In words


def few(value: float) -> str:
    """The first digits, which are all that a time without an interval is good for."""
    if round(value, 3) == 0:
        return "0"
    rounded = round(value, DIGITS - 1 - math.floor(math.log10(abs(value))))
    return (f"{rounded:,.0f}" if abs(rounded) >= 10 else f"{rounded:g}").replace("-", "−")


def few_more(value: float) -> str:
    """The same of a difference, with its sign."""
    return f"+{few(value)}" if round(value, 3) > 0 else few(value)


def printed(each: Interval) -> str:
    return few(each.median) if each.low is None else _between(each, whole)


def printed_us(each: Interval) -> str:
    """The same in microseconds, of which hooks take parts."""
    return few(each.median) if each.low is None else _between(each, lambda value: f"{value:.3f}")


def printed_more(each: Interval) -> str:
    """The same of a difference, with its sign."""
    return few_more(each.median) if each.low is None else _between(each, more)


def _between(each: Interval, write: Callable[[float], str]) -> str:
    return f"{write(each.median)} ({write(each.low)} to {write(each.high)})"


def boots_said(numbers: Collection[int]) -> str:
    """What such figures are, of these numbers of boots."""
    fewest, most = min(numbers), max(numbers)
    many = f"median of {fewest if fewest == most else f'{fewest} to {most}'} boots" if most > 1 else "one boot"
    if most < BOOTS_LEAST:
        return f"{many}: too few for an interval, so {DIGITS} digits are printed"
    interval = f"in brackets its {100 * LEVEL:.0f} % interval over boots"
    return f"{many}, {interval}" if fewest >= BOOTS_LEAST else f"{many}, with at least {BOOTS_LEAST} {interval}"
