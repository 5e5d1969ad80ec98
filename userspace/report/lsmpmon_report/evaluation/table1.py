# SPDX-License-Identifier: GPL-2.0-only
"""Figures that 2021 printed: the latencies of Table 1, and in the text, the cost of single modules."""

from __future__ import annotations

from statistics import median

from . import published
from .blocks import EMPTY, Block, NotRun, Table, Text, percent, whole
from .blocks import published as theirs
from .book import FILES, Book, cell_of, change_of, where
from .passages import passage
from .results import Result
from .titles import title

# Each with its hooks and without a policy.
SINGLE = {"capability": "capability", "selinux": "selinux-bare", "apparmor": "apparmor-bare", "smack": "smack-bare"}
# Beside the latencies of the paper, whose SELinux had auditing on.
BESIDE = {"capability": "capability", "SELinux, no policy": "selinux-bare", "SELinux, no policy, audit=1": "selinux-bare-audit"}


def blocks(book: Book) -> list[Block]:
    dac, plain = cell_of(book, "dac"), cell_of(book, "capability")
    if not dac or not plain:
        return [NotRun("modules", passage("table1.not_run", main=book.results.main))]
    return [_latencies(book, dac), _singles(book, dac), Text(passage("table1.why", bases=bases()))]


def _latencies(book: Book, dac: Result) -> Table:
    there = {name: result for name, cell in BESIDE.items() if (result := cell_of(book, cell))}
    rows = [(row, _latency(row, dac, list(there.values()))) for row in published.Z21_LATENCIES]
    header = [theirs("LSM with capability, 5.3"), theirs("SELinux's hooks, audit, 5.3"), "no LSM", *there]
    said = where([dac, *there.values()], passage("table1.latencies_are"))
    return Table("table-1", passage("table1.latencies"), said, "call", header, rows)


def _latency(row: str, dac: Result, there: list[Result]) -> list[str]:
    changes = (published.Z21_FRAMEWORK[row], published.Z21_SELINUX[row])
    cells = [theirs(f"{each} ({change:g} %)") for each, change in zip(published.Z21_LATENCIES[row], changes)]
    before = dac.median(FILES[row])
    return [*cells, whole(before) if before else EMPTY, *(_over(row, dac, result) for result in there)]


def _over(row: str, dac: Result, result: Result) -> str:
    after = result.median(FILES[row])
    return f"{whole(after)} ({change_of(dac, result, [FILES[row]])})" if after else EMPTY


def _singles(book: Book, dac: Result) -> Table:
    found = {name: cell_of(book, cell) for name, cell in SINGLE.items()}
    there = {name: result for name, result in found.items() if result and result.setting == dac.setting}
    calls = {"all": list(FILES), "read": ["read"], "mkdir": ["mkdir"], "rmdir": ["rmdir"]}
    rows = [
        (row, [*(_range(dac, result, some) for result in there.values()), theirs(published.Z21_SINGLE[row])])
        for row, some in calls.items()
    ]
    both, single = published.Z21_SMACK
    middles = [_middle(dac, result) for result in there.values()]
    rows.append(("median", [*middles, theirs(passage("table1.smack", single=single, both=both))]))
    header = [*map(title, there), theirs("5.3")]
    said = where([dac, *there.values()], passage("table1.singles_are"))
    missing = [f"modules/{book.results.main}-{SINGLE[name]}" for name in found if name not in there]
    return Table("singles", passage("table1.singles"), said, "calls", header, rows, missing)


def _changes(dac: Result, result: Result, rows: list[str]) -> list[float]:
    pairs = [(dac.median(FILES[row]), result.median(FILES[row])) for row in rows]
    return [after / before - 1 for before, after in pairs if before and after]


def _range(dac: Result, result: Result, rows: list[str]) -> str:
    """Return the least and the most of these calls."""
    found = _changes(dac, result, rows)
    ends = dict.fromkeys(percent(end) for end in (min(found), max(found))) if found else [EMPTY]
    return " to ".join(ends)


def _middle(dac: Result, result: Result) -> str:
    found = _changes(dac, result, list(FILES))
    return percent(median(found)) if found else EMPTY


def bases() -> str:
    """Return what open takes without LSM by the figures of each of the two columns, which do not agree."""
    latencies, rises = published.Z21_LATENCIES["open"], (published.Z21_FRAMEWORK["open"], published.Z21_SELINUX["open"])
    found = [float(latency.removesuffix(" µs")) / (1 + rise / 100) for latency, rise in zip(latencies, rises)]
    columns = [
        {"latency": latency, "change": rise / 100, "base": base} for latency, rise, base in zip(latencies, rises, found)
    ]
    return passage("table1.bases", columns=columns, apart=1 - found[1] / found[0])
