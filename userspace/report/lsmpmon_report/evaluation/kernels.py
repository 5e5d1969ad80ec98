# SPDX-License-Identifier: GPL-2.0-only
"""Lists and static calls: the same hooks and calls on several kernels."""

from __future__ import annotations

from .blocks import Cell, NotRun, Table, Text, link
from .book import MODULES, Book, Column, title, where
from .costs import instructions
from .records import Hook, hook_costs
from .results import Result


def blocks(book: Book) -> list:
    found: list = []
    for module in ("capability", *MODULES):
        cells = {k: book.results.get("kernels", f"{k}-{module}-exact") for k in book.results.kernels}
        there = {k: r for k, r in cells.items() if r and r.records}
        found += [_exact(book, module, there)] if len(there) > 1 else []
    found += _latencies(book)
    if not found:
        return [NotRun("kernels", "K-MODULE-exact and K-MODULE-latency of each kernel K")]
    why = (
        "Up to 6.11, a hook walks a list and calls through a pointer; since 6.12 each slot is a static call that is "
        "skipped if no module is there. The costs under "
        "capability alone, above all of hooks that it does not implement, are those of the walk. What an indirect "
        "call costs a processor that has to guess its target, instructions do not show; the "
        "cycles of Section 2.3 are of User-Mode Linux, which has no static calls."
    )
    return [*found, Text(why, "How to read it.")]


def _exact(book: Book, module: str, there: dict[str, Result]) -> Table:
    costs = {k: hook_costs((r,)) for k, r in there.items()}
    most = {
        hook: max(each[hook].calls for each in costs.values() if hook in each) for c in costs.values() for hook in c
    }
    often = sorted(most, key=lambda hook: (-most[hook], hook))
    rows = [(hook, [instructions(book, costs[k].get(hook), r) for k, r in there.items()]) for hook in often[:12]]
    rows.append(("a mean call of those that all have", _means(book, there, costs, often)))
    header = [link(result.kernel, book.results.href(result)) for result in there.values()]
    said = where(there.values(), "an average call; with the empty span of the clock")
    return Table(f"exact-{module}", f"The 12 hooks called most, {title(module)}", said, header, rows, corner="hook")


def _means(book: Book, there: dict[str, Result], costs: dict[str, dict[str, Hook]], hooks: list[str]) -> list[Cell]:
    common = [hook for hook in hooks if all(hook in each for each in costs.values())]
    first = next(iter(costs.values()))
    return [Cell(f"{_mean(costs[k], common, first):,.1f}", book.results.href(r)) for k, r in there.items()]


def _mean(costs: dict[str, Hook], hooks: list[str], weights: dict[str, Hook]) -> float:
    """Mean cost, each hook weighted as on the first kernel, so that only costs differ and not the mix."""
    calls = sum(weights[hook].calls for hook in hooks)
    return sum(costs[hook].average * weights[hook].calls for hook in hooks) / max(calls, 1)


def _latencies(book: Book) -> list:
    columns = []
    for module in ("capability", *MODULES):
        cells = {k: book.results.get("kernels", f"{k}-{module}-latency") for k in book.results.kernels}
        there = {k: r for k, r in cells.items() if r and r.benchmarks}
        first = next(iter(there), "")
        columns += [
            Column(f"{title(module)}, {k} over {first}", there[first], r) for k, r in there.items() if k != first
        ]
    return (
        [book.table("kernels-latency", "Whole calls between kernels, same module", columns, full=0.5)]
        if columns
        else []
    )
