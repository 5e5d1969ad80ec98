# SPDX-License-Identifier: GPL-2.0-only
"""Page: what a policy of real size costs, and a call as rules are added."""

from __future__ import annotations

from . import states, svg
from .blocks import Figure, Heading, NotRun, Page, Text, percent, whole
from .book import FILES, Book, Column, cell_of, names_of, title, where
from .results import Result

RULES = (10, 100, 1000, 10000)
RULED = ("landlock", "tomoyo", "apparmor", "smack", "bpf")
# Policies of the benchmark, and others of the same modules.
SIZES = ("selinux", "selinux-debian", "apparmor", "apparmor-debian", "tomoyo-few", "tomoyo")


def _cells(book: Book, module: str) -> dict[int, Result]:
    found = {number: cell_of(book, f"{module}-{number}", "rules") for number in RULES}
    return {number: result for number, result in found.items() if result}


def _columns(module: str, found: dict[int, Result]) -> list[Column]:
    least = min(found, default=0)
    return [Column(f"{title(module)}, {n:,} over {least:,}", found[least], r) for n, r in found.items() if n != least]


def compare_all(book: Book) -> None:
    columns = [column for module in RULED for column in _columns(module, _cells(book, module))]
    if columns:
        book.compare("rules", columns)
    if found := [column for policy in SIZES if (column := states.over_capability(book, policy, "enforcing"))]:
        book.compare("sizes", found)


def page(book: Book) -> Page:
    sizes, more = _sizes(book), _more(book)
    return Page("rules", "What longer policies cost", [Heading("Policies of real size"), *sizes, Heading("More rules"), *more])


def _sizes(book: Book) -> list:
    if "sizes" not in book.entries:
        return [NotRun("modules", "the policies of the benchmark, and those of Debian, enforcing")]
    entry = book.entries["sizes"]
    wanted = {f"{policy}-enforcing": states.over_capability(book, policy, "enforcing") for policy in SIZES}
    return [
        book.summary("sizes", "Policies, over capability", "policy", names_of(book, wanted)),
        *book.table("sizes", "Policies, call by call", entry.columns, more=True),
        Text(SIZES_ARE),
    ]


SIZES_ARE = (
    "The policy of SELinux that the benchmark brings has a few types; Debian's is selinux-policy-default, in which the"
    " benchmark runs as a confined user. Its profile of AppArmor has the rules that it needs; with Debian's profiles, all"
    " that Debian installs are loaded, and the benchmark's includes as many of their abstractions as that of a mail"
    " server. TOMOYO has learned a rule for each path that the benchmark uses, or has one of each kind for all paths."
)


def _more(book: Book) -> list:
    if "rules" not in book.entries:
        return [NotRun("rules", "Landlock, TOMOYO, AppArmor, Smack and BPF with 10, 100, 1,000 and 10,000 rules")]
    entry = book.entries["rules"]
    wanted = {f"{module}-{n}": _cells(book, module).get(n) for module in RULED for n in RULES}
    said = where([column.other for column in entry.columns], "both axes logarithmic")
    return [
        Figure("rules-calls", "What a call costs with more rules", said, _plot(book)),
        book.summary("rules", "More rules, over the least number of them", "rules", names_of(book, wanted, "rules")),
        *book.table("rules", "More rules, call by call", entry.columns, more=True),
        Text(_said(book)),
    ]


def _plot(book: Book) -> str:
    series = {f"{title(m)} {row}": _points(_cells(book, m), row) for m in RULED for row in ("open", "creat")}
    series = {name: points for name, points in series.items() if len(points) > 1}
    return svg.lines(series, "a call", "rules", whole, log=True)


def _points(there: dict[int, Result], row: str) -> list:
    return [
        (float(number), svg.Point(middle, f"{row}, {number:,} rules: {middle:,.0f}"))
        for number, result in there.items()
        if (middle := result.median(FILES[row]))
    ]


def worst(book: Book) -> list[tuple[str, str, float]]:
    """By column with the most rules: its title, the call that costs most, and its change."""
    entry, found = book.entries["rules"], []
    for column in entry.columns:
        if f"{max(RULES):,} over" in column.title and entry.column(column.title):
            row, most = entry.worst(column.title)
            found.append((column.title, row, most.change))
    return found


def _said(book: Book) -> str:
    entry = book.entries["rules"]
    said = [
        f"{name} rules: {percent(entry.middle(name))} at the median, {percent(change)} on {row}."
        for name, row, change in worst(book)
    ]
    said.append(
        "TOMOYO compares a path with one rule after the other, from the head of the list; AppArmor compiles its rules"
        " to an automaton, and Landlock looks up each directory of a path in a tree of rules. Smack compares the label of"
        " an object with one rule of the subject after the other, and the programs of BPF look up a directory in a hash map."
    )
    return " ".join(said)
