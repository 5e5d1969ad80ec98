# SPDX-License-Identifier: GPL-2.0-only
"""A range of states as scripts/cost left it, and the step from each to the next."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..evaluation.results import Result, Results, load_results
from ..kernelfiles import FormatError, read_json
from .cycles import Timed, by_hook
from .differences import Difference, differences
from .functions import by_function
from .prices import Price, prices

KINDS = ("latency", "callbacks")

# By stack and sub-benchmark.
Prices = dict[str, dict[str, Price]]


@dataclass(frozen=True)
class State:
    """A state of the tree, and why it could not be built. Its part has the results."""

    part: str
    name: str
    subject: str
    files: list[str]
    failed: str = ""


@dataclass(frozen=True)
class Step:
    """A step from the last state that could be measured to this one. `failed` is by stack, "" for all, and says why there is
    nothing. `compared` are the stacks that could be. `functions` has what each executes more or fewer, where that was
    counted, and `cycles` the time of hooks, where that was measured.
    """

    number: int
    of: int
    name: str
    subject: str
    files: tuple[str, ...]
    changes: tuple[Difference, ...]
    failed: dict[str, str]
    compared: tuple[str, ...]
    functions: dict[Difference, list[tuple[str, int]]] = field(default_factory=dict)
    cycles: dict[Difference, list[Timed]] = field(default_factory=dict)


@dataclass(frozen=True)
class Range:
    """`whole` is from the first state that could be measured to the last one. `selftest` says what came of it."""

    kernel: str
    selftest: str
    stacks: tuple[str, ...]
    benchmarks: tuple[str, ...]
    steps: tuple[Step, ...]
    whole: Step

    @property
    def failed(self) -> bool:
        return any(step.failed for step in self.steps) or bool(self.whole.failed)


class _States:
    def __init__(self, results: Results, stacks: list[str]) -> None:
        self.results, self.stacks = results, stacks
        self.absent = {(result.part, result.name): result for result in results.absent}

    def _result(self, part: str, name: str) -> Result:
        """Return a result, or raise FormatError with what the guest said."""
        found = self.results.get(part, name)
        if found is None:
            absent = self.absent.get((part, name))
            raise FormatError(absent.data["left_out"] if absent else "it was not measured")
        return found

    def prices(self, state: State) -> tuple[Prices, dict[str, str]]:
        """Return prices, and why a stack has none."""
        if state.failed:
            return {}, {"": state.failed}
        found, failed = {}, {}
        for stack in self.stacks:
            try:
                found[stack] = prices(*(self._result(state.part, f"{stack}-{kind}") for kind in KINDS))
            except FormatError as error:
                failed[stack] = str(error)
        return found, failed


class _Last:
    """The last state in which each stack could be measured. `timed` are sub-benchmarks with their stacks."""

    def __init__(self, results: pathlib.Path, timed: list[list[str]], boots: int) -> None:
        self.results, self.timed, self.boots = results, [tuple(pair) for pair in timed], boots
        self.prices: Prices = {}
        self.parts: dict[str, str] = {}

    def take(self, part: str, found: Prices) -> None:
        self.prices |= found
        self.parts |= dict.fromkeys(found, part)

    def changes(self, found: Prices) -> tuple[Difference, ...]:
        known = [stack for stack in found if stack in self.prices]
        changed = [each for stack in known for each in differences(stack, self.prices[stack], found[stack])]
        return tuple(sorted(changed, key=lambda each: (-abs(each.change), each.stack, each.benchmark)))

    def functions(self, part: str, changes: tuple[Difference, ...]) -> dict[Difference, list[tuple[str, int]]]:
        found = {each: by_function(self.results, self.parts[each.stack], part, each) for each in changes}
        return {each: rows for each, rows in found.items() if rows}

    def cycles(self, part: str, changes: tuple[Difference, ...]) -> dict[Difference, list[Timed]]:
        found = {each: by_hook(self.results, (self.parts[each.stack], part), each, self.boots) for each in changes
                 if (each.benchmark, each.stack) in self.timed}
        return {each: rows for each, rows in found.items() if rows}


def _step(number: int, of: int, state: State, last: _Last, found: Prices, failed: dict[str, str]) -> Step:
    new = {stack: "no commit before it could be measured" for stack in found if stack not in last.prices}
    changes = last.changes(found)
    return Step(number, of, state.name, state.subject, tuple(state.files), changes, failed | new,
                tuple(stack for stack in found if stack not in new), last.functions(state.part, changes),
                last.cycles(state.part, changes) if number else {})


def _whole(states: Sequence[State], first: _Last, last: _Last, failed: dict[str, str]) -> Step:
    files = {name for state in states[1:] for name in state.files}
    subject = f"the whole range, {states[0].name} to {states[-1].name}"
    about = State(states[-1].part, "", subject, sorted(files))
    return _step(0, len(states) - 1, about, first, {stack: last.prices[stack] for stack in first.prices}, failed)


def load_range(path: pathlib.Path) -> Range:
    data = read_json(path)
    if data.get("format") != "lsmpmon-cost" or data.get("version") != 1:
        raise FormatError(f"{path}: its format should be lsmpmon-cost, version 1")
    folder = path.parent / data["results"]
    results, states = load_results(folder), [State(**each) for each in data["states"]]
    known, timed = _States(results, data["stacks"]), (data.get("cycles", []), data.get("boots", 0))
    first, last = _Last(folder, *timed), _Last(folder, *timed)
    found, failed = known.prices(states[0])
    first.take(states[0].part, found)
    last.take(states[0].part, found)
    steps = []
    for number, state in enumerate(states[1:], 1):
        found, why = known.prices(state)
        steps.append(_step(number, len(states) - 1, state, last, found, why))
        last.take(state.part, found)
    names = dict.fromkeys(name for stack in last.prices.values() for name in stack)
    parts = {state.part for state in states}
    kernel = next((result.kernel for result in results.cells if result.part in parts), "?")
    whole = _whole(states, first, last, failed)
    return Range(kernel, data["selftest"], tuple(data["stacks"]), tuple(names), tuple(steps), whole)
