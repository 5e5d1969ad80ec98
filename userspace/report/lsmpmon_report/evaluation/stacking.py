# SPDX-License-Identifier: GPL-2.0-only
"""Figures 7 and 8 of 2021: stacks of modules, and integrity."""

from __future__ import annotations

from . import svg
from .blocks import Figure, NotRun, Text, part, percent
from .book import FILES, MODULES, Book, Column, cell_of, median, tick, title, where
from .results import Result

INTEGRITY = ("audit", "ima", "evm", "ima.evm", "audit-off", "ima-off", "evm-off")


def stacking(book: Book) -> list:
    base, found = cell_of(book, "capability"), book.results.part("stacking")
    if not found:
        return [NotRun("stacking", "pairs of modules and more, in each order")]
    if not base:
        return [NotRun("modules", f"{book.results.main}-capability, which is the base of this figure")]
    ours = {
        name: result for name, result in found.items() if result.benchmarks and name.startswith(book.results.main + "-")
    }
    stacks = {name.partition("-")[2]: ours[name] for name in sorted(ours, key=lambda name: (name.count("."), name))}
    singles = {m: cell_of(book, f"{m}-on") for m in MODULES if any(m in stack.split(".") for stack in stacks)}
    columns = [Column(title(m), base, result) for m, result in singles.items() if result]
    columns += [Column(_stack(stack), base, result) for stack, result in stacks.items()]
    missing = [f"modules/{book.results.main}-{m}-on" for m, result in singles.items() if not result]
    caption = "Stacks over capability, in the order in which modules are asked"
    table = book.table("figure-7", caption, columns, full=2.0, missing=missing)
    why = Text(_stacking_why(book, stacks, singles), "What differs, and why.")
    return [*_stacking_plot(book, columns), table, *_orders(book, stacks), why]


def _stack(name: str) -> str:
    return " + ".join(title(module) for module in name.split("."))


def _stacking_plot(book: Book, columns: list[Column]) -> list:
    rows = {c.title: [[p for row in FILES for p in book.points("figure-7", row, c.title)]] for c in columns}
    rows = {name: points for name, points in rows.items() if points[0]}
    plot = svg.dots(rows, ["one benchmark"], "overhead over capability; a point is one of the 14 benchmarks", tick)
    return (
        [Figure("plot-figure-7", "Each stack, all 14 benchmarks", where([c.other for c in columns]), plot)]
        if rows
        else []
    )


def _orders(book: Book, stacks: dict[str, Result]) -> list:
    """The same modules in another order, compared with the first such stack."""
    first: dict[frozenset, str] = {}
    columns = []
    for stack in sorted(stacks):
        key = frozenset(stack.split("."))
        if key in first:
            columns.append(Column(f"{_stack(stack)}, not {_stack(first[key])}", stacks[first[key]], stacks[stack]))
        first.setdefault(key, stack)
    return [book.table("figure-7-order", "The same modules in another order", columns, full=0.2)] if columns else []


def _stacking_why(book: Book, stacks: dict[str, Result], singles: dict[str, Result | None]) -> str:
    said = []
    if "figure-7-order" in book.entries:
        found = [
            (abs(c.change), c.change, row, name)
            for (row, name), c in book.entries["figure-7-order"].found.items()
            if not c.noise
        ]
        if found:
            _, change, row, name = max(found)
            said.append(f"Of all orders, {name} changes most: {row}, {percent(change)}. ")
    said.append(_additive(book, stacks, singles))
    said.append(
        "Published: another order changed open and stat by over 10 %, TOMOYO behind capability cost over 100 % in "
        "unlink, symlink, chmod, stat and fstatat, and Smack "
        "first had a median of 15.3 %. All modules of a stack are asked in turn until one denies, so where all allow, "
        "order changes no work; what it did change on a "
        "machine are caches and branch prediction, which instructions do not have. SELinux, AppArmor and Smack are "
        "marked as exclusive in these "
        "kernels: only one of them can be on, so the published stacks of two of them cannot be booted unchanged."
    )
    return "".join(said)


def _additive(book: Book, stacks: dict[str, Result], singles: dict[str, Result | None]) -> str:
    """Difference between a stack's cost and the sum of its modules' costs."""
    entry, apart = book.entries["figure-7"], []
    for stack in stacks:
        modules = stack.split(".")
        if all(singles.get(module) for module in modules):
            whole, parts = entry.column(_stack(stack)), [entry.column(title(module)) for module in modules]
            apart += [
                whole[row].change - sum(each[row].change for each in parts)
                for row in whole
                if all(row in each for each in parts)
            ]
    if not apart:
        return ""
    return (
        f"A stack costs the sum of what its modules cost one by one, to {part(median(abs(each) for each in apart), 1)} of the"
        f" base at the median (at worst {percent(max(apart, key=abs))}). "
    )


def integrity(book: Book) -> list:
    base = cell_of(book, "none", "integrity")
    others = {name: cell_of(book, name, "integrity") for name in INTEGRITY}
    columns = [Column(_integrity_title(name), base, result) for name, result in others.items() if base and result]
    if not columns:
        what = "audit, IMA and EVM, each and together, over a kernel that has them and nothing to decide"
        return [NotRun("integrity", what)]
    missing = [f"{book.results.main}-{name}" for name, result in others.items() if not result]
    caption = "Integrity over a kernel with audit, IMA and EVM that are not in use"
    table = book.table("figure-8", caption, columns, missing=missing)
    return [_integrity_plot(book, columns), table, Text(_integrity_why(book), "What differs, and why.")]


def _integrity_plot(book: Book, columns: list[Column]) -> Figure:
    rows = {c.title: [[p for row in FILES for p in book.points("figure-8", row, c.title)]] for c in columns}
    there = {name: found for name, found in rows.items() if found[0]}
    plot = svg.dots(there, ["one benchmark"], "overhead; a point is one of the 14 benchmarks", tick)
    return Figure("plot-figure-8", "Integrity, all 14 benchmarks", where([c.other for c in columns]), plot)


def _integrity_title(name: str) -> str:
    base, _, state = name.partition("-")
    return " and ".join(title(each) for each in base.split(".")) + (", hooks only" if state == "off" else "")


def _integrity_why(book: Book) -> str:
    both = {row: found.change for row, found in book.entries["figure-8"].column("IMA and EVM").items()}
    said = ""
    if both:
        worst = max(both, key=both.__getitem__)
        said = f"IMA and EVM together cost {percent(both[worst])} on {worst}, where they cost most; "
    return (
        said
        + "published were 135 % on chmod, and over 50 % on mkdir, rmdir, fstatat, read, copy, link and unlink. What "
        "they cost depends on the "
        "file system (labels and signatures are extended attributes, and what has been hashed is kept as long as the "
        "file does not change) and on the policy that says what is measured; "
        "Section 1 shows both."
    )
