# SPDX-License-Identifier: GPL-2.0-only
"""The first page: three questions, each with a picture. All is computed; without results there is no answer."""

from __future__ import annotations

from statistics import median

from . import denials, kernels, rules, share, svg, work, yours
from .blocks import EMPTY, Figure, Heading, NotRun, Page, Points, Table, Text, more, percent, whole
from .book import FILES, MODULES, Book, title, where
from .paper2010 import most_expensive_hook

PAGES = {
    "modules": "What each module costs",
    "rules": "What longer policies cost",
    "work": "Work that people know: Git, a compiler, a web server and more",
    "tails": "The slowest of a million calls",
    "ext4": "Audit, IMA and EVM on ext4, over SELinux, and throughput",
    "openit": "A walk through a tree (2008)",
    "kernels": "What changed between kernels",
    "others": "Network, processes, memory, mounts, keys",
    "paper-2010": "The tables of Yamamoto & Yamauchi (2010), today",
    "paper-2021": "The tables of Zhang, Liu & Jaeger (2021), today",
    "method": "How this was measured, on which machines and kernels",
}


def page(book: Book, pages: list[str]) -> Page:
    if book.results.yours_alone:
        blocks = [Points(found)] if (found := yours.said(book)) else []
    else:
        blocks = [
            Heading("Which module costs what, on what work?"),
            *_costs(book),
            Heading("What changed since the last long-term kernel, and where?"),
            *_changed(book),
            Heading("What can you do about it?"),
            *_advice(book),
        ]
        blocks += [Heading("Your kernel"), Points(found)] if (found := yours.said(book)) else []
    links = [f"[{PAGES.get(name, 'Your kernel')}]({name}.md)" for name in pages]
    return Page(
        "README",
        "What Linux Security Modules cost",
        [Text(_about(book)), *blocks, Heading("Pages"), Points(links), Text(ARCHIVE)],
    )


ARCHIVE = (
    "All results, and every difference as JSON (summary.json), are in the file lsmpmon-VERSION-evaluation.tar.gz of the"
    " release, which `make eval` makes as build/eval/evaluation.tar.gz."
)


def _about(book: Book) -> str:
    cells = book.results.cells
    dates = sorted({str(result.state.get("date", "")) for result in cells} - {""})
    said = f"Linux {', '.join(sorted({result.kernel for result in cells}))}; {len(cells)} boots"
    said += f", {' to '.join(dict.fromkeys((dates[0], dates[-1])))}." if dates else "."
    return said + (" A quick run: a few cells stand for the parts." if book.results.quick else "")


# Costs


def _costs(book: Book) -> list:
    entry = book.entries.get("state-enforcing")
    if not entry:
        return [NotRun("modules", "modules that enforce a policy, and capability, their base")]
    there = [title(module) for module in MODULES if entry.column(title(module))]
    rows = {row: [book.points("state-enforcing", row, name) for name in there] for row in FILES}
    said = where([entry.of(name).other for name in there])
    plot = svg.dots(rows, there, "times what the call takes under capability", svg.times, log=True)
    return [
        Figure("costs", "What each module costs, with a policy that it enforces", said, plot),
        _table(book),
        Text(_said(book)),
    ]


def medians(book: Book) -> dict[str, float]:
    """By module, in percent over capability; the most expensive first."""
    entry = book.entries.get("state-enforcing")
    names = [column.title for column in entry.columns if entry.column(column.title)] if entry else []
    return {name: round(100 * entry.middle(name), 1) for name in sorted(names, key=lambda name: -entry.middle(name))}


def _table(book: Book) -> Table:
    entry, rows = book.entries["state-enforcing"], []
    for module in sorted(MODULES, key=lambda name: -medians(book).get(title(name), 0)):
        if entry.column(title(module)):
            row, most = entry.worst(title(module))
            cells = [percent(entry.middle(title(module))), f"{row}, {more(most.difference)} ({percent(most.change)})"]
            rows.append((title(module), [*cells, *_ns(book, module, row)]))
    header = ["median call", "most expensive call", "ns in the hooks of a median call", "of the most expensive"]
    said = book.said(entry.columns) + "; ns: cycles of hooks on User-Mode Linux times their calls"
    return Table("modules", f"Modules, over {len(FILES)} file operations", said, "module", header, rows)


def _ns(book: Book, module: str, row: str) -> list[str]:
    found = {name: ns for name, b in FILES.items() if (ns := share.nanoseconds(book, module, b)) is not None}
    if not found:
        return [EMPTY, EMPTY]
    return [whole(median(found.values())), whole(found[row]) if row in found else EMPTY]


def _said(book: Book) -> str:
    said, entry = [], book.entries.get("framework")
    if entry and entry.found:
        row, most = entry.worst("capability")
        said.append(
            f"The framework with capability costs {percent(entry.middle('capability'))} over a kernel without LSM at"
            f" the median, {percent(most.change)} at most ({row})."
        )
    if hook := most_expensive_hook(book):
        said.append(f"The most expensive hook is {hook}, with the clock's own reading.")
    if most := work.most(book):
        said.append(most)
    return " ".join(said)


# Kernels


def _changed(book: Book) -> list:
    figure = kernels.plot(book)
    if not figure:
        return [NotRun("kernels", "the file operations on two kernels, with and without LSM")]
    old, new = kernels.since(book)
    said = []
    for module in ("capability", *MODULES):
        if found := kernels.changes(book, module):
            row = max(found, key=lambda name: abs(found[name]))
            text = (
                f"{title(module)}: {more(median(found.values()))} instructions at the median, {more(found[row])} at"
                f" most ({row})."
            )
            said.append(text + _where(book, module))
    return [figure, Text(f"From Linux {old} to {new}, each over the same kernel without LSM:"), Points(said)]


def _where(book: Book, module: str) -> str:
    found = kernels.by_hook(book, module)
    if not found:
        return ""
    hook, before, after, _ = found[0]
    return f" Of its callbacks, {hook} changed most: {before:,.0f} to {after:,.0f} instructions a call."


# Advice


def _advice(book: Book) -> list:
    entries = {ident: book.entries[ident] for ident in ("orders", "rules", "integrity") if ident in book.entries}
    if not entries:
        return [NotRun("stacking", "orders of modules; rules; integrity: audit, IMA and EVM")]
    rows, columns = {}, []
    for ident, entry in entries.items():
        for column in _chosen(ident, entry):
            row, most = entry.worst(column.title)
            rows[column.title] = [[svg.Point(1 + most.change, f"{column.title}: {row}", row)]]
            columns.append(column)
    plot = svg.dots(
        rows, [""], "times what the call costs without it; the most expensive call of each", svg.times, log=True
    )
    caption = "What an order, more rules, and audit, IMA and EVM cost"
    said = where([column.other for column in columns])
    return [Figure("advice", caption, said, plot), Points(_sentences(book, entries))]


def _chosen(ident: str, entry) -> list:
    """Of the orders, the one that differs most; of the rules, the most."""
    columns = [column for column in entry.columns if entry.column(column.title)]
    if ident == "orders":
        return sorted(columns, key=lambda column: -entry.worst(column.title)[1].change)[:1]
    if ident == "rules":
        return [column for column in columns if f"{max(rules.RULES):,} over" in column.title]
    return columns


def _sentences(book: Book, entries: dict) -> list[str]:
    said = []
    if "orders" in entries:
        most = max((abs(found.change) for found in entries["orders"].found.values()), default=0.0)
        said.append(
            f"Order: another order of the same modules changes {percent(most, 2).lstrip('+')} at most, where all allow."
            + denials.advice(book)
        )
    if "rules" in entries:
        each = [f"{name} rules, {percent(change, 0)} ({row})" for name, row, change in rules.worst(book)]
        said.append(f"Length of a policy, at worst: {'; '.join(each)}.")
    if entry := entries.get("integrity"):
        names = [column.title for column in entry.columns if entry.column(column.title)]
        order = sorted(names, key=entry.middle)
        each = [f"{name} {percent(entry.middle(name))}" for name in order]
        said.append(f"Integrity, at the median: {', '.join(each)}.")
    return said
