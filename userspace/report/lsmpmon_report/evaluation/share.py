# SPDX-License-Identifier: GPL-2.0-only
"""The share of LSM in each system call, and the time in hooks on a real processor."""

from __future__ import annotations

from . import svg
from .blocks import EMPTY, Figure, NotRun, Table, Text, part, whole
from .book import FILES, MODULES, Book, title, where
from .paper2010 import cycle_boots
from .records import hook_costs, in_syscall, info, per_us, share
from .results import Result


def counting(book: Book) -> dict[str, Result]:
    """By module, the boots in which hooks were counted."""
    names = {m: m + ("-hooks" if m == "capability" else "-enforcing-hooks") for m in ("capability", *MODULES)}
    found = {m: book.results.get("modules", f"{book.results.main}-{name}") for m, name in names.items()}
    return {m: result for m, result in found.items() if result and result.records}


def blocks(book: Book) -> list:
    there = {m: r for m, r in counting(book).items() if any(share(r, benchmark) for benchmark in FILES.values())}
    if not there:
        return [
            NotRun("modules", "cells whose names end in -hooks, with 'calls' (on qemu and on hardware, not on uml)")
        ]
    names = [title(module) for module in there]
    rows = [(row, [_share(result, benchmark) for result in there.values()]) for row, benchmark in FILES.items()]
    points = {row: [_point(result, b, row) for result in there.values()] for row, b in FILES.items()}
    plot = svg.dots(points, names, "part of the system call that is spent in hooks", part)
    said = where(there.values(), "with what the monitor itself executes in the hooks and in the call")
    return [
        Figure("plot-share", "LSM's share of each system call, by module that enforces", said, plot),
        Table("share", "LSM's share of each system call", said, "call", names, rows, more=True),
        Text(SHARE_IS),
    ]


def _share(result: Result, benchmark: str) -> str:
    found = share(result, benchmark)
    return part(found.part, 1) if found else EMPTY


def _point(result: Result, benchmark: str, row: str) -> list[svg.Point]:
    found = share(result, benchmark)
    return [svg.Point(found.part, f"{row}: {part(found.part, 1)}")] if found else []


SHARE_IS = (
    "The monitor times each system call from its entry to its exit and each hook in it, in a kernel that has IMA and"
    " EVM, too. A module may also make the kernel do more outside of its hooks; that is in the figures over no LSM, and"
    " not here."
)


# Counts x cycles


def nanoseconds(book: Book, module: str, benchmark: str) -> float | None:
    """In hooks of one call: how often each is called there, times what it takes on a real processor."""
    result, boots = counting(book).get(module), cycle_boots(book, book.results.main, module)
    if not result or not boots or benchmark not in result.records:
        return None
    costs, clock = hook_costs(boots), float(info(boots[0]).get("overhead", 0))
    counts = in_syscall(result, benchmark)
    if not counts or not set(counts) & set(costs):
        return None
    spent = sum(count * max(costs[hook].average - clock, 0) for hook, count in counts.items() if hook in costs)
    return 1000 * spent / per_us(boots[0])


def times(book: Book) -> list:
    modules = [m for m in ("capability", *MODULES) if any(nanoseconds(book, m, b) for b in FILES.values())]
    if not modules:
        return [NotRun("kernels", f"{book.results.main}-MODULE-1 and so on, the times of hooks in cycles")]
    found = {row: [nanoseconds(book, module, b) for module in modules] for row, b in FILES.items()}
    names = [title(module) for module in modules]
    rows = [(row, [EMPTY if ns is None else whole(ns) for ns in each]) for row, each in found.items()]
    boots = cycle_boots(book, book.results.main, modules[-1])
    points = {
        row: [[svg.Point(ns, f"{row}: {ns:,.0f} ns")] if ns else [] for ns in each] for row, each in found.items()
    }
    plot = svg.dots(points, names, "ns in hooks, logarithmic", whole, log=True)
    said = where(boots, "counts from QEMU; the clock's own empty span is subtracted from each hook")
    return [
        Figure("plot-times", "Time in the hooks of a call, on a real processor", said, plot),
        Table("times", "ns in the hooks of a call", said, "call", names, rows),
        Text(
            "How often a call asks each hook is counted under QEMU; what a hook takes is measured on User-Mode Linux,"
            " in cycles of the processor. Their product is the time that hooks take. Caches are warm in both."
        ),
    ]
