# SPDX-License-Identifier: GPL-2.0-only
"""The first page: four questions, each with a picture. All is computed; without results there is no answer."""

from __future__ import annotations

from ..drawing import plots
from ..stats import AFFECTED
from . import advice, distributions, kernels, paper2010, share, work, yours
from .blocks import Block, Figure, Heading, NotRun, Page, Points, Table, Text, more, rise
from .book import FILES, LARGEST, MODULES, Book, where
from .passages import passage
from .titles import title

# Columns of the first table where hooks were timed by call.
NS = ("ns more in hooks, median call", "ns more in hooks, call with that increase")


def page(book: Book, pages: list[str]) -> Page:
    blocks: list[Block]
    if book.results.yours_alone:
        blocks = [Points(found)] if (found := yours.said(book)) else []
    else:
        blocks = [
            Heading(passage("distributions.front_title")),
            *distributions.front(book),
            Heading(passage("answers.costs_title")),
            *_costs(book),
            Heading(passage("answers.changed_title", since=kernels.since_said(book))),
            *_changed(book),
            Heading(passage("answers.advice_title")),
            *advice.blocks(book),
        ]
        blocks += [Heading(passage("answers.yours_title")), Points(found)] if (found := yours.said(book)) else []
    blocks += [Heading(passage("answers.pages_title")), Points([passage("answers.link", page=name) for name in pages])]
    archive = [passage("answers.archive"), passage("answers.unpack"), passage("answers.repeat")]
    blocks += [Heading(passage("answers.results_title")), Points(archive)]
    return Page("README", passage("answers.title"), [Text(_about(book)), *blocks])


def _about(book: Book) -> str:
    cells = book.results.cells
    dates = sorted({str(result.state.get("date", "")) for result in cells} - {""})
    ends, kernels = list(dict.fromkeys([*dates[:1], *dates[-1:]])), sorted({result.kernel for result in cells})
    arches = sorted({result.arch for result in cells} - {""})
    return passage("answers.about", kernels=kernels, arches=arches, boots=len(cells), dates=ends, quick=book.results.quick)


# Costs


def _costs(book: Book) -> list[Block]:
    entry = book.entries.get("state-enforcing")
    if not entry:
        return [NotRun("modules", passage("answers.costs_not_run"))]
    there = [title(module) for module in MODULES if entry.column(title(module))]
    rows = {row: [book.points("state-enforcing", row, name) for name in there] for row in FILES}
    said = where([entry.of(name).other for name in there])
    plot = plots.dots(rows, there, "times what the call takes under capability, logarithmic", plots.times, log=True)
    return [Figure("costs", passage("answers.costs_drawn"), said, plot), _table(book), Text(_most(book))]


def medians(book: Book) -> dict[str, float]:
    """Return the median call of each module, in percent over capability; the largest first."""
    entry = book.entries.get("state-enforcing")
    found = {column.title: entry.middle(column.title) for column in entry.columns if entry.column(column.title)} if entry else {}
    return {name: round(100 * found[name], 1) for name in sorted(found, key=lambda name: -found[name])}


def _table(book: Book) -> Table:
    entry, rows, timed = book.entries["state-enforcing"], [], share.timed(book)
    for module in sorted(MODULES, key=lambda name: -medians(book).get(title(name), 0)):
        if entry.column(title(module)):
            row, most = entry.worst(title(module))
            cells = [rise(entry.middle(title(module))), f"{row}, {more(most.difference)} ({rise(most.change)})"]
            affected = f"{len(entry.affected(title(module)))} of {len(entry.column(title(module)))}"
            rows.append((title(module), [*cells, affected, *(share.over_capability(book, module, row) if timed else [])]))
    affected = passage("answers.affected", threshold=AFFECTED)
    header = ["median call", LARGEST, affected, *(NS if timed else ())]
    hooks = share.first_page_is(book) if timed else passage("share.not_timed")
    said = passage("answers.costs_where", where=book.said(entry.columns), hooks=hooks)
    return Table("modules", passage("answers.costs", operations=len(FILES)), said, "module", header, rows)


def _most(book: Book) -> str:
    """Return the most expensive calls of the framework, and the most expensive hooks."""
    framework, entry = None, book.entries.get("framework")
    if entry and entry.found:
        framework = {"median": entry.middle("capability"), "largest": entry.largest("capability")}
    others = [paper2010.most_expensive_hook(book), work.most_expensive_hook(book), work.most(book)]
    return passage("answers.most", framework=framework, others=[each for each in others if each])


# Kernels


def _changed(book: Book) -> list[Block]:
    figure = kernels.plot(book)
    if not figure:
        return [NotRun("kernels", passage("answers.changed_not_run"))]
    old, new = kernels.since(book)
    said = [found for module in ("capability", *MODULES) if (found := kernels.said(book, module))]
    timed = kernels.plot_times(book)
    changed = Text(passage("answers.changed", old=old, new=new, images=kernels.images(book)))
    return [figure, *([timed] if timed else []), changed, Points(said)]
