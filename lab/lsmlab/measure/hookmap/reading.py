# SPDX-License-Identifier: GPL-2.0-only
"""Details of a witness path that its functions show: loops, and flags that have to be set or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from lsmlab.measure.hookmap.facts import Call, Function
from lsmlab.measure.hookmap.graph import Graph
from lsmlab.measure.hookmap.shape import constant

# The flags that a variable or field holds, by its name.
HOLDS = {"open_flag": "O_", "f_flags": "O_", "o_flags": "O_", "lookup_flags": "LOOKUP_", "f_mode": "FMODE_", "i_flags": "S_",
         "ia_valid": "ATTR_", "at_flags": "AT_", "prot": "PROT_", "vm_flags": "VM_", "clone_flags": "CLONE_",
         "msg_flags": "MSG_"}
# The loops of a path that are named, of more than one beyond these.
LOOPS = 2
# Flags that a call has as long as it lasts: those of an open.
OWN = "O_"
NOT = "not "
HEADERS = ("include/uapi/asm-generic/fcntl.h", "include/uapi/linux/fcntl.h", "include/linux/namei.h", "include/linux/fs.h",
           "include/uapi/asm-generic/mman-common.h", "include/uapi/linux/sched.h", "include/linux/mm.h",
           "include/linux/socket.h")
DEFINE = re.compile(r"^#define\s+((?:O|LOOKUP|FMODE|S|ATTR|AT|PROT|VM|CLONE|MSG)_\w+)\s+"
                    r"\(?(?:\(__force fmode_t\)\s*)?\(?\s*"
                    r"(?:(0x[0-9a-fA-F]+|0[0-7]*|[1-9]\d*)[UL]*(?:\s*<<\s*(\d+))?|BIT\((\d+)\))\)*",
                    re.M)


def _number(text: str) -> int:
    return int(text, 8) if re.fullmatch(r"0[0-7]+", text) else int(text, 0)


def names(tree: Path | str) -> dict[tuple[str, int], str]:
    """Return {(prefix, value): name} of flags that a kernel's headers define."""
    flags: dict[tuple[str, int], str] = {}
    for header in HEADERS:
        path = Path(tree) / header
        for name, number, shift, bit in DEFINE.findall(path.read_text() if path.is_file() else ""):
            value = 1 << int(bit) if bit else _number(number) << int(shift or 0)
            flags.setdefault((name[:name.index("_") + 1], value), name)
    return flags


def _reachable(function: Function, start: int, without: int | None) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        for to, _ in function.blocks[waiting.pop()].successors:
            if to in function.blocks and to not in seen and to != without:
                seen.add(to)
                waiting.append(to)
    return seen


class Reading:
    def __init__(self, graph: Graph, tree: Path | str) -> None:
        self.graph, self.flags = graph, names(tree)
        self.step = cache(self._step)

    def _calling(self, function: Function, callee: str) -> Iterator[int]:
        """Yield the numbers of the blocks of a function that call another."""
        real, pointers = self.graph.facts.real, self.graph.pointers
        for number, block in function.blocks.items():
            for statement in block.body:
                if isinstance(statement, Call) and callee in {*(real(c[1:]) for c in statement.callees if c[0] == "="),
                                                              *pointers.targets(function, statement)}:
                    yield number
                    break

    def _step(self, caller: str, callee: str) -> tuple[bool, tuple[str, ...]]:
        """Return (whether the call is in a loop, conditions of it)."""
        function = self.graph.facts.functions.get(caller)
        if function is None:
            return False, ()
        blocks = list(self._calling(function, callee))
        if not blocks:
            return False, ()
        loops = all(any(number in _reachable(function, to, None) for to, _ in function.blocks[number].successors
                        if to in function.blocks) for number in blocks)
        return loops, tuple(self._conditions(function, set(blocks)))

    def _conditions(self, function: Function, blocks: set[int]) -> Iterator[str]:
        """Yield the conditions that every way to some blocks asks, with one outcome."""
        first = next(iter(function.blocks))
        for number, block in function.blocks.items():
            if not block.end or block.end[0] != "?" or number in blocks:
                continue
            if number != first and blocks & _reachable(function, first, number):
                continue
            flag = self._flag(function, *block.end[1:4])
            if not flag:
                continue
            name, when = flag
            leads = {mark: bool(blocks & _reachable(function, to, number))
                     for to, mark in block.successors if to in function.blocks}
            if len(leads) == 2 and leads["t"] != leads["n"]:
                yield name if leads["t"] == when else NOT + name

    def _flag(self, function: Function, operator: str, left: str, right: str) -> tuple[str, bool] | None:
        """Return (name of the flag, whether it is set where a condition is true), or None."""
        set_if = True
        for _ in range(16):
            if constant(right) != 0 or operator not in ("ne", "eq"):
                return None
            set_if = set_if == (operator == "ne")
            kind, values, name = function.assigned.get(left, ("", (), ""))
            call = next((c for c in function.calls() if c.to == left and c.callees == ("=__builtin_expect",)), None)
            while kind == "=" or call:
                left = call.arguments[0] if call else values[0]
                kind, values, name = function.assigned.get(left, ("", (), ""))
                call = next((c for c in function.calls() if c.to == left and c.callees == ("=__builtin_expect",)), None)
            if kind == "and":
                prefix, number = HOLDS.get(name), constant(values[1])
                flag = self.flags.get((prefix, number)) if prefix and number is not None else None
                return (flag, set_if) if flag else None
            if kind not in ("ne", "eq"):
                return None
            operator, (left, right) = kind, values
        return None

    def contradiction(self, path: Sequence[str]) -> tuple[str, str] | None:
        """Return the first call of a path that needs a flag of the call's own the other way than a later one, or None."""
        needed: dict[str, tuple[str, str]] = {}
        for pair in zip(path, path[1:]):
            for text in self.step(*pair)[1]:
                opposite = text[len(NOT):] if text.startswith(NOT) else NOT + text
                if opposite in needed:
                    return needed[opposite]
                if opposite.partition(NOT)[2].startswith(OWN) or opposite.startswith(OWN):
                    needed.setdefault(text, pair)
        return None

    def of(self, path: list[str]) -> tuple[str, list[str]]:
        """Return (how often, conditions) of a witness path."""
        loops: list[str] = []
        when: list[str] = []
        for caller, callee in zip(path, path[1:]):
            looped, conditions = self.step(caller, callee)
            name = caller.partition("@")[0]
            label = self.graph.cuts.loops.get(name, f"loop in {name}") if looped else ""
            if label:
                loops.append(f"each {label}" if name in self.graph.cuts.loops else label)
            when += [text for text in conditions if text not in when]
        named, more = loops[:LOOPS], len(loops) - LOOPS
        return ", ".join([*named, f"{more} more loops"] if more > 1 else loops) or "once", when
