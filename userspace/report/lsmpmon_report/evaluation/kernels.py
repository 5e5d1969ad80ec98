# SPDX-License-Identifier: GPL-2.0-only
"""Page: what changed between kernels. Each has its own base without LSM: a slower tmpfs does not count as LSM."""

from __future__ import annotations

from . import svg
from .blocks import EMPTY, Figure, Heading, NotRun, Page, Table, Text, more, percent, whole
from .book import FILES, MODULES, Book, Column, stack_title, title, where
from .records import callbacks
from .results import Result

BOTH = ("capability", *MODULES)


def page(book: Book) -> Page:
    return Page(
        "kernels",
        "What changed between kernels",
        [
            Text(PAGE_IS),
            *_differences(book),
            Heading("By hook"),
            *_by_hook(book),
            Heading("Mitigations of speculation"),
            *_mitigations(book),
        ],
    )


PAGE_IS = (
    "What LSM costs on a kernel is the difference to the same kernel without LSM (flavour dac). What changed is the"
    " difference of two such differences."
)


def _cell(book: Book, kver: str, module: str) -> Result | None:
    found = book.results.get("kernels", f"{kver}-{module}-latency")
    return found if found and found.benchmarks else None


def measured(book: Book) -> list[str]:
    """Kernels whose base is there."""
    return [kver for kver in book.results.kernels if _cell(book, kver, "dac")]


def compare_all(book: Book) -> None:
    for module in BOTH:
        cells = {kver: (_cell(book, kver, "dac"), _cell(book, kver, module)) for kver in measured(book)}
        columns = [Column(kver, base, result) for kver, (base, result) in cells.items() if base and result]
        if columns:
            book.compare(f"kernels-{module}", columns)


def since(book: Book) -> tuple[str, str]:
    """The version with most results, a long-term kernel, and the newest; if they are one, the two newest."""
    found = measured(book)
    if len(found) < 2:
        return "", ""
    return (book.results.main if book.results.main in found[:-1] else found[-2]), found[-1]


def changes(book: Book, module: str) -> dict[str, float]:
    """By call, how many ticks more LSM costs on the newest kernel than on the long-term one."""
    old, new = since(book)
    entry = book.entries.get(f"kernels-{module}")
    if not entry:
        return {}
    pairs = {row: (entry.found.get((row, old)), entry.found.get((row, new))) for row in FILES}
    return {row: b.difference - a.difference for row, (a, b) in pairs.items() if a and b}


def plot(book: Book) -> Figure | None:
    old, new = since(book)
    there = [module for module in BOTH if changes(book, module)]
    if not there:
        return None
    found = {module: changes(book, module) for module in there}
    rows = {row: [_point(found[m], row, m) for m in there] for row in FILES if any(row in found[m] for m in there)}
    drawn = svg.dots(rows, [title(m) for m in there], f"instructions that LSM costs on {new} more than on {old}", more)
    results = [_cell(book, new, module) for module in there]
    return Figure("plot-kernels", f"What LSM costs more on Linux {new} than on {old}", where(results), drawn)


def _point(found: dict[str, float], row: str, module: str) -> list[svg.Point]:
    return [svg.Point(found[row], f"{row}, {title(module)}: {more(found[row])}")] if row in found else []


def _differences(book: Book) -> list:
    tables = [_table(book, module) for module in BOTH if f"kernels-{module}" in book.entries]
    if not tables:
        return [NotRun("kernels", "K-dac-latency and K-MODULE-latency of each kernel K")]
    figure = plot(book)
    return [*([figure] if figure else []), *tables]


def _table(book: Book, module: str) -> Table:
    entry, changed = book.entries[f"kernels-{module}"], changes(book, module)
    old, new = since(book)
    rows = []
    for row in FILES:
        cells = [_over(entry.found.get((row, column.title))) for column in entry.columns]
        rows.append((row, [*cells, more(changed[row]) if row in changed else EMPTY]))
    header = [f"{column.title}, of {column.base.kernel}" for column in entry.columns] + [f"{old} to {new}"]
    caption = f"{title(module)}: a call over the same kernel without LSM"
    return Table(
        f"kernels-{module}", caption, book.said(entry.columns), "call", header, rows, more=module != "capability"
    )


def _over(found) -> str:
    return f"{more(found.difference)} ({percent(found.change, 0)} of {whole(found.base)})" if found else EMPTY


# By hook: in the module's own callbacks


def _exact(book: Book, kver: str, module: str) -> Result | None:
    found = book.results.get("kernels", f"{kver}-{module}-exact")
    return found if found and found.records else None


def by_hook(book: Book, module: str) -> list[tuple[str, float, float, float]]:
    """Hook, instructions of the module's callback on either kernel, and the change of all calls; the largest first."""
    old, new = since(book)
    results = [_exact(book, kver, module) for kver in (old, new)]
    if not all(results):
        return []
    before, after = (callbacks(result, module) for result in results)
    found = [
        (
            hook,
            before[hook].average,
            after[hook].average,
            (after[hook].average - before[hook].average) * before[hook].calls,
        )
        for hook in before
        if hook in after
    ]
    return sorted(found, key=lambda each: -abs(each[3]))


def _by_hook(book: Book) -> list:
    old, new = since(book)
    rows = []
    for module in MODULES:
        for hook, before, after, _ in by_hook(book, module)[:3]:
            change = percent(after / before - 1, 0) if before else EMPTY
            rows.append((title(module), [hook, f"{before:,.1f}", f"{after:,.1f}", change]))
    if not rows:
        return [NotRun("kernels", "K-MODULE-exact of two kernels K, where callbacks are measured")]
    results = [result for module in MODULES for kver in (old, new) if (result := _exact(book, kver, module))]
    said = where(
        results,
        "a mean call of the module's own callback, with the clock's empty span; the three"
        " that changed most, weighted by their calls",
    )
    table = Table("kernels-hooks", "Callbacks that changed most", said, "module", ["hook", old, new, "change"], rows)
    return [table, Text(HOOKS_ARE)]


HOOKS_ARE = (
    "Only hooks that a module implements are here, by the time in its own callback: what another module does in the"
    " same hook, and how the framework calls them, is not. IMA and EVM were called by name on 6.1 and have been modules"
    " of the framework since. What a whole call costs more and no callback takes is in the framework or in the call"
    " itself."
)


# Mitigations


def _mitigations(book: Book) -> list:
    rows = []
    for kver in book.results.kernels:
        for module in ("dac", "capability", "selinux"):
            on, off = _cell(book, kver, module), book.results.get("mitigations", f"{kver}-{module}-off")
            entry = book.compare(f"mitigations-{kver}-{module}", [Column("on", off, on)]) if on and off else None
            if entry and entry.found:
                row, worst = entry.worst("on")
                cells = [
                    kver,
                    percent(entry.middle("on"), 2),
                    f"{row}, {more(worst.difference)} ({percent(worst.change)})",
                ]
                rows.append((stack_title(module), cells))
    if not rows:
        return [NotRun("mitigations", "K-dac-off, K-capability-off and K-selinux-off of each kernel K")]
    results = list(book.results.part("mitigations").values())
    said = where(results, "the boots of the other tables over boots with mitigations=off")
    header = ["kernel", "median", "most"]
    return [
        Table("mitigations", "What the mitigations of an x86-64 kernel add", said, "with", header, rows),
        Text(SPECULATION),
    ]


SPECULATION = (
    "All other boots have them: retpolines and barriers, as the kernel reports on the page of the method. A retpoline"
    " is a few instructions more for each indirect call, which is what a static call saves; that a processor waits"
    " there is not in an instruction count."
)
