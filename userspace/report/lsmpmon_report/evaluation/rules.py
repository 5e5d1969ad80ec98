# SPDX-License-Identifier: GPL-2.0-only
"""Page: what a policy of real size costs, and a call as rules are added."""

from __future__ import annotations

import math

from ..drawing import plots
from ..drawing.svg import Drawing
from ..stats import AFFECTED
from . import states
from .blocks import Figure, Heading, NotRun, Page, Text, part, rise, whole
from .book import FILES, Book, Column, cell_of, names_of, where
from .results import Result
from .titles import title

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


def _plot(book: Book) -> Drawing | None:
    series = {f"{title(m)} {row}": _points(_cells(book, m), row) for m in RULED for row in ("open", "creat")}
    series = {name: points for name, points in series.items() if len(points) > 1}
    return plots.lines(series, "instructions a call", "rules", whole, log=True)


def _points(there: dict[int, Result], row: str) -> list:
    return [
        (float(number), plots.Point(middle, f"{row}, {number:,} rules: {middle:,.0f}"))
        for number, result in there.items()
        if (middle := result.median(FILES[row]))
    ]


def is_most(column: Column) -> bool:
    """Whether a column has the most rules of all."""
    return f"{max(RULES):,} over" in column.title


def _most(book: Book) -> dict[str, Column]:
    """By module, the column with the most rules."""
    entry = book.entries["rules"]
    found = {column.other.name.split("-")[1]: column for column in entry.columns if is_most(column)}
    return {module: column for module, column in found.items() if entry.column(column.title)}


# What the added rules are beside those that match, as userspace/policy/MODULE.sh writes them.
ADDED = {
    "landlock": "The added rules are for other directories. In time, the median of file_open doubles: [How many Landlock"
    " rules can I"
    " afford?](Documentation/case-studies/landlock-rules.md)",
    "tomoyo": "Keep rules that are used often at the head of the list.",
    "apparmor": "The added rules are for another directory, so this does not say what more rules for the same paths cost.",
    "smack": "The added rules are for the same subject and other objects.",
    "bpf": "The added rules are for other directories. Misses of caches are not in instructions.",
}
# Modules that compare with one rule after the other, and come to the added ones first.
PASSING = ("tomoyo", "smack")


def advice(book: Book) -> list[str]:
    """For the first page: what a rule costs, and the call with the largest increase in percent."""
    said = [_each(book, module, column) for module, column in _most(book).items()] if "rules" in book.entries else []
    return [*said, *(found for pair in POLICIES if (found := _policy(book, *pair)))]


def _each(book: Book, module: str, column: Column) -> str:
    entry, numbers = book.entries["rules"], sorted(_cells(book, module))
    begin = f"{title(module)}, {numbers[-1]:,} rules instead of {numbers[0]:,}"
    if not entry.affected(column.title):
        return f"{begin}: no call changes by more than {part(AFFECTED)}. {ADDED[module]}"
    row, most = entry.worst(column.title)
    calls = [entry.found[name, column.title].difference for name in entry.affected(column.title)]
    each = _passed([round(ticks / (numbers[-1] - numbers[0])) for ticks in calls]) if module in PASSING else ""
    return f"{begin}: {rise(most.change)} at most in instructions ({row}){each}. {ADDED[module]}"


def _passed(ticks: list[int]) -> str:
    """What one added rule takes in each call. A call makes several checks, and each of them may pass all rules."""
    least, most, check = min(ticks), max(ticks), math.gcd(*ticks)
    if least < 1:
        return ""
    each = f"{least} to {most}" if least < most else f"{most}"
    if 1 < check < least:
        return f"; for each rule that is passed, {check} instructions a check, which is {each} a call"
    return f"; for each rule that is passed, {each} instructions a call, by the kind of rule"


# The policy of the benchmark, and one of real size.
POLICIES = (("selinux", "selinux-debian"), ("apparmor", "apparmor-debian"))


def _policy(book: Book, small: str, large: str) -> str:
    """What the larger policy costs more in the call that it makes most expensive."""
    entry = book.entries.get("sizes")
    found = [entry.column(title(policy)) for policy in (small, large)] if entry else [{}, {}]
    added = {row: found[1][row].difference - found[0][row].difference for row in found[0] if row in found[1]}
    if not added:
        return ""
    row = max(added, key=added.__getitem__)
    number = sum(value > AFFECTED * found[0][each].value for each, value in added.items())
    if not number:
        return f"{title(large)}: no call costs over {part(AFFECTED)} more than with the policy of the benchmark."
    return (
        f"{title(large)}: {row} costs {whole(added[row])} instructions more than with the policy of the benchmark, and {number}"
        f" of {len(added)} calls cost more by over {part(AFFECTED)}. Measure with the policy that you will run."
    )


def _said(book: Book) -> str:
    entry = book.entries["rules"]
    said = []
    for column in _most(book).values():
        row, worst = entry.worst(column.title)
        said.append(f"{column.title} rules: {rise(entry.middle(column.title))} at the median, {rise(worst.change)} on {row}.")
    said.append(
        "TOMOYO compares a path with one rule after the other, from the head of the list; AppArmor compiles its rules"
        " to an automaton, and Landlock looks up each directory of a path in a tree of rules. Smack compares the label of"
        " an object with one rule of the subject after the other, and the programs of BPF look up a directory in a hash map."
    )
    return " ".join(said)
