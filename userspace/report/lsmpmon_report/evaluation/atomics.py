# SPDX-License-Identifier: GPL-2.0-only
"""What processors share: atomic operations that each module adds to a call."""

from __future__ import annotations

from .blocks import EMPTY, NotRun, Table, Text, more, whole
from .book import FILES, MODULES, Book, where
from .passages import passage
from .results import Result
from .titles import title


def counted(result: Result, benchmark: str) -> dict | None:
    """Of one call: how many, and by function."""
    return (result.data.get("atomics") or {}).get(benchmark)


# A kernel with the types that BPF programs need has capability to compare with, too.
BASES = ("capability", "capability-btf")


def _cells(book: Book) -> dict[str, Result]:
    found = {name: book.results.get("atomics", f"{book.results.main}-{name}") for name in (*BASES, *MODULES)}
    return {name: result for name, result in found.items() if result and result.data.get("atomics")}


def _over(cells: dict[str, Result]) -> dict[str, tuple[Result, Result]]:
    """By module: capability in the same kernel, and the cell."""
    bases = {cells[name].flavour: cells[name] for name in BASES if name in cells}
    modules = {name: result for name, result in cells.items() if name not in BASES}
    return {name: (bases[result.flavour], result) for name, result in modules.items() if result.flavour in bases}


def blocks(book: Book) -> list:
    cells = _cells(book)
    base, found = cells.get("capability"), _over(cells)
    if not base or not found:
        return [NotRun("atomics", passage("atomics.no_atomics"))]
    rows = [(row, _row(benchmark, base, found)) for row, benchmark in FILES.items() if counted(base, benchmark)]
    said = where(cells.values(), passage("atomics.counted"))
    added = _added(found)
    barriers = any(name.startswith("__srcu_read") for each in added for name in each["functions"])
    return [Table("atomics", passage("atomics.atomics"), said, "call", ["capability", *map(title, found)], rows),
            Text(passage("atomics.atomics_are", added=added, barriers=barriers))]


def _row(benchmark: str, base: Result, found: dict[str, tuple[Result, Result]]) -> list[str]:
    pairs = [[counted(result, benchmark) for result in pair] for pair in found.values()]
    added = [more(after["atomics"] - before["atomics"]) if before and after else EMPTY for before, after in pairs]
    return [whole(counted(base, benchmark)["atomics"]), *added]


def _added(found: dict[str, tuple[Result, Result]]) -> list[dict]:
    """Return, by module, in which functions they are that it adds to an open."""
    said = []
    for name, pair in found.items():
        before, functions = ((counted(result, "open") or {}).get("functions", {}) for result in pair)
        added = {each: times - before.get(each, 0) for each, times in sorted(functions.items()) if times > before.get(each, 0)}
        said += [{"module": name, "functions": added}] if added else []
    return said
