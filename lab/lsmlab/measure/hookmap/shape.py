# SPDX-License-Identifier: GPL-2.0-only
"""The values that a function may have, in the three classes that tell success from failure.

N: a negative number, or a pointer that is an error; Z: zero or NULL; P: any
other. Conditions of a function tell which its values are on a path.
"""

from __future__ import annotations

from collections.abc import Collection

from lsmlab.measure.hookmap.cuts import Assumed
from lsmlab.measure.hookmap.facts import Assigned, Block, Call, Function, base

N, Z, P = 1, 2, 4
ANY = N | Z | P
TOP = 1 << 63
# The least address that is an error: -4095, unsigned.
FIRST_ERROR = 2**64 - 4095
# The classes of values that are known on a path; a value that is missing may be of any.
Known = dict[str, int]
# Functions that return what they are given, and those of err.h by their results.
SAME = {"ERR_PTR", "ERR_CAST", "__builtin_expect", "__must_check_fn"}
# The number in a pointer is an error or zero: otherwise no code would ask for it.
NUMBERS = {"PTR_ERR": N | Z, "PTR_ERR_OR_ZERO": N | Z}
TESTS = {"IS_ERR": N, "IS_ERR_OR_NULL": N | Z}
# Functions of file.h that return the error, if it was one, of the call before them: of a descriptor, or of a file.
REPORTS = {"class_fd_prepare_lock_err"}
# Stands for the result of the last call, in functions that call one of REPORTS.
LAST = "last"
OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def constant(value: str) -> int | None:
    return int(value[1:]) if value[0] == "k" else None


def class_of(number: int) -> int:
    return Z if number == 0 else N if number < 0 or number >= TOP else P


def _less(number: int) -> int:
    """Return the classes of x where x < number."""
    return N if number <= 0 else N | Z if number == 1 else ANY


def _more(number: int) -> int:
    """Return the classes of x where x > number; unsigned, beyond the last address there are errors."""
    return N if number >= TOP or number == -4096 else P if number >= 0 else Z | P if number == -1 else ANY


def _not_beyond(number: int) -> int:
    """Return the classes of an unsigned x where x < number, which is not an address any more: what IS_ERR_VALUE() denies."""
    return Z | P if number == FIRST_ERROR else ANY


def classes_where(operator: str, number: int) -> int:
    """Return the classes that x may be of where `x operator number` is true."""
    if operator == "eq":
        return class_of(number)
    if operator == "ne":
        return N | P if number == 0 else ANY
    if operator == "lt":
        return _not_beyond(number) if number >= TOP else _less(number)
    if operator == "le":
        return _not_beyond(number + 1) if number >= TOP else _less(number + 1)
    return _more(number) if operator == "gt" else _more(number - 1)


class Shape:
    """The values of a function, and where each of them matters."""

    def __init__(self, function: Function, assumed: Collection[Assumed] = ()) -> None:
        self.function = function
        # What the function asks for, of that what is assumed.
        self.bits = [one for one in assumed if one.mask and any(operator == "and" and self._is(one, values, name)
                                                                for operator, values, name in function.assigned.values())]
        self.values = {one.name: one.flag for one in assumed if not one.mask}
        self.expected: Assumed | None = None    # what is taken for granted while a condition is read
        self.calls = {call.to: call for call in function.calls() if call.to != "_"}
        self.reports = {to for to, call in self.calls.items() if base(call.callees[0][1:]) in REPORTS}
        self._specials: dict[str, tuple[str, str] | None] = {}
        # Where one of REPORTS is called, the results that it may report.
        self.reported = {to for to in self.calls if self.reports and not self._special(to)}
        self._chased: dict[str, str] = {}
        self.phis = {to: values for block in function.blocks.values() for to, values in block.phis}
        self.tracked: set[str] = set()
        for block in function.blocks.values():
            for value in self._ends(block):
                self._track(value)
        # By block: the values that its end depends on, and what was found of them before.
        self._asked: dict[int, tuple[str, ...]] = {}
        self._found: dict[tuple[int, bool, tuple[int, ...]], list[tuple[Known, list[str]]]] = {}
        self.live = self._liveness()

    @staticmethod
    def _ends(block: Block) -> tuple[str, ...]:
        if not block.end:
            return ()
        return block.end[2:4] if block.end[0] == "?" else block.end[1:2]

    def _special(self, value: str) -> tuple[str, str] | None:
        """Return (name, argument) if a value comes of a function of err.h."""
        if value not in self._specials:
            self._specials[value] = self._of_err(value)
        return self._specials[value]

    def _of_err(self, value: str) -> tuple[str, str] | None:
        call = self.calls.get(value)
        if call and call.callees[0][0] == "=" and call.arguments:
            name = base(call.callees[0][1:])
            if name in SAME or name in TESTS or name in NUMBERS:
                return name, call.arguments[0]
        return None

    def _definition(self, value: str) -> Assigned:
        operator, values, name = self.function.assigned.get(value, ("", (), "-"))
        return operator, values, name

    def chase(self, value: str) -> str:
        """Return the value that a value is a copy of."""
        if value not in self._chased:
            self._chased[value] = self._origin(value)
        return self._chased[value]

    def _origin(self, value: str) -> str:
        for _ in range(64):
            operator, values, _name = self._definition(value)
            special = self._special(value)
            if operator == "=":
                value = values[0]
            elif special and special[0] in SAME:
                value = special[1]
            else:
                break
        return value

    def parts(self, value: str) -> tuple[str, ...]:
        """Return the values that a value is made of, where that can be told."""
        operator, values, _name = self._definition(value)
        special = self._special(value)
        if special:
            return (special[1],)
        return values if operator else ()

    def _track(self, value: str) -> None:
        waiting = [value]
        while waiting:
            value = self.chase(waiting.pop())
            if value[0] not in "vp" or value in self.tracked:
                continue
            self.tracked.add(value)
            waiting.extend(self.parts(value))
            waiting.extend(self.phis.get(value, {}).values())

    def _uses(self, value: str, used: set[str]) -> None:
        """Add the tracked values that have to be known for a value to be known."""
        value = self.chase(value)
        if value[0] in "vp" and value not in used:
            used.add(value)
            if value not in self.phis:
                for part in self.parts(value):
                    self._uses(part, used)

    def _liveness(self) -> dict[int, set[str]]:
        """Return {block: tracked values that matter when it begins, its own phis included}."""
        blocks = self.function.blocks
        own: dict[int, set[str]] = {}
        made: dict[int, set[str]] = {}
        for number, block in blocks.items():
            own[number] = set()
            for value in self._ends(block):
                self._uses(value, own[number])
            self._asked[number] = tuple(own[number])
            made[number] = {s.to for s in block.body if isinstance(s, Call)}
        live = {number: {*used, LAST} if self.reports else set(used) for number, used in own.items()}
        before: dict[int, list[int]] = {number: [] for number in blocks}
        for number, block in blocks.items():
            for to, _ in block.successors:
                before.setdefault(to, []).append(number)
        waiting = list(blocks)
        while waiting:
            number = waiting.pop()
            if number not in blocks:
                continue
            for pred in before[number]:
                wanted = self._across(pred, number, live[number]) - made[pred] | own[pred]
                if not wanted <= live[pred]:
                    live[pred] |= wanted
                    waiting.append(pred)
        return live

    def _across(self, pred: int, number: int, live: set[str]) -> set[str]:
        """Return what is live where an edge begins."""
        wanted, phis = set(live), dict(self.function.blocks[number].phis)
        for to in phis.keys() & live:
            wanted.discard(to)
            if pred in phis[to]:
                self._uses(phis[to][pred], wanted)
        return wanted

    # The classes of values on a path.

    def classes(self, value: str, known: Known) -> int:
        value = self.chase(value)
        number = constant(value)
        if number is not None:
            return class_of(number)
        if value[0] in "&@":
            return P
        special = self._special(value)
        if special and special[0] in NUMBERS:
            inside = self.classes(special[1], known)
            return inside & NUMBERS[special[0]] or (N if special[0] == "PTR_ERR" else Z)
        operator, values, name = self._definition(value)
        if self.expected and operator == "and" and self._is(self.expected, values, name):
            return P if self.expected.is_set else Z
        if operator == "neg":
            inside = self.classes(values[0], known)
            return inside & Z | (N if inside & P else 0) | (P if inside & N else 0)
        if operator in OPPOSITE:
            return known.get(value, Z | P)
        return known.get(value, ANY)

    @staticmethod
    def _is(assumed: Assumed, values: tuple[str, ...], name: str) -> bool:
        return name == assumed.name and len(values) == 2 and constant(values[1]) == assumed.mask

    def report(self, known: Known) -> int:
        """Return the classes that a function which reports the result of the last call may return."""
        last = known.get(LAST, ANY)
        return (N if last & (N | Z) else 0) | (Z if last & (Z | P) else 0)

    def _narrow(self, value: str, classes: int, known: Known) -> Known | None:
        classes &= self.classes(value, known)
        if not classes:
            return None
        value = self.chase(value)
        special = self._special(value)
        if special and special[0] == "PTR_ERR":
            return self._narrow(special[1], classes, known)
        return {**known, value: classes} if value in self.tracked else known

    def assume(self, value: str, truth: bool, known: Known) -> Known | None:
        """Return the values known where a value is true, or false; None if that is impossible."""
        value = self.chase(value)
        special = self._special(value)
        operator, values, _name = self._definition(value)
        if special and special[0] in TESTS:
            classes = TESTS[special[0]]
            return self._narrow(special[1], classes if truth else ANY & ~classes, known)
        if operator in OPPOSITE:
            left, right = values
            return self.compare(operator, left, right, truth, known)
        if (operator, truth) in (("and", True), ("or", False)) and constant(values[1]) is None:
            after = self.assume(values[0], truth, known)
            return None if after is None else self.assume(values[1], truth, after)
        return self._narrow(value, N | P if truth else Z, known)

    def compare(self, operator: str, left: str, right: str, truth: bool, known: Known) -> Known | None:
        if constant(self.chase(left)) is not None:
            left, right, operator = right, left, MIRRORED.get(operator, operator)
        number = constant(self.chase(right))
        if number is None or operator not in OPPOSITE:
            return known
        if not truth:
            operator = OPPOSITE[operator]
        if number == 0 and operator in ("eq", "ne"):
            return self.assume(left, operator == "ne", known)
        return self._narrow(left, classes_where(operator, number), known)

    def _ways(self, operator: str, left: str, right: str, truth: bool, known: Known) -> list[Known | None]:
        """Return the values known on each way to an outcome, None where it is impossible: a false `a && b` has two ways."""
        kind, values, _name = self._definition(self.chase(left))
        is_false = operator in ("eq", "ne") and constant(self.chase(right)) == 0 and (operator == "ne") != truth
        if not is_false or kind != "and" or constant(values[1]) is not None:
            return [self.compare(operator, left, right, truth, known)]
        other = self.assume(values[0], True, known)
        return [self.assume(values[0], False, known), None if other is None else self.assume(values[1], False, other)]

    def _answering(self, value: str) -> str:
        """Return the name of the function that returned a value, as rows of cuts.toml have it, or nothing."""
        call = self.calls.get(self.chase(value))
        return f"{base(call.callees[0][1:])}()" if call and call.callees[0][0] == "=" else ""

    def leave(self, block: Block, truth: bool, known: Known) -> list[tuple[Known, list[str]]]:
        """Return the outcomes of the condition at the end of a block."""
        asked = self._asked[block.number]
        key = block.number, truth, tuple([known.get(value, ANY) for value in asked])
        found = self._found.get(key)
        if found is None:
            before = {value: known[value] for value in asked if value in known}
            end = block.end
            found = self._found[key] = [
                ({value: classes for value, classes in after.items() if before.get(value) != classes}, flags)
                for after, flags in (self.outcomes(end[1:], truth, before) if end and end[0] == "?" else ())]
        return [({**known, **news} if news else known, flags) for news, flags in found]

    def outcomes(self, condition: tuple[str, str, str, str], truth: bool, known: Known) -> list[tuple[Known, list[str]]]:
        """Return [(values known, flags each of which has to be set)] of the ways to an outcome of a condition."""
        operator, left, right, name = condition
        flag = self.values.get(name) or self.values.get(self._answering(left))
        ways = self._ways(operator, left, right, truth, known)
        is_equal = constant(self.chase(right)) in (0, None) and operator in ("eq", "ne") and (operator == "eq") == truth
        needed: list[list[str]] = [[flag] if is_equal and flag else [] for _ in ways]
        for one in self.bits:
            self.expected = one
            for number, way in enumerate(self._ways(operator, left, right, truth, known)):
                if way is None:
                    needed[number].append(one.flag)
        self.expected = None
        return [(way, flags) for way, flags in zip(ways, needed) if way is not None]
