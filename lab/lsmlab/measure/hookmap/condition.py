# SPDX-License-Identifier: GPL-2.0-only
"""Questions of conditions, and the blocks of a function that one of its outcomes leads to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from lsmlab.measure.hookmap.facts import Call, End, Function, base
from lsmlab.measure.hookmap.shape import constant

# From a block to one of its successors.
Way = tuple[int, int]
# Conditions nest no deeper than this.
DEEP = 16


@dataclass(frozen=True)
class Asked:
    """The subject of a condition: the answer of a function, or bits of a variable or field."""

    call: str           # the function, or nothing
    name: str           # the variable or field
    mask: int | None    # None: whether it is zero at all
    truth: bool         # whether the answer is not zero where the condition is true


def results(function: Function) -> dict[str, Call]:
    """Return {value: the call that it is the result of}."""
    return {call.to: call for call in function.calls() if call.to != "_"}


def _origin(function: Function, calls: dict[str, Call], value: str) -> str:
    """Return the value that a value is a copy of."""
    for _ in range(DEEP):
        kind, values, _name = function.assigned.get(value, ("", (), ""))
        call = calls.get(value)
        if kind == "=":
            value = values[0]
        elif call and call.callees == ("=__builtin_expect",):
            value = call.arguments[0]
        else:
            break
    return value


def asked(function: Function, calls: dict[str, Call], end: End | None) -> Asked | None:
    """Return what the condition at the end of a block asks, or None."""
    if not end or end[0] != "?":
        return None
    _, operator, left, right, name = end
    truth = True
    for _ in range(DEEP):
        if operator not in ("eq", "ne") or constant(right) != 0:
            return None
        truth = truth == (operator == "ne")
        left = _origin(function, calls, left)
        kind, values, called = function.assigned.get(left, ("", (), "-"))
        call = calls.get(left)
        if call:
            return Asked(base(call.callees[0][1:]), "", None, truth) if call.callees[0][0] == "=" else None
        if kind == "and":
            return Asked("", called, constant(values[1]), truth)
        if kind not in ("eq", "ne"):
            return Asked("", name, None, truth)
        operator, (left, right), name = kind, values, called
    return None


def _parts(function: Function, value: str) -> tuple[str, str, str] | None:
    """Return (operator, value, value) of what a truth is made of, or None."""
    kind, values, _name = function.assigned.get(value, ("", (), ""))
    return (kind, values[0], values[1]) if kind in ("and", "or", "eq", "ne") and len(values) == 2 else None


def is_zero(function: Function, calls: dict[str, Call], value: str, zero: Collection[str]) -> bool | None:
    """Say whether a value is zero, if those values are; None: it depends."""
    value = _origin(function, calls, value)
    parts = _parts(function, value)
    if value in zero or value == "k0":
        return True
    if parts is None:
        return False if value[0] in "k&@" else None
    operator, *both = parts
    known = [is_zero(function, calls, part, zero) for part in both]
    if operator == "and":
        return True if True in known else None
    if operator == "or":
        return True if known == [True, True] else None
    if parts[2] != "k0" or known[0] is None:
        return None
    return known[0] == (operator == "ne")


def outcome(function: Function, calls: dict[str, Call], end: End | None, zero: Collection[str]) -> bool | None:
    """Return the outcome of the condition at the end of a block, if those values are zero; None: it depends."""
    if not end or end[0] != "?" or end[1] not in ("eq", "ne") or end[3] != "k0":
        return None
    known = is_zero(function, calls, end[2], zero)
    return None if known is None else known == (end[1] == "eq")


def asked_for(function: Function, calls: dict[str, Call], end: End | None) -> Iterator[str]:
    """Yield the values that the condition at the end of a block is made of."""
    waiting = [end[2]] if end and end[0] == "?" and end[1] in ("eq", "ne") and end[3] == "k0" else []
    for one in waiting:         # grows
        value = _origin(function, calls, one)
        parts = _parts(function, value)
        if parts:
            waiting.extend(parts[1:])
        else:
            yield value


def answer(function: Function, calls: dict[str, Call]) -> set[str]:
    """Return the functions whose answers a function returns as its own."""
    ends = {_origin(function, calls, block.end[1]) for block in function.blocks.values() if block.end and block.end[0] == "="}
    return {base(calls[value].callees[0][1:]) for value in ends if value in calls and calls[value].callees[0][0] == "="}


def only_by(function: Function, ways: Iterable[Way]) -> set[int]:
    """Return the blocks that are reached only by some ways."""
    without = set(ways)
    if not without:
        return set()
    first = next(iter(function.blocks))
    seen, waiting = {first}, [first]
    while waiting:
        number = waiting.pop()
        for to, _ in function.blocks[number].successors:
            if to in function.blocks and to not in seen and (number, to) not in without:
                seen.add(to)
                waiting.append(to)
    return set(function.blocks) - seen
