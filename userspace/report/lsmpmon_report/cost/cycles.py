# SPDX-License-Identifier: GPL-2.0-only
"""The time of hooks before and after a state on the real processor, from what scripts/pricing/cycles.py measured."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..evaluation.results import load_result
from ..kernelfiles import FormatError, parse_info
from ..runs import called, merge
from .differences import Difference

if TYPE_CHECKING:
    from ..evaluation.stats import Comparison

# Boots of each side, below which there is no interval.
LEAST = 2


@dataclass(frozen=True)
class Timed:
    """Cycles of a call of one hook, over so many boots of each side."""

    hook: str
    boots: int
    found: Comparison

    @property
    def text(self) -> str:
        found = self.found
        seen = "; no difference was seen" if found.noise else ""
        return (f"in cycles of a call of {self.hook}: {found.base:.0f} to {found.value:.0f}, {100 * found.change:+.1f} % "
                f"({100 * found.low:+.1f} to {100 * found.high:+.1f} % in 95 % of {self.boots} boots each{seen})")

    def json(self) -> dict:
        percents = {name: round(100 * getattr(self.found, name), 2) for name in ("change", "low", "high")}
        return {"hook": self.hook, "boots": self.boots, "before": self.found.base, "after": self.found.value,
                "percent": percents, "noise": bool(self.found.noise)}


def _boot(path: pathlib.Path, benchmark: str) -> dict[str, float]:
    """Cycles of a call by hook: the median of the records' averages, without the empty span."""
    result = load_result(path)
    try:
        files = dict(result.records[benchmark]["runs"][0]["files"])
    except KeyError as error:
        raise FormatError(f"{path}: no records of {benchmark}") from error
    empty = int(parse_info(files.pop("info"), name=f"{path}: info")["overhead"])
    tables = [called(text, f"{path}: {name}") for name, text in files.items() if name.startswith("result-")]
    return {hook: cost.ave - empty for hook, cost in merge(tables).items()}


def _side(folder: pathlib.Path, change: Difference, side: str) -> list[dict[str, float]]:
    name = f"{change.stack}-{change.benchmark.replace('/', '.')}-{side}-*.json"
    return [_boot(path, change.benchmark) for path in sorted(folder.glob(name))]


def by_hook(results: pathlib.Path, part: str, change: Difference) -> list[Timed]:
    """Of the hooks in which instructions changed; empty if none did or no time was asked for."""
    before, after = (_side(results / part / "cycles", change, side) for side in ("before", "after"))
    hooks = dict.fromkeys(each.hook for each in change.parts if each.hook)
    return [_timed(hook, before, after) for hook in hooks if _in_all(hook, before) and _in_all(hook, after)]


def _in_all(hook: str, side: list[dict[str, float]]) -> bool:
    return len(side) >= LEAST and all(hook in boot for boot in side)


def _timed(hook: str, before: list[dict[str, float]], after: list[dict[str, float]]) -> Timed:
    # scipy takes a second to load, and most reports have no times.
    from ..evaluation import stats

    found = stats.compare(*([boot[hook] for boot in side] for side in (before, after)))
    return Timed(hook, len(after), found)
