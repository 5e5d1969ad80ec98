# SPDX-License-Identifier: GPL-2.0-only
"""Paths in map.json: each step is there once, as how far back the step before it is and the function that it adds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

# (how many steps back the step before is, or 0 if it is the first; number of the function). Most are 1, which is shorter
# than the number of a step.
Step = tuple[int, int]
# {hook: number of the last step}.
Ends = dict[str, int]


class Packer:
    def __init__(self) -> None:
        self.functions: dict[str, int] = {}
        # {(number of the step before, or -1; number of the function): number}
        self._steps: dict[tuple[int, int], int] = {}

    def function(self, name: str) -> int:
        """Return the number of a function."""
        return self.functions.setdefault(name, len(self.functions))

    def step(self, path: Iterable[str]) -> int:
        """Return the number of the last step of a path."""
        last = -1
        for name in path:
            step = last, self.function(name)
            last = self._steps.setdefault(step, len(self._steps))
        return last

    def steps(self) -> list[Step]:
        """Return the steps of all paths."""
        return [(number - before if before >= 0 else 0, function) for (before, function), number in self._steps.items()]

    def ends(self, paths: Mapping[str, Iterable[str]]) -> Ends:
        return {hook: self.step(path) for hook, path in paths.items()}


def path(functions: Sequence[str], steps: Sequence[Step], number: int) -> list[str]:
    """Return the path that ends in a step."""
    names: list[str] = []
    while True:
        back, function = steps[number]
        names.append(functions[function])
        if not back:
            return names[::-1]
        number -= back
