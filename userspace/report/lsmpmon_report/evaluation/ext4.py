# SPDX-License-Identifier: GPL-2.0-only
"""Page: Figure 8 of 2021 as published, on ext4 and over SELinux; and the throughput of reads and writes there."""

from __future__ import annotations

from dataclasses import dataclass

from ..drawing import plots
from . import published
from .blocks import EMPTY, Block, Figure, Heading, NotRun, Table, Text
from .book import Book, Column, Entry, cell_of, columns_of, modes, where
from .passages import passage
from .results import Result
from .titles import stack_title, title

BASES = ("capability", "selinux")
# The columns of SELinux by itself, and what was published of single calls in 2010, as percent over capability.
DISKS = ("on ext4", "on tmpfs")
L10_CALLS = {"stat": "stat", "creat": "0 KB create", "unlink": "0 KB delete"}
MORE = ("audit", "ima", "evm", "ima.evm")
USUAL, LARGE = "256 bytes", "512 bytes"
# By size of an inode, the end of a cell's name.
SIZES_OF_INODES = {USUAL: "", LARGE: "-512"}
# Bytes of a call; a copy reads and writes them.
SIZES = {"1k": 1024, "2k": 2048, "4k": 4096}


def compare_all(book: Book) -> None:
    """Compare SELinux with capability, and then each of the others with the same without it."""
    columns = columns_of([
        (DISKS[0], cell_of(book, "capability", "ext4"), cell_of(book, "selinux", "ext4")),
        (DISKS[1], cell_of(book, "capability"), cell_of(book, "selinux-enforcing")),
    ])
    if columns and columns[0].title == DISKS[0]:
        book.compare("ext4-selinux", columns)
    for base in BASES:
        if columns := _columns(book, base):
            book.compare(f"ext4-{base}-more", columns)


def _columns(book: Book, base: str) -> list[Column]:
    plain = cell_of(book, base, "ext4")
    return columns_of((stack_title(more), plain, cell_of(book, f"{base}.{more}", "ext4")) for more in MORE)


def blocks(book: Book) -> list[Block]:
    there = [base for base in BASES if f"ext4-{base}-more" in book.entries]
    if not there:
        return [NotRun("ext4", passage("ext4.not_run"))]
    blocks = [Text(passage("ext4.what")), *_selinux(book), Heading(passage("ext4.integrity_title")), *_figure(book, there)]
    for base in there:
        caption = passage("ext4.integrity", base=base)
        blocks += book.table(f"ext4-{base}-more", caption, book.entries[f"ext4-{base}-more"].columns)
    blocks += [Text(passage("ext4.integrity_why", costs=_costs(book, there))), *_attributes(book)]
    return [*blocks, Heading(passage("ext4.throughput_title")), *_throughput(book)]


def _selinux(book: Book) -> list[Block]:
    entry = book.entries.get("ext4-selinux")
    if not entry:
        return []
    increase = published.L10_INCREASE["2.6.30"]
    beside = {"2.6.30 (2010)": {row: increase[operation][0] for row, operation in L10_CALLS.items()}}
    tables = book.table("ext4-selinux", passage("ext4.selinux"), entry.columns, beside=beside)
    why = passage("ext4.selinux_why", creat=_creat(entry), published=increase[L10_CALLS["creat"]][0] / 100)
    return [Heading(passage("ext4.selinux_title")), *tables, Text(why)]


def _creat(entry: Entry) -> list[dict[str, object]]:
    """Return what SELinux's creat costs on each kind of file system."""
    found = [(disk, entry.found.get(("creat", disk))) for disk in DISKS]
    return [each.data(disk=disk) for disk, each in found if each]


def _figure(book: Book, there: list[str]) -> list[Block]:
    names = [title(base) for base in there]
    rows = {
        f"{stack_title(more)}, {call}": [book.points(f"ext4-{base}-more", call, stack_title(more)) for base in there]
        for more in MORE
        for call in ("open", "creat", "mkdir", "unlink", "chmod", "fstatat", "read", "write")
    }
    found = [column.other for base in there for column in book.entries[f"ext4-{base}-more"].columns]
    plot = plots.dots(rows, [f"over {name}" for name in names], "times the same without it, logarithmic", plots.times, log=True)
    return [Figure("ext4-integrity", passage("ext4.integrity_drawn"), where(found), plot)]


def _costs(book: Book, there: list[str]) -> list[dict[str, object]]:
    """Return what audit, IMA and EVM cost over each base."""
    entries = {base: book.entries[f"ext4-{base}-more"] for base in there}
    return [
        {"module": name, "base": base, "median": entry.middle(name), "largest": entry.largest(name)}
        for base, entry in entries.items()
        for name in (column.title for column in entry.columns)
        if entry.column(name)
    ]


# Extended attributes


def _attributes(book: Book) -> list[Block]:
    """Compare EVM with the same without it, in inodes of the usual size and in larger ones, which switch the cause off."""
    columns = columns_of(
        (f"{stack_title(added)} over {title(base)}, {name}", cell_of(book, f"{base}{end}", "ext4"),
         cell_of(book, f"{base}.{added}{end}", "ext4"))
        for base in BASES for added in ("evm", "ima.evm") for name, end in SIZES_OF_INODES.items()
    )
    if not any(column.title.endswith(LARGE) for column in columns):
        return [NotRun("ext4", passage("ext4.attributes_not_run"))]
    rows = {row: row for row in ("creat", "unlink", "symlink", "rmdir", "chmod")}
    tables = book.table("ext4-inodes", passage("ext4.attributes"), columns, rows)
    return [Heading(passage("ext4.attributes_title")), *tables, Text(passage("ext4.attributes_why", **vars(_saved(book))))]


@dataclass(frozen=True)
class Saved:
    """The cost of a call, in inodes of the usual size and in larger ones."""

    added: str
    call: str
    usual: float
    large: float


def _saved(book: Book) -> Saved:
    """Return the call and stack in which larger inodes save most."""
    entry, saved = book.entries["ext4-inodes"], []
    for (row, name), found in entry.found.items():
        large = entry.found.get((row, name.replace(USUAL, LARGE)))
        if name.endswith(USUAL) and large:
            saved.append(Saved(name.removesuffix(f", {USUAL}"), row, found.difference, large.difference))
    return max(saved, key=lambda each: each.usual - each.large)


def advice(book: Book) -> str:
    """Return what the first page says of EVM on a disk: its figures are of a tmpfs."""
    entry = book.entries.get("ext4-inodes")
    names = [f"EVM over SELinux, {size}" for size in (USUAL, LARGE)]
    if not entry or any(("creat", name) not in entry.found for name in names):
        return ""
    usual, large = (modes(entry.of(name), "creat") for name in names)
    return passage("ext4.advice", usual=usual, large=large)


# Throughput


def _throughput(book: Book) -> list[Block]:
    """Return bytes by instructions: under icount, no clock says anything."""
    cells = {base: cell_of(book, base, "ext4") for base in BASES}
    cells |= {f"selinux.{more}": cell_of(book, f"selinux.{more}", "ext4") for more in MORE}
    found = {name: result for name, result in cells.items() if result}
    rows = [
        (f"{call}, {size}", [_bytes(result, f"{call}/{size}", number) for result in found.values()])
        for call in ("read", "write", "copy")
        for size, number in SIZES.items()
    ]
    said, header = where(found.values(), passage("ext4.throughput_is")), [stack_title(name) for name in found]
    table = Table("ext4-throughput", passage("ext4.throughput"), said, "call", header, rows)
    return [table, Text(passage("ext4.throughput_why"))]


def _bytes(result: Result, benchmark: str, number: int) -> str:
    took = result.median(benchmark)
    return EMPTY if not took else f"{1000 * number / took:,.0f}"
