# SPDX-License-Identifier: GPL-2.0-only
"""Tables of ratios. Each compares boots over the same benchmarks and is kept for summary.json."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..sweep import Sweep
from .blocks import EMPTY, Cell, Table, heat, link, part, percent
from .results import Result, Results
from .stats import Comparison, compare_results, holm, spread
from .svg import Point

# The 14 benchmarks of the 2021 paper, and our sub-benchmark for each.
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
TITLES = {
    "dac": "no LSM",
    "capability": "capability",
    "selinux": "SELinux",
    "apparmor": "AppArmor",
    "tomoyo": "TOMOYO",
    "smack": "Smack",
    "landlock": "Landlock",
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


def title(name: str) -> str:
    """The module's name as people write it."""
    return TITLES.get(name, name)


def unit(result: Result) -> str:
    """The unit of a tick."""
    return "instructions" if result.exact else "cycles"


def where(results: Iterable[Result], what: str = "") -> str:
    """Runner, accelerator and unit of a table's results."""
    settings = dict.fromkeys(
        f"runner {r.cell.get('runner', '?')}, accelerator {r.cell.get('accel') or 'none'}, {unit(r)}, {r.fs}"
        for r in results
    )
    return "; ".join([*settings, *([what] if what else [])])


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


@dataclass
class Book:
    """All results and all comparisons, table by table. `slopes`: sweeps, and the addresses of their files."""

    results: Results
    slopes: list[tuple[str, Sweep]] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)

    def compare(self, ident: str, columns: list[Column], rows: dict[str, str]) -> Entry:
        """`rows`: name and benchmark of each. Holm's correction covers the whole table."""
        found = {}
        for column in columns:
            for row, benchmark in rows.items():
                comparison = compare_results(column.base, column.other, benchmark)
                if comparison:
                    found[row, column.title] = comparison
        self.entries[ident] = Entry(columns, holm(found))
        return self.entries[ident]

    def table(
        self,
        ident: str,
        caption: str,
        columns: list[Column],
        rows: dict[str, str] = FILES,
        *,
        published: dict[str, dict[str, float]] | None = None,
        full: float = 1.0,
        missing: Iterable[str] = (),
    ) -> Table:
        """`published`: column to percent by row; `full`: the change at which the background is darkest."""
        entry = self.compare(ident, columns, rows)
        beside = published or {}
        there = [row for row in rows if any((row, column.title) in entry.found for column in columns)]
        ours = {row: [self._cell(entry, row, column, full) for column in columns] for row in there}
        body = [(row, [*ours[row], *(printed(values.get(row)) for values in beside.values())]) for row in there]
        body.append(("median of these", [*(median_cell(entry, c, full) for c in columns), *[EMPTY] * len(beside)]))
        said = where([c.other for c in columns], f"change of the median; base: {_bases(columns)}; {judged(entry)}")
        groups = [("ours", len(columns)), ("published", len(beside))] if beside else []
        header = [self.head(column) for column in columns] + list(beside)
        return Table(ident, caption, said, header, body, groups, "benchmark", [*missing, *_apart(columns)])

    def head(self, column: Column) -> str:
        return link(column.title, self.results.href(column.other))

    def _cell(self, entry: Entry, row: str, column: Column, full: float) -> Cell:
        found = entry.found.get((row, column.title))
        if found:
            return ratio_cell(found, self.results.href(column.other), column, full)
        why = column.other.left_out(FILES.get(row, row)) or column.base.left_out(FILES.get(row, row))
        return Cell("left out", title=why, kind="none") if why else EMPTY

    def points(self, ident: str, row: str, title: str, hollow: bool = False) -> list[Point]:
        """The comparison in a row and column, for a plot: one or none."""
        entry = self.entries[ident]
        found = entry.found.get((row, title))
        if not found:
            return []
        label = f"{row}, {title}: {percent(found.change)}"
        return [Point(found.change, label, self.results.href(entry.of(title).other), hollow, found.low, found.high)]


def cell_of(book: Book, name: str, part: str = "modules") -> Result | None:
    """Boots with latencies."""
    found = book.results.get(part, f"{book.results.main}-{name}")
    return found if found and found.benchmarks else None


def tick(value: float) -> str:
    return part(value)


def ratio_cell(found: Comparison, href: str, column: Column, full: float) -> Cell:
    ticks = unit(column.other)
    sure = (
        "exact"
        if found.exact
        else f"95 % interval {percent(found.low)} to {percent(found.high)}, p (Holm) {found.corrected:.2g}"
    )
    about = (
        f"{found.base:,.0f} to {found.value:,.0f} {ticks}; {sure}; Cliff's delta {found.delta:+.2f}; base"
        f" {column.base.ident}"
    )
    kind = "noise" if found.noise else "number"
    return Cell(percent(found.change), href, about, kind, heat(found.change, full) if not found.noise else 0)


def median_cell(entry: Entry, column: Column, full: float) -> Cell:
    changes = sorted(found.change for found in entry.column(column.title).values())
    if not changes:
        return EMPTY
    middle = median(changes)
    return Cell(percent(middle), title=f"{percent(changes[0])} to {percent(changes[-1])}", heat=heat(middle, full))


def median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def printed(value: float | None) -> Cell:
    """A percentage as the paper printed it."""
    return EMPTY if value is None else Cell(f"{value:g} %".replace("-", "−"), kind="published", title="published")


def judged(entry: Entry) -> str:
    exact, sure, noise = spread(entry.found.values())
    parts = [f"{count} {what}" for count, what in ((exact, "exact"), (sure, "sure"), (noise, "noise")) if count]
    return f"of {len(entry.found)} comparisons " + ", ".join(parts) if parts else "nothing to compare"


def _bases(columns: list[Column]) -> str:
    return ", ".join(dict.fromkeys(column.base.ident for column in columns))


def _apart(columns: list[Column]) -> list[str]:
    """Columns measured in another setting than their base, which are never compared."""
    return [
        f"{column.other.ident} (it ran in another setting than {column.base.ident}, so the two are not compared)"
        for column in columns
        if column.base.setting != column.other.setting
    ]
