# SPDX-License-Identifier: GPL-2.0-only
"""Measures the missing boots of each state, one state after the other, and keeps each boot in a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from lsmlab.measure.evaluation import guest, measuring, result
from lsmlab.measure.evaluation.cell import Boot
from lsmlab.measure.pipeline import jobs, kernel
from lsmlab.measure.pipeline.graph import Graph
from lsmlab.measure.pricing import functions
from lsmlab.measure.pricing.boot import KINDS
from lsmlab.measure.pricing.cycles import Cycles
from lsmlab.measure.pricing.run import Run
from lsmlab.measure.pricing.states import State

# Minutes on two idle processors, for the estimate: a kernel from nothing or with another header, the next in the same tree, a
# boot, one that counts functions, and one on User-Mode Linux.
FIRST, NEXT, BOOT, COUNT, UML_BOOT = 5, 0.2, 0.12, 0.6, 0.1


class Measuring(Run):
    """Measures the states of a run."""

    @cached_property
    def cycles(self) -> Cycles:
        """Return what measures cycles. It is made once, since it remembers the state before."""
        return Cycles(self)

    def missing(self, state: State) -> list[Boot]:
        return [boot for boot in self.boots[state.ident] if result.read_key(self.results / boot.path) != self.key(boot)]

    def measure(self, state: State, missing: list[Boot]) -> None:
        """Measure all boots of a state as one graph.

        Its kernels are built at once: much of a build, and all of its end, is the work of one processor.
        """
        graph = Graph(self.worktree.folder / "graph", measuring.KIND, self.say, builds=len(KINDS))
        ended: dict[tuple[str, str], jobs.Outcome] = {}
        for boot in missing:
            initrd, files = self.initrds.of(boot)
            measuring.add(graph, boot, None, key=self.key(boot), files=files, initrd=str(initrd), samples=self.settings.samples,
                          patterns=self.settings.patterns, result=str(self.results / boot.path))

        def heard(rule: str, name: str, outcome: jobs.Outcome) -> None:
            ended[rule, name] = outcome
            if rule == jobs.KERNEL and "reason" in outcome:
                raise kernel.Failed(outcome["reason"])
            self.step(state, f"{sum(rule != jobs.KERNEL for rule, _ in ended)} of {len(missing)} boots")

        self.step(state, f"building {' and '.join(sorted({boot.flavour for boot in missing}))}")
        graph.run(heard)
        for boot in missing:
            self.settle(boot, ended[jobs.EXACT, boot.path.removesuffix(".json")])

    def settle(self, boot: Boot, outcome: jobs.Outcome) -> None:
        """Keep a failure without a key, so that the next run tries again."""
        if "reason" in outcome:
            self.fail(boot.part, boot.lsm or "capability", guest.brief(outcome["reason"]))
            jobs.write(self.results / boot.path, result.left_out(boot, "", outcome["reason"]))

    def count(self, state: State) -> None:
        """Count functions for the sub-benchmarks and stacks that the settings name."""
        for benchmark, stack in functions.missing(state, self):
            self.step(state, f"functions of {benchmark}/{stack}")
            try:
                functions.measure(state, benchmark, stack, self)
            except (guest.Failed, result.BadOutput) as error:
                self.fail(state.ident, stack, f"no functions of {benchmark}: {guest.brief(error)}")

    def state(self, state: State) -> None:
        missing, timed = self.missing(state), self.cycles.needed(state)
        if missing or timed or functions.missing(state, self):
            self.step(state, "checking out")
            self.worktree.put(state)
            try:
                self.measure(state, missing)
                self.count(state)
                if timed:
                    self.cycles.measure(state)
            except kernel.Failed as error:
                self.fail(state.ident, "", str(error))
        self.done += 1

    def prepare(self) -> None:
        """Make the files of the guests, which are inputs of results."""
        self.initrds.get_tools()
        self.initrds.make()

    def run(self) -> None:
        with self.worktree.locked(self.say):
            for state in self.settings.states:
                self.state(state)
                (self.worktree.folder / "built").touch()
        self.progress("")


def estimate(measurings: Sequence[Measuring]) -> str:
    """Return how much work several Measurings of one tree have; empty if none."""
    missing = [(state, boot) for one in measurings for state in one.settings.states for boot in one.missing(state)]
    slow = {(boot.part, boot.flavour): state.wide for state, boot in missing}
    kernels, boots = len(slow), len(missing)
    first = 0 if (measurings[0].worktree.folder / "built").exists() else len(KINDS)
    first = min(kernels, first + sum(slow.values()))
    counted = sum(len(functions.missing(state, one)) for one in measurings for state in one.settings.states)
    minutes = FIRST * first + NEXT * (kernels - first) + BOOT * boots + COUNT * counted
    boots += counted
    for timed_kernels, timed_boots in (one.cycles.todo() for one in measurings):
        if timed_boots:
            minutes += FIRST + NEXT * (timed_kernels - 1) + UML_BOOT * timed_boots
        kernels, boots = kernels + timed_kernels, boots + timed_boots
    text = f"{kernels} kernels to build and {boots} boots: about {1 + round(minutes)} minutes on two idle processors"
    return text if boots else ""
