# SPDX-License-Identifier: GPL-2.0-only
"""A range of states as scripts/cost left it, and the step from each to the next."""

from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass

from ..evaluation.results import Result, Results, load_results
from ..kernelfiles import FormatError
from .differences import Difference, differences
from .prices import Price, prices


@dataclass(frozen=True)
class Step:
    """From the last state that could be measured to this one. `failed` is by stack, "" for all, and says why there is
    nothing."""

    number: int
    of: int
    name: str
    subject: str
    files: tuple[str, ...]
    changes: tuple[Difference, ...]
    failed: dict[str, str]

    @property
    def title(self) -> str:
        return f"commit {self.number} of {self.of}, `{self.subject}`" if self.number else self.subject


@dataclass(frozen=True)
class Range:
    """`whole` is from the first state that could be measured to the last one."""

    kernel: str
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
        """Raises FormatError with what the guest said."""
        found = self.results.get(part, name)
        if found is None:
            absent = self.absent.get((part, name))
            raise FormatError(absent.data["left_out"] if absent else "it was not measured")
        return found

    def prices(self, state: dict) -> tuple[dict[str, dict[str, Price]], dict[str, str]]:
        """Prices by stack, and why there are none."""
        if state.get("failed"):
            return {}, {"": state["failed"]}
        found, failed = {}, {}
        for stack in self.stacks:
            try:
                found[stack] = prices(*(self._result(state["part"], f"{stack}-{kind}") for kind in ("latency", "callbacks")))
            except FormatError as error:
                failed[stack] = str(error)
        return found, failed


def _between(before: dict, after: dict) -> tuple[Difference, ...]:
    found = [each for stack in after if stack in before for each in differences(stack, before[stack], after[stack])]
    return tuple(sorted(found, key=lambda each: (-abs(each.change), each.stack, each.benchmark)))


def _whole(states: list[dict], first: dict, last: dict, failed: dict[str, str]) -> Step:
    files = tuple(sorted({name for state in states[1:] for name in state["files"]}))
    title = f"the whole range, {states[0]['name']} to {states[-1]['name']}"
    return Step(0, len(states) - 1, "", title, files, _between(first, last), failed)


def load_range(path: pathlib.Path) -> Range:
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: {error}") from error
    if data.get("format") != "lsmpmon-cost" or data.get("version") != 1:
        raise FormatError(f"{path}: its format should be lsmpmon-cost, version 1")
    results = load_results(path.parent / data["results"], data["results"])
    known, states = _States(results, data["stacks"]), data["states"]
    first, failed = known.prices(states[0])
    last, steps, before = dict(first), [], failed
    for number, state in enumerate(states[1:], 1):
        found, why = known.prices(state)
        why |= {stack: "no commit before it could be measured" for stack in found if stack not in last}
        steps.append(Step(number, len(states) - 1, state["name"], state["subject"], tuple(state["files"]),
                          _between(last, found), why))
        last |= found
    names = dict.fromkeys(name for stack in last.values() for name in stack)
    kernel = next((result.kernel for result in results.cells if result.part == states[0]["part"]), "?")
    return Range(kernel, tuple(data["stacks"]), tuple(names), tuple(steps), _whole(states, first, last, before))
