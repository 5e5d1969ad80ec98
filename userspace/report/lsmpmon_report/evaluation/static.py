# SPDX-License-Identifier: GPL-2.0-only
"""Tables 2 and 5 of 2021: hooks and lines of code, as counted in the source."""

from __future__ import annotations

from . import published
from .blocks import EMPTY, Cell, NotRun, Table, Text, link
from .book import Book, title
from .results import Result


def static(book: Book) -> list:
    kernels = book.results.static
    if not kernels:
        return [NotRun("static", "hooks and lines of code, counted in the source of each kernel")]
    order = sorted(kernels, key=lambda name: [int(part) if part.isdigit() else 0 for part in name.split(".")])
    why = (
        "Lines are those of the module's directory that are neither empty nor only a comment; how the published ones "
        "were counted is not printed. "
        "Those of the framework that only a kernel's configuration adds are counted, too. Since 6.12 IMA and EVM are "
        "modules with hooks of the framework; before, the kernel called them by name. "
        "There are more hooks than in 5.3: io_uring, BPF tokens, post-operation hooks and others came."
    )
    return [
        _static_table(book, kernels, order),
        _category_table(book, kernels, order),
        Text(why, "What differs, and why."),
    ]


def _static_table(book: Book, kernels: dict[str, Result], order: list[str]) -> Table:
    modules = dict.fromkeys([*published.Z21_STATIC, *(m for name in order for m in kernels[name].data["modules"])])
    rows = [
        (title(m), [cell for name in order for cell in _static_cells(book, kernels[name], m)] + _static_theirs(m))
        for m in modules
    ]
    rows.append(("framework", _framework_cells(book, [kernels[name] for name in order])))
    names = ("hooks", "lines", "a hook")
    header = [link(what, book.results.href(kernels[name])) for name in order for what in names]
    groups = [(kernels[name].data["kernel"], 3) for name in order] + [("published, 5.3", 3)]
    caption, said = "Hooks, lines of code, lines of code a hook", "counted in the source; no kernel was booted"
    return Table("table-2", caption, said, [*header, *names], rows, groups, "module")


def _framework_cells(book: Book, kernels: list[Result]) -> list[Cell]:
    ours = [Cell(str(result.data["framework"]["hooks"]), book.results.href(result)) for result in kernels]
    return [
        cell for hooks in (*ours, Cell(str(published.Z21_HOOKS), kind="published")) for cell in (hooks, EMPTY, EMPTY)
    ]


def _static_cells(book: Book, result: Result, module: str) -> list[Cell]:
    found = result.data["modules"].get(module)
    if not found:
        return [EMPTY] * 3
    href, each = book.results.href(result), found.get("lines_per_hook")
    lines = Cell(f"{found['code_lines']:,}", href, f"of {found['lines']:,} lines in {found.get('files', '?')} files")
    return [Cell(str(found["count"]), href), lines, Cell(f"{each:,.0f}", href) if each else EMPTY]


def _static_theirs(module: str) -> list[Cell]:
    return [Cell(f"{figure:,}", kind="published") for figure in published.Z21_STATIC.get(module, ())] or [EMPTY] * 3


def _category_table(book: Book, kernels: dict[str, Result], order: list[str]) -> Table:
    """Sorted by module, so that the kernels of a module are next to each other."""
    columns = published.Z21_COLUMNS
    rows = []
    for category, theirs in published.Z21_CATEGORIES.items():
        cells = []
        for module, printed_there in zip(columns, theirs):
            cells += [_category_cell(book, kernels[name], module, category) for name in order]
            cells.append(Cell(str(printed_there), kind="published"))
        rows.append((category, cells))
    header = [*(link(name, book.results.href(kernels[name])) for name in order), "5.3"] * len(columns)
    groups = [(title(module), len(order) + 1) for module in columns]
    return Table(
        "table-5", "Hooks by category; 5.3 is published", "counted in the source", header, rows, groups, "category"
    )


def _category_cell(book: Book, result: Result, module: str, category: str) -> Cell:
    number = _category(result.data["modules"].get(module), category)
    return EMPTY if number is None else Cell(str(number), book.results.href(result))


def _category(module: dict | None, category: str) -> int | None:
    if not module:
        return None
    known = {"file accessing": module.get("file_accessing"), "total": module["count"]}
    return known[category] if category in known else module["categories"].get(category, 0)
