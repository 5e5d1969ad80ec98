# SPDX-License-Identifier: GPL-2.0-only
"""Tables 2 and 5 of 2021: hooks and lines of code, as counted in the source."""

from __future__ import annotations

from . import published
from .blocks import EMPTY, Block, NotRun, Table, Text
from .blocks import published as theirs
from .book import Book
from .files import Module, Static
from .passages import passage
from .titles import title


def static(book: Book) -> list[Block]:
    results = book.results.static
    there: dict[str, Static] = {kver: results[kver].data for kver in book.results.kernels if kver in results}
    if not there:
        return [NotRun("static", passage("static.no_static"))]
    modules = dict.fromkeys([*published.Z21_STATIC, *(m for found in there.values() for m in found["modules"])])
    return [
        _counts(there, modules),
        _lines(there, modules),
        _categories(list(there)[-1], list(there.values())[-1]),
        Text(passage("static.why", used=published.L10_USED)),
    ]


def _counts(there: dict[str, Static], modules: dict[str, None]) -> Table:
    rows = [(title(m), [*(_hooks(found, m) for found in there.values()), _theirs(m, 0)]) for m in modules]
    framework = [str(found["framework"]["hooks"]) for found in there.values()]
    rows.append(("framework", [*framework, theirs(published.Z21_HOOKS)]))
    return Table("table-2", passage("static.hooks"), passage("static.counted"), "module", [*there, theirs("5.3")], rows)


def _lines(there: dict[str, Static], modules: dict[str, None]) -> Table:
    rows = [(title(m), [*(_lines_of(found, m) for found in there.values()), _lines_theirs(m)]) for m in modules]
    caption, counted = passage("static.lines"), passage("static.counted")
    return Table("table-2-lines", caption, counted, "module", [*there, theirs("5.3")], rows)


def _hooks(found: Static, module: str) -> str:
    """Return the number of hooks. Of integrity, which is IMA and EVM, a hook of both counts twice, as in the paper."""
    counts = found["modules"].get(module)
    return f"{counts['callbacks' if module == 'integrity' else 'count']:,}" if counts else EMPTY


def _theirs(module: str, place: int) -> str:
    """Return a figure of Table 2; of modules that are not in it, the total of Table 5."""
    if module in published.Z21_STATIC:
        return theirs(f"{published.Z21_STATIC[module][place]:,}")
    totals = dict(zip(published.Z21_COLUMNS, published.Z21_CATEGORIES["total"]))
    return theirs(str(totals[module])) if module in totals else EMPTY


def _lines_of(found: Static, module: str) -> str:
    counts = found["modules"].get(module)
    if not counts:
        return EMPTY
    each = counts.get("lines_per_hook")
    return f"{counts['code_lines']:,}" + (f", {each:,.0f}" if each else "")


def _lines_theirs(module: str) -> str:
    known = published.Z21_STATIC.get(module)
    return theirs(f"{known[1]:,}, {known[2]:,}") if known else EMPTY


def _categories(kver: str, found: Static) -> Table:
    columns, rows = published.Z21_COLUMNS, []
    for category, there in published.Z21_CATEGORIES.items():
        cells = [_category(found["modules"].get(module), category) for module in columns]
        rows.append((category, [f"{ours} ({theirs(was)})" for ours, was in zip(cells, there)]))
    return Table(
        "table-5",
        passage("static.categories", kernel=kver),
        passage("static.counted"),
        "category",
        list(map(title, columns)),
        rows,
    )


def _category(module: Module | None, category: str) -> str:
    if not module:
        return EMPTY
    known = {"file accessing": module.get("file_accessing"), "total": module["count"]}
    return str(known.get(category, module["categories"].get(category, 0)))
