# SPDX-License-Identifier: GPL-2.0-only
"""Page: the user's own kernel."""

from __future__ import annotations

from ..drawing import plots
from .blocks import Block, Figure, Heading, Table, Text, whole
from .book import FILES, Book, Column, Entry, unit, where
from .passages import passage
from .records import Hook, hook_costs
from .results import Result


def compare_all(book: Book) -> None:
    cells = {name: result for name, result in book.results.part("yours").items() if result.benchmarks}
    base = _base(cells)
    columns = [Column(_title(r), base, r) for r in cells.values() if base and r is not base]
    if columns:
        book.compare("yours", columns)


def blocks(book: Book) -> list[Block]:
    """Show results of `make eval KDIR=... LSM=a,b` for that tree and stack, or of RUNNER=host for each boot."""
    name, there = passage("yours.title"), book.results.part("yours")
    if not there:
        return []
    found: list[Block] = [Text(passage("yours.measured", compared="yours" in book.entries))]
    if entry := book.entries.get("yours"):
        rows = {row: [book.points("yours", row, column.title) for column in entry.columns] for row in FILES}
        plot = plots.dots(rows, [c.title for c in entry.columns], "times the base", plots.times, log=True)
        found.append(Figure("plot-yours", name, where([c.other for c in entry.columns]), plot))
        found += book.table("yours", name, entry.columns)
    return [*found, *_hooks(there)]


def _title(result: Result) -> str:
    return f"{result.name} ({result.state.get('lsm') or 'no LSM'})"


def _base(cells: dict[str, Result]) -> Result | None:
    """Return the boot without LSM if it was measured, else that with capability only, else the first."""
    for end in ("dac", "capability"):
        for name, result in cells.items():
            if name.endswith(end):
                return result
    return next(iter(cells.values()), None)


def _hooks(found: dict[str, Result]) -> list[Block]:
    costs = {name: hook_costs((result,)) for name, result in found.items()}
    tables = [_most_time(found[name], each) for name, each in costs.items() if each]
    return [Heading(passage("yours.hooks_title")), *tables] if tables else []


def _most_time(result: Result, costs: dict[str, Hook]) -> Table:
    order = sorted(costs.items(), key=lambda each: -each[1].total)[:12]
    rows = [(name, [f"{hook.average:,.1f}", whole(hook.total), f"{hook.calls:,}"]) for name, hook in order]
    header = ["average", "sum", "calls"]
    caption = passage("yours.hooks", boot=_title(result))
    return Table(f"yours-{result.name}", caption, where([result]), "hook", header, rows)


def said(book: Book) -> list[str]:
    """Return what the first page says of it."""
    entry = book.entries.get("yours")
    if not entry:
        return []
    there = [column for column in entry.columns if entry.column(column.title)]
    return [*(_costs(entry, column) for column in there), *_most(book)]


def _costs(entry: Entry, column: Column) -> str:
    median, worst = entry.middle(column.title), entry.largest(column.title)
    return passage("yours.costs", boot=column.title, base=_title(column.base), median=median, worst=worst)


def _most(book: Book) -> list[str]:
    """Return where the stack's time goes."""
    found = [(hook, name, each) for each in book.results.part("yours").values() for name, hook in hook_costs((each,)).items()]
    if not found:
        return []
    hook, name, result = max(found, key=lambda each: each[0].total)
    return [passage("yours.most", hook=name, calls=hook.calls, average=hook.total / hook.calls, unit=unit(result))]
