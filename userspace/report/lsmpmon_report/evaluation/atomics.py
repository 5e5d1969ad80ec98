# SPDX-License-Identifier: GPL-2.0-only
"""What processors share: atomic operations that each module adds to a call."""

from __future__ import annotations

from .blocks import EMPTY, NotRun, Table, Text, more, whole
from .book import FILES, MODULES, Book, where
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
        return [NotRun("atomics", "the atomic operations of each call, with capability and with each module")]
    rows = [(row, _row(benchmark, base, found)) for row, benchmark in FILES.items() if counted(base, benchmark)]
    caption = "Atomic operations in a call with capability, and what each module adds"
    said = where(cells.values(), "executed, counted by a plugin of QEMU")
    return [Table("atomics", caption, said, "call", ["capability", *map(title, found)], rows),
            Text(_added(found) + ATOMICS_ARE, "What was counted.")]


def _row(benchmark: str, base: Result, found: dict[str, tuple[Result, Result]]) -> list[str]:
    pairs = [[counted(result, benchmark) for result in pair] for pair in found.values()]
    added = [more(after["atomics"] - before["atomics"]) if before and after else EMPTY for before, after in pairs]
    return [whole(counted(base, benchmark)["atomics"]), *added]


def _added(found: dict[str, tuple[Result, Result]]) -> str:
    """In which functions they are, for an open."""
    said = []
    for name, pair in found.items():
        before, functions = ((counted(result, "open") or {}).get("functions", {}) for result in pair)
        added = {each: times - before.get(each, 0) for each, times in functions.items() if times > before.get(each, 0)}
        if added:
            named = ", ".join(f"{each}() {times}" for each, times in sorted(added.items()))
            said.append(f"{title(name)}: {named}")
    barriers = BARRIERS if any("__srcu_read" in each for each in said) else ""
    return f"Added to an open, by function. {'; '.join(said)}. {barriers}" if said else ""


BARRIERS = (
    "Those of __srcu_read_lock() and __srcu_read_unlock() are barriers, which x86 makes with a locked instruction on the"
    " processor's own stack: no other processor waits for them. "
)


ATOMICS_ARE = (
    "An atomic operation needs its cache line for itself. Two processors that make one on the same line wait for each"
    " other. These are candidates: addresses were not counted. Those on memory of one"
    " task or file are in the columns as well, and do no harm; plain stores to shared memory are not, nor is what a BPF"
    " program does in its own code, which the kernel compiles when it loads it. A copy is a read and a write."
)
