# SPDX-License-Identifier: GPL-2.0-only
"""What processors share: atomic operations that each module adds to a call."""

from __future__ import annotations

from .blocks import EMPTY, NotRun, Table, Text, more, whole
from .book import FILES, MODULES, Book, title, where
from .results import Result


def counted(result: Result, benchmark: str) -> dict | None:
    """Of one call: how many, and by function."""
    return (result.data.get("atomics") or {}).get(benchmark)


def _cells(book: Book) -> dict[str, Result]:
    found = {name: book.results.get("atomics", f"{book.results.main}-{name}") for name in ("capability", *MODULES)}
    return {name: result for name, result in found.items() if result and result.data.get("atomics")}


def blocks(book: Book) -> list:
    found = _cells(book)
    base = found.pop("capability", None)
    if not base or not found:
        return [NotRun("atomics", "the atomic operations of each call, with capability and with each module")]
    rows = [(row, _row(benchmark, base, found)) for row, benchmark in FILES.items() if counted(base, benchmark)]
    caption = "Atomic operations in a call with capability, and what each module adds"
    said = where([base, *found.values()], "executed, counted by a plugin of QEMU")
    return [Table("atomics", caption, said, "call", ["capability", *map(title, found)], rows),
            Text(_added(base, found) + ATOMICS_ARE, "What was counted.")]


def _row(benchmark: str, base: Result, found: dict[str, Result]) -> list[str]:
    before = counted(base, benchmark)["atomics"]
    each = [counted(result, benchmark) for result in found.values()]
    return [whole(before), *(more(one["atomics"] - before) if one else EMPTY for one in each)]


def _added(base: Result, found: dict[str, Result]) -> str:
    """In which functions they are, for an open."""
    said, before = [], (counted(base, "open") or {}).get("functions", {})
    for name, result in found.items():
        functions = (counted(result, "open") or {}).get("functions", {})
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
    " task or file are in the columns as well, and do no harm; plain stores to shared memory are not. Calls that copy, and"
    " BPF LSM, were not counted."
)
