# SPDX-License-Identifier: GPL-2.0-only
"""The hooks that are called on every path of a function, by what it returns.

Paths are followed on the graph of each function, and distinguished by what is
known of its values; where they meet with the same knowledge, they keep the
hooks that both have called. A function's summary is {class of its value:
hooks}, without the classes that it cannot return; an empty one never returns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from lsmlab.measure.hookmap.facts import Block, Function, base
from lsmlab.measure.hookmap.graph import MODULE, SYNC, Edge, Event, Graph, Node, Statement
from lsmlab.measure.hookmap.shape import LAST, Known, N, P, Shape, Z
from lsmlab.measure.hookmap.ways import Ways, project

EVERY = -1
# No hook: what is called wherever this is "called" says nothing, since no path goes there, or only with a flag.
NEVER = ""
UNKNOWN = {N: 0, Z: 0, P: 0}

# {class of a value: bits of hooks}.
Summary = dict[int, int]

class Order:
    def __init__(self, graph: Graph, hooks: Iterable[str], bit: int = EVERY) -> None:
        self.graph, self.bit = graph, bit
        self.names, self.flags = [*hooks, NEVER], graph.cuts.flags()
        # A hook has a bit in each plane: it was called; it was, or a flag is set; and that without one of the flags.
        planes = range(len(self.flags) + 2)
        self.bits = {name: sum(1 << number + plane * len(self.names) for plane in planes)
                     for number, name in enumerate(self.names)}
        self.excuses = {flag: self._excuse(number) for number, flag in enumerate(self.flags)}
        self.summaries: dict[Node, Summary] = {}
        self.shapes: dict[str, Shape] = {}
        self.users: dict[Node, set[Node]] = {}

    def _plane(self, number: int) -> int:
        return (1 << len(self.names)) - 1 << number * len(self.names)

    def _excuse(self, flag: int) -> int:
        """Return the bits of all hooks where a flag excuses that they are not called."""
        return self._plane(1) | sum(self._plane(2 + other) for other in range(len(self.flags)) if other != flag)

    def _nodes(self, edge: Edge) -> list[Node]:
        """Return the nodes that a call may lead to for the object."""
        if not edge.objects:
            return list(edge.nodes)
        return [node for node, bits in zip(edge.nodes, edge.objects) if bits & self.bit]

    def _hooks(self, bits: int) -> list[str]:
        return [name for number, name in enumerate(self.names) if bits >> number & 1]

    def solve(self, roots: Iterable[Node]) -> None:
        """Make the summaries of all nodes that roots may call: a callee comes before its callers."""
        order = self._callees_first(roots)
        place = {node: number for number, node in enumerate(order)}
        waiting, queued = deque(order), set(order)
        while waiting:
            node = waiting.popleft()
            queued.discard(node)
            summary = self._summary(node)
            if summary != self.summaries.get(node):
                self.summaries[node] = summary
                for user in sorted(self.users.get(node, ()), key=place.__getitem__):
                    if user not in queued and user in self.summaries:
                        queued.add(user)
                        waiting.append(user)

    def _callees_first(self, roots: Iterable[Node]) -> list[Node]:
        order: list[Node] = []
        seen: set[Node] = set()
        for root in roots:
            stack: list[tuple[Node, Iterator[Node] | None]] = [(root, None)]
            while stack:
                node, following = stack.pop()
                if following is None:
                    if node in seen:
                        continue
                    seen.add(node)
                    following = iter([to for edge in self.graph.edges(node) if edge.kind == SYNC for to in self._nodes(edge)])
                for to in following:
                    self.users.setdefault(to, set()).add(node)
                    if to not in seen:
                        stack.append((node, following))
                        stack.append((to, None))
                        break
                else:
                    order.append(node)
        return order

    def _shape(self, name: str) -> Shape:
        if name not in self.shapes:
            function = self.graph.facts.functions[name]
            self.shapes[name] = Shape(function, self.graph.cuts.assumed_in(function.base()))
        return self.shapes[name]

    def _summary(self, node: Node) -> Summary:
        function = self.graph.facts.functions.get(node[0])
        if function is None or not function.blocks:
            return UNKNOWN
        return self._paths(node, function, self._shape(node[0]))

    def _paths(self, node: Node, function: Function, shape: Shape) -> Summary:
        statements, dead = self.graph.blocks(node), self.graph.dead(node)
        summary: Summary = {}
        first = next(iter(function.blocks))
        ways = {first: Ways()}
        ways[first].add((), 0)
        waiting, queued = deque([first]), {first}
        while waiting:
            number = waiting.popleft()
            queued.discard(number)
            block = function.blocks[number]
            for known, called in self._run(statements[number], ways[number], shape):
                if block.end and block.end[0] == "=":
                    self._returned(function, shape.classes(block.end[1], known), called, summary)
                    continue
                for to, after, excuse in self._leave(block, known, shape):
                    if to not in function.blocks or to in dead:
                        continue
                    changed = ways.setdefault(to, Ways()).add(project(after, shape.live[to]), called | excuse)
                    if changed and to not in queued:
                        queued.add(to)
                        waiting.append(to)
        return summary

    @staticmethod
    def _returned(function: Function, classes: int, called: int, summary: Summary) -> None:
        for one in (N, Z, P):
            if (P if function.returns == "v" else classes) & one:
                summary[one] = summary.get(one, called) & called

    def _run(self, statements: Iterable[Statement], before: Ways, shape: Shape) -> list[tuple[Known, int]]:
        """Return [(known, called)] at the end of a block."""
        ways = list(before)
        for statement in statements:
            if isinstance(statement, Event):
                bit = self.bits.get(statement.name, 0)
                ways = [(known, called | bit) for known, called in ways]
            elif statement.kind in (SYNC, MODULE):
                ways = [way for known, called in ways for way in self._call(statement, known, called, shape)]
        return ways

    def _returns(self, edge: Edge) -> Summary:
        """Return the summary of a call."""
        if edge.kind == MODULE:
            return UNKNOWN if edge.callback in self.graph.cuts.positive else {N: 0, Z: 0}
        nodes = self._nodes(edge)
        if not nodes:   # nothing is known of the pointer; or the object has no such operation, and no path goes here
            return {} if edge.nodes else UNKNOWN
        summary: Summary = {}
        for node in nodes:
            excuse = self._excuse_of(node)
            for one, called in self.summaries.get(node, {}).items():
                summary[one] = summary.get(one, EVERY) & (called | excuse)
        return summary

    def _excuse_of(self, node: Node) -> int:
        """Return the bits of hooks that are excused since a function is called at all."""
        excused = self.graph.cuts.excused
        return self.excuses[excused[base(node[0])]] if excused and base(node[0]) in excused else 0

    def _call(self, edge: Edge, known: Known, called: int, shape: Shape) -> Iterator[tuple[Known, int]]:
        summary = self._returns(edge)
        if edge.to in shape.reports:
            summary = {one: more for one, more in summary.items() if one & shape.report(known)}
        if edge.to in shape.reported:
            for one, more in summary.items():
                yield {**known, edge.to: one, LAST: one}, called | more
        elif edge.to in shape.tracked:
            # Classes with the same hooks need not be kept apart.
            by_called: dict[int, int] = {}
            for one, more in summary.items():
                by_called[more] = by_called.get(more, 0) | one
            for more, classes in by_called.items():
                yield {**known, edge.to: classes}, called | more
        elif summary:
            every = -1
            for more in summary.values():
                every &= more
            yield known, called | every

    def _leave(self, block: Block, known: Known, shape: Shape) -> Iterator[tuple[int, Known, int]]:
        """Yield (successor, values known there, bits of hooks that are excused)."""
        for to, mark in block.successors:
            ways: list[tuple[Known, list[str]]] = [(known, [])]
            if block.end and block.end[0] == "?" and mark:
                ways = shape.leave(block, mark == "t", known)
            for after, needed in ways:
                excuse = reduce(or_, (self.excuses[flag] for flag in needed), 0)
                yield to, self._phis(block.number, to, after, shape), excuse

    @staticmethod
    def _phis(number: int, to: int, known: Known, shape: Shape) -> Known:
        block = shape.function.blocks.get(to)
        values = {name: shape.classes(come[number], known) for name, come in (block.phis if block else ())
                  if name in shape.tracked and number in come}
        return {**known, **values} if values else known

    def must(self, node: Node) -> dict[str, list[str]]:
        """Return {hook: flags} of the hooks on every path to success on which no such flag is set."""
        summary = self.summaries.get(node, {})
        bits = [summary[one] for one in (Z, P) if one in summary]
        if not bits:
            return {}
        every = bits[0] & bits[-1]
        planes = [set(self._hooks(every >> number * len(self.names))) for number in range(len(self.flags) + 2)]
        said = planes[1] if NEVER not in planes[1] else planes[0]
        return {hook: [] if hook in planes[0] else self._needed(hook, planes[2:])
                for hook in self.names if hook in said and hook != NEVER}

    def _needed(self, hook: str, planes: list[set[str]]) -> list[str]:
        """Return the flags without one of which a hook is not called each time; all of them if any would do."""
        return [flag for flag, plane in zip(self.flags, planes) if hook not in plane] or self.flags
