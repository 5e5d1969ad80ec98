# SPDX-License-Identifier: GPL-2.0-only
"""The map as a document: for each way into the kernel, which hooks may come and which must.

What `kind` says of a hook, the first that is true:

    sync        the call itself calls it
    last        so does it where a last reference goes
    rare        so does work for auditors and listeners, if there are any
    module      so does a security module in a callback, if it is on
    return      work that the call left for its return to user mode
    fault       a page fault, when the call touches memory of the user's
    any         a signal, or work of others, met on the return of whatever call
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TypedDict

from lsmlab.measure.hookmap import shared
from lsmlab.measure.hookmap.graph import DEFERRED, LAST, MODULE, RARE, RETURN, SYNC, Edge, Event, Graph, Node, Statement
from lsmlab.measure.hookmap.masks import Masks
from lsmlab.measure.hookmap.order import EVERY, Order
from lsmlab.measure.hookmap.reading import Reading
from lsmlab.measure.hookmap.walk import Reached, Walk

FORMAT, VERSION = "lsmpmon-map", 3
NONE = "-"
FAULT, ANY = "fault", "any"
# Work that one task leaves for another (task_work_add()): keyctl() for the parent, Landlock for the other threads,
# io_uring for the owner of a ring. All other such work is for the task that leaves it.
LEFT_BY_OTHERS = ("key_change_session_keyring", "restrict_one_thread_callback", "tctx_task_work",
                  "io_msg_tw_fd_complete")
# The functions with which work begins that is not the call's own.
BEGINNINGS = {FAULT: ("exc_page_fault", "do_user_addr_fault", "handle_mm_fault"),
              ANY: ("task_work_run", "get_signal", "exit_to_user_mode_loop", "arch_do_signal_or_restart",
                    "resume_user_mode_work", "do_exit", *LEFT_BY_OTHERS)}
NAMED = "name:"
# Calls that are avoided on the way to a hook.
TRIES = 8
# What these calls do on an object is what the native ones do.
COMPAT = "compat:"
WIDE = (SYNC, LAST, RARE, MODULE)

# The objects whose musts are those of every object.
ANY_OBJECT = ""

# {hook: flags without which a call must call it}.
Musts = Mapping[str, list[str]]
# The functions from the entry to the one that calls the hook, by hook.
Paths = dict[str, list[str]]


class Named(TypedDict):
    """A function that is called by name: whether it must be, and how it is reached."""

    sure: str
    path: list[str]


class OnObject(TypedDict):
    """The hooks of a call on one object, without page faults and signals."""

    must: list[str]
    unless: dict[str, str]
    kind: dict[str, str]
    paths: Paths
    order: list[str]
    times: dict[str, str]
    when: dict[str, list[str]]


class Way(TypedDict):
    """A way into the kernel, without the paths to its hooks."""

    function: str | None
    may: list[str]
    must: list[str]
    unless: dict[str, str]
    kind: dict[str, str]
    order: list[str]
    times: dict[str, str]
    when: dict[str, list[str]]
    named: dict[str, Named]
    deferred: list[str]


class Entry(Way):
    """A way into the kernel, with a path to each hook, and with what it does on each object."""

    paths: Paths
    objects: dict[str, OnObject]


class Map:
    def __init__(self, graph: Graph, entries: dict[str, str | None], hooks: Iterable[str] | None = None,
                 tree: Path | str = ".") -> None:
        self.graph, self.entries = graph, entries
        self.reading = Reading(graph, tree)
        self.rows = graph.objects.rows if graph.objects else []
        self.roots = {name: graph.node(function) for name, function in entries.items() if function}
        self.beginnings = {kind: self._named(names) for kind, names in BEGINNINGS.items()}
        others = [graph.node(name) for name in self._roots_of_none()]
        self.none = dict.fromkeys(others)
        self.walk = Walk(graph, [*self.roots.values(), *chain.from_iterable(self.beginnings.values()), *others])
        called = dict.fromkeys(name for events in self.walk.events for name in events)
        self.hooks = [name for name in hooks or sorted(called) if name in called]
        self.called = [*self.hooks, *sorted(called.keys() - set(self.hooks))]
        bits = {ANY_OBJECT: EVERY, **{row.name: 1 << number for number, row in enumerate(self.rows) if row.first}}
        self.musts = dict(zip(bits, shared.each(self._musts, bits.values())))
        self.common = {kind: self._reach_common(nodes) for kind, nodes in self.beginnings.items()}
        self.left = Masks(self.walk, WIDE, self.walk.union, DEFERRED)
        self.later = Masks(self.walk, (*WIDE, DEFERRED), self.walk.union)
        # Of each object, and last of all together.
        self.kinds = list(shared.each(self._kinds_on, [*(1 << number for number in range(len(self.rows))), self.walk.union]))

    def _musts(self, bit: int) -> dict[str, Musts]:
        """Return {call: what it must call} on one object, or on all together."""
        order = Order(self.graph, self.called, bit)
        order.solve(self.roots.values())
        return {name: order.must(root) for name, root in self.roots.items()}

    def _named(self, names: Collection[str]) -> list[Node]:
        return [self.graph.node(function.name) for function in self.graph.facts.functions.values()
                if function.base() in names]

    def _roots_of_none(self) -> list[str]:
        """Return the functions that no other calls, as far as is known, and those that run later."""
        facts, held = self.graph.facts, self.graph.pointers.held
        called: set[str] = set()
        for function in facts.functions.values():
            for call in function.calls():
                for callee in call.callees:
                    if callee[0] == "=":
                        called.add(facts.real(callee[1:]))
                    elif callee[1:] not in self.graph.cuts.fields:
                        called |= held[self.graph.pointers.place(function, callee)]
        own = set(self.entries.values())
        return [name for name in facts.functions if name not in called and name not in own]

    def _reach_common(self, nodes: Iterable[Node]) -> Paths:
        reached = self.walk.reach([self.walk.number[node] for node in nodes], (*WIDE, RETURN), self.walk.union)
        return self._paths(reached, self.walk.union)

    def names(self, bits_or_names: Iterable[str]) -> list[str]:
        return [name for name in bits_or_names if not name.startswith(NAMED)]

    def _label(self, number: int) -> str:
        return self.walk.nodes[number][0]

    def _path(self, reached: Reached, number: int, bit: int) -> list[str]:
        return [self._label(n) for n in reached.path(number, self.walk.pair(bit))]

    def _paths(self, reached: Reached, bit: int) -> Paths:
        return {hook: self._path(reached, number, bit) for hook, number in self.walk.hooks(reached, bit).items()}

    @cache
    def _from(self, end: int) -> Paths:
        """Return {hook: path} of work that is done at the return."""
        return self._paths(self.walk.reach([end], (*WIDE, RETURN), self.walk.union), self.walk.union)

    def _at_return(self, wide: Reached) -> Paths:
        """Return the hooks of work that is left for the return, each with the path to where it is left and the path
        from there.
        """
        paths: dict[str, tuple[int, list[str]]] = {}
        for end, number in self.walk.across(wide, RETURN).items():
            for hook, path in self._from(end).items():
                if hook not in paths or len(path) < len(paths[hook][1]):
                    paths[hook] = number, path
        return {hook: [*self._path(wide, number, self.walk.union), f"{RETURN}:", *path]
                for hook, (number, path) in paths.items()}

    def _kinds_on(self, bit: int) -> dict[str, dict[str, str]]:
        """Return {call: {hook: kind}} on an object, which the bit is of, or on all together."""
        walk = self.walk
        levels = [(kind, Masks(walk, WIDE[:number], bit)) for number, kind in enumerate(WIDE, 1)]
        left = Masks(walk, WIDE, bit, RETURN)
        done = [Masks(walk, (*WIDE, RETURN), one) for one in sorted({bit, walk.pair(bit) ^ bit} - {0})]
        kinds: dict[str, dict[str, str]] = {}
        for name, root in self.roots.items():
            start, own = walk.number[root], kinds.setdefault(name, {})
            for kind, masks in levels:
                for hook in masks.hooks(start):
                    own.setdefault(hook, kind)
            for end in left.beginnings(start):
                for hook in chain.from_iterable(masks.hooks(end) for masks in done):
                    own.setdefault(hook, RETURN)
        return kinds

    def _own(self, wide: Reached, calls: Mapping[str, tuple[str, int]]) -> tuple[dict[str, str], Paths]:
        """Return the kinds of a call's hooks on all objects together, and the paths."""
        kinds = {hook: kind for hook, (kind, _at) in calls.items()}
        paths = {hook: self._path(wide, at, self.walk.union) for hook, (_kind, at) in calls.items()}
        others = [(RETURN, self._at_return(wide)), *self.common.items()]
        for kind, by_hook in others:
            for hook, path in by_hook.items():
                if hook not in kinds:
                    kinds[hook], paths[hook] = kind, path
        return kinds, paths

    def entry(self, name: str) -> Entry:
        if not self.entries[name]:
            return self._entry(None, {}, {}, {}, [], [])
        root = self.roots[name]
        start = self.walk.number[root]
        entry = self._entry(root[0], *self._own(*self.walk.levels(start, WIDE)), self.musts[ANY_OBJECT][name],
                            self._deferred(name), self.walk.order(start, self.walk.union))
        if not name.startswith(COMPAT):
            own = self.walk.reach([start], (SYNC,))
            entry["objects"] = {row.name: self._object(start, 1 << number, own, self.kinds[number][name],
                                                       self._must_on(row.name, name)) for number, row in enumerate(self.rows)}
        return entry

    def native(self, name: str) -> str:
        """Return the native call that a compat call does the same as, or nothing."""
        native = name[len(COMPAT):] if name.startswith(COMPAT) else ""
        if native not in self.roots or name not in self.roots:
            return ""
        one, other = ((self.kinds[-1][call], self.musts[ANY_OBJECT][call], self._deferred(call)) for call in (name, native))
        return native if one == other else ""

    def _deferred(self, name: str) -> set[str]:
        """Return the hooks of what a call leaves for later."""
        return set(chain.from_iterable(map(self.later.hooks, self.left.beginnings(self.walk.number[self.roots[name]]))))

    def _must_on(self, name: str, call: str) -> Musts:
        """Return what a call must call on an object: what it must on any, at least."""
        return self.musts.get(name, self.musts[ANY_OBJECT])[call]

    def _possible(self, start: int, hook: str, bit: int, path: list[str]) -> list[str]:
        """Return a path whose calls do not need a flag both set and not set: this one, or another, if there is one."""
        avoided: set[tuple[str, str]] = set()
        other = path
        while other and len(avoided) < TRIES:
            call = self.reading.contradiction(other)
            if call is None:
                return other
            avoided.add(call)
            other = [self._label(number) for number in self.walk.way_around(start, hook, bit, avoided)]
        return path

    def _object(self, start: int, bit: int, own: Reached, kinds: Mapping[str, str], must: Musts) -> OnObject:
        hooks, paths = [hook for hook in self.hooks if hook in kinds], self._paths(own, bit)
        for hook in paths:
            paths[hook] = self._possible(start, hook, bit, paths[hook])
        read = {hook: self.reading.of(paths[hook]) for hook in hooks if kinds[hook] == SYNC}
        return {"must": [hook for hook in self.names(must) if hook in kinds], "unless": self._unless(must),
                "kind": {hook: kinds[hook] for hook in hooks}, "paths": {hook: paths[hook] for hook in read},
                "order": self.names(self.walk.order(start, bit)), "times": {hook: times for hook, (times, _) in read.items()},
                "when": {hook: when for hook, (_, when) in read.items() if when}}

    def _unless(self, must: Musts) -> dict[str, str]:
        return {hook: ", ".join(must[hook]) for hook in self.names(must) if must[hook]}

    def _entry(self, function: str | None, kinds: dict[str, str], paths: Paths, must: Musts,
               deferred: Collection[str], order: Iterable[str]) -> Entry:
        may = [hook for hook in self.hooks if hook in kinds]
        read = {hook: self.reading.of(paths[hook]) for hook in may if kinds[hook] == SYNC}
        return {"function": function, "may": may, "must": self.names(must), "unless": self._unless(must),
                "kind": {hook: kinds[hook] for hook in may}, "paths": {hook: paths[hook] for hook in may},
                "order": self.names(order), "times": {hook: times for hook, (times, _) in read.items()},
                "when": {hook: when for hook, (_, when) in read.items() if when},
                "named": {hook[len(NAMED):]: {"sure": "must" if hook in must else "may", "path": paths[hook]}
                          for hook in sorted(kinds) if hook.startswith(NAMED) and kinds[hook] == SYNC},
                "deferred": [hook for hook in self.hooks if hook in deferred and hook not in kinds], "objects": {}}

    def none_entry(self) -> Entry:
        """Return the entry of code that runs in no system call: interrupts, threads, the boot, and work that was left
        for later.
        """
        union = self.walk.union
        reached = self.walk.reach([self.walk.number[node] for node in self.none], (*WIDE, RETURN, DEFERRED), union)
        paths = self._paths(reached, union)
        return self._entry(None, dict.fromkeys(paths, SYNC), paths, {}, {}, [])

    def syscalls(self) -> dict[str, Entry]:
        natives = {name: self.native(name) for name in self.entries}
        names = [name for name, native in natives.items() if not native]
        made = dict(zip(names, shared.each(self.entry, names)))
        for name, native in natives.items():
            if native:
                made[name] = {**made[native], "function": self.roots[name][0]}
        return {**{name: made[name] for name in self.entries}, NONE: self.none_entry()}


class Witnesses:
    """Checks paths against the facts once more, apart from the walk that made them."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.callees = cache(self._callees)

    def _statements(self, name: str) -> list[Statement]:
        blocks = self.graph.blocks(self.graph.node(name))
        return [statement for statements in blocks.values() for statement in statements]

    def _callees(self, caller: str) -> frozenset[str]:
        """Return the names of all that a function may call, or leave for later."""
        graph = self.graph
        names: set[str] = set()
        function = graph.facts.functions.get(caller)
        if function:
            names |= {node[0] for statement in self._statements(caller)
                      if isinstance(statement, Edge) and statement.kind in (RETURN, DEFERRED) for node in statement.nodes}
            for call in function.calls():
                names |= {graph.facts.real(name) for name in graph.pointers.targets(function, call)}
                names |= graph.callbacks(call)
        return frozenset(names)

    def _ends_in(self, name: str, hook: str) -> bool:
        return name in self.graph.facts.functions and any(
            isinstance(statement, Event) and statement.name == hook for statement in self._statements(name))

    def is_path(self, path: list[str], hook: str) -> bool:
        """Say whether each function calls the next one, and the last the hook.

        `KIND:` stands between two functions that are apart in time.
        """
        return self._ends_in(path[-1], hook) and all(
            caller.endswith(":") or callee.endswith(":") or callee in self.callees(caller)
            for caller, callee in zip(path, path[1:]))

    def broken(self, syscalls: Mapping[str, Entry]) -> tuple[int, list[tuple[str, str]]]:
        """Return (paths checked, [(call, hook) whose path is not one])."""
        looked = 0
        wrong: list[tuple[str, str]] = []
        for name, entry in syscalls.items():
            for hook, path in entry["paths"].items():
                looked += 1
                if not self.is_path(path, hook):
                    wrong.append((name, hook))
        return looked, wrong
