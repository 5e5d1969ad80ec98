# SPDX-License-Identifier: GPL-2.0-only
"""Figures 2, 3 and 6 of 2021: what a call costs in each state of a module, each state over the one before."""

from __future__ import annotations

from dataclasses import replace

from ..drawing import plots
from . import published, table1
from .blocks import EMPTY, Block, Figure, NotRun, Table, Text, more, percent, whole
from .book import FILES, MODULES, Book, Column, cell_of, changed, names_of, where
from .comparison import Comparison
from .passages import passage
from .results import Result
from .titles import title

# As lsmlab's evaluation/plan.py has them, and what each adds to the one before.
STATES = {
    "dispatch": "dispatch",
    "bare": "without a policy",
    "permissive": "permissive",
    "enforcing": "enforcing",
}
# Other policies of a module, with whose state without one they begin.
SECOND = {"selinux-debian": "selinux", "apparmor-debian": "apparmor", "tomoyo-few": "tomoyo"}
POLICIES = (*MODULES, *SECOND)


def states(book: Book, policy: str) -> dict[str, Result]:
    """Return the states of a policy that were measured."""
    found = {state: cell_of(book, f"{policy}-{state}") for state in STATES}
    if policy in SECOND:
        found |= {state: cell_of(book, f"{SECOND[policy]}-{state}") for state in ("dispatch", "bare")}
    return {state: result for state, result in found.items() if result}


def measured(book: Book) -> list[str]:
    """Return the policies that were measured in a state of their own."""
    return [
        policy for policy in POLICIES if "enforcing" in states(book, policy) or "permissive" in states(book, policy)
    ]


def base_of(book: Book, result: Result) -> Result | None:
    """Return capability on the same kernel."""
    plain = cell_of(book, "capability")
    if plain and plain.flavour == result.flavour:
        return plain
    return cell_of(book, f"capability-{result.flavour}")


def over_capability(book: Book, policy: str, state: str) -> Column | None:
    result = states(book, policy).get(state)
    base = base_of(book, result) if result else None
    return Column(title(policy), base, result) if base and result else None


def columns(book: Book, state: str) -> list[Column]:
    found = [over_capability(book, policy, state) for policy in POLICIES]
    return [column for column in found if column]


def compare_all(book: Book) -> None:
    """Fill the entries that the first page and other sections quote."""
    dac, plain = cell_of(book, "dac"), cell_of(book, "capability")
    if dac and plain:
        book.compare("framework", [Column("capability", dac, plain)])
    for state in STATES:
        if found := columns(book, state):
            book.compare(f"state-{state}", found)


def steps(book: Book, policy: str, row: str) -> dict[str, float]:
    """Return what the framework and then each state adds to a call, in ticks."""
    found = book.entries["framework"].found.get((row, "capability")) if "framework" in book.entries else None
    added, before = ({"framework": found.difference} if found else {}), 0.0
    for state in states(book, policy):
        entry = book.entries.get(f"state-{state}")
        over = entry.found.get((row, title(policy))) if entry else None
        over = over or (entry.found.get((row, title(SECOND[policy]))) if entry and policy in SECOND else None)
        if over:
            added[state] = over.difference - before
            before = over.difference
    return added


def blocks(book: Book) -> list[Block]:
    dac = cell_of(book, "dac")
    if not dac or "framework" not in book.entries:
        return [NotRun("modules", passage("states.not_run", main=book.results.main))]
    there = measured(book)
    found: list[Block] = [Text(passage("states.are"))]
    for policy in there:
        found += _steps(book, policy, dac)
    missing = names_of(book, {f"{policy}-enforcing": policy in there for policy in POLICIES})
    found += [Text(passage("states.largest", steps=[_largest(book, policy) for policy in there]))] if there else []
    found += [NotRun("modules", passage("states.missing", cells=missing))] if missing else []
    return [*found, *_beside(book, dac)]


def _steps(book: Book, policy: str, dac: Result) -> list[Block]:
    """Return a picture and a table, unless they equal those of another policy."""
    first = SECOND.get(policy)
    if first in measured(book) and all(steps(book, policy, row) == steps(book, first, row) for row in FILES):
        return [Text(passage("states.same", policy=policy, other=first))]
    return [_figure(book, policy, dac), _table(book, policy, dac)]


def _names(book: Book, policy: str) -> list[str]:
    return ["framework", *states(book, policy)]


def _figure(book: Book, policy: str, dac: Result) -> Figure:
    names = _names(book, policy)
    rows = {
        row: [steps(book, policy, row).get(name, 0.0) for name in names] for row in FILES if steps(book, policy, row)
    }
    plot = plots.stacked(rows, [STATES.get(name, name) for name in names], "instructions over no LSM", whole)
    said = where([dac, *states(book, policy).values()])
    return Figure(f"states-{policy}", passage("states.adds", policy=policy), said, plot)


def _table(book: Book, policy: str, dac: Result) -> Table:
    found = {row: added for row in FILES if (added := steps(book, policy, row))}
    nothing = [name for name in _names(book, policy) if not any(round(added.get(name, 0)) for added in found.values())]
    names, rows = [name for name in _names(book, policy) if name not in nothing], []
    for row, added in found.items():
        before = dac.median(FILES[row])
        if before:
            total = sum(added.values())
            cells = [more(added[name]) if name in added else EMPTY for name in names]
            rows.append((row, [whole(before), *cells, more(total), percent(total / before)]))
    header = ["no LSM", *(STATES.get(name, name) for name in names), "all", "all, of no LSM"]
    without = [STATES.get(name, name) for name in nothing]
    said = passage("states.nothing", where=where([dac, *states(book, policy).values()]), steps=without)
    return Table(f"steps-{policy}", passage("states.steps", policy=policy), said, "call", header, rows, more=True)


def _largest(book: Book, policy: str) -> dict[str, object]:
    """Return the largest step of a policy, and its share of all, summed over the calls."""
    sums: dict[str, float] = {}
    for row in FILES:
        for name, value in steps(book, policy, row).items():
            sums[name] = sums.get(name, 0) + value
    most = max(sums, key=sums.__getitem__)
    return {"policy": policy, "step": STATES.get(most, most), "share": sums[most] / sum(sums.values())}


def _beside(book: Book, dac: Result) -> list[Block]:
    """Return the table beside the published one, in percent over no LSM."""
    found = {
        "capability": cell_of(book, "capability"),
        "SELinux, no policy": cell_of(book, "selinux-bare"),
        "SELinux, no policy, audit=1": cell_of(book, "selinux-bare-audit"),
        "SELinux, permissive": cell_of(book, "selinux-permissive"),
    }
    some = [Column(name, dac, result) for name, result in found.items() if result]
    beside = {"capability, 5.3": published.Z21_FRAMEWORK, "SELinux's hooks, audit, 5.3": published.Z21_SELINUX}
    (table,) = book.table("published-2021", passage("states.published"), some, beside=beside)
    return [_with_dispatch(book, dac, table, len(some)), Text(_why(book, dac))]


DISPATCH = "SELinux, framework and dispatch only"


def _with_dispatch(book: Book, dac: Result, table: Table, place: int) -> Table:
    """Add a column. Dispatch is measured on a kernel that has more than the others, so its steps are added up."""
    found = {row: _only_dispatch(book, dac, row) for row, _ in table.rows}
    if not any(found.values()):
        return table
    cells = {row: changed(each) if each else EMPTY for row, each in found.items()}
    rows = [(row, [*before[:place], cells[row], *before[place:]]) for row, before in table.rows]
    header = [*table.header[:place], DISPATCH, *table.header[place:]]
    said = passage("states.with_dispatch", where=table.where, column=DISPATCH)
    return replace(table, header=header, rows=rows, where=said)


def _only_dispatch(book: Book, dac: Result, row: str) -> Comparison | None:
    """Return the framework and the dispatch to SELinux's hooks, each over its own kernel, over a kernel without LSM."""
    added, before = steps(book, "selinux", row), dac.median(FILES[row])
    if not before or not {"framework", "dispatch"} <= set(added):
        return None
    return Comparison(before, before + added["framework"] + added["dispatch"], dac.exact)


def _why(book: Book, dac: Result) -> str:
    """Return why the columns differ, with open as an example: the paper has the most for it."""
    found = _only_dispatch(book, dac, "open")
    dispatch, bases = (found.change, table1.bases()) if found else (None, None)
    return passage("states.why", dispatch=dispatch, published=published.Z21_SELINUX["open"], bases=bases)
