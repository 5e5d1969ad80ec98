# SPDX-License-Identifier: GPL-2.0-only
"""The difference of two results in one benchmark."""

from __future__ import annotations

from dataclasses import dataclass

from .results import Result


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

    def data(self, **names: str) -> dict[str, object]:
        """Return the comparison for a passage, beside names of what is compared."""
        return {**names, "base": self.base, "value": self.value, "difference": self.difference, "change": self.change}


def compare(base: Result, value: Result, benchmark: str) -> Comparison | None:
    """Return None if one of them did not run it, or if their machines cannot be compared."""
    before, after = base.median(benchmark), value.median(benchmark)
    if before is None or after is None or before <= 0 or base.setting != value.setting:
        return None
    return Comparison(before, after, base.exact)
