# SPDX-License-Identifier: GPL-2.0-only
"""Objects, and what a call through a pointer may run if it is made on one of them.

A record is bound if a folder of an implementation (a file system, a family of
sockets) has a table of it whose address is kept in a field: of such a record,
an object calls its own tables only. Lists that are called as a whole, such as
chains of notifiers, keep no such address. Objects are bits; the highest is
that of all objects together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from lsmlab import toml
from lsmlab.measure.hookmap import chosen, condition
from lsmlab.measure.hookmap.condition import Way
from lsmlab.measure.hookmap.facts import Facts, Function, base
from lsmlab.measure.hookmap.pointers import Pointers

TABLE = Path(__file__).resolve().parent / "objects.toml"
FORMAT_BITS, TYPE_FIELD = 0o170000, "i_mode"
# Records of which an object's own type decides, as it does of no record that is met on the way to it.
OF_TYPE = ("file_operations",)


@dataclass(frozen=True)
class Object:
    name: str
    title: str
    folders: tuple[str, ...]
    type: int = 0                   # S_IFMT of its inode; 0: any
    tables: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    first: bool = False             # whether calls are shown on it first, with its own musts
    beneath: tuple[str, ...] = ()   # folders of the object that its own code makes calls on, if it is stacked on one


def read(path: Path | str = TABLE) -> list[Object]:
    rows = toml.loads(Path(path).read_text())["object"]
    return [Object(row["name"], row["title"], tuple(row["folders"]), row.get("type", 0), tuple(row.get("tables", ())),
                   tuple(row.get("free", ())), row.get("first", False), tuple(row.get("beneath", ()))) for row in rows]


def _named(values: Iterable[str]) -> Iterator[str]:
    """Yield the variables that values name."""
    for value in values:
        yield from (part[1:] for part in value.split("|") if part[0] == "@")


def _names(function: Function) -> Iterator[str]:
    """Yield the variables that a function names."""
    for call in function.calls():
        yield from _named(call.arguments)
    for _, values, _name in function.assigned.values():
        yield from _named(values)
    for block in function.blocks.values():
        for _to, phis in block.phis:
            yield from _named(phis.values())
        if block.end and block.end[0] == "=":
            yield from _named(block.end[1:2])
    for _block, _places, variables in function.tables:
        yield from _named(variables)


class Tables:
    """The tables of operations of a kernel: variables that are records with functions."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.record: dict[str, set[str]] = defaultdict(set)         # table: records whose fields it has functions in
        self.fields: dict[str, set[str]] = defaultdict(set)         # ".record.field function": tables
        self.beside: dict[tuple[str, int], set[str]] = defaultdict(set)     # (variable, index): tables named there
        self.inside: dict[str, set[str]] = defaultdict(set)         # table: tables that it names
        for variable, index, field, value in facts.initialised:
            if value[0] == "&":
                self.record[variable].add(field.partition(".")[0])
                self.fields[f".{field} {facts.real(value[1:])}"].add(variable)
            elif value[0] == "@":
                self.beside[variable, index].add(value[1:])
                self.inside[variable].add(value[1:])
        self.types = self._types()
        self.named_by: dict[str, set[str]] = defaultdict(set)       # file: variables that its functions name
        for function in facts.functions.values():
            self.named_by[function.file].update(_names(function))

    def kept(self) -> Iterator[str]:
        """Yield the variables whose addresses are kept in fields."""
        yield from chain.from_iterable(self.inside.values())
        for function in self.facts.functions.values():
            for _block, places, variables in function.tables:
                if any(place[0] == "." for place in places):
                    yield from _named(variables)

    def file(self, table: str) -> str:
        return self.facts.variables.get(table, ("", ""))[1]

    def _types(self) -> dict[str, set[int]]:
        """Return {table: types of inodes that get it} of tables that inodes get after they were asked for their type."""
        types: dict[str, set[int]] = defaultdict(set)
        for function in self.facts.functions.values():
            if function.tables:
                for number, kind in _typed(function):
                    for block, _places, variables in function.tables:
                        if block == number:
                            for variable in _named(variables):
                                types[variable].add(kind)
        return types


def _is_type(function: Function, value: str) -> bool:
    """Say whether a value is the type of an inode."""
    kind, values, name = function.assigned.get(value, ("", (), ""))
    return kind == "and" and name in (TYPE_FIELD, "mode") and values[1] == f"k{FORMAT_BITS}"


def _ways(function: Function, number: int) -> Iterator[tuple[Way, int]]:
    """Yield (way, type) of the ways that inodes of one type take at the end of a block."""
    block = function.blocks[number]
    end = block.end
    if end and end[0] == "!" and _is_type(function, end[1]):
        yield from (((number, to), int(case)) for to, case in end[3] if case.isdigit())
    elif end and end[0] == "?" and end[1] in ("eq", "ne") and end[3][0] == "k" and _is_type(function, end[2]):
        wanted = "t" if end[1] == "eq" else "n"
        yield from (((number, to), int(end[3][1:])) for to, mark in block.successors if mark == wanted)


def _typed(function: Function) -> Iterator[tuple[int, int]]:
    """Yield (block, type) of blocks that only inodes of one type reach."""
    for number in function.blocks:
        for way, kind in _ways(function, number):
            yield from ((reached, kind) for reached in condition.only_by(function, [way]))


class Objects:
    def __init__(self, facts: Facts, rows: Iterable[Object]) -> None:
        self.facts, self.rows, self.tables = facts, list(rows), Tables(facts)
        lower = [replace(row, folders=row.beneath, type=0) for row in self.rows if row.beneath]
        self.every = [*self.rows, *lower]
        # {bit of an object: bit of the one beneath it}; these have the next bits.
        self.beneath = {1 << self.rows.index(row): 1 << len(self.rows) + number
                        for number, row in enumerate(row for row in self.rows if row.beneath)}
        self.union = 1 << len(self.every)
        self.all = 2 * self.union - 1
        self.implementations = (chosen.folders(facts, "file_system_type", ("fs/", "mm/shmem.c"))
                                | chosen.folders(facts, "net_proto_family", ("net/",)))
        self.bound = self._bound()
        self.own = [self._own(row) for row in self.every]
        self.foreign = [tuple(folder for folder in self.implementations if not folder.startswith(row.folders))
                        for row in self.every]
        self._by_file: dict[str, int] = {}
        self._known: dict[tuple[str, str], int] = {}

    def _folder(self, file: str) -> str:
        return next((folder for folder in self.implementations if file.startswith(folder)), "")

    def _bound(self) -> set[str]:
        return {record for table in self.tables.kept() if self._folder(self.tables.file(table))
                for record in self.tables.record.get(table, ())}

    def _own(self, row: Object) -> set[str]:
        """Return the tables of an object."""
        facts, tables = self.facts, self.tables
        own = {name for name, (_record, file) in facts.variables.items() if file.startswith(row.folders)}
        for file, names in tables.named_by.items():
            if file.startswith(row.folders):
                own |= names
        waiting = list(own)
        while waiting:
            for name in tables.inside.get(waiting.pop(), ()):
                if name not in own:
                    own.add(name)
                    waiting.append(name)
        return {name for name in own if name in tables.record and self._fits(row, name)} if not row.tables else \
            self._picked(row, {name for name in own if name in tables.record})

    def _fits(self, row: Object, table: str) -> bool:
        types = self.tables.types.get(table)
        return not (row.type and types and self.tables.record[table] & set(OF_TYPE)) or row.type in types

    def _picked(self, row: Object, own: set[str]) -> set[str]:
        """Return those of an object's tables that fit the ones it is known by."""
        picked = {name for name in self.tables.record if base(name) in row.tables}
        for names in self.tables.beside.values():
            if names & picked:
                picked |= {name for name in names if name in self.tables.record}
        records = {record for name in picked for record in self.tables.record[name]}
        return picked | {name for name in own if not self.tables.record[name] & records}

    def of_file(self, name: str) -> int:
        """Return the objects for which a function is not of another implementation."""
        function = self.facts.functions.get(name)
        file = function.file if function else ""
        if file not in self._by_file:
            self._by_file[file] = self.union | sum(1 << number for number, foreign in enumerate(self.foreign)
                                                   if not file.startswith(foreign))
        return self._by_file[file]

    def leaves(self, number: int, caller: str, callee: str) -> bool:
        """Say whether a call leaves the code of an object that is stacked on another, which is then the one at hand."""
        functions, folders = self.facts.functions, self.rows[number].folders
        return caller in functions and functions[caller].file.startswith(folders) and \
            not (callee in functions and functions[callee].file.startswith(folders))

    def of(self, pointers: Pointers, place: str, name: str) -> int:
        """Return the objects for which a call through a place may run a function."""
        known = self._known.get((place, name))
        if known is None:
            known = self._known[place, name] = self._through(pointers, place, name)
        return known

    def _through(self, pointers: Pointers, place: str, name: str) -> int:
        if name not in pointers.held[place]:
            return 0 if place != "?" else self.of_file(name)
        bits = 0
        for origin in pointers.origins(place, name):
            bits |= self._from(origin, name)
        return bits

    def _from(self, place: str, name: str) -> int:
        """Return the objects whose own the function in a place is, where it is kept first."""
        record = place[1:].partition(".")[0]
        if place[0] != "." or record not in self.bound:
            return self.of_file(name)
        tables, function = self.tables.fields.get(f"{place} {name}", set()), self.facts.functions.get(name)
        bits = self.union
        for number, row in enumerate(self.every):
            own = tables & self.own[number] or (not tables and function and function.file.startswith(row.folders))
            if own or record in row.free:
                bits |= 1 << number
        return bits
