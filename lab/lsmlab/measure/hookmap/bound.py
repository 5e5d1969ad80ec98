# SPDX-License-Identifier: GPL-2.0-only
"""Arguments that decide what a callee calls: functions, zero, tables of operations.

A node of the graph has it by the number of the parameter; a table has no
number, since it is kept in a record on the way: it holds among the functions
of the files that call through such tables.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping

from lsmlab.measure.hookmap import condition
from lsmlab.measure.hookmap.condition import Way
from lsmlab.measure.hookmap.cuts import Cuts
from lsmlab.measure.hookmap.facts import Call, Facts, Function

ZERO, PASSED = "k0", -1
# (number, function, zero or table) of each parameter that is known.
Bound = tuple[tuple[int, str], ...]


def _parameter(value: str) -> int | None:
    return int(value[1:]) if value[0] == "p" and value[1:].isdigit() else None


def _called(function: Function) -> Iterator[int]:
    for call in function.calls():
        yield from (number for callee in call.callees if (number := _parameter(callee)) is not None)


def _tested(function: Function) -> Iterator[int]:
    """Yield the parameters of which a function asks whether they, or bits of them, are zero."""
    calls = condition.results(function)
    for block in function.blocks.values():
        for value in condition.asked_for(function, calls, block.end):
            number = _parameter(value)
            if number is not None:
                yield number


class Parameters:
    """The parameters that matter: {function: numbers}, of those that it calls and of those that it tests."""

    def __init__(self, facts: Facts, cuts: Cuts) -> None:
        self.facts, self.cuts = facts, cuts
        self.passed = self._passed()
        self.called = self._with_callers({f.name: set(_called(f)) for f in facts.functions.values()})
        self.tested = self._with_callers({f.name: set(_tested(f)) for f in facts.functions.values()})
        self.tables = {(variable, field): facts.real(value[1:]) for variable, _, field, value in facts.initialised
                       if value[0] == "&" and field.partition(".")[0] in cuts.passed}
        self.files = {function.file for function in facts.functions.values() if self._uses_tables(function)}

    def _uses_tables(self, function: Function) -> bool:
        return any(callee[1:].partition(".")[0] in self.cuts.passed for call in function.calls() for callee in call.callees
                   if callee[0] == ".")

    def _passed(self) -> dict[tuple[str, int], set[tuple[str, int]]]:
        """Return {parameter: parameters that are passed to it}, each with its function."""
        passed: defaultdict[tuple[str, int], set[tuple[str, int]]] = defaultdict(set)
        for function in self.facts.functions.values():
            for call in function.calls():
                if call.callees[0][0] == "=":
                    callee = self.facts.real(call.callees[0][1:])
                    for number, argument in enumerate(call.arguments):
                        own = _parameter(argument)
                        if own is not None:
                            passed[callee, number].add((function.name, own))
        return passed

    def _with_callers(self, numbers: dict[str, set[int]]) -> dict[str, set[int]]:
        """Return the parameters with those that are passed on to one of them."""
        found = {name: set(those) for name, those in numbers.items() if those}
        waiting = deque((name, number) for name, those in found.items() for number in those)
        while waiting:
            for name, number in self.passed.get(waiting.popleft(), ()):
                if number not in found.setdefault(name, set()):
                    found[name].add(number)
                    waiting.append((name, number))
        return found

    def bound(self, name: str, bound: Mapping[int, str], call: Call) -> Bound:
        """Return what a called function is given by a caller that was given something itself."""
        given = [(number, value) for number in sorted(self.called.get(name, set()) | self.tested.get(name, set()))
                 if number < len(call.arguments) and (value := self._value(name, number, call.arguments[number], bound))]
        table = self._table(name, bound, call)
        return tuple([(PASSED, table), *given] if table else given)

    def _value(self, name: str, number: int, argument: str, bound: Mapping[int, str]) -> str:
        own = _parameter(argument)
        value = bound.get(own, "") if own is not None else argument
        if value == ZERO:
            return value if number in self.tested.get(name, ()) else ""
        called = number in self.called.get(name, ()) and value
        if called and own is not None:
            return value
        return self.facts.real(value[1:]) if called and value[0] == "&" and "|" not in value else ""

    def _table(self, name: str, bound: Mapping[int, str], call: Call) -> str:
        function = self.facts.functions.get(name)
        if function is None or function.file not in self.files:
            return ""
        return next((argument for argument in call.arguments if argument[0] == "@"
                     and self.facts.variables.get(argument[1:], ("", ""))[0] in self.cuts.passed), bound.get(PASSED, ""))

    def of_table(self, table: str, place: str) -> set[str] | None:
        """Return what a table has in a place, or None if the place is in no table of its record."""
        if place[0] != "." or place[1:].partition(".")[0] != self.facts.variables[table[1:]][0]:
            return None
        name = self.tables.get((table[1:], place[1:]))
        return {name} if name else set()


def impossible(function: Function, bound: Mapping[int, str]) -> Iterator[Way]:
    """Yield the ways that a function does not take with the parameters that are zero."""
    zero = {f"p{number}" for number, value in bound.items() if value == ZERO}
    calls = condition.results(function) if zero else {}
    for number, block in function.blocks.items() if zero else ():
        outcome = condition.outcome(function, calls, block.end, zero)
        if outcome is not None:
            yield from ((number, to) for to, mark in block.successors if mark == ("n" if outcome else "t"))
