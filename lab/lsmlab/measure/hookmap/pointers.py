# SPDX-License-Identifier: GPL-2.0-only
"""The functions that a pointer may be, by where the pointer is kept.

A place is a field of a record (.record.field), a variable (%v), a parameter
(function#N) or what a function returns (=f). Whatever is ever stored in a
place may be called from it, whichever object holds it. What is stored in an
unknown place has escaped, and may be called wherever the signature fits.
"""

from __future__ import annotations

from collections import defaultdict, deque

from lsmlab.measure.hookmap.facts import Call, Facts, Function

STATIC_CALL, STATIC_KEY = "__SCT__", "__SCK__"
UPDATE = ("__static_call_update", "static_call_update")


class Pointers:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.held: defaultdict[str, set[str]] = defaultdict(set)        # place: functions
        self.into: defaultdict[str, set[str]] = defaultdict(set)        # place: places that its functions go to
        self.come: defaultdict[str, set[str]] = defaultdict(set)        # the other way round, once it is asked for
        self.first: set[tuple[str, str]] = set()                        # (place, function) that code names
        self.escaped: defaultdict[str, set[str]] = defaultdict(set)     # signature: functions
        self.changed: deque[tuple[str, str]] = deque()
        self._initialisers()
        for function in facts.functions.values():
            self._stores(function)
            self._arguments(function)
            self._returns(function)
        self._spread()
        while self._indirect_arguments():
            self._spread()

    def _hold(self, place: str, name: str) -> None:
        name = self.facts.real(name)
        if name not in self.held[place]:
            self.held[place].add(name)
            self.changed.append((place, name))

    def _begin(self, place: str, name: str) -> None:
        """Keep a function in a place, by its name."""
        self.first.add((place, self.facts.real(name)))
        self._hold(place, name)

    def _flow(self, source: str, place: str) -> None:
        if place not in self.into[source]:
            self.into[source].add(place)
            self.changed.extend((place, name) for name in self.held[source] if name not in self.held[place])
            self.held[place] |= self.held[source]

    def _spread(self) -> None:
        while self.changed:
            place, name = self.changed.popleft()
            if place == "?":
                self._escape(name)
            for to in self.into[place]:
                self._hold(to, name)

    def _escape(self, name: str) -> None:
        function = self.facts.functions.get(name)
        if function:
            self.escaped[function.signature].add(name)

    def _move(self, function: Function, source: str, place: str) -> None:
        """Copy a value of a function's to a place."""
        kind, name = source[0], source[1:]
        if kind == "&":
            self._begin(place, name)
        elif kind == "p" and name.isdigit():
            self._flow(f"{function.name}#{name}", place)
        elif kind in ".%":
            self._flow(source, place)
        elif kind == "=":
            self._flow(f"={self.facts.real(name)}", place)

    def _initialisers(self) -> None:
        for variable, _, field, value in self.facts.initialised:
            if value[0] == "&":
                self._begin(field if field[0] == "%" else f".{field}", value[1:])
                if variable.startswith(STATIC_KEY):
                    self._hold(f"%{STATIC_CALL}{variable[len(STATIC_KEY):]}", value[1:])

    def _stores(self, function: Function) -> None:
        for places, sources in function.stores:
            for place in places:
                for source in sources:
                    self._move(function, source, place)

    def _give(self, function: Function, callee: str, call: Call) -> None:
        defined = callee in self.facts.functions
        for number, argument in enumerate(call.arguments):
            for source in argument.split("|"):
                self._move(function, source, f"{callee}#{number}" if defined else "?")

    def _arguments(self, function: Function) -> None:
        for call in function.calls():
            for callee in call.callees:
                if callee[0] == "=":
                    name = self.facts.real(callee[1:])
                    self._give(function, name, call)
                    if name in UPDATE and call.arguments[0][:1] == "@":
                        for source in call.arguments[2].split("|"):
                            self._move(function, source, f"%{STATIC_CALL}{call.arguments[0][1 + len(STATIC_KEY):]}")

    def _returns(self, function: Function) -> None:
        for block in function.blocks.values():
            if block.end and block.end[0] == "=":
                for source in block.end[1].split("|"):
                    if source[0] in "&.%=":
                        self._move(function, source, f"={function.name}")
                    elif source[0] == "p":
                        self._flow(f"{function.name}#{source[1:]}", f"={function.name}")

    def _indirect_arguments(self) -> bool:
        """Follow the arguments of calls through pointers, and return whether that added a function."""
        for function in self.facts.functions.values():
            for call in function.calls():
                if call.callees[0][0] != "=" and any(self._may_be_function(a) for a in call.arguments):
                    for name in self.targets(function, call):
                        self._give(function, name, call)
        return bool(self.changed)

    @staticmethod
    def _may_be_function(argument: str) -> bool:
        return argument[0] in "&.%=" or (argument[0] == "p" and argument[1:].isdigit())

    def origins(self, place: str, name: str) -> set[str]:
        """Return the places from which a function came to a place, and where it is first."""
        if not self.come:
            for source, places in self.into.items():
                for to in places:
                    self.come[to].add(source)
        seen, waiting = {place}, [place]
        for at in waiting:      # grows
            fresh = {source for source in self.come.get(at, ()) if name in self.held[source]} - seen
            seen |= fresh
            waiting.extend(fresh)
        return {at for at in seen if (at, name) in self.first} or {place}

    def place(self, function: Function, callee: str) -> str:
        """Return the place of the pointer that a call goes through."""
        if callee[0] == "p":
            return f"{function.name}#{callee[1:]}"
        return f"={self.facts.real(callee[1:])}" if callee[0] == "*" else callee

    def targets(self, function: Function, call: Call) -> set[str]:
        """Return all functions that a call may run, by name."""
        names: set[str] = set()
        for callee in call.callees:
            if callee[0] == "=":
                name = self.facts.real(callee[1:])
                names |= self.held[f"%{name}"] if name.startswith(STATIC_CALL) else {name}
            elif callee == "?":
                names |= self.escaped[call.signature]
            else:
                names |= self.held[self.place(function, callee)]
        return names
