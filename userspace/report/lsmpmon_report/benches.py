# SPDX-License-Identifier: GPL-2.0-only
"""Cycles of a hook call with the monitor off, on, with each feature, as lsmpmon bench measured them in several boots."""

from __future__ import annotations

import json
import pathlib
import statistics
from dataclasses import dataclass

from .cycles import Boot
from .kernelfiles import FormatError
from .stats import spread


@dataclass(frozen=True)
class State:
    """A hook call in each boot: what it costs more than off, and that over what two clock readings add to it."""

    name: str
    more: list[float]
    ratios: list[float]

    @property
    def spread(self) -> float:
        """Return the spread of the boots."""
        return spread(self.more)


def load_benches(directory: pathlib.Path, boots: list[Boot]) -> list[State]:
    """Read DIRECTORY/N/bench.json of each boot, whose clock readings are in `boots`; nothing when there are none."""
    found = [_more(path) for path in sorted(directory.glob("*/bench.json"))]
    if len(found) != len(boots):
        raise FormatError(f"{directory}: {len(found)} files; expected one for each of {len(boots)} boots")
    return [_state(name, [more[name] for more in found], boots) for name in (found[0] if found else ())]


def _more(path: pathlib.Path) -> dict[str, float]:
    try:
        view = json.loads(path.read_text())
        if (view["view"], view["unit"]) != ("bench", "cycles"):
            raise FormatError(f"{path}: not what lsmpmon bench --json --cycles prints")
        # Results of an older lsmpmon call it `more`.
        column = "added" if "added" in view["rows"][0] else "more"
        return {row["state"]: row[column] for row in view["rows"] if row[column] is not None}
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise FormatError(f"{path}: not what lsmpmon bench --json --cycles prints: {error}") from error


def _state(name: str, more: list[float], boots: list[Boot]) -> State:
    return State(name, more, [value / (boot.clocks - boot.off) for value, boot in zip(more, boots)])


def render_benches(states: list[State]) -> list[str]:
    if not states:
        return []
    lines = [
        f"By feature, in the same {len(states[0].more)} boots: cycles of a hook call above off, their spread, and how",
        "many times what two ordered clock readings around the call add:",
    ]
    return [*lines, *(_row(state) for state in states)]


def _row(state: State) -> str:
    more, ratio = statistics.median(state.more), statistics.median(state.ratios)
    return f"  {state.name:<12} {more:>7.0f} {100 * state.spread:>6.0f}% {ratio:>8.2f}"


def benches_json(states: list[State]) -> dict[str, object]:
    return {
        "cycles_by_feature": {
            state.name: {"more": statistics.median(state.more), "spread": state.spread,
                         "ratio": statistics.median(state.ratios), "boots": state.more}
            for state in states
        }
    }
