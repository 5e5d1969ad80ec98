# SPDX-License-Identifier: GPL-2.0-only
"""The graph of calls: functions, with the functions that they were given to call, and the hooks they call.

A node is (function, bound): a function that calls what it is given, or asks
whether it is zero, is there once for each of these that it is given.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import or_
from typing import Union

from lsmlab.measure.hookmap import pointers
from lsmlab.measure.hookmap.bound import PASSED, ZERO, Bound, Parameters, impossible
from lsmlab.measure.hookmap.condition import only_by
from lsmlab.measure.hookmap.cuts import Cuts
from lsmlab.measure.hookmap.facts import Block, Call, Facts, Function, base
from lsmlab.measure.hookmap.last import Last
from lsmlab.measure.hookmap.objects import Objects

SYNC, RETURN, DEFERRED, MODULE = "sync", "return", "deferred", "module"
LAST, RARE = "last", "rare"

# The keys are static in newer kernels: their names have a file behind them then.
KEY = re.compile(r"@security_hook_active_(\w+)_\d+(?:@.*)?$")
TABLE = re.compile(r"(?:security_hook_heads|lsm_static_calls_table)\.(\w+)$")
# The trampoline of a static call is called, or what is kept for it where there are none.
TRAMPOLINE = re.compile(r"[=%]__SCT__lsm_static_call_(\w+)_\d+$")
CALLBACKS = ".security_list_options."
NOTHING: frozenset[int] = frozenset()
# Before they were modules, IMA, EVM and capability were called by their names.
BY_NAME = re.compile(r"(ima|evm|integrity|cap)_\w+$")
NAMED_IN = ("security/integrity/", "security/commoncap.c")

Node = tuple[str, Bound]


@dataclass(frozen=True)
class Event:
    """A call of a hook, or of a former hook: then `name` begins with `name:`."""

    name: str


@dataclass(frozen=True)
class Edge:
    kind: str
    nodes: tuple[Node, ...]     # the nodes that may be called
    to: str                     # the value that gets the result
    line: int
    callback: str               # the hook whose callbacks these are, or nothing
    arguments: tuple[str, ...]
    fold: str = ""              # of a call: LAST or RARE
    objects: tuple[int, ...] = ()   # for each node, the bits of objects for which it may be called; none: all


Statement = Union[Event, Edge]


class Graph:
    def __init__(self, facts: Facts, cuts: Cuts, chosen: Callable[[str], bool] | None = None,
                 hooks: Collection[str] | None = None, objects: Objects | None = None) -> None:
        self.facts, self.cuts = facts, cuts
        self.pointers = pointers.Pointers(facts)
        self.parameters = Parameters(facts, cuts)
        self.chosen, self.objects = chosen or (lambda name: True), objects
        self.hooks = hooks          # None: all hooks that have events
        self.unresolved: defaultdict[str, int] = defaultdict(int)
        self.cut_edges: defaultdict[str, int] = defaultdict(int)
        self.last = Last(facts, cuts)
        self._blocks: dict[Node, dict[int, list[Statement]]] = {}
        self._last: dict[str, set[int]] = {}
        self._comparisons: dict[str, set[str]] = {}
        self._dead: dict[Node, set[int]] = {}

    def node(self, name: str, bound: Bound = ()) -> Node:
        return (self.facts.real(name), bound)

    def blocks(self, node: Node) -> dict[int, list[Statement]]:
        """Return {block: [Event or Edge]} of a node."""
        if node not in self._blocks:
            function = self.facts.functions.get(node[0])
            dead = self.dead(node)
            self._blocks[node] = {} if function is None else {
                number: [] if number in dead else list(self._statements(function, dict(node[1]), block))
                for number, block in function.blocks.items()}
        return self._blocks[node]

    def dead(self, node: Node) -> Collection[int]:
        """Return the blocks that a node does not reach with what it is given."""
        function, given = self.facts.functions.get(node[0]), dict(node[1])
        if function is None or ZERO not in given.values():
            return NOTHING
        if node not in self._dead:
            self._dead[node] = only_by(function, impossible(function, given))
        return self._dead[node]

    def edges(self, node: Node) -> Iterator[Edge]:
        for statements in self.blocks(node).values():
            for statement in statements:
                if isinstance(statement, Edge):
                    yield statement

    def _known(self, hook: str) -> bool:
        return self.hooks is None or hook in self.hooks

    def _statements(self, function: Function, bound: Mapping[int, str], block: Block) -> Iterator[Statement]:
        for statement in block.body:
            if not isinstance(statement, Call):
                match = TABLE.match(statement[1])
                if match and self._known(match[1]):
                    yield Event(match[1])
                continue
            yield from self._events(function, statement)
            yield from self._edges(function, bound, statement, self._fold(function, block, statement))
        for place, sources in self._stored(function, block):
            yield from self._stored_later(place, sources)

    def _fold(self, function: Function, block: Block, call: Call) -> str:
        """Return the kind that a call is of because of what is around it."""
        if call.callees[0][0] == "=" and self._is_rare(function, call.callees[0][1:]):
            return RARE
        if function.name not in self._last:
            self._last[function.name] = self.last.blocks(function)
        return LAST if block.number in self._last[function.name] else ""

    def _is_rare(self, function: Function, name: str) -> bool:
        callee = self.facts.functions.get(self.facts.real(name))
        return base(name) in self.cuts.rare or (callee is not None and callee.file.startswith(self.cuts.rare_files)
                                                and not function.file.startswith(self.cuts.rare_files))

    def _stored(self, function: Function, block: Block) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield what the function stores in fields whose functions run later, if this is its first block."""
        if block is next(iter(function.blocks.values())):
            for places, sources in function.stores:
                yield from ((place, sources) for place in places if place[1:] in self.cuts.stored)

    def _stored_later(self, place: str, sources: tuple[str, ...]) -> Iterator[Edge]:
        nodes = tuple(self.node(source[1:]) for source in sources if source[0] == "&")
        if nodes:
            yield Edge(self.cuts.stored[place[1:]], nodes, "_", 0, "", ())

    def _events(self, function: Function, call: Call) -> Iterator[Event]:
        for argument in call.arguments[:1]:
            match = KEY.match(argument)
            if match and self._known(match[1]):
                yield Event(match[1])
        if call.callees[0][0] == "=":
            name = self.facts.real(call.callees[0][1:])
            callee = self.facts.functions.get(name)
            if callee and BY_NAME.match(callee.base()) and callee.file.startswith(NAMED_IN) \
                    and not function.file.startswith(("security/integrity/", "security/commoncap.c")):
                yield Event(f"name:{callee.base()}")

    def _edges(self, function: Function, bound: Mapping[int, str], call: Call, fold: str) -> Iterator[Edge]:
        callee = call.callees[0]
        hook = self._hook_called(callee)
        if hook:
            callbacks = tuple(self.node(name) for name in sorted(self.callbacks(call)))
            yield Edge(MODULE, callbacks, call.to, call.line, hook, call.arguments)
            return
        names = sorted(self._names(function, bound, call))
        yield from self._later(names, call)
        nodes = [node for name in names if (node := self._followed(function, name, bound, call))]
        if nodes or callee[0] != "=" or call.to != "_" or not names:
            yield Edge(SYNC, tuple(nodes), call.to, call.line, "", call.arguments, fold,
                       self._objects(function, call, nodes))

    @staticmethod
    def _hook_called(callee: str) -> str:
        """Return the hook whose callbacks a place is, or nothing."""
        match = TRAMPOLINE.match(callee)
        return match[1] if match else callee[len(CALLBACKS):] if callee.startswith(CALLBACKS) else ""

    def callbacks(self, call: Call) -> set[str]:
        """Return the names of the modules' callbacks that a call runs."""
        hook = self._hook_called(call.callees[0])
        return self.pointers.held[f"{CALLBACKS}{hook}"] if hook else set()

    def _objects(self, function: Function, call: Call, nodes: Iterable[Node]) -> tuple[int, ...]:
        """Return the objects for which a call through a pointer may run each of some functions.

        A function that is called by its name, where a pointer was compared to it, is one of these.
        """
        if self.objects is None:
            return ()
        if call.callees[0][0] == "=":
            compared = self._compared(function)
            return tuple(self.objects.of_file(name) if name in compared else self.objects.all for name, _ in nodes) \
                if compared else ()
        places = [self.pointers.place(function, callee) for callee in call.callees]
        every = [[self.objects.of(self.pointers, place, name) for place in places] for name, _ in nodes]
        return tuple(reduce(or_, bits) or self.objects.all for bits in every)

    def _compared(self, function: Function) -> set[str]:
        """Return the functions that a function compares pointers to, as indirect_call_wrapper.h does."""
        if function.name not in self._comparisons:
            asked = [values for operator, values, _name in function.assigned.values() if operator in ("eq", "ne")]
            asked += [block.end[2:4] for block in function.blocks.values() if block.end and block.end[0] == "?"]
            self._comparisons[function.name] = {self.facts.real(value[1:]) for value in chain.from_iterable(asked)
                                                if value[0] == "&"}
        return self._comparisons[function.name]

    def _names(self, function: Function, bound: Mapping[int, str], call: Call) -> set[str]:
        """Return the functions that a call may run."""
        if call.callees[0][0] != "=" and any(callee[1:] in self.cuts.fields for callee in call.callees):
            self.cut_edges[call.callees[0][1:]] += 1
            return set()
        for callee in call.callees:
            given = self._given(bound, callee)
            if given == {ZERO}:     # what is called is one of the others
                call = replace(call, callees=tuple(other for other in call.callees if other != callee) or ("?",))
            elif given is not None:
                return given
        names = self.pointers.targets(function, call)
        if call.callees[0][0] == "=":
            return names
        if not names:
            self.unresolved[function.name] += 1
        return {name for name in names if self.chosen(name)}

    def _followed(self, function: Function, name: str, bound: Mapping[int, str], call: Call) -> Node | None:
        row = self.cuts.of(function.base(), name.partition("@")[0])
        if row:
            self.cut_edges[name] += 1
            return None
        return (name, self.parameters.bound(name, bound, call))

    def _given(self, bound: Mapping[int, str], callee: str) -> set[str] | None:
        """Return what a callee is by what the function was given, or None."""
        if callee[0] == "p" and callee[1:].isdigit() and int(callee[1:]) in bound:
            return {bound[int(callee[1:])]}
        return self.parameters.of_table(bound[PASSED], callee) if PASSED in bound else None

    def _later(self, names: Iterable[str], call: Call) -> Iterator[Edge]:
        for name in names:
            for number, argument in enumerate(call.arguments):
                kind = self.cuts.given.get((name.partition("@")[0], number))
                nodes = tuple(self.node(source[1:]) for source in argument.split("|") if source[0] == "&")
                if kind and nodes:
                    yield Edge(kind, nodes, "_", call.line, "", ())
