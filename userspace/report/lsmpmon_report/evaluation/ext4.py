# SPDX-License-Identifier: GPL-2.0-only
"""Page: Figure 8 of 2021 as published, on ext4 and over SELinux; and the throughput of reads and writes there."""

from __future__ import annotations

from ..drawing import plots
from . import published
from .blocks import EMPTY, Figure, Heading, NotRun, Page, Table, Text, more, percent, rise
from .book import Book, Column, Entry, cell_of, where
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
    """SELinux over capability, and then each of the others over the same without it."""
    pairs = {
        DISKS[0]: [cell_of(book, base, "ext4") for base in BASES],
        DISKS[1]: [cell_of(book, "capability"), cell_of(book, "selinux-enforcing")],
    }
    columns = [Column(name, *pair) for name, pair in pairs.items() if all(pair)]
    if columns and columns[0].title == DISKS[0]:
        book.compare("ext4-selinux", columns)
    for base in BASES:
        if columns := _columns(book, base):
            book.compare(f"ext4-{base}-more", columns)


def _columns(book: Book, base: str) -> list[Column]:
    plain = cell_of(book, base, "ext4")
    found = {more: cell_of(book, f"{base}.{more}", "ext4") for more in MORE}
    return [Column(stack_title(more), plain, result) for more, result in found.items() if plain and result]


def page(book: Book) -> Page:
    return Page("ext4", "On ext4, over SELinux", _blocks(book))


def _blocks(book: Book) -> list:
    there = [base for base in BASES if f"ext4-{base}-more" in book.entries]
    if not there:
        return [NotRun("ext4", "audit, IMA and EVM on ext4, with capability only and over SELinux")]
    blocks: list = [Text(WHAT), *_selinux(book), Heading("Audit, IMA and EVM (2021, Figure 8)"), *_figure(book, there)]
    for base in there:
        caption = f"Audit, IMA and EVM over {title(base)}, on ext4"
        blocks += book.table(f"ext4-{base}-more", caption, book.entries[f"ext4-{base}-more"].columns)
    blocks += [Text(_said(book, there), "What differs, and why."), *_attributes(book)]
    return [*blocks, Heading("Throughput"), *_throughput(book)]


WHAT = (
    "As published, the benchmark works on ext4 here, and audit, IMA and EVM come on top of SELinux, which enforces a"
    " policy. They are beside the same with capability only. The disk is a file in the guest's memory: one of QEMU's"
    " would answer in the time of the machine, and two boots would differ. The file system is what mke2fs makes, with"
    " checksums of metadata. The kernel has lsmpmon, which is off. A write to the disk happens some time after the call that caused it, and is not"
    " part of it."
)


def _selinux(book: Book) -> list:
    entry = book.entries.get("ext4-selinux")
    if not entry:
        return []
    increase = published.L10_INCREASE["2.6.30"]
    beside = {
        "2.6.30 (2010)": {row: increase[operation][0] for row, operation in L10_CALLS.items()},
        "hooks only, 5.3 (2021)": published.Z21_SELINUX,
    }
    caption = "SELinux with a policy over capability, on a disk and in memory, beside the published"
    tables = book.table("ext4-selinux", caption, entry.columns, beside=beside)
    return [Heading("SELinux, where a label is stored"), *tables, Text(_labels(entry), "What differs, and why.")]


def _labels(entry: Entry) -> str:
    """The published cause of what creat cost in 2010 was not tested; this is what speaks for it or against it."""
    found = [(name, entry.found["creat", name]) for name in DISKS if ("creat", name) in entry.found]
    each = " and ".join(f"{rise(change.change)} {name}" for name, change in found)
    return (
        f"SELinux's creat costs {each} here, +283\u00a0% in 2010, on a file system that is not among the figures at hand. On ext4"
        " the label of a new file becomes an extended attribute; in a tmpfs it stays in memory. That this is the cause of the 283\u00a0% was not tested: the"
        " attribute is written back to the disk after the call, and that time is not in these figures."
    )


def _figure(book: Book, there: list[str]) -> list:
    names = [title(base) for base in there]
    rows = {
        f"{stack_title(more)}, {call}": [book.points(f"ext4-{base}-more", call, stack_title(more)) for base in there]
        for more in MORE
        for call in ("open", "creat", "mkdir", "unlink", "chmod", "fstatat", "read", "write")
    }
    found = [column.other for base in there for column in book.entries[f"ext4-{base}-more"].columns]
    plot = plots.dots(rows, [f"over {name}" for name in names], "times the same without it, logarithmic", plots.times, log=True)
    return [Figure("ext4-integrity", "Audit, IMA and EVM on ext4", where(found), plot)]


def _said(book: Book, there: list[str]) -> str:
    said = []
    for base in there:
        entry = book.entries[f"ext4-{base}-more"]
        for column in entry.columns:
            if entry.column(column.title):
                row, most = entry.worst(column.title)
                said.append(
                    f"{column.title} over {title(base)}: {percent(entry.middle(column.title))} at the median,"
                    f" {percent(most.change)} at most ({row})."
                )
    return " ".join(said) + PUBLISHED


PUBLISHED = (
    " Published, over SELinux on ext4: 135 % on chmod, and over 50 % on mkdir, rmdir, fstatat, read, copy, link and"
    " unlink. That was time on a machine, with its disk."
)


# Extended attributes


def _attributes(book: Book) -> list:
    """EVM over the same without it, in inodes of the usual size and in larger ones: the cause, switched off."""
    columns = []
    for base, added in ((base, added) for base in BASES for added in ("evm", "ima.evm")):
        for name, end in SIZES_OF_INODES.items():
            plain, other = (cell_of(book, f"{stack}{end}", "ext4") for stack in (base, f"{base}.{added}"))
            if plain and other:
                columns.append(Column(f"{stack_title(added)} over {title(base)}, {name}", plain, other))
    if not any(column.title.endswith(LARGE) for column in columns):
        return [NotRun("ext4", "EVM in inodes of 512 bytes")]
    rows = {row: row for row in ("creat", "unlink", "symlink", "rmdir", "chmod")}
    tables = book.table("ext4-inodes", "EVM, by the size of an inode", columns, rows)
    return [Heading("Where the attributes are stored"), *tables, Text(_outside(book) + ATTRIBUTES_ARE, "Why.")]


def _outside(book: Book) -> str:
    """The call and stack in which larger inodes save most."""
    entry, saved = book.entries["ext4-inodes"], {}
    for (row, name), found in entry.found.items():
        large = entry.found.get((row, name.replace(USUAL, LARGE)))
        if name.endswith(USUAL) and large:
            saved[row, name.removesuffix(f", {USUAL}")] = (found.difference, large.difference)
    (row, name), (usual, large) = max(saved.items(), key=lambda each: each[1][0] - each[1][1])
    return f"{name} adds {more(usual)} to {row} with inodes of 256 bytes, and {more(large)} with 512. "


def advice(book: Book) -> str:
    """For the first page, whose figures of EVM are of a tmpfs."""
    entry, name = book.entries.get("ext4-inodes"), "EVM over SELinux"
    found = {size: entry.found.get(("creat", f"{name}, {size}")) for size in SIZES_OF_INODES} if entry else {}
    if not all(found.get(size) for size in SIZES_OF_INODES):
        return ""
    usual, large = (rise(found[size].change) for size in (USUAL, LARGE))
    return (
        f"EVM where SELinux labels files on ext4: make inodes of {LARGE} (mke2fs -I 512). There, a key makes"
        f" creat cost {usual}"
        f" in inodes of {USUAL}, and {large} in those of {LARGE}: [On ext4, over SELinux](ext4.md)."
    )


ATTRIBUTES_ARE = (
    "The label of SELinux, the hash of IMA and the code of EVM are extended attributes of one file. An inode of 256 bytes,"
    " which is what mke2fs makes, does not have room for all of them; ext4 then puts some into a block of their own, which"
    " it allocates, searches and frees. In inodes of 512 bytes there is room. What is left is the work of the modules."
)


# Throughput


def _throughput(book: Book) -> list:
    """Without a clock that says anything, bytes by instructions."""
    cells = {base: cell_of(book, base, "ext4") for base in BASES}
    cells |= {f"selinux.{more}": cell_of(book, f"selinux.{more}", "ext4") for more in MORE}
    found = {name: result for name, result in cells.items() if result}
    rows = [
        (f"{call}, {size}", [_bytes(result, f"{call}/{size}", number) for result in found.values()])
        for call in ("read", "write", "copy")
        for size, number in SIZES.items()
    ]
    said = f"{where(found.values())}; bytes that 1,000 instructions of the call move"
    return [
        Table("ext4-throughput", "Throughput of read, write and copy", said, "call", [stack_title(name) for name in found], rows),
        Text(
            "Instructions stand for time here, so this is what the kernel's work lets through, on warm caches: a"
            " machine's memory and disk are not in it."
        ),
    ]


def _bytes(result: Result, benchmark: str, number: int) -> str:
    took = result.median(benchmark)
    return EMPTY if not took else f"{1000 * number / took:,.0f}"
