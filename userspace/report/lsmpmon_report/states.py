# SPDX-License-Identifier: GPL-2.0-only
"""System calls with the monitor off, on, and with each feature, in turns, as lab/shell/host overhead saved them."""

from __future__ import annotations

import json
import pathlib
import statistics
from dataclasses import dataclass

from .benchmarks import read_benchmarks
from .kernelfiles import FormatError, read
from .stats import agree, spread

OFF, ON = "off", "on"

# {state: [{system call: median ns} of each pass]}
States = dict[str, list[dict[str, float]]]


@dataclass(frozen=True)
class Turns:
    """All passes, with off and on first, and what disturbed them."""

    states: States
    notes: list[str]


def load_states(directory: pathlib.Path) -> Turns:
    found = {path.name: _passes(path) for path in directory.glob("*/") if path.is_dir()}
    if not {OFF, ON} <= set(found):
        raise FormatError(f"{directory}: no results in it; expected {directory}/off/1.json and {directory}/on/1.json")
    notes = read(directory / "disturbances").splitlines()
    return Turns({OFF: found.pop(OFF), ON: found.pop(ON), **dict(sorted(found.items()))}, notes)


def _passes(directory: pathlib.Path) -> list[dict[str, float]]:
    return [read_benchmarks(path, "median", "ns") for path in sorted(directory.glob("*.json"))]


def changes(states: States, state: str, call: str) -> list[float]:
    """Return ns above off, in each pass: what drifts from pass to pass is in neither."""
    return [one[call] - off[call] for one, off in zip(states[state], states[OFF])]


def render(turns: Turns) -> str:
    states = turns.states
    calls, others = list(states[OFF][0]), list(states)[1:]
    passes = len(states[OFF])
    width = max(map(len, calls))
    lines = [
        f"System calls on this machine, ns: median of {passes} passes, off, and how much more in each state",
        f"{'':<{width}} {OFF:>9} " + " ".join(f"{state:>10}" for state in others),
    ]
    for call in calls:
        off = statistics.median(one[call] for one in states[OFF])
        more = (_change(changes(states, state, call)) for state in others)
        lines.append(f"{call:<{width}} {off:>9,.0f} " + " ".join(more))
    spreads = (f"{_spread(states, state):>9.1f}%" for state in others)
    lines.append(f"{'spread':<{width}} {_spread(states, OFF):>8.1f}% " + " ".join(spreads))
    lines.append("~: chance, since some passes say more and some less")
    lines.append("spread: largest minus smallest of the passes, relative to their median; the median of all calls")
    return "\n".join([*lines, *turns.notes]) + "\n"


def _change(found: list[float]) -> str:
    mark = "" if agree(found) else "~"
    return f"{f'{mark}{statistics.median(found):+,.0f}':>10}"


def _spread(states: States, state: str) -> float:
    return statistics.median(100 * spread([one[call] for one in states[state]]) for call in states[state][0])


def to_json(turns: Turns) -> str:
    return json.dumps({"runner": "host", "unit": "ns", **vars(turns)}, indent=1)
