# SPDX-License-Identifier: GPL-2.0-only
"""Page: all sub-benchmarks of the file operations, of which Table 3 of 2021 has the number."""

from __future__ import annotations

from .blocks import Block, Heading, NotRun, Text
from .book import CELLS_ARE, MODULES, Book, Column, cell_of, columns_of, quartiles
from .others import KINDS
from .passages import passage
from .states import over_capability

# What the names of a group's sub-benchmarks contain. The last group has what is left.
GROUPS = {
    "By the depth of the path": ("/depth-", "/dotdot-"),
    "By what the name is": ("/hard-link", "/symlink", "/lmbench", "/missing", "openat/fcntl", "chmod/fd"),
    "By size": ("/0k", "/1k", "/2k", "/4k", "/10k", "-4k", "/sendfile"),
    "In a large directory, and there and back": ("/many", "/back"),
    "Without variation": ("",),
}
# Not a file operation, or on the page about modules.
NOT_HERE = ("denied", *KINDS)


def blocks(book: Book) -> list[Block]:
    columns = _columns(book)
    groups = grouped(columns[0].base.benchmarks) if columns else {}
    if not groups:
        return [NotRun("modules", passage("variations.no_variations", main=book.results.main))]
    blocks: list[Block] = [Text(_what(columns, groups))]
    for number, (name, benchmarks) in enumerate(groups.items()):
        rows = {benchmark: benchmark for benchmark in benchmarks}
        blocks += [Heading(name), *book.table(f"variations-{number + 1}", name, columns, rows)]
    return blocks


def _columns(book: Book) -> list[Column]:
    """Return the framework over no LSM, and modules that enforce a policy over capability."""
    found = columns_of([("capability, over no LSM", cell_of(book, "dac"), cell_of(book, "capability"))])
    return found + [column for module in MODULES if (column := over_capability(book, module, "enforcing"))]


def grouped(benchmarks: list[str]) -> dict[str, list[str]]:
    """Return each file operation in one group."""
    left = [name for name in benchmarks if name.partition("/")[0] not in NOT_HERE]
    groups = {}
    for group, parts in GROUPS.items():
        groups[group] = [name for name in left if any(part in name for part in parts)]
        left = [name for name in left if name not in groups[group]]
    return {group: names for group, names in groups.items() if names}


def _what(columns: list[Column], groups: dict[str, list[str]]) -> str:
    number = sum(len(names) for names in groups.values())
    cells = list(dict.fromkeys(result for column in columns for result in (column.base, column.other)))
    pairs = [(result, name) for result in cells for names in groups.values() for name in names if name in result.benchmarks]
    same = sum(low == high for low, _, high in (quartiles(*pair) for pair in pairs))
    runs = max(len(result.samples(name)) for result, name in pairs)
    return passage("variations.what", number=number, runs=runs, rows=len(pairs), same=same, cells_are=CELLS_ARE)
