# SPDX-License-Identifier: GPL-2.0-only
"""Page: the user's own kernel."""

from __future__ import annotations

from ..drawing import plots
from .blocks import Figure, Heading, Page, Table, Text, percent, whole
from .book import FILES, Book, Column, unit, where
from .records import Hook, hook_costs
from .results import Result


def compare_all(book: Book) -> None:
    cells = {name: result for name, result in book.results.part("yours").items() if result.benchmarks}
    base = _base(cells)
    columns = [Column(_title(r), base, r) for r in cells.values() if base and r is not base]
    if columns:
        book.compare("yours", columns)


def page(book: Book) -> Page | None:
    """Results of `make eval KDIR=... LSM=a,b` for that tree and stack, or of RUNNER=host for each boot."""
    found = book.results.part("yours")
    if not found:
        return None
    blocks: list = [
        Text(
            "Measured as the others were." if "yours" in book.entries else "There is one boot, and nothing to compare."
        )
    ]
    if entry := book.entries.get("yours"):
        rows = {row: [book.points("yours", row, column.title) for column in entry.columns] for row in FILES}
        plot = plots.dots(rows, [c.title for c in entry.columns], "times the base", plots.times, log=True)
        blocks.append(Figure("plot-yours", "Your kernel", where([c.other for c in entry.columns]), plot))
        blocks += book.table("yours", "Your kernel", entry.columns)
    return Page("yours", "Your kernel", [*blocks, *_hooks(found)])


def _title(result: Result) -> str:
    return f"{result.name} ({result.state.get('lsm') or 'no LSM'})"


def _base(cells: dict[str, Result]) -> Result | None:
    """No LSM if measured, else capability only, else the first."""
    for end in ("dac", "capability"):
        for name, result in cells.items():
            if name.endswith(end):
                return result
    return next(iter(cells.values()), None)


def _hooks(found: dict[str, Result]) -> list:
    costs = {name: hook_costs((result,)) for name, result in found.items()}
    tables = [_most_time(found[name], each) for name, each in costs.items() if each]
    return [Heading("Where hooks spend most"), *tables] if tables else []


def _most_time(result: Result, costs: dict[str, Hook]) -> Table:
    order = sorted(costs, key=lambda hook: -costs[hook].ticks)[:12]
    rows = [(h, [f"{costs[h].average:,.1f}", whole(costs[h].ticks), f"{costs[h].calls:,}"]) for h in order]
    header = ["average", "sum", "calls"]
    return Table(f"yours-{result.name}", f"Hooks, {_title(result)}", where([result]), "hook", header, rows)


def said(book: Book) -> list[str]:
    """What the first page says of it."""
    entry = book.entries.get("yours")
    if not entry:
        return []
    found = []
    for column in entry.columns:
        if entry.column(column.title):
            row, most = entry.worst(column.title)
            found.append(
                f"{column.title} costs {percent(entry.middle(column.title))} at the median over"
                f" {_title(column.base)}, {percent(most.change)} at most ({row})."
            )
    return [*found, *_most(book)]


def _most(book: Book) -> list[str]:
    """Where the stack's time goes."""
    found = [
        (hook.ticks, name, hook.calls, result)
        for result in book.results.part("yours").values()
        for name, hook in hook_costs((result,)).items()
    ]
    if not found:
        return []
    ticks, name, calls, result = max(found, key=lambda each: each[0])
    return [f"Of its hooks, {name} takes most: {calls:,} calls of {ticks / calls:,.0f} {unit(result)}."]
