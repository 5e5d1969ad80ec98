# SPDX-License-Identifier: GPL-2.0-only
"""In cycles of the real processor: hook times on User-Mode Linux before and after a state, over several boots of each."""

from dataclasses import replace

from evaluation import guest, result
from pricing import kernel
from pricing.boot import boots

SIDES = ("before", "after")


def _cell(state, stack, measuring):
    boot, = boots(state, measuring.worktree.tree, measuring.settings.kver, [stack], ["callbacks"])
    return replace(boot, measures=("cycles",), runner="uml", accel="")


def _boots(before, after, measuring):
    """In turns, so that what else the machine does meanwhile disturbs both sides: (sub-benchmark, boot, path)."""
    for benchmark, stack in measuring.settings.cycles:
        for number in range(1, measuring.settings.boots + 1):
            for side, state in zip(SIDES, (before, after)):
                name = f"{stack}-{benchmark.replace('/', '.')}-{side}-{number}"
                boot = replace(_cell(state, stack, measuring), name=name, boot=number)
                yield benchmark, boot, measuring.results / after.ident / "cycles" / f"{name}.json"


class Cycles:
    """`last` is the last state that could be built for this; with it, the next one is compared."""

    def __init__(self, measuring):
        self.measuring, self.last = measuring, None

    def missing(self, before, after):
        return [row for row in _boots(before, after, self.measuring)
                if result.read_key(row[2]) != self.measuring.key(row[1])]

    def _pairs(self):
        states = self.measuring.settings.states
        return zip(states, states[1:])

    def needed(self, state):
        """Whether its kernel is booted, as one side or the other."""
        return any(state in pair and self.missing(*pair) for pair in self._pairs())

    def kernels(self):
        """How many are booted."""
        return len({state.ident for pair in self._pairs() if self.missing(*pair) for state in pair})

    def todo(self):
        """How many boots are missing."""
        return sum(len(self.missing(*pair)) for pair in self._pairs())

    def measure(self, state):
        """With what is in the tree."""
        try:
            self._build(state)
            if self.last:
                self._boot(self.missing(self.last, state), state)
            self.last = state
        except (kernel.Failed, guest.Failed, guest.LeftOut, result.BadOutput) as error:
            self.measuring.fail(state.ident, "", f"no cycles: {str(error).splitlines()[0]}")

    def _build(self, state):
        self.measuring.step(state, "building for User-Mode Linux")
        for stack in dict.fromkeys(stack for _, stack in self.measuring.settings.cycles):
            cell = _cell(state, stack, self.measuring)
            kernel.build(cell)
            guest.require_modules(cell)

    def _boot(self, rows, state):
        """One at a time: this is time of the machine."""
        for number, (benchmark, boot, path) in enumerate(rows, 1):
            self.measuring.step(state, f"cycles, boot {number} of {len(rows)}")
            output = guest.boot(boot, None, self.measuring.settings.samples, [benchmark])
            result.write(path, result.assemble(boot, self.measuring.key(boot), output, {}))
