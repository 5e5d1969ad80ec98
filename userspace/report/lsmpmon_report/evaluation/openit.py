# SPDX-License-Identifier: GPL-2.0-only
"""Page: a walk through a tree, the measurement of 2008."""

from __future__ import annotations

from . import published
from .blocks import EMPTY, Heading, NotRun, Page, Table, Text, percent, whole
from .blocks import published as theirs
from .book import Book, Column, cell_of, rise, title, where
from .results import Result, version

WALK = {"openit": "openit"}


def page(book: Book) -> Page:
    return Page("openit", "A walk through a tree (2008)", _blocks(book))


def _blocks(book: Book) -> list:
    walks = _walks(book, book.results.main)
    base = walks.get("dac")
    if not base or len(walks) < 2:
        cells = f"{book.results.main}-dac, -capability and modules"
        return [NotRun("openit", f"{cells}, a walk over 266 directories and 19,255 files")]
    columns = [Column(title(name), base, result) for name, result in walks.items() if result is not base]
    entry = book.compare("openit", columns, WALK)
    rows = [(title("dac"), [whole(base.median("openit")), "0"])]
    rows += [(name, [whole(found.value), percent(found.change)]) for (_, name), found in entry.found.items()]
    said = where(walks.values(), "a whole walk; change over no LSM")
    table = Table("openit", "stat and open of every entry of a tree", said, "module", ["median", "change"], rows)
    said = Text(_why(), "What differs, and why.")
    return [table, *_configurations(book), said, Heading("The order of TOMOYO's rules"), *_order(book, walks)]


def _walks(book: Book, kver: str) -> dict[str, Result]:
    """Of one kernel, by module."""
    found = book.results.part("openit")
    walks = {name.partition("-")[2]: result for name, result in found.items() if name.partition("-")[0] == kver}
    return {name: result for name, result in walks.items() if result.median("openit") is not None}


def _configurations(book: Book) -> list:
    """The five of 2008: two kernels, each with SELinux and without LSM; and the newer one improved."""
    kernels = sorted({str(result.cell.get("kver")) for result in book.results.part("openit").values()}, key=version)
    before, after = _walks(book, kernels[0]), _walks(book, kernels[-1])
    if len(kernels) < 2 or not all(name in walks for name in ("selinux", "dac") for walks in (before, after)):
        return [NotRun("openit", "the five configurations of 2008: two kernels, without LSM and with SELinux")]
    rows = []
    for name, (old, new) in published.H08_WALK.items():
        walked = [walks["selinux" if name == "SELinux" else "dac"].median("openit") for walks in (before, after)]
        rows += [_row(f"{name}, before", old, old, walked[0], walked[0]), _row(f"{name}, after", old, new, *walked)]
    old = published.H08_WALK["SELinux"][0]
    patched = ("SELinux, after, with a patch for speed", [*_theirs(old, published.H08_PATCHED), EMPTY, EMPTY])
    said = where([*before.values(), *after.values()], f"here, before is {kernels[0]} and after {kernels[-1]}")
    header = [theirs("2008, s"), theirs("change"), "a walk", "change"]
    return [Table("openit-five", "The five configurations of 2008", said, "configuration", header, [*rows, patched])]


def _row(name: str, old: float, new: float, before: float, after: float) -> tuple[str, list[str]]:
    return name, [*_theirs(old, new), whole(after), percent(after / before - 1)]


def _theirs(old: float, new: float) -> list[str]:
    return [theirs(f"{new:.4f}"), theirs(percent(new / old - 1))]


FIRST, LAST = "tomoyo-first", "tomoyo-last"


def _order(book: Book, walks: dict[str, Result]) -> list:
    """One list in two orders: nothing is switched but how many rules are compared before the one that matches."""
    cells = {policy: cell_of(book, f"{policy}-enforcing") for policy in (FIRST, LAST)}
    base = cell_of(book, "capability")
    if not base or not all(cells.values()):
        return [NotRun("modules", f"{book.results.main}-{FIRST}-enforcing and {book.results.main}-{LAST}-enforcing")]
    columns = [Column(title(policy), base, cell) for policy, cell in cells.items()]
    columns.append(Column("last over first", cells[FIRST], cells[LAST]))
    caption = "TOMOYO with one list in two orders, over capability"
    return [*book.table("order-tomoyo", caption, columns), Text(_order_said(book, walks))]


def advice(book: Book) -> list[str]:
    """For the first page: what is the list's, and not the module's."""
    found = {
        name: book.entries[ident].found.get(("creat", name))
        for ident, name in (("sizes", title("tomoyo")), ("order-tomoyo", title(FIRST)), ("sizes", title("tomoyo-few")))
        if ident in book.entries
    }
    if len(found) < 3 or not all(found.values()):
        return []
    learned, first, few = (rise(each.change) for each in found.values())
    return [
        f"TOMOYO: what creat costs depends on its list of rules. It is {learned} over capability with the list that was"
        f" learned, {first} with the rules that it needs first, {few} with few rules. Policies of the modules"
        " differ in size, so"
        " do not rank modules by the table above only."
    ]


def _order_said(book: Book, walks: dict[str, Result]) -> str:
    row, worst = book.entries["order-tomoyo"].worst("last over first")
    said = (
        "Both policies have the rules that TOMOYO learned from the benchmark, in another order: those that these calls and"
        " the walk need are before the rules of other directories, or after them. TOMOYO compares a path with one rule"
        f" after the other. With the same rules in the worse order, {row} takes {whole(worst.difference)} instructions more"
        f" ({percent(worst.change)}). The rules of the walk are still a list of their own, one for each depth."
    )
    if not all(name in walks for name in ("dac", FIRST, LAST)):
        return said
    base, first, last = (walks[name].median("openit") for name in ("dac", FIRST, LAST))
    return (
        f"{said} A walk takes {whole(last - first)} instructions more: {percent(first / base - 1)} over no LSM with the"
        f" rules that it needs first, {percent(last / base - 1)} with them last."
    )


def _why() -> str:
    walks = "; ".join(
        f"{name} {before} s before credentials and {after} s after ({percent(after / before - 1)})"
        for name, (before, after) in published.H08_WALK.items()
    )
    return (
        f"Published, for the same system calls (fstatat and openat of a name in an open directory) in 2008: {walks}."
        " Those are two kernels with the same module; the first table here is of modules on one kernel. The second table has"
        " two kernels as well, but both have credentials: what changes between them is something else, and there is no patch"
        " for speed to measure. A walk is of 266 directories and 19,255 files, as in 2008; here, a figure is the median of nine"
        " walks after one that warms the caches. TOMOYO has a learned rule for each depth of the tree, and most of its other"
        " rules come before them. With few rules, the list is short, but its patterns are of other kinds. That these take"
        " longer to compare was not tested. The table of two orders changes nothing else."
    )
