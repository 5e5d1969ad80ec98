# SPDX-License-Identifier: GPL-2.0-only
"""Hook times in cycles of the real processor, on User-Mode Linux, before and after a state, over several boots each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lsmlab.measure.evaluation import guest, result
from lsmlab.measure.evaluation.cell import Boot
from lsmlab.measure.pipeline import jobs, kernel
from lsmlab.measure.pipeline.errors import Failed, LeftOut
from lsmlab.measure.pricing.boot import boots, named
from lsmlab.measure.pricing.run import Run
from lsmlab.measure.pricing.states import State

SIDES = ("before", "after")
# Sub-benchmark, boot, path.
Row = tuple[str, Boot, Path]


def _cell(state: State, stack: str, run: Run) -> Boot:
    boot, = boots(state, run.worktree.tree, run.settings.kver, [stack], ["callbacks"])
    return replace(boot, measures=("cycles",), runner="uml", accel="")


def _boots(before: State, after: State, stack: str, run: Run) -> Iterator[Row]:
    """Yield (sub-benchmark, boot, path), before and after in turns, so that other load on the machine disturbs both
    sides.
    """
    for benchmark in (name for name, where in run.settings.cycles if where == stack):
        for number in range(1, run.settings.boots + 1):
            for side, state in zip(SIDES, (before, after)):
                name = f"{named(benchmark, stack)}-{side}-{number}"
                boot = replace(_cell(state, stack, run), name=name, boot=number)
                yield benchmark, boot, run.results / after.ident / "cycles" / f"{name}.json"


class Cycles:
    """Measures cycles. `last` has, by stack, the last state whose kernel could be built; the next state is compared
    with it.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.last: dict[str, State] = {}
        self.stacks = list(dict.fromkeys(stack for _, stack in run.settings.cycles))

    def _missing(self, before: State, after: State, stack: str) -> list[Row]:
        return [row for row in _boots(before, after, stack, self.run)
                if result.read_key(row[2]) != self.run.key(row[1])]

    def _pairs(self) -> Iterator[tuple[State, State]]:
        """Return pairs of states that follow each other."""
        states = self.run.settings.states
        return zip(states, states[1:])

    def _number(self, pair: tuple[State, State]) -> int:
        """Return how many boots of a pair are missing."""
        return sum(len(self._missing(*pair, stack)) for stack in self.stacks)

    def needed(self, state: State) -> bool:
        """Say whether the kernel of a state is booted, as one side or the other."""
        return any(self._number(pair) for pair in self._pairs() if state in pair)

    def todo(self) -> tuple[int, int]:
        """Return the numbers of kernels and of boots."""
        missing = [(pair, number) for pair in self._pairs() if (number := self._number(pair))]
        return len({state.ident for pair, _ in missing for state in pair}), sum(number for _, number in missing)

    def measure(self, state: State) -> None:
        """Measure the state that is in the tree. A failure is one of its stack only: instructions are kept."""
        for stack in self.stacks:
            try:
                directory = self._build(state, stack)
                before, self.last[stack] = self.last.get(stack), state
                if before:
                    self._boot(self._missing(before, state, stack), state, directory)
            except (Failed, LeftOut) as error:
                self.run.fail(state.ident, stack, f"no cycles: {guest.brief(error)}")

    def _build(self, state: State, stack: str) -> Path:
        self.run.step(state, "building for User-Mode Linux")
        cell = _cell(state, stack, self.run)
        directory = kernel.build(cell.kernel())
        guest.require_modules(cell, directory)
        guest.require_policy(cell)
        return directory

    def _boot(self, rows: list[Row], state: State, directory: Path) -> None:
        """Boot one guest at a time, since this is time of the machine."""
        for number, (benchmark, boot, path) in enumerate(rows, 1):
            self.run.step(state, f"cycles, boot {number} of {len(rows)}")
            output = guest.boot(boot, directory, None, self.run.settings.samples, [benchmark])
            jobs.write(path, result.assemble(boot, self.run.key(boot), output, {}))
