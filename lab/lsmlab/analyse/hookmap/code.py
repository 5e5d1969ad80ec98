# SPDX-License-Identifier: GPL-2.0-only
"""The code of a kernel as a map keeps it, to tell what changed: which function calls which, and a digest of each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TypedDict

from lsmlab.analyse.hookmap.packed import Packer
from lsmlab.measure.hookmap import table
from lsmlab.measure.hookmap.facts import Block, Call, End, Function, base
from lsmlab.measure.hookmap.walk import KINDS

# Hexadecimal digits of a digest.
DIGITS = 8


class Code(TypedDict):
    """The functions that each function calls, or that run what it leaves for later, and a digest of what it does.

    Functions are numbers, which are text where JSON needs it.
    """

    calls: dict[str, list[int]]
    digests: dict[str, str]


def _fixed(values: Iterable[object]) -> list[str]:
    """Return those of some values that do not depend on how the compiler numbers them: constants and addresses."""
    return [value for value in values if isinstance(value, str) and value[:1] in "k&@"]


def _end(end: End | None) -> str:
    """Return how a block ends: what it asks, chooses by or returns."""
    if not end:
        return ""
    if end[0] == "?":
        return f"{end[1]} {_fixed(end[2:4])}"
    return f"{end[0]} {end[3] if end[0] == '!' else _fixed(end[1:])}"


def _block(block: Block) -> str:
    """Return what a block does, without lines, and without names and numbers of values."""
    calls = [(list(map(base, statement.callees)), _fixed(statement.arguments)) for statement in block.body
             if isinstance(statement, Call)]
    return f"{block.successors} {calls} {_end(block.end)}"


def digest(function: Function) -> str:
    """Return the same text for two functions that have the same blocks, calls and conditions."""
    made = [(operator, _fixed(values)) for operator, values, _name in function.assigned.values()]
    text = "\n".join([*map(_block, function.blocks.values()), str(made)])
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def of(static: table.Map, packer: Packer) -> Code:
    """Return the code from which hooks are reached."""
    walk, facts = static.walk, static.graph.facts
    calls: dict[int, set[int]] = {}
    digests: dict[str, str] = {}
    for number in walk.useful:
        caller = packer.function(walk.nodes[number][0])
        callees = calls.setdefault(caller, set())
        for kind in KINDS:
            callees.update(packer.function(walk.nodes[to][0]) for to, _objects in walk.out[kind][number])
        function = facts.functions.get(walk.nodes[number][0])
        if function:
            digests[str(caller)] = digest(function)
    return {"calls": {str(caller): sorted(callees) for caller, callees in calls.items() if callees}, "digests": digests}


class Kernel:
    """The code of a map, by the names that functions have in the source."""

    def __init__(self, code: Code, functions: list[str]) -> None:
        names = [base(name) for name in functions]
        self.calls = {(names[int(caller)], names[callee]) for caller, callees in code["calls"].items() for callee in callees}
        self.digests: dict[str, set[str]] = {}
        for number, text in code["digests"].items():
            self.digests.setdefault(names[int(number)], set()).add(text)

    def new_call(self, path: Iterable[str]) -> tuple[str, str] | None:
        """Return the last call of a path of another kernel that this one has not, or None."""
        names = [base(name) for name in path]
        return next((pair for pair in [*zip(names, names[1:])][::-1] if not self._has(*pair)), None)

    def _has(self, caller: str, callee: str) -> bool:
        # `return:` stands between two functions that are apart in time.
        return (caller, callee) in self.calls or caller.endswith(":") or callee.endswith(":")

    def changed(self, path: Iterable[str], other: Kernel) -> str | None:
        """Return the last function of a path that does something else in another kernel, or None."""
        names = [base(name) for name in path]
        return next((name for name in names[::-1] if self.digests.get(name) != other.digests.get(name)), None)
