# SPDX-License-Identifier: GPL-2.0-only
"""The facts of a kernel, as the plugin writes them: functions as graphs of blocks, variables, and aliases.

A line begins with a letter; words are separated by blanks:

    U file                          what was compiled
    V name record file              a variable that is a record, or an array of them
    I name index field value        in its initialiser: &function, @variable, or "text
    A name target                   an alias
    F name file line kind type      a function, and what it returns:
                                    v nothing, p a pointer, i signed, u any other
    B number [successor[t|n]]...    a block; t and n: if the condition is true, or not
    f to block=value...             phi
    a to = value, a to operator value [value name]    assignment
    c to line callee argument...    a call
    w place value                   a pointer to a function is stored
    t place value                   so is the address of a variable, such as a table of operations
    r record.field                  a reference to the framework's tables
    ? operator value value name     how the block ends: a condition,
    ! value name block=case...      a switch,
    = value                         a return

Values: kN a constant, vN a value, pN a parameter, &f a function, @v a
variable's address, _ something else. Where pointers to functions come from:
&f, pN, .record.field, %v a variable, =f what f returns, ? unknown; several
with | between them. Of static functions and variables the name is NAME@FILE.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Union

# There are millions of them; before Python 3.10, they take more memory.
SLOTS = {"slots": True} if sys.version_info >= (3, 10) else {}

# How a block ends: a condition (operator, two values, name), a switch (value, name, cases) or a return (value).
End = Union[tuple[Literal["?"], str, str, str, str], tuple[Literal["!"], str, str, list[tuple[int, str]]],
            tuple[Literal["="], str]]
# Operator, values, name.
Assigned = tuple[str, tuple[str, ...], str]


@dataclass(**SLOTS)
class Call:
    to: str
    line: int
    callees: tuple[str, ...]    # places, or =function
    signature: str              # of an indirect call
    arguments: tuple[str, ...]


@dataclass(**SLOTS)
class Block:
    number: int
    successors: list[tuple[int, str]]       # (number, t, n or nothing)
    phis: list[tuple[str, dict[int, str]]] = field(default_factory=list)    # (to, {block: value})
    body: list[Call | tuple[str, str]] = field(default_factory=list)        # Call, or ("r", field)
    end: End | None = None


@dataclass(**SLOTS)
class Function:
    name: str
    file: str
    line: int
    returns: str
    signature: str
    blocks: dict[int, Block] = field(default_factory=dict)          # by number, the first is where it begins
    assigned: dict[str, Assigned] = field(default_factory=dict)     # by value
    stores: list[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)     # (places, sources)
    tables: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)    # (block, places, variables)

    def calls(self) -> Iterator[Call]:
        for block in self.blocks.values():
            for statement in block.body:
                if isinstance(statement, Call):
                    yield statement

    def base(self) -> str:
        """Return the name that the source has."""
        return self.name.partition("@")[0]


def base(name: str) -> str:
    return name.partition("@")[0]


def split(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


def _call(words: list[str]) -> Call:
    callee, _, signature = words[3].partition("#")
    callees = split(callee)
    if len(callees) == 1 and callee[0] == "&":
        callees = (f"={callee[1:]}",)
    elif callee[0] == "=" and "#" in words[3]:
        callees = (f"*{callee[1:]}",)       # the value that a function returns is called
    return Call(words[1], int(words[2]), callees, signature, tuple(words[4:]))


def _successor(word: str) -> tuple[int, str]:
    return (int(word[:-1]), word[-1]) if word[-1] in "tn" else (int(word), "")


def _pairs(words: list[str]) -> list[tuple[int, str]]:
    return [(int(number), what) for number, _, what in (word.partition("=") for word in words)]


def _function(text: str) -> Function:
    """Return the function of the lines from an F to the next."""
    lines = text.split("\n")
    head = lines[0].split(" ", 4)
    function = Function(head[0], head[1], int(head[2]), head[3], head[4])
    block: Block    # the block of the lines
    for line in lines[1:]:
        words = line.split(" ")
        kind = words[0]
        if kind == "B":
            block = Block(int(words[1]), [_successor(word) for word in words[2:]])
            function.blocks[block.number] = block
        elif kind == "a":
            values = tuple(words[3:5])
            function.assigned[words[1]] = (words[2], values, words[5] if len(words) > 5 else "-")
        elif kind == "c":
            block.body.append(_call(words))
        elif kind == "f":
            block.phis.append((words[1], dict(_pairs(words[2:]))))
        elif kind == "?":
            block.end = ("?", words[1], words[2], words[3], words[4])
        elif kind == "!":
            block.end = ("!", words[1], words[2], _pairs(words[3:]))
        elif kind == "=":
            block.end = ("=", words[1])
        elif kind == "w":
            function.stores.append((split(words[1]), split(words[2])))
        elif kind == "t":
            function.tables.append((block.number, split(words[1]), split(words[2])))
        elif kind == "r":
            block.body.append(("r", words[1]))
    return function


class Facts:
    """The facts of all units of a kernel."""

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}
        self.variables: dict[str, tuple[str, str]] = {}             # name: (record, file)
        self.initialised: list[tuple[str, int, str, str]] = []      # (variable, index, field, value)
        self.aliases: dict[str, str] = {}

    def read(self, paths: Iterable[Path]) -> Facts:
        texts: dict[str, str] = {}
        heads: set[str] = set()
        for path in paths:
            head, *rest = path.read_text().split("\nF ")
            heads.update(head.splitlines())
            for text in rest:
                name = text[:text.index(" ")]
                # Code of a header may have been compiled in several ways.
                if len(texts.get(name, "")) < len(text):
                    texts[name] = text
        for line in heads:
            self._head(line)
        self.functions = {name: _function(text.rstrip("\n")) for name, text in texts.items()}
        return self

    def _head(self, line: str) -> None:
        words = line.split(" ", 4)
        if words[0] == "V":
            self.variables[words[1]] = (words[2], words[3])
        elif words[0] == "I":
            self.initialised.append((words[1], int(words[2]), words[3], words[4]))
        elif words[0] == "A":
            self.aliases[words[1]] = words[2]

    def real(self, name: str) -> str:
        """Return the function whose code a name runs."""
        while name not in self.functions and name in self.aliases:
            name = self.aliases[name]
        return name
