# SPDX-License-Identifier: GPL-2.0-only
"""Calls that the map does not follow, from cuts.toml."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lsmlab import toml

TABLE = Path(__file__).resolve().parent / "cuts.toml"


@dataclass(frozen=True)
class Assumed:
    """Bits of a variable or field, or a whole value, that are as expected unless a flag is set."""

    flag: str           # for people
    name: str           # of the variable, field or function()
    mask: int           # 0: the value is not zero, nor another value that it is compared to
    is_set: bool        # whether one of the bits is expected to be set
    functions: tuple[str, ...]      # the only functions that are read so, by their names in the source; empty: all


@dataclass
class Cuts:
    functions: dict[str, toml.Table] = field(default_factory=dict)      # name: row
    fields: dict[str, toml.Table] = field(default_factory=dict)
    given: dict[tuple[str, int], str] = field(default_factory=dict)     # (function, argument): kind
    stored: dict[str, str] = field(default_factory=dict)                # field: kind
    assumed: list[Assumed] = field(default_factory=list)
    excused: dict[str, str] = field(default_factory=dict)               # function that is called only with a flag: the flag
    positive: frozenset[str] = frozenset()
    loops: dict[str, str] = field(default_factory=dict)
    last_if: frozenset[str] = frozenset()       # functions that answer whether the last reference has gone
    last_unless: frozenset[str] = frozenset()   # and whether one is left
    passed: frozenset[str] = frozenset()        # records whose tables are passed from function to function
    rare: frozenset[str] = frozenset()          # functions whose work is rare
    rare_files: tuple[str, ...] = ()            # files, of which calls from other files are rare

    def of(self, caller: str, callee: str) -> toml.Table | None:
        """Return the row that says why a call is not followed, or None."""
        row = self.functions.get(callee)
        if row is None or caller in row.get("except", ()) or ("from" in row and caller not in row["from"]):
            return None
        return row

    def flags(self) -> list[str]:
        """Return the flags without one of which a must may hold."""
        return list(dict.fromkeys((*(one.flag for one in self.assumed), *self.excused.values())))

    def assumed_in(self, function: str) -> list[Assumed]:
        """Return what is assumed in a function, by its name in the source."""
        return [one for one in self.assumed if not one.functions or function in one.functions]


def read(path: Path | str = TABLE) -> Cuts:
    table, cuts = toml.loads(Path(path).read_text()), Cuts()
    for row in table.get("cut", ()):
        cuts.functions.update(dict.fromkeys(row.get("functions", ()), row))
        cuts.fields.update(dict.fromkeys(row.get("fields", ()), row))
    for row in table.get("defer", ()):
        for name in row.get("functions", ()):
            cuts.given[name, row["argument"]] = row["kind"]
        cuts.stored.update(dict.fromkeys(row.get("fields", ()), row["kind"]))
    for row in table.get("assume", ()):
        cuts.assumed += [Assumed(row["flag"], name, row.get("mask", 0), row.get("set", False), tuple(row.get("functions", ())))
                         for name in row.get("names", ())]
        cuts.excused.update(dict.fromkeys(row.get("calls", ()), row["flag"]))
    cuts.positive = frozenset(table.get("positive", {}).get("hooks", ()))
    cuts.last_if = frozenset(table.get("last", {}).get("gone", ()))
    cuts.last_unless = frozenset(table.get("last", {}).get("left", ()))
    cuts.passed = frozenset(table.get("passed", {}).get("records", ()))
    cuts.rare = frozenset(name for row in table.get("rare", ()) for name in row.get("functions", ()))
    cuts.rare_files = tuple(name for row in table.get("rare", ()) for name in row.get("files", ()))
    cuts.loops = table.get("loops", {})
    return cuts
