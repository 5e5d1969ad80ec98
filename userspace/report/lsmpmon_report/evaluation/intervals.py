# SPDX-License-Identifier: GPL-2.0-only
"""Figures over boots as tables print them: with their interval, or with their first digits only."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..stats import Interval
from .blocks import more, whole

# Digits of a figure without an interval.
DIGITS = 2


def few(value: float) -> str:
    """Return the first digits, which are all that a time without an interval is good for."""
    if round(value, 3) == 0:
        return "0"
    rounded = round(value, DIGITS - 1 - math.floor(math.log10(abs(value))))
    return (f"{rounded:,.0f}" if abs(rounded) >= 10 else f"{rounded:g}").replace("-", "−")


def few_more(value: float) -> str:
    """Return the first digits of a difference, with its sign."""
    return f"+{few(value)}" if round(value, 3) > 0 else few(value)


def printed(each: Interval) -> str:
    return written(each, whole, few)


def printed_us(each: Interval) -> str:
    """Return a figure in microseconds, of which hooks take parts."""
    return written(each, lambda value: f"{value:.3f}", few)


def printed_more(each: Interval) -> str:
    return written(each, more, few_more)


def written(each: Interval, write: Callable[[float], str], short: Callable[[float], str]) -> str:
    """Return a figure with its interval, each of them written in one way, or its first digits in the other."""
    if each.low is None or each.high is None:
        return short(each.median)
    return f"{write(each.median)} ({write(each.low)} to {write(each.high)})"
