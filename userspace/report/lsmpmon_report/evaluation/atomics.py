# SPDX-License-Identifier: GPL-2.0-only
"""Atomic operations, which processors share, that each module adds to a call."""

from __future__ import annotations

from dataclasses import dataclass

from .blocks import EMPTY, Block, NotRun, Table, Text, more, whole
from .book import FILES, MODULES, Book, where
from .files import Atomics
from .passages import passage
from .results import Result
from .titles import title


def counted(result: Result, benchmark: str) -> Atomics | None:
    return (result.data.get("atomics") or {}).get(benchmark)


# A kernel with the types that BPF programs need has capability to compare with, too.
BASES = ("capability", "capability-btf")


def _cells(book: Book) -> dict[str, Result]:
    found = {name: book.results.get("atomics", f"{book.results.main}-{name}") for name in (*BASES, *MODULES)}
    return {name: result for name, result in found.items() if result and result.data.get("atomics")}


def _over(cells: dict[str, Result]) -> dict[str, tuple[Result, Result]]:
    """Return, by module, capability in the same kernel, and the cell."""
    bases = {cells[name].flavour: cells[name] for name in BASES if name in cells}
    modules = {name: result for name, result in cells.items() if name not in BASES}
    return {name: (bases[result.flavour], result) for name, result in modules.items() if result.flavour in bases}


def blocks(book: Book) -> list[Block]:
    cells = _cells(book)
    base, found = cells.get("capability"), _over(cells)
    if not base or not found:
        return [NotRun("atomics", passage("atomics.no_atomics"))]
    rows = [(row, _row(benchmark, plain, found)) for row, benchmark in FILES.items() if (plain := counted(base, benchmark))]
    said = where(cells.values(), passage("atomics.counted"))
    added = _added(found)
    barriers = any(name.startswith("__srcu_read") for each in added for name in each.functions)
    return [Table("atomics", passage("atomics.atomics"), said, "call", ["capability", *map(title, found)], rows),
            Text(passage("atomics.atomics_are", added=added, barriers=barriers))]


def _row(benchmark: str, plain: Atomics, found: dict[str, tuple[Result, Result]]) -> list[str]:
    pairs = [[counted(result, benchmark) for result in pair] for pair in found.values()]
    added = [more(after["atomics"] - before["atomics"]) if before and after else EMPTY for before, after in pairs]
    return [whole(plain["atomics"]), *added]


@dataclass(frozen=True)
class Added:
    """Atomic operations that a module adds to an open, by function."""

    module: str
    functions: dict[str, float]


def _added(found: dict[str, tuple[Result, Result]]) -> list[Added]:
    said = []
    for name, pair in found.items():
        before, functions = (each["functions"] if (each := counted(result, "open")) else {} for result in pair)
        added = {each: times - before.get(each, 0) for each, times in sorted(functions.items()) if times > before.get(each, 0)}
        said += [Added(name, added)] if added else []
    return said
