# SPDX-License-Identifier: GPL-2.0-only
"""Tables of differences. Each compares boots over the same benchmarks and is kept for summary.json."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median

from .. import stats
from ..drawing.plots import Point
from ..sweep import Sweep
from .blocks import EMPTY, Row, Table, more, percent, published, rise
from .comparison import Comparison, compare
from .passages import passage
from .results import Result, Results, version

# The 14 benchmarks of the 2021 paper, and our sub-benchmark for each. A rename is the way there: with the way back as well, it
# would count twice in each median, sum and plot.
FILES = {
    "open": "open",
    "openat": "openat",
    "rename": "rename",
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
MODULES = ("selinux", "apparmor", "tomoyo", "smack", "landlock", "bpf")
# Figures beside the name in a row.
COLUMNS_MOST = 9
WITHIN = "within its spread"
# A benchmark's difference in each of its modes, as a passage says it.
Modes = list[dict[str, float]]
# The call whose change in percent is the largest: another one may take more ticks, or more time.
LARGEST = "largest increase in percent"


def unit(result: Result) -> str:
    """Return the unit of a tick."""
    return "instructions" if result.exact else "cycles"


def flavours_of(results: Iterable[Result]) -> str:
    return passage("cells.flavours", names=list(dict.fromkeys(result.flavour for result in results)))


def where(results: Iterable[Result], what: str = "") -> str:
    """Return kernels, runner, accelerator, unit, file system and flavours of a table's results."""
    found = list(results)
    kernels, settings = sorted({result.kernel for result in found}, key=version), []
    for result in found:
        setting = {"runner": result.runner, "accelerator": result.cell.get("accel") or "none"}
        setting |= {"unit": unit(result), "filesystem": result.fs}
        settings += [setting] if setting not in settings else []
    return passage("cells.where", kernels=kernels, settings=settings, flavours=flavours_of(found), what=what)


@functools.cache
def quartiles(result: Result, benchmark: str) -> tuple[float, float, float]:
    """Return the first quartile, the median and the third quartile of a benchmark's samples."""
    return stats.quartiles(result.samples(benchmark))


def _distance(before: Result, after: Result, benchmark: str) -> float:
    """Return the distance of the quartiles, on the side where it is larger."""
    return max(high - low for low, _, high in (quartiles(result, benchmark) for result in (before, after)))


def change_of(before: Result | None, after: Result | None, benchmarks: Iterable[str]) -> str:
    """Return the change of the sum of these, in percent, unless their samples differ by more."""
    names = list(benchmarks)
    old, new = (result.total(names) if result else None for result in (before, after))
    if not before or not after or not old or not new:
        return EMPTY
    distance = sum(_distance(before, after, name) for name in names)
    return WITHIN if stats.within_quartiles(new - old, distance) else percent(new / old - 1)


# What two of the words in cells mean.
CELLS_ARE = passage("cells.are", within=WITHIN)


@dataclass(frozen=True)
class Column:
    """A comparison of `other`, which has something, with `base`, which does not."""

    title: str
    base: Result
    other: Result


def columns_of(found: Iterable[tuple[str, Result | None, Result | None]]) -> list[Column]:
    """Return a column for each title, base and other of which both were measured."""
    return [Column(title, base, other) for title, base, other in found if base and other]


@dataclass
class Entry:
    """One table's comparisons, by (row, column). `unsure`: those that are smaller than the samples' spread."""

    columns: list[Column]
    found: dict[tuple[str, str], Comparison]
    unsure: set[tuple[str, str]] = field(default_factory=set)

    def column(self, title: str) -> dict[str, Comparison]:
        return {row: found for (row, column), found in self.found.items() if column == title}

    def sure(self, title: str) -> dict[str, Comparison]:
        return {row: found for row, found in self.column(title).items() if (row, title) not in self.unsure}

    def affected(self, title: str) -> list[str]:
        """Return calls that cost more or less by more than 1 %."""
        return [row for row, found in self.sure(title).items() if abs(found.change) > stats.AFFECTED]

    def idle(self, title: str) -> bool:
        """Return whether no call changes at all."""
        there = self.column(title)
        return bool(there) and not any(round(found.difference) for found in there.values())

    def of(self, title: str) -> Column:
        return next(column for column in self.columns if column.title == title)

    def middle(self, title: str) -> float:
        """Return the median change of a column."""
        return median(found.change for found in self.column(title).values())

    def worst(self, title: str) -> tuple[str, Comparison]:
        """Return the call with the largest increase in percent; one within its spread only if there is no other."""
        return max((self.sure(title) or self.column(title)).items(), key=lambda item: item[1].change)

    def largest(self, title: str) -> dict[str, object]:
        """Return `worst` for a passage."""
        call, found = self.worst(title)
        return found.data(call=call)


@dataclass
class Book:
    """All results and all comparisons, table by table. `slopes`: sweeps."""

    results: Results
    slopes: list[Sweep] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)

    def compare(self, ident: str, columns: list[Column], rows: dict[str, str] = FILES) -> Entry:
        """Keep the comparisons of `rows`, which are benchmarks by name."""
        found = {
            (row, column.title): comparison
            for column in columns
            for row, benchmark in rows.items()
            if (comparison := compare(column.base, column.other, benchmark))
        }
        unsure = {
            (row, column.title)
            for column in columns
            for row in rows
            if (known := found.get((row, column.title)))
            and stats.within_quartiles(known.difference, _distance(column.base, column.other, rows[row]))
        }
        self.entries[ident] = Entry(columns, found, unsure)
        return self.entries[ident]

    def _entry(self, ident: str, columns: list[Column], rows: dict[str, str]) -> Entry:
        """Return the comparisons that were made before, of which a table may show some."""
        known = self.entries.get(ident)
        return known if known and all(column in known.columns for column in columns) else self.compare(ident, columns, rows)

    def table(
        self,
        ident: str,
        caption: str,
        columns: list[Column],
        rows: dict[str, str] = FILES,
        *,
        beside: dict[str, dict[str, float]] | None = None,
        more: bool = False,
    ) -> list[Table]:
        """Return a row for each benchmark. `beside`: published percentages by row. Many columns become several tables, and
        one without any change becomes a remark.
        """
        entry, tables = self._entry(ident, columns, rows), []
        idle = [column for column in columns if entry.idle(column.title)]
        columns = [column for column in columns if column not in idle] or columns
        for number in range(0, len(columns), COLUMNS_MOST):
            some, last = columns[number : number + COLUMNS_MOST], number + COLUMNS_MOST >= len(columns)
            body = [_row(entry, row, rows[row], some, beside or {}) for row in rows]
            body = [(row, cells) for row, cells in body if any(cell != EMPTY for cell in cells[: len(some)])]
            header = [column.title for column in some] + list(beside or ())
            name = ident + (f"-{number // COLUMNS_MOST + 1}" if number else "")
            lacking = _apart(columns) if last else []
            quiet = [column.title for column in idle if last and column not in columns]
            said = passage("cells.idle", where=self.said(some), columns=quiet)
            tables.append(Table(name, caption, said, "benchmark", header, body, lacking, more))
        return tables

    def summary(
        self, ident: str, caption: str, corner: str, missing: Iterable[str] = (), some: list[Column] | None = None
    ) -> Table:
        """Return a row for each column of an entry, or for some: its median, its least and its most."""
        entry = self.entries[ident]
        columns = [column for column in some or entry.columns if entry.column(column.title)]
        rows = [(column.title, _summed(entry, column.title)) for column in columns]
        header = ["median", "least", "most", LARGEST]
        lacking = [*missing, *_apart(entry.columns)]
        return Table(f"{ident}-sum", caption, self.said(columns), corner, header, rows, lacking)

    def said(self, columns: list[Column]) -> str:
        cells, flavours = list(dict.fromkeys(c.base.ident for c in columns)), flavours_of(c.base for c in columns)
        return where([column.other for column in columns], passage("cells.base", cells=cells, flavours=flavours))

    def points(self, ident: str, row: str, title: str) -> list[Point]:
        """Return the comparison in a row and column for a plot of factors, or none where its samples differ by more."""
        entry = self.entries[ident]
        found = entry.found.get((row, title)) if (row, title) not in entry.unsure else None
        return [Point(1 + found.change, f"{row}, {title}: {percent(found.change)}")] if found else []


def _row(entry: Entry, row: str, benchmark: str, columns: list[Column], beside: dict[str, dict[str, float]]) -> Row:
    cells = [_cell(entry, row, benchmark, column) for column in columns]
    return row, [*cells, *(_printed(values.get(row)) for values in beside.values())]


def modes(column: Column, benchmark: str) -> Modes:
    """Return the difference and the change of each mode of `other`, and its part of the samples; one, of the median, if it has
    no more.
    """
    before = stats.modes(column.base.samples(benchmark))
    base = quartiles(column.base, benchmark)[1]
    after = stats.modes(column.other.samples(benchmark)) if len(before) == 1 else []
    each = [(mode.value - base, mode.part) for mode in after] or [(quartiles(column.other, benchmark)[1] - base, 1.0)]
    return [{"difference": difference, "change": difference / base, "part": part} for difference, part in each]


def _cell(entry: Entry, row: str, benchmark: str, column: Column) -> str:
    found = entry.found.get((row, column.title))
    if (row, column.title) in entry.unsure:
        return WITHIN
    if found and len(each := modes(column, benchmark)) > 1:
        return passage("cells.modes", modes=each)
    if found:
        return changed(found)
    return "left out" if column.other.left_out(benchmark) or column.base.left_out(benchmark) else EMPTY


def changed(found: Comparison) -> str:
    """Return the difference in ticks, and in percent."""
    return f"{more(found.difference)} ({rise(found.change)})" if round(found.difference) else "0"


def _printed(value: float | None) -> str:
    """Return a percentage as the paper printed it."""
    return EMPTY if value is None else published(f"{value:g} %".replace("-", "−"))


def _summed(entry: Entry, name: str) -> list[str]:
    found = entry.column(name)
    least = min(found.values(), key=lambda each: each.change)
    row, most = entry.worst(name)
    largest = "no call changes" if entry.idle(name) else f"{row}, {changed(most)}"
    return [rise(entry.middle(name)), rise(least.change), rise(most.change), largest]


def cell_of(book: Book, name: str, part: str = "modules") -> Result | None:
    """Return the result of a cell that has latencies."""
    found = book.results.get(part, f"{book.results.main}-{name}")
    return found if found and found.benchmarks else None


def names_of(book: Book, cells: Mapping[str, object], part: str = "modules") -> list[str]:
    """Return the names of cells that are not there."""
    return [f"{part}/{book.results.main}-{name}" for name, result in cells.items() if not result]


def _apart(columns: list[Column]) -> list[str]:
    """Return remarks on columns measured in another setting than their base, which are never compared."""
    return [
        passage("cells.apart", cell=column.other.ident, base=column.base.ident)
        for column in columns
        if column.base.setting != column.other.setting
    ]
