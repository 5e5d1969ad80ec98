# SPDX-License-Identifier: GPL-2.0-only
"""The ways to a block of a function: what is known of values on each, and which hooks were called."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import reduce
from operator import and_

from lsmlab.measure.hookmap.shape import ANY, Known

# The ways to a block that are kept apart. Of more, those on which the same hooks were called become one; if these are still
# too many, all do.
APART = 12

Values = tuple[tuple[str, int], ...]


def project(known: Known, live: Container[str]) -> Values:
    """Return what is known of values that are used later, as a key."""
    return tuple(sorted(item for item in known.items() if item[0] in live and item[1] != ANY))


def _join(one: Values, other: Values) -> Values:
    """Return what is known on both of two ways."""
    there = dict(other)
    joined = [(value, classes | there[value]) for value, classes in one if value in there]
    return tuple(item for item in joined if item[1] != ANY)


def _includes(outer: Values, inner: Values) -> bool:
    """Say whether all that an outer way lets values be includes what an inner one lets them be."""
    there = dict(inner)
    return all(there.get(value, ANY) | classes == classes for value, classes in outer)


class Ways:
    def __init__(self) -> None:
        self._called: dict[Values, int] = {}    # bits of hooks
        self._joined = False

    def __iter__(self) -> Iterator[tuple[Known, int]]:
        return ((dict(values), called) for values, called in self._called.items())

    def add(self, values: Values, called: int) -> bool:
        """Add a way, and say whether what is known of the block changes."""
        if self._joined and any(has & called == has and _includes(outer, values) for outer, has in self._called.items()):
            return False
        old = self._called.get(values)
        self._called[values] = called if old is None else old & called
        changed = self._called[values] != old
        if len(self._called) > APART:
            self._join_same()
        return changed

    def _join_same(self) -> None:
        """Make one way of those on which the same hooks were called."""
        by_called: dict[int, Values] = {}
        for values, called in self._called.items():
            by_called[called] = _join(by_called[called], values) if called in by_called else values
        if len(by_called) > APART:
            by_called = {reduce(and_, by_called): ()}
        self._joined, self._called = True, {}
        for called, values in by_called.items():
            self._called[values] = self._called.get(values, called) & called
