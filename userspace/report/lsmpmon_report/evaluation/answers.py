# SPDX-License-Identifier: GPL-2.0-only
"""The first page: three questions, each with a picture. All is computed; without results there is no answer."""

from __future__ import annotations

from ..drawing import plots
from ..stats import AFFECTED
from . import advice, kernels, paper2010, share, work, yours
from .blocks import Figure, Heading, NotRun, Page, Points, Table, Text, more, part, percent, rise
from .book import FILES, LARGEST, MODULES, Book, where
from .titles import title

PAGES = {
    "modules": "What each module costs",
    "rules": "What longer policies cost",
    "work": "Everyday work: Git, a compiler, a web server and more",
    "tails": "The slowest of a million calls",
    "ext4": "Audit, IMA and EVM on ext4, over SELinux, and throughput",
    "openit": "A walk through a tree (2008)",
    "kernels": "What changed between kernels",
    "variations": "Variations of the file operations: paths, names and sizes",
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
            Heading(f"What changed since {kernels.since_said(book)}, and because of which change?"),
            *_changed(book),
            Heading("What can you do about it?"),
            *advice.blocks(book),
        ]
        blocks += [Heading("Your kernel"), Points(found)] if (found := yours.said(book)) else []
    links = [f"[{PAGES.get(name, 'Your kernel')}]({name}.md)" for name in pages]
    return Page(
        "README",
        "What Linux Security Modules cost",
        [Text(_about(book)), *blocks, Heading("Pages"), Points(links), Heading("The results themselves"), Points(ARCHIVE)],
    )


ARCHIVE = [
    (
        "All results, one file for each boot, are in the archive evaluation.tar.gz, with this report and every difference"
        " as JSON (report/summary.json). `make eval` writes it to build/eval/. A release has it as"
        " lsmpmon-VERSION-evaluation.tar.gz, beside its sources."
    ),
    (
        "`tar -C build -xzf evaluation.tar.gz` in the sources puts the results where `make eval` looks for them: it"
        " measures only what is missing or out of date, and makes the report again."
    ),
    "`make eval` repeats everything: [Redo the evaluation](Documentation/evaluation/README.md).",
]


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
    plot = plots.dots(rows, there, "times what the call takes under capability, logarithmic", plots.times, log=True)
    return [
        Figure("costs", "What each module costs, with a policy that it enforces", said, plot),
        _table(book),
        Text(_said(book)),
    ]


def medians(book: Book) -> dict[str, float]:
    """By module, in percent over capability; the largest first."""
    entry = book.entries.get("state-enforcing")
    names = [column.title for column in entry.columns if entry.column(column.title)] if entry else []
    return {name: round(100 * entry.middle(name), 1) for name in sorted(names, key=lambda name: -entry.middle(name))}


def _table(book: Book) -> Table:
    entry, rows = book.entries["state-enforcing"], []
    for module in sorted(MODULES, key=lambda name: -medians(book).get(title(name), 0)):
        if entry.column(title(module)):
            row, most = entry.worst(title(module))
            cells = [rise(entry.middle(title(module))), f"{row}, {more(most.difference)} ({rise(most.change)})"]
            affected = f"{len(entry.affected(title(module)))} of {len(entry.column(title(module)))}"
            rows.append((title(module), [*cells, affected, *share.over_capability(book, module, row)]))
    affected = f"calls that change by more than {part(AFFECTED)} of the whole call"
    header = ["median call", LARGEST, affected, "ns more in hooks, median call", "ns more in hooks, call with that increase"]
    said = f"{book.said(entry.columns)}; {share.first_page_is(book)}"
    return Table("modules", f"Modules, over {len(FILES)} file operations", said, "module", header, rows)


def _said(book: Book) -> str:
    said, entry = [], book.entries.get("framework")
    if entry and entry.found:
        row, most = entry.worst("capability")
        said.append(
            f"The framework with capability costs {percent(entry.middle('capability'))} over a kernel without LSM at"
            f" the median, {percent(most.change)} at most ({row})."
        )
    said += [paper2010.most_expensive_hook(book), work.most_expensive_hook(book), work.most(book)]
    return " ".join(filter(None, said))


# Kernels


def _changed(book: Book) -> list:
    figure = kernels.plot(book)
    if not figure:
        return [NotRun("kernels", "the file operations on two kernels, with and without LSM")]
    old, new = kernels.since(book)
    said = [found for module in ("capability", *MODULES) if (found := kernels.said(book, module))]
    return [figure, Text(f"From Linux {old} to {new}, each over the same kernel without LSM. {CHANGES_ARE}"), Points(said)]


CHANGES_ARE = (
    "A cause is named where a case study switched it off and measured again. Whole calls are instructions, of kernels"
    " without IMA and EVM (flavour lsm); callbacks and times are of kernels that have them and lsmpmon (flavour patched),"
    " times on User-Mode Linux. A time is of a whole hook, with all modules in it; of its hooks, the one named is that whose"
    " time changed by most ns. The page [What changed between kernels](kernels.md) has all calls and hooks."
)
