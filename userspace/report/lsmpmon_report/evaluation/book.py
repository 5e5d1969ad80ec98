# SPDX-License-Identifier: GPL-2.0-only
"""Tables of differences. Each compares boots over the same benchmarks and is kept for summary.json."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from ..sweep import Sweep
from .blocks import EMPTY, Table, more, percent, published
from .results import Result, Results
from .stats import Comparison, compare
from .svg import Point

# The 14 benchmarks of the 2021 paper, and our sub-benchmark for each. A rename has two directions.
FILES = {
    "open": "open",
    "openat": "openat",
    "rename": "rename",
    "rename back": "rename/back",
    "creat": "creat",
    "mkdir": "mkdir",
    "rmdir": "rmdir",
    "unlink": "unlink",
    "symlink": "symlink",
    "chmod": "chmod",
    "stat": "stat",
    "fstatat": "fstatat",
    "read": "read/4k",
    "write": "write/4k",
    "copy": "copy/4k",
}
TITLES = {
    "dac": "no LSM",
    "capability": "capability",
    "selinux": "SELinux",
    "selinux-debian": "SELinux, Debian's policy",
    "selinux-misses": "SELinux, cache misses",
    "selinux-work": "SELinux, for programs",
    "apparmor": "AppArmor",
    "apparmor-debian": "AppArmor, Debian's profiles",
    "apparmor-work": "AppArmor, for programs",
    "tomoyo": "TOMOYO",
    "tomoyo-few": "TOMOYO, few rules",
    "tomoyo-first": "TOMOYO, needed rules first",
    "tomoyo-last": "TOMOYO, needed rules last",
    "tomoyo-work": "TOMOYO, for programs",
    "smack": "Smack",
    "landlock": "Landlock",
    "landlock-work": "Landlock, for programs",
    "lids": "model of LIDS",
    "bpf": "BPF LSM",
    "ima": "IMA",
    "evm": "EVM",
    "audit": "audit",
    "yama": "Yama",
    "integrity": "integrity",
    "lockdown": "Lockdown",
    "loadpin": "LoadPin",
    "safesetid": "SafeSetID",
    "ipe": "IPE",
}
MODULES = ("selinux", "apparmor", "tomoyo", "smack", "landlock", "bpf")
# Figures beside the name in a row.
COLUMNS_MOST = 9


def title(name: str) -> str:
    """The module's name as people write it."""
    return TITLES.get(name, name)


def stack_title(name: str) -> str:
    """Of modules with dots between."""
    return " + ".join(title(module) for module in name.split("."))


def unit(result: Result) -> str:
    """The unit of a tick."""
    return "instructions" if result.exact else "cycles"


def where(results: Iterable[Result], what: str = "") -> str:
    """Runner, accelerator, unit, file system and flavours of a table's results."""
    found = list(results)
    settings = dict.fromkeys(
        f"runner {r.cell.get('runner', '?')}, accelerator {r.cell.get('accel') or 'none'}, {unit(r)}, {r.fs}"
        for r in found
    )
    flavours = f"flavour {' and '.join(dict.fromkeys(r.flavour for r in found))}"
    return "; ".join([*settings, flavours, *([what] if what else [])])


@dataclass(frozen=True)
class Column:
    """Compares `other`, which has something, with `base`, which does not."""

    title: str
    base: Result
    other: Result


@dataclass
class Entry:
    """One table's comparisons, by (row, column)."""

    columns: list[Column]
    found: dict[tuple[str, str], Comparison]

    def column(self, title: str) -> dict[str, Comparison]:
        return {row: found for (row, column), found in self.found.items() if column == title}

    def of(self, title: str) -> Column:
        return next(column for column in self.columns if column.title == title)

    def middle(self, title: str) -> float:
        """The median change of a column."""
        return median(found.change for found in self.column(title).values())

    def worst(self, title: str) -> tuple[str, Comparison]:
        return max(self.column(title).items(), key=lambda item: item[1].change)


@dataclass
class Book:
    """All results and all comparisons, table by table. `slopes`: sweeps."""

    results: Results
    slopes: list[Sweep] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)

    def compare(self, ident: str, columns: list[Column], rows: dict[str, str] = FILES) -> Entry:
        """`rows`: name and benchmark of each."""
        found = {
            (row, column.title): comparison
            for column in columns
            for row, benchmark in rows.items()
            if (comparison := compare(column.base, column.other, benchmark))
        }
        self.entries[ident] = Entry(columns, found)
        return self.entries[ident]

    def table(
        self,
        ident: str,
        caption: str,
        columns: list[Column],
        rows: dict[str, str] = FILES,
        *,
        beside: dict[str, dict[str, float]] | None = None,
        missing: Iterable[str] = (),
        more: bool = False,
    ) -> list[Table]:
        """A row for each benchmark. `beside`: published percentages by row. Many columns become several tables."""
        entry, tables = self.compare(ident, columns, rows), []
        for number in range(0, len(columns), COLUMNS_MOST):
            some, last = columns[number : number + COLUMNS_MOST], number + COLUMNS_MOST >= len(columns)
            body = [_row(entry, row, rows[row], some, beside or {}) for row in rows]
            body = [(row, cells) for row, cells in body if any(cell != EMPTY for cell in cells[: len(some)])]
            header = [column.title for column in some] + list(beside or ())
            name = ident + (f"-{number // COLUMNS_MOST + 1}" if number else "")
            lacking = [*missing, *_apart(columns)] if last else []
            tables.append(Table(name, caption, self.said(some), "benchmark", header, body, lacking, more))
        return tables

    def summary(self, ident: str, caption: str, corner: str, missing: Iterable[str] = ()) -> Table:
        """A row for each column of an entry: its median, its least and its most."""
        entry = self.entries[ident]
        columns = [column for column in entry.columns if entry.column(column.title)]
        rows = [(column.title, _summed(entry, column.title)) for column in columns]
        header = ["median", "least", "most", "most expensive call"]
        return Table(
            f"{ident}-sum", caption, self.said(columns), corner, header, rows, [*missing, *_apart(entry.columns)]
        )

    def said(self, columns: list[Column]) -> str:
        bases = ", ".join(dict.fromkeys(column.base.ident for column in columns))
        flavours = " and ".join(dict.fromkeys(column.base.flavour for column in columns))
        return where([column.other for column in columns], f"base: {bases} (flavour {flavours})")

    def points(self, ident: str, row: str, title: str) -> list[Point]:
        """The comparison in a row and column, for a plot of factors: one or none."""
        found = self.entries[ident].found.get((row, title))
        return [Point(1 + found.change, f"{row}, {title}: {percent(found.change)}")] if found else []


def _row(entry: Entry, row: str, benchmark: str, columns: list[Column], beside: dict) -> tuple[str, list[str]]:
    cells = [_cell(entry, row, benchmark, column) for column in columns]
    return row, [*cells, *(_printed(values.get(row)) for values in beside.values())]


def _cell(entry: Entry, row: str, benchmark: str, column: Column) -> str:
    found = entry.found.get((row, column.title))
    if found:
        return changed(found)
    return "left out" if column.other.left_out(benchmark) or column.base.left_out(benchmark) else EMPTY


def changed(found: Comparison) -> str:
    """The difference in ticks, and in percent."""
    return f"{more(found.difference)} ({percent(found.change)})" if round(found.difference) else "0"


def _printed(value: float | None) -> str:
    """A percentage as the paper printed it."""
    return EMPTY if value is None else published(f"{value:g} %".replace("-", "−"))


def _summed(entry: Entry, name: str) -> list[str]:
    found = entry.column(name)
    least = min(found.values(), key=lambda each: each.change)
    row, most = entry.worst(name)
    return [percent(entry.middle(name)), percent(least.change), percent(most.change), f"{row}, {changed(most)}"]


def cell_of(book: Book, name: str, part: str = "modules") -> Result | None:
    """Boots with latencies."""
    found = book.results.get(part, f"{book.results.main}-{name}")
    return found if found and found.benchmarks else None


def names_of(book: Book, cells: dict[str, object], part: str = "modules") -> list[str]:
    """The names of cells that are not there."""
    return [f"{part}/{book.results.main}-{name}" for name, result in cells.items() if not result]


def _apart(columns: list[Column]) -> list[str]:
    """Columns measured in another setting than their base, which are never compared."""
    return [
        f"{column.other.ident} (it ran in another setting than {column.base.ident}, so the two are not compared)"
        for column in columns
        if column.base.setting != column.other.setting
    ]
