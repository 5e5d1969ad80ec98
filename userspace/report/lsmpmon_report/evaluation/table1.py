# SPDX-License-Identifier: GPL-2.0-only
"""What 2021 printed besides its figures: the latencies of Table 1, and in the text, the cost of single modules."""

from __future__ import annotations

from statistics import median

from . import published
from .blocks import EMPTY, NotRun, Table, Text, percent, whole
from .blocks import published as theirs
from .book import FILES, Book, cell_of, change_of, where
from .results import Result
from .titles import title

# Each with its hooks and without a policy.
SINGLE = {"capability": "capability", "selinux": "selinux-bare", "apparmor": "apparmor-bare", "smack": "smack-bare"}


def blocks(book: Book) -> list:
    dac, plain = cell_of(book, "dac"), cell_of(book, "capability")
    if not dac or not plain:
        return [NotRun("modules", f"{book.results.main}-dac and {book.results.main}-capability, for Table 1")]
    return [_latencies(book, dac), _singles(book, dac), Text(SAID, "What differs, and why.")]


def _latencies(book: Book, dac: Result) -> Table:
    found = {name: cell_of(book, cell) for name, cell in SINGLE.items() if name in ("capability", "selinux")}
    there = {name: result for name, result in found.items() if result}
    rows = [(row, _latency(row, dac, list(there.values()))) for row in published.Z21_LATENCIES]
    names = ["SELinux, no policy" if name == "selinux" else name for name in there]
    header = [theirs("LSM with capability, 5.3"), theirs("SELinux's hooks, 5.3"), "no LSM", *names]
    said = where([dac, *there.values()], "published: a call or a throughput, in brackets the change; here: one call, of 4 KiB")
    return Table("table-1", "Latencies and throughput", said, "call", header, rows)


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
    known = f"capability, Smack: {single}, in an order that is not at hand; Smack first {both}"
    rows.append(("median", [*middles, theirs(known)]))
    header = [*map(title, there), theirs("5.3")]
    said = where([dac, *there.values()], "over no LSM; no module has a policy")
    missing = [f"modules/{book.results.main}-{SINGLE[name]}" for name in found if name not in there]
    return Table("singles", "Single modules that deny nothing", said, "calls", header, rows, missing)


def _changes(dac: Result, result: Result, rows: list[str]) -> list[float]:
    pairs = [(dac.median(FILES[row]), result.median(FILES[row])) for row in rows]
    return [after / before - 1 for before, after in pairs if before and after]


def _range(dac: Result, result: Result, rows: list[str]) -> str:
    """The least and the most of these calls."""
    found = _changes(dac, result, rows)
    ends = dict.fromkeys(percent(end) for end in (min(found), max(found))) if found else [EMPTY]
    return " to ".join(ends)


def _middle(dac: Result, result: Result) -> str:
    found = _changes(dac, result, list(FILES))
    return percent(median(found)) if found else EMPTY


SAID = (
    f"The published figures are times on a machine. {published.Z21_BASES} Throughput is on page ext4, in"
    " bytes by instructions. The published modules did not enforce; here they have no policy. Why mkdir and rmdir rise by so"
    " much more here with SELinux and Smack was not tested. Smack cannot come before capability in these kernels."
)
