# SPDX-License-Identifier: GPL-2.0-only
"""Paths in map.json: each step is there once, as the step before it and the function that it adds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

# (number of the step before, or -1; number of the function).
Step = tuple[int, int]
# {hook: number of the last step}.
Ends = dict[str, int]


class Packer:
    def __init__(self) -> None:
        self.functions: dict[str, int] = {}
        self.steps: dict[Step, int] = {}

    def function(self, name: str) -> int:
        """Return the number of a function."""
        return self.functions.setdefault(name, len(self.functions))

    def step(self, path: Iterable[str]) -> int:
        """Return the number of the last step of a path."""
        last = -1
        for name in path:
            step = last, self.function(name)
            last = self.steps.setdefault(step, len(self.steps))
        return last

    def ends(self, paths: Mapping[str, Iterable[str]]) -> Ends:
        return {hook: self.step(path) for hook, path in paths.items()}


def path(functions: Sequence[str], steps: Sequence[Step], number: int) -> list[str]:
    """Return the path that ends in a step."""
    names: list[str] = []
    while number >= 0:
        number, function = steps[number]
        names.append(functions[function])
    return names[::-1]
