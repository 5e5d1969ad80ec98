# SPDX-License-Identifier: GPL-2.0-only
"""The time of hooks before and after a state on the real processor, from what lsmlab's pricing/cycles.py measured."""

from __future__ import annotations

import pathlib
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import stats
from ..evaluation.results import load_result
from ..kernelfiles import FormatError, parse_info
from ..runs import called, merge
from .differences import Difference

if TYPE_CHECKING:
    from ..evaluation.results import Result
    from ..stats import Interval

# Boots of each side, below which nothing is compared.
LEAST = 2


@dataclass(frozen=True)
class Timed:
    """Cycles of a call of one hook: the medians of so many boots of each side, and the relative change of these."""

    hook: str
    boots: int
    before: float
    after: float
    change: Interval

    def json(self) -> dict[str, object]:
        found = {"change": self.change.median, "low": self.change.low, "high": self.change.high}
        percents = {name: None if value is None else round(100 * value, 2) for name, value in found.items()}
        return {"hook": self.hook, "boots": self.boots, "before": self.before, "after": self.after,
                "percent": percents, "noise": self.change.chance}


def _boot(result: Result, benchmark: str) -> dict[str, float]:
    """Return cycles of a call by hook: the median of the records' averages, without the empty span."""
    try:
        files = dict(result.records[benchmark]["runs"][0]["files"])
    except KeyError as error:
        raise FormatError(f"{result.path}: no records of {benchmark}") from error
    empty = parse_info(files.pop("info"), name=f"{result.path}: info").number("overhead")
    tables = [called(text, f"{result.path}: {name}") for name, text in files.items() if name.startswith("result-")]
    return {hook: cost.ave - empty for hook, cost in merge(tables).items()}


def _side(folder: pathlib.Path, change: Difference, side: str, part: str, boots: int) -> list[dict[str, float]]:
    """Return the boots of one side. A missing one was not measured yet or failed; one of another part is of another range."""
    paths = [folder / f"{change.file_name}-{side}-{number}.json" for number in range(1, boots + 1)]
    found = [load_result(path) for path in paths if path.exists()]
    return [_boot(result, change.benchmark) for result in found if result.cell["part"] == part]


def by_hook(results: pathlib.Path, parts: tuple[str, str], change: Difference, boots: int) -> list[Timed]:
    """Return the hooks in which instructions changed between two states; nothing if there are none or it was not measured."""
    folder = results / parts[1] / "cycles"
    before, after = (_side(folder, change, side, part, boots) for side, part in zip(("before", "after"), parts))
    hooks = dict.fromkeys(each.hook for each in change.parts if each.hook)
    return [_timed(hook, before, after) for hook in hooks if _in_all(hook, before) and _in_all(hook, after)]


def _in_all(hook: str, side: list[dict[str, float]]) -> bool:
    return len(side) >= LEAST and all(hook in boot for boot in side)


def _timed(hook: str, before: list[dict[str, float]], after: list[dict[str, float]]) -> Timed:
    old, new = ([boot[hook] for boot in side] for side in (before, after))
    change = stats.change_over_boots(old, new)
    return Timed(hook, min(len(old), len(new)), statistics.median(old), statistics.median(new), change)
