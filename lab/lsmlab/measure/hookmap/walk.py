# SPDX-License-Identifier: GPL-2.0-only
"""The nodes that calls may lead to, and a shortest path to each.

Nodes are numbered, and those from which no hook can be reached are left out.
Objects are followed at once: each is a bit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from lsmlab.measure.hookmap.graph import DEFERRED, LAST, MODULE, RARE, RETURN, SYNC, Edge, Event, Graph, Node
from lsmlab.measure.hookmap.objects import Objects

KINDS = (SYNC, LAST, RARE, MODULE, RETURN, DEFERRED)
EVERY = -1


# {number: {number that it calls: [(bit of an object, bit of the one beneath it)]}} where a call leaves the code of the first.
Down = dict[int, dict[int, list[tuple[int, int]]]]


def lowered(bits: int, pairs: Iterable[tuple[int, int]]) -> int:
    """Return the objects that a call which leaves the code of some of them is made on."""
    for upper, lower in pairs:
        if bits & upper:
            bits = bits & ~upper | lower
    return bits


class Reached:
    """Nodes that are reached from somewhere, nearest first."""

    def __init__(self, down: Down) -> None:
        self.down = down
        self.bits: dict[int, int] = {}                                  # number of a node: objects
        self.steps: list[tuple[int, int, int | None]] = []              # (number, objects that are new, the one before it)
        self.came: dict[int, list[tuple[int, int | None]]] = {}         # by number: (objects, the one before it), if asked for

    def add(self, number: int, bits: int) -> None:
        self.bits[number] = bits
        self.steps.append((number, bits, None))

    def along(self, first: int, last: int | None, tables: Sequence[list[list[tuple[int, int]]]]) -> None:
        """Add what some steps lead to; without a last one, also what that leads to."""
        known, steps = self.bits, self.steps
        for number, fresh, _before in islice(steps, first, last):
            leaving = self.down.get(number)
            for table in tables:
                for to, mask in table[number]:
                    on = lowered(fresh, leaving.get(to, ())) if leaving else fresh
                    new = on & mask & ~known.get(to, 0)
                    if new:
                        known[to] = known.get(to, 0) | new
                        steps.append((to, new, number))

    def path(self, number: int, bit: int) -> list[int]:
        """Return the numbers from a start to a node, for one object, or for one and the one beneath it."""
        if not self.came:
            for to, bits, before in self.steps:
                self.came.setdefault(to, []).append((bits, before))
        found = next(bits for bits, _before in self.came[number] if bits & bit) & bit
        path, at, bit = list[int](), number, found & -found
        while True:
            path.append(at)
            before = next(before for bits, before in self.came[at] if bits & bit)
            if before is None:
                return path[::-1]
            bit = next((upper for upper, lower in self.down.get(before, {}).get(at, ())
                        if lower == bit and self.bits[before] & upper), bit)
            at = before


class Walk:
    def __init__(self, graph: Graph, roots: Iterable[Node]) -> None:
        self.graph = graph
        self.union = graph.objects.union if graph.objects else 1
        self.all = graph.objects.all if graph.objects else 1
        self.nodes: list[Node] = []
        self.number: dict[Node, int] = {}
        # By number: (number, bits of objects for which it may be called).
        self.out: dict[str, list[list[tuple[int, int]]]] = {kind: [] for kind in KINDS}
        self.events: list[list[str]] = []                                       # by number: names of hooks
        self.down: Down = {}
        self._collect(roots)
        self._prune()
        if graph.objects:
            for number in self.useful:
                self._leave(graph.objects, number)

    def _of(self, node: Node) -> int:
        if node not in self.number:
            self.number[node] = len(self.nodes)
            self.nodes.append(node)
        return self.number[node]

    def _collect(self, roots: Iterable[Node]) -> None:
        for root in roots:
            self._of(root)
        for node in self.nodes:     # grows
            to: dict[str, dict[int, int]] = {kind: {} for kind in KINDS}
            for edge in self.graph.edges(node):
                self._add(to[edge.fold or edge.kind], edge)
            for kind in KINDS:
                self.out[kind].append(list(to[kind].items()))
            self.events.append(list(dict.fromkeys(
                statement.name for statements in self.graph.blocks(node).values() for statement in statements
                if isinstance(statement, Event))))

    def _add(self, to: dict[int, int], edge: Edge) -> None:
        for node, bits in zip(edge.nodes, edge.objects or (self.all,) * len(edge.nodes)):
            number = self._of(node)
            to[number] = to.get(number, 0) | bits

    def _prune(self) -> None:
        """Keep only nodes that lead to a hook."""
        into: list[list[int]] = [[] for _ in self.nodes]
        for kind in KINDS:
            for number, callees in enumerate(self.out[kind]):
                for callee, _bits in callees:
                    into[callee].append(number)
        useful = {number for number, events in enumerate(self.events) if events}
        waiting = list(useful)
        while waiting:
            for number in into[waiting.pop()]:
                if number not in useful:
                    useful.add(number)
                    waiting.append(number)
        for kind in KINDS:
            self.out[kind] = [[one for one in callees if one[0] in useful] for callees in self.out[kind]]
        self.useful = useful

    def _leave(self, objects: Objects, number: int) -> None:
        """Note the calls of a node that leave the code of an object."""
        for upper, lower in objects.beneath.items():
            row = upper.bit_length() - 1
            for to in {to for kind in KINDS for to, _bits in self.out[kind][number]}:
                if objects.leaves(row, self.nodes[number][0], self.nodes[to][0]):
                    self.down.setdefault(number, {}).setdefault(to, []).append((upper, lower))

    def pair(self, bit: int) -> int:
        """Return the bits of an object and of the one beneath it."""
        return bit | self.graph.objects.beneath.get(bit, 0) if self.graph.objects else bit

    def reach(self, starts: Iterable[int], kinds: Iterable[str], bits: int = EVERY) -> Reached:
        """Return what is reached from some numbers, for some objects, none of which is beneath another yet."""
        reached, beneath = Reached(self.down), sum(self.graph.objects.beneath.values()) if self.graph.objects else 0
        for start in starts:
            reached.add(start, bits & self.all & ~beneath)
        reached.along(0, None, [self.out[kind] for kind in kinds])
        return reached

    def levels(self, start: int, kinds: Sequence[str]) -> tuple[Reached, dict[str, tuple[str, int]]]:
        """Return what is reached on all objects together by the first kind, then by the first two ..., and {hook: (the last
        of the kinds, number of the nearest node that calls it)}.
        """
        reached, calls = Reached(self.down), dict[str, tuple[str, int]]()
        reached.add(start, self.union)
        for level, kind in enumerate(kinds):
            before = len(reached.steps)
            reached.along(0, before, [self.out[kind]])
            reached.along(before if level else 0, None, [self.out[one] for one in kinds[:level + 1]])
            for number, _fresh, _before in islice(reached.steps, before if level else 0, None):
                for name in self.events[number]:
                    calls.setdefault(name, (kind, number))
        return reached, calls

    def across(self, reached: Reached, kind: str) -> dict[int, int]:
        """Return {number: the one before it} at the other ends of one kind of edge."""
        ends: dict[int, int] = {}
        table = self.out[kind]
        for number, _fresh, _before in reached.steps:
            for to, _bits in table[number]:
                ends.setdefault(to, number)
        return ends

    def hooks(self, reached: Reached, bit: int) -> dict[str, int]:
        """Return {hook: number of the nearest node that calls it} for one object, with the one beneath it."""
        hooks, bit = dict[str, int](), self.pair(bit)
        for number, fresh, _before in reached.steps:
            if fresh & bit:
                for name in self.events[number]:
                    hooks.setdefault(name, number)
        return hooks

    def way_around(self, start: int, hook: str, bit: int, avoided: Collection[tuple[str, str]]) -> list[int]:
        """Return a shortest path by which a call calls a hook itself without some calls, or nothing.

        Of an object that is stacked on another, the path may be on either.
        """
        before: dict[int, int | None] = {start: None}
        waiting, bit = [start], self.pair(bit)
        for number in waiting:      # grows
            if hook in self.events[number]:
                path: list[int] = []
                at: int | None = number
                while at is not None:
                    path.append(at)
                    at = before[at]
                return path[::-1]
            for to, mask in self.out[SYNC][number]:
                if mask & bit and to not in before and (self.nodes[number][0], self.nodes[to][0]) not in avoided:
                    before[to] = number
                    waiting.append(to)
        return []

    def order(self, start: int, bit: int) -> list[str]:
        """Return the hooks of a call's own, in the order of the source: the first callee comes first."""
        hooks, bit = dict[str, None](), self.pair(bit)
        seen: set[int] = {start}
        stack: list[Iterator[int]] = [iter((start,))]
        while stack:
            number = next(stack[-1], None)
            if number is None:
                stack.pop()
                continue
            hooks.update(dict.fromkeys(self.events[number]))
            fresh = [to for to, mask in self.out[SYNC][number] if mask & bit and to not in seen]
            seen.update(fresh)
            stack.append(iter(fresh))
        return list(hooks)
