# SPDX-License-Identifier: GPL-2.0-only
"""Axes: from values to pixels, and where the ticks are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

# Where an axis with two signs is no longer logarithmic.
SIGNED_FROM = 10.0


@dataclass(frozen=True)
class Scale:
    """Maps values to pixels. `signed`: logarithmic to both sides of 0, and even around it."""

    least: float
    most: float
    left: float
    right: float
    log: bool = False
    signed: bool = False

    def __call__(self, value: float) -> float:
        at = self._at(value) - self._at(self.least)
        return round(self.left + (self.right - self.left) * at / (self._at(self.most) - self._at(self.least)), 1)

    def _at(self, value: float) -> float:
        if self.signed:
            return math.copysign(math.log10(1 + abs(value) / SIGNED_FROM), value)
        return math.log10(value) if self.log else value

    def ticks(self) -> list[float]:
        """Return the values that have a line and a label."""
        if self.signed:
            return [value for value in _signed_steps(self.least, self.most) if self.least <= value <= self.most]
        if self.log:
            return _steps(self.least, self.most)
        step = nice_step(self.most - self.least)
        first = math.ceil(self.least / step - 1e-9)
        return [round(n * step, 10) for n in range(first, math.floor(self.most / step + 1e-9) + 1)]

    def labelled(self, tick: Callable[[float], str]) -> list[tuple[float, str]]:
        """Return ticks and labels, with all digits where rounding would make two labels equal."""
        found = [(value, tick(value)) for value in self.ticks()]
        return found if len({label for _, label in found}) == len(found) else [(value, f"{value:,g}") for value, _ in found]


def nice_step(span: float, parts: int = 7) -> float:
    """Return 1, 2 or 5 times a power of ten, for a reasonable number of ticks."""
    rough = span / parts
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)


def _steps(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times each power of ten between them, or only these powers if that is too many."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    found = [value for value in found if low * 0.999 <= value <= high * 1.001]
    return found if len(found) <= 12 else [value for value in found if f"{value:e}".startswith("1.")]


def _signed_steps(low: float, high: float) -> list[float]:
    """Return 0, and the powers of ten to both sides."""
    most = math.ceil(math.log10(max(-low, high, SIGNED_FROM)))
    powers = [10.0**power for power in range(round(math.log10(SIGNED_FROM)), most + 1)]
    return [*(-value for value in reversed(powers)), 0.0, *powers]


def log_limits(values: list[float]) -> tuple[float, float]:
    """Return the nearest of such steps around the values."""
    low, high = min(values), max(values)
    found = _steps(low / 10, high * 10)
    least, most = max(v for v in found if v <= low * 1.001), min(v for v in found if v >= high * 0.999)
    return (least, most) if most > least else (least, most * 10)


def limits(values: list[float]) -> tuple[float, float]:
    """Return the ends of an axis that includes 0, with a margin at the ends in use."""
    low, high = min([0.0, *values]), max([0.0, *values])
    air = (high - low or 1.0) * 0.03
    return (low - air if low < 0 else 0.0), (high + air if high > 0 else 0.0 if low < 0 else 1.0)
