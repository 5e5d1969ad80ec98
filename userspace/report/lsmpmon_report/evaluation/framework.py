# SPDX-License-Identifier: GPL-2.0-only
"""Figures 2, 3 and 6 of 2021: the framework over plain DAC, and each module over the framework."""

from __future__ import annotations

from . import published, svg
from .blocks import Figure, NotRun, Text, percent
from .book import FILES, MODULES, Book, Column, cell_of, median, tick, title, where


def framework(book: Book) -> list:
    dac, kver = cell_of(book, "dac"), book.results.main
    others = {
        "capability": cell_of(book, "capability"),
        "SELinux, off": cell_of(book, "selinux-off"),
        "SELinux, on": cell_of(book, "selinux-on"),
    }
    columns = [Column(name, dac, other) for name, other in others.items() if dac and other]
    if not columns:
        return [NotRun("modules", f"{kver}-dac and {kver}-capability, which these figures compare")]
    beside = {"capability, 5.3": published.Z21_FRAMEWORK, "SELinux off, 5.3": published.Z21_SELINUX}
    missing = [f"{kver}-{name.lower().replace(', ', '-')}" for name, other in others.items() if not other]
    table = book.table(
        "figure-2", f"Overhead over plain DAC, {columns[0].other.kernel}", columns, published=beside, missing=missing
    )
    return [_framework_plot(book, columns), table, Text(_framework_why(book), "What differs, and why.")]


def _framework_plot(book: Book, columns: list[Column]) -> Figure:
    book.compare("figure-2", columns, FILES)
    rows = {row: [next(iter(book.points("figure-2", row, c.title)), None) for c in columns] for row in FILES}
    rows = {row: points for row, points in rows.items() if any(points)}
    plot = svg.bars(rows, [c.title for c in columns], "overhead over plain DAC", tick)
    return Figure("plot-figure-2", "Overhead over plain DAC (Equation 1)", where([c.other for c in columns]), plot)


def _framework_why(book: Book) -> str:
    changes = {row: found.change for row, found in book.entries["figure-2"].column("capability").items()}
    if not changes:
        return "Nothing to compare."
    worst = max(changes, key=changes.__getitem__)
    return (
        f"The framework with capability costs {percent(median(changes.values()))} at the median and "
        f"{percent(changes[worst])} at most ({worst}); "
        "published were 0.6 % (write) to 7.5 % (open) in time. Since 6.12 the kernel calls the hooks of modules "
        "directly "
        "(static calls), where 5.3 followed a list of pointers. An instruction count has no cache misses and no cost "
        "of a mispredicted "
        "indirect branch in it, so it is the smaller part of what a machine feels. The published column for SELinux "
        "has its hooks with enforcement off."
    )


DEBIAN = "SELinux, Debian's policy"


def modules(book: Book) -> list:
    base = cell_of(book, "capability")
    if not base:
        return [NotRun("modules", f"{book.results.main}-capability, which is the base of this figure")]
    hooks, policy, total, missing = [], [], [], []
    for module, name in [*((module, title(module)) for module in MODULES), ("selinux-debian", DEBIAN)]:
        off, on = cell_of(book, f"{module}-off"), cell_of(book, f"{module}-on")
        missing += [f"{book.results.main}-{module}-{state}" for state, found in (("off", off), ("on", on)) if not found]
        hooks += [Column(name, base, off)] if off else []
        policy += [Column(name, off, on)] if off and on else []
        total += [Column(name, base, on)] if on else []
    tables = [
        ("figure-6-hooks", "Enforcement off: the hooks of a module over capability (Equation 3)", hooks, 0.5),
        ("figure-6-policy", "What enforcement adds: on over off (Equation 4)", policy, 0.5),
        ("figure-6", "Enforcement on, over capability (Equation 1)", total, 1.0),
    ]
    made = [
        book.table(ident, caption, columns, full=full, missing=missing if ident == "figure-6" else ())
        for ident, caption, columns, full in tables
        if columns
    ]
    return [*_modules_plot(book, hooks, total), *made, Text(_modules_why(book), "What differs, and why.")]


def _modules_plot(book: Book, hooks: list[Column], total: list[Column]) -> list:
    """One panel: a row for each benchmark, a shape for each module, hollow with enforcement off."""
    names = [c.title for c in total if c.title in {title(m) for m in MODULES}]
    if not names:
        return []
    off = {c.title for c in hooks}
    rows = {
        row: [
            (book.points("figure-6-hooks", row, name, True) if name in off else []) + book.points("figure-6", row, name)
            for name in names
        ]
        for row in FILES
    }
    plot = svg.dots({row: found for row, found in rows.items() if any(found)}, names, "overhead over capability", tick)
    caption = (
        "Overhead over capability by module: filled with enforcement on, hollow with enforcement off; between them is"
        " the policy"
    )
    return [Figure("plot-figure-6", caption, where([c.other for c in total]), plot)]


def _modules_why(book: Book) -> str:
    said = []
    if "figure-6-hooks" in book.entries:
        most = [
            (found.change, row, name)
            for (row, name), found in book.entries["figure-6-hooks"].found.items()
            if not found.noise
        ]
        change, row, name = max(most, default=(0.0, "", ""))
        said.append(f"With enforcement off, the most expensive is {row} under {name}, {percent(change)}. " if row else "")
    said.append(
        "Published: with enforcement off every module stayed within 15 % everywhere, read at 5.8 to 8 %, mkdir and "
        "rmdir at 8 to 14 %. A module that is "
        "permissive still decides, and only answers otherwise; all that these benchmarks do is allowed, so “on” and "
        "“off” differ where the module goes another way "
        "as soon as it is off, and not in what it costs to look up a policy. "
    )
    return "".join([*said, _policy_said(book)])


def _policy_said(book: Book) -> str:
    if "figure-6-policy" not in book.entries:
        return ""
    found = {key: c.change for key, c in book.entries["figure-6-policy"].found.items() if not c.noise}
    most = max(found, key=lambda key: abs(found[key]), default=None)
    if most is None or abs(found[most]) < 0.005:
        return "Here none of them differs by as much as 0.5 %: what a module costs, it costs with enforcement off, too."
    return f"Most differs {most[0]} under {most[1]}: {percent(found[most])}."
