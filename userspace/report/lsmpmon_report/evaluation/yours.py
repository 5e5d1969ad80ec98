# SPDX-License-Identifier: GPL-2.0-only
"""Section: the user's own kernel."""

from __future__ import annotations

from .blocks import Cell, Figure, Heading, Section, Table, Text
from .book import FILES, Book, Column, where
from .costs import instructions
from .drawn import dots
from .records import Hook, hook_costs
from .results import Result


def section(book: Book) -> Section | None:
    """Results of `make eval KDIR=... LSM=a,b`, for that tree and stack."""
    found = book.results.part("yours")
    if not found:
        return None
    cells = {name: result for name, result in found.items() if result.benchmarks}
    base = _base(cells)
    blocks: list = [Text("The tree and the stack that were given to make eval, measured as the others were.")]
    columns = [Column(yours_title(r), base, r) for r in cells.values() if base and r is not base]
    if columns:
        blocks.append(Heading("yours", "What the framework and your stack cost"))
        blocks.append(book.table("yours", f"Your kernel, over {base.ident}", columns))
        plot = dots(book, "yours", FILES, columns, base)
        blocks.append(Figure("plot-yours", "Your kernel", where([c.other for c in columns]), plot))
    return Section("your-kernel", "Your kernel", [*blocks, *_yours_hooks(book, found)])


def yours_title(result: Result) -> str:
    return f"{result.name} ({result.state.get('lsm') or 'no LSM'})"


def _base(cells: dict[str, Result]) -> Result | None:
    """No LSM if measured, else capability only, else the first."""
    for end in ("dac", "capability"):
        for name, result in cells.items():
            if name.endswith(end):
                return result
    return next(iter(cells.values()), None)


def _yours_hooks(book: Book, found: dict[str, Result]) -> list:
    costs = {name: hook_costs((result,)) for name, result in found.items()}
    tables = [_most_time(book, found[name], each) for name, each in costs.items() if each]
    return [Heading("yours-hooks", "Where hooks spend most"), *tables] if tables else []


def _most_time(book: Book, result: Result, costs: dict[str, Hook]) -> Table:
    order = sorted(costs, key=lambda hook: -costs[hook].ticks)[:12]
    rows = [(hook, _spent(book, costs[hook], result)) for hook in order]
    caption = f"Hooks, {yours_title(result)}"
    return Table(f"yours-{result.name}", caption, where([result]), ["average", "sum", "calls"], rows, corner="hook")


def _spent(book: Book, hook: Hook, result: Result) -> list[Cell]:
    href = book.results.href(result)
    return [instructions(book, hook, result), Cell(f"{hook.ticks:,.0f}", href), Cell(f"{hook.calls:,}", href)]
