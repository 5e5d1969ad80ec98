# SPDX-License-Identifier: GPL-2.0-only
"""The code that runs only where a last reference goes: behind a counter that has come to zero.

The functions that say so are in cuts.toml; a function that returns what one of
them answered says so, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsmlab.measure.hookmap import condition
from lsmlab.measure.hookmap.condition import Way
from lsmlab.measure.hookmap.cuts import Cuts
from lsmlab.measure.hookmap.facts import Facts, Function


class Last:
    def __init__(self, facts: Facts, cuts: Cuts) -> None:
        self.gone, self.left = set(cuts.last_if), set(cuts.last_unless)
        self._more(facts)

    def _more(self, facts: Facts) -> None:
        """Add the functions that return the answer of another."""
        returned: dict[str, set[str]] = {}
        for function in facts.functions.values():
            if function.returns in "iu":
                for name in condition.answer(function, condition.results(function)):
                    returned.setdefault(name, set()).add(function.base())
        for known in (self.gone, self.left):
            waiting = list(known)
            while waiting:
                fresh = returned.get(waiting.pop(), set()) - known
                known.update(fresh)
                waiting.extend(fresh)

    def _ways(self, function: Function) -> Iterator[Way]:
        calls = condition.results(function)
        for number, block in function.blocks.items():
            asked = condition.asked(function, calls, block.end)
            if asked and asked.call in self.gone | self.left:
                gone = asked.truth == (asked.call in self.gone)
                yield from ((number, to) for to, mark in block.successors if mark == ("t" if gone else "n"))

    def blocks(self, function: Function) -> set[int]:
        """Return the blocks of a function that only a last reference reaches."""
        return condition.only_by(function, self._ways(function))
