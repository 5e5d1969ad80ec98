# SPDX-License-Identifier: GPL-2.0-only
"""The nodes that calls may lead to, and a shortest path to each.

Nodes are numbered, and those from which no hook can be reached are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Optional

from lsmlab.measure.hookmap.graph import DEFERRED, MODULE, RETURN, SYNC, Event, Graph, Node

KINDS = (SYNC, MODULE, RETURN, DEFERRED)
# {number of a node: that of the one before it, or None}.
Reached = dict[int, Optional[int]]


class Walk:
    def __init__(self, graph: Graph, roots: Iterable[Node]) -> None:
        self.graph = graph
        self.nodes: list[Node] = []
        self.number: dict[Node, int] = {}
        self.out: dict[str, list[list[int]]] = {kind: [] for kind in KINDS}     # by number: numbers
        self.events: list[list[str]] = []                                       # by number: names of hooks
        self._collect(roots)
        self._prune()

    def _of(self, node: Node) -> int:
        if node not in self.number:
            self.number[node] = len(self.nodes)
            self.nodes.append(node)
        return self.number[node]

    def _collect(self, roots: Iterable[Node]) -> None:
        for root in roots:
            self._of(root)
        for node in self.nodes:     # grows
            to: dict[str, dict[int, None]] = {kind: {} for kind in KINDS}
            for edge in self.graph.edges(node):
                for callee in edge.nodes:
                    to[edge.kind][self._of(callee)] = None
            for kind in KINDS:
                self.out[kind].append(list(to[kind]))
            self.events.append(list(dict.fromkeys(
                statement.name for statements in self.graph.blocks(node).values() for statement in statements
                if isinstance(statement, Event))))

    def _prune(self) -> None:
        """Keep only nodes that lead to a hook."""
        into: list[list[int]] = [[] for _ in self.nodes]
        for kind in KINDS:
            for number, callees in enumerate(self.out[kind]):
                for callee in callees:
                    into[callee].append(number)
        useful = {number for number, events in enumerate(self.events) if events}
        waiting = list(useful)
        while waiting:
            for number in into[waiting.pop()]:
                if number not in useful:
                    useful.add(number)
                    waiting.append(number)
        for kind in KINDS:
            self.out[kind] = [[to for to in callees if to in useful] for callees in self.out[kind]]
        self.useful = useful

    def reach(self, starts: Iterable[int], kinds: Iterable[str]) -> Reached:
        """Return {number: the one before it, or None} from some numbers, nearest first."""
        reached: Reached = dict.fromkeys(starts)
        waiting = list(reached)
        tables = [self.out[kind] for kind in kinds]
        for number in waiting:      # grows
            for table in tables:
                for to in table[number]:
                    if to not in reached:
                        reached[to] = number
                        waiting.append(to)
        return reached

    def across(self, reached: Reached, kind: str) -> dict[int, int]:
        """Return {number: the one before it} at the other ends of one kind of edge."""
        ends: dict[int, int] = {}
        for number in reached:
            for to in self.out[kind][number]:
                ends.setdefault(to, number)
        return ends

    def hooks(self, reached: Reached) -> dict[str, int]:
        """Return {hook: number of the nearest node that calls it}."""
        hooks: dict[str, int] = {}
        for number in reached:
            for name in self.events[number]:
                hooks.setdefault(name, number)
        return hooks

    @staticmethod
    def path(reached: Reached, number: int) -> list[int]:
        """Return the numbers from a start to a node."""
        path: list[int] = []
        at: int | None = number
        while at is not None:
            path.append(at)
            at = reached[at]
        return path[::-1]

    def order(self, start: int) -> list[str]:
        """Return the hooks of a call's own, in the order of the source: the first callee comes first."""
        hooks: dict[str, None] = {}
        seen: set[int] = {start}
        stack: list[Iterator[int]] = [iter((start,))]
        while stack:
            number = next(stack[-1], None)
            if number is None:
                stack.pop()
                continue
            hooks.update(dict.fromkeys(self.events[number]))
            fresh = [to for to in self.out[SYNC][number] if to not in seen]
            seen.update(fresh)
            stack.append(iter(fresh))
        return list(hooks)
