# SPDX-License-Identifier: GPL-2.0-only
"""The share of LSM in each system call."""

from __future__ import annotations

from . import svg
from .blocks import EMPTY, Cell, Figure, NotRun, Table, Text, heat, link, part
from .book import FILES, MODULES, Book, cell_of, median, tick, title, where
from .records import share
from .results import Result


def blocks(book: Book) -> list:
    names = {
        m: f"{book.results.main}-{m}" + ("-hooks" if m == "capability" else "-on-hooks")
        for m in ("capability", *MODULES)
    }
    found = {m: book.results.get("modules", name) for m, name in names.items()}
    there = {m: r for m, r in found.items() if r and any(share(r, benchmark) for benchmark in FILES.values())}
    if not there:
        return [
            NotRun("modules", "cells whose names end in -hooks, with 'calls' (on qemu and on hardware, not on uml)")
        ]
    table = _share_table(book, there, [name for m, name in names.items() if m not in there])
    return [*_share_plot(book, there), table, Text(_share_why(there), "How to read it.")]


def _share_table(book: Book, there: dict[str, Result], missing: list[str]) -> Table:
    rows = [
        (name, [_share(book, r, b) for r in there.values()] + [_removed(book, m, b) for m in there])
        for name, b in FILES.items()
    ]
    header = [link(title(m), book.results.href(r)) for m, r in there.items()] + [title(m) for m in there]
    groups = [("ticks in hooks, of the call's", len(there)), ("saved without any LSM", len(there))]
    said = where(there.values(), "share of the timed call, monitor on; right: (T on − T dac) / T on, monitor not there")
    return Table("share", "LSM's share of each system call", said, header, rows, groups, "benchmark", missing)


def _share_plot(book: Book, there: dict[str, Result]) -> list:
    names = [title(m) for m in there]
    rows = {
        name: [_share_points(book, r, b, f"{name}, {title(m)}") for m, r in there.items()] for name, b in FILES.items()
    }
    rows = {name: row for name, row in rows.items() if any(row)}
    plot = svg.dots(rows, names, "part of the system call that is spent in hooks", tick)
    return [Figure("plot-share", "LSM's share of each system call, by module that is on", where(there.values()), plot)]


def _share_points(book: Book, result: Result, benchmark: str, label: str) -> list[svg.Point]:
    found = share(result, benchmark)
    return [svg.Point(found.part, f"{label}: {part(found.part, 1)}", book.results.href(result))] if found else []


def _share(book: Book, result: Result, benchmark: str) -> Cell:
    found = share(result, benchmark)
    if not found:
        return EMPTY
    about = (
        f"{found.calls} calls, {found.ticks / found.calls:,.0f} ticks each, {found.hook_calls / found.calls:.1f} hook"
        " calls in each"
    )
    return Cell(part(found.part, 1), book.results.href(result), about, heat=heat(found.part, 1))


def _removed(book: Book, module: str, benchmark: str) -> Cell:
    dac, on = cell_of(book, "dac"), cell_of(book, module if module == "capability" else f"{module}-on")
    if (
        not dac
        or not on
        or dac.setting != on.setting
        or dac.samples(benchmark) is None
        or on.samples(benchmark) is None
    ):
        return EMPTY
    with_it, without = median(on.samples(benchmark)), median(dac.samples(benchmark))
    saved = (with_it - without) / with_it
    return Cell(part(saved, 1), book.results.href(on), f"{without:,.0f} of {with_it:,.0f} remain", heat=heat(saved, 1))


def _share_why(there: dict[str, Result]) -> str:
    said = (
        "Left, the monitor times each system call from its entry to its exit and each hook in it, in a kernel that has"
        " IMA and EVM, too; what the monitor executes is in the hooks and in the call. Right, no monitor: what a kernel"
        " without CONFIG_SECURITY saves of the same call. The left is where the time is, the right what leaving LSM out would save."
    )
    if "smack" not in there:
        return said
    return said + (
        " Where the right is far above the left, a module makes the kernel do more outside of its hooks, as Smack does:"
        " it sends the kernel over each path a second time (Section 3.6)."
    )
