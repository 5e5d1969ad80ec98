# SPDX-License-Identifier: GPL-2.0-only
"""The report: pages of Markdown with plots beside them, and summary.json."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Sequence

from ..sweep import load_sweep
from . import (
    answers,
    calls,
    distributions,
    ext4,
    growth,
    kernels,
    markdown,
    method,
    modules,
    openit,
    others,
    paper2010,
    paper2021,
    quoted,
    rules,
    stacking,
    states,
    tails,
    variations,
    wholes,
    work,
    yours,
)
from .blocks import Block, Figure, NotRun, Page, Points, Table, Text
from .book import Book, Entry, unit
from .lines import lines
from .passages import Passage, passage, plain
from .results import load_results


def compare_all(book: Book) -> None:
    """Compare all results first, since pages quote each other's comparisons."""
    for part in (distributions, states, stacking, ext4, growth, rules, kernels, yours):
        part.compare_all(book)


# By name, the blocks of a page, and the parts whose results it shows. make figures can publish some pages by themselves.
PAGES: dict[str, tuple[Callable[[Book], list[Block]], tuple[str, ...]]] = {
    "distributions": (distributions.blocks, (distributions.PART,)),
    "modules": (modules.blocks,
                ("modules", "stacking", "denials", "atomics", "integrity", "growth", "kernels")),
    "rules": (rules.blocks, ("rules", "modules")),
    "work": (work.blocks, ("work", "native")),
    "tails": (tails.blocks, ("tails",)),
    "calls": (calls.blocks, (wholes.PART,)),
    "ext4": (ext4.blocks, ("ext4", "modules")),
    "openit": (openit.blocks, ("openit",)),
    "kernels": (kernels.blocks, ("kernels", "mitigations")),
    "variations": (variations.blocks, ("modules",)),
    "others": (others.blocks, ("modules",)),
    "paper-2010": (paper2010.blocks, ("modules", "kernels", "lids")),
    "paper-2021": (paper2021.blocks, method.PARTS),
    "yours": (yours.blocks, ("yours",)),
    "method": (method.blocks, method.PARTS),
}


def title(name: str) -> Passage:
    return passage(f"{name.replace('-', '')}.title")


def pages(book: Book) -> list[Page]:
    compare_all(book)
    names = ("yours", "method") if book.results.yours_alone else PAGES
    found = [
        Page(name, title(name), [*blocks, Text(_measured(book, parts))])
        for name, (write, parts) in PAGES.items()
        if name in names and (blocks := write(book))
    ]
    return [answers.page(book, [page.name for page in found]), *found]


def _measured(book: Book, parts: tuple[str, ...]) -> str:
    """Return of what kernels and when it is, by part: pages may be published at different times."""
    said = {}
    for part in ("quick",) if book.results.quick else parts:
        states = [result.data.get("state", {}) for result in book.results.part(part).values()]
        dates = sorted(str(state["date"]) for state in states if "date" in state)
        if dates:
            said[part] = {"boots": len(dates), "first": dates[0], "last": dates[-1]}
    return passage("method.measured", parts=said) if said else ""


def summary(book: Book, found: list[Page]) -> dict[str, object]:
    """Return all differences, and the tables, the sentences and the data of each page. Members may be added without a new
    version.
    """
    tables = {ident: _differences(entry) for ident, entry in book.entries.items() if entry.found}
    return {"format": "lsmpmon-summary", "version": 2, "tables": tables, "pages": {page.name: _printed(page) for page in found}}


def _printed(page: Page) -> dict[str, object]:
    """Return what a page says: its tables by their names, its sentences, what these and the captions were written from, and
    the part of each remark that there are no results.
    """
    tables = {
        block.ident: {"caption": block.caption, "where": block.where, "header": [block.corner, *block.header],
                      "rows": [[name, *cells] for name, cells in block.rows], "missing": block.missing}
        for block in page.blocks
        if isinstance(block, Table)
    }
    said = [text for block in page.blocks for text in _sentences(block)]
    around = [text for table in tables.values() for text in (table["caption"], table["where"], *table["missing"])]
    data = [plain(text) for text in (*said, *around) if isinstance(text, Passage) and text.data]
    not_run = [block.part for block in page.blocks if isinstance(block, NotRun)]
    return {"tables": tables, "sentences": said, "data": data, "not_run": not_run}


def _sentences(block: Block) -> Sequence[str]:
    if isinstance(block, Points):
        return block.body
    if isinstance(block, Figure):
        return [block.caption, block.where]
    return [block.what] if isinstance(block, NotRun) else [block.body] if isinstance(block, Text) else []


def _differences(entry: Entry) -> dict[str, object]:
    ratios = []
    for (row, title), found in entry.found.items():
        column = entry.of(title)
        ratios.append(
            {
                "row": row,
                "column": title,
                "base": round(found.base, 9),
                "value": round(found.value, 9),
                "change": round(found.change, 9),
                "exact": found.exact,
                "within_spread": (row, title) in entry.unsure,
                "unit": unit(column.other),
                "runner": column.other.cell.get("runner"),
                "accel": column.other.cell.get("accel"),
                "flavour": column.other.flavour,
                "base_file": f"{column.base.ident}.json",
                "file": f"{column.other.ident}.json",
            }
        )
    return {"ratios": ratios}


def write(results: pathlib.Path, out: pathlib.Path, *, slopes: Sequence[pathlib.Path] = ()) -> Book:
    """Write a report. Files of an earlier one are removed, since its pages and plots may have other names."""
    book = Book(load_results(results), [load_sweep(path) for path in slopes])
    found = pages(book)
    out.mkdir(parents=True, exist_ok=True)
    for old in (*out.glob("*.md"), *out.glob("*.svg")):
        old.unlink()
    for page in found:
        (out / f"{page.name}.md").write_text(markdown.linked(markdown.render(page), out))
        for name, picture in markdown.figures(page).items():
            (out / name).write_text(picture)
    (out / "summary.json").write_text(lines(summary(book, found)) + "\n")
    _write_figures(book, out)
    return book


def _write_figures(book: Book, out: pathlib.Path) -> None:
    """Write what other documents quote. make figures publishes a report that has those of the evaluation, so a part has none."""
    for name, quote in (("evaluation", quoted.evaluation), ("calls", quoted.whole_calls)):
        found = quote(book)
        for suffix, text in ((".json", found and found.json), (".txt", found and found.text)):
            path = out / f"{name}{suffix}"
            path.write_text(text) if text else path.unlink(missing_ok=True)
