# SPDX-License-Identifier: GPL-2.0-only
"""Page: the slowest of a million calls, and what makes them slow."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from ..drawing import plots
from ..drawing.svg import Drawing
from ..stats import over_boots
from .blocks import EMPTY, Figure, Heading, NotRun, Page, Points, Table, Text, whole
from .book import Book, where
from .intervals import boots_said, few, printed
from .records import info, per_us
from .results import Result
from .titles import title

POLICIES = ("capability", "selinux", "selinux-debian", "selinux-misses", "apparmor", "tomoyo", "smack", "landlock")
# By sub-benchmark, the hooks whose calls are looked at.
HOOKS = {"open": ("inode_permission", "file_open", "file_alloc_security"), "creat": ("path_mknod", "inode_create", "inode_init_security")}
QUANTILES = (0.5, 0.99, 0.999, 0.9999)
# A quantile is at most that many times what it stands for.
WIDTH = 1.125
NAMES = [f"p{100 * quantile:g}" for quantile in QUANTILES]


@dataclass(frozen=True)
class Tail:
    """Of one hook, in one unit: the quantiles of all calls; the longest without an interrupt inside; those with one."""

    calls: int
    quantiles: list[float]
    quiet: float
    longest: float
    interrupted: int


def _unit(result: Result) -> float:
    """Of a tick, what tables print: instructions, or ns."""
    return 1.0 if result.exact else 1000 / per_us(result)


def tail(result: Result, bench: str, hook: str) -> Tail | None:
    """As counted, with the clock's own reading. The end of a bucket may be above the longest call in it."""
    buckets = [row for table in result.tables(bench, "histogram", ("hook", "le", "count")) for row in table if row["hook"] == hook]
    rows = [row for table in result.tables(bench, "verdicts", ("hook", "quiet_max", "irq_count")) for row in table if row["hook"] == hook]
    if not buckets or not rows:
        return None
    unit, longest = _unit(result), max(row["max"] for row in rows)
    return Tail(
        sum(row["count"] for row in buckets),
        [unit * min(quantile(buckets, each), longest) for each in QUANTILES],
        unit * max(row["quiet_max"] for row in rows),
        unit * longest,
        sum(row["irq_count"] for row in rows),
    )


def quantile(buckets: list[dict], part: float) -> float:
    """The upper end of the bucket in which it is."""
    buckets = sorted(buckets, key=lambda row: row["le"])
    wanted, seen = part * sum(row["count"] for row in buckets), 0
    for row in buckets:
        seen += row["count"]
        if seen >= wanted:
            return row["le"]
    return buckets[-1]["le"]


def _tails(boots: list[Result], bench: str, hook: str) -> list[Tail]:
    """One of each boot."""
    return [each for boot in boots if (each := tail(boot, bench, hook))]


def _over_boots(boots: list[Result], bench: str, hook: str) -> Tail | None:
    """The median of each figure."""
    found = _tails(boots, bench, hook)
    if not found:
        return None
    return Tail(
        round(median(each.calls for each in found)),
        [median(each.quantiles[number] for each in found) for number in range(len(QUANTILES))],
        median(each.quiet for each in found),
        median(each.longest for each in found),
        round(median(each.interrupted for each in found)),
    )


def _exact(book: Book) -> dict[str, list[Result]]:
    found = {policy: book.results.get("tails", f"{book.results.main}-{policy}-exact") for policy in POLICIES}
    return {policy: [result] for policy, result in found.items() if result and result.records}


def _timed(book: Book) -> dict[str, list[Result]]:
    found = {policy: book.results.boots("tails", f"{book.results.main}-{policy}") for policy in POLICIES}
    return {policy: boots for policy, boots in found.items() if boots}


def page(book: Book) -> Page:
    exact, timed = _exact(book), _timed(book)
    if not exact and not timed:
        missing = NotRun("tails", "a million calls of each hook, in instructions and in cycles")
        return Page("tails", "The slowest of a million calls", [missing])
    blocks: list = [Text(WHAT), *_time(timed), *_instructions(exact), Heading("Why"), *_why(exact, timed), Points(LIMITS)]
    return Page("tails", "The slowest of a million calls", blocks)


WHAT = (
    "200,000 times open() and close() of a file five directories deep, which asks inode_permission a million times; and"
    " 200,000 times creat() and unlink(). Every call of every hook that was not switched out is in a histogram of the"
    " kernel's own; nothing is sampled. A quantile is the upper end of its bucket, so it may be up to 12.5 % too high. A"
    " call with an interrupt inside is in the quantiles, and is not the “longest, no interrupt”."
)


def _time(timed: dict[str, list[Result]]) -> list:
    if not timed:
        return [NotRun("tails", "cycles on User-Mode Linux")]
    boots = [boot for each in timed.values() for boot in each]
    empty = median(info(boot).number("overhead") * _unit(boot) for boot in boots)
    numbers = boots_said([len(each) for each in timed.values()])
    said = f"{where(boots)}; ns, with the {whole(empty)} ns of an empty span; {numbers}"
    figure = Figure("tails-time", "How long calls of inode_permission and file_open take", said, _plot(timed))
    return [Heading("In time"), figure, *_tables(timed, "time", "ns", said)]


def _plot(timed: dict[str, list[Result]]) -> Drawing | None:
    rows = {}
    for hook in HOOKS["open"][:2]:
        for policy, boots in timed.items():
            found = _over_boots(boots, "open", hook)
            if found:
                values = zip([*NAMES, "longest, quiet"], [*found.quantiles, found.quiet])
                rows[f"{hook}, {title(policy)}"] = [
                    [plots.Point(value, f"{hook}, {title(policy)}, {name}: {few(value)} ns")] for name, value in values
                ]
    return plots.dots(rows, [*NAMES, "longest without an interrupt"], "ns, logarithmic", whole, log=True)


def _instructions(exact: dict[str, list[Result]]) -> list:
    if not exact:
        return [NotRun("tails", "instructions under QEMU")]
    said = f"{where([each[0] for each in exact.values()])}; with the monitor's own"
    return [Heading("In instructions"), Text(EXACT), *_tables(exact, "instructions", "instructions", said)]


EXACT = (
    "Nothing but the guest's own kernel makes a call longer here: no cache, no other process of the machine. So what is"
    " far from the median is a longer way through the code."
)


def _tables(found: dict[str, list[Result]], name: str, unit: str, said: str) -> list:
    return [
        _table(found, bench, hook, f"tails-{name}-{hook}", unit, said)
        for bench, hooks in HOOKS.items()
        for hook in hooks
        if any(_over_boots(boots, bench, hook) for boots in found.values())
    ]


def _table(found: dict[str, list[Result]], bench: str, hook: str, ident: str, unit: str, said: str) -> Table:
    rows = [(title(policy), _cells(_tails(boots, bench, hook), boots[0].exact)) for policy, boots in found.items()]
    header = ["calls", *NAMES, "longest, no interrupt", "longest", "interrupted"]
    more = hook not in HOOKS["open"][:2]
    return Table(ident, f"{hook} in {bench}, {unit}", said, "module", header, rows, more=more)


def _cells(tails: list[Tail], exact: bool) -> list[str]:
    """Instructions are exact, and of one boot."""
    if not tails:
        return [EMPTY] * (len(NAMES) + 4)
    each = zip(*([*found.quantiles, found.quiet, found.longest] for found in tails))
    values = [whole(median(boots)) if exact else printed(over_boots(boots)) for boots in each]
    counts = [f"{median(numbers):,.0f}" for numbers in zip(*((found.calls, found.interrupted) for found in tails))]
    return [counts[0], *values, counts[1]]


def _why(exact: dict[str, list[Result]], timed: dict[str, list[Result]]) -> list:
    """What is switched off, and what that changes."""
    said = []
    hits, misses = exact.get("selinux-debian"), exact.get("selinux-misses")
    for hook in HOOKS["open"][:2]:
        pair = [_over_boots(boots, "open", hook) for boots in (hits, misses) if boots]
        if len(pair) == 2 and all(pair) and pair[0].quantiles != pair[1].quantiles:
            said.append(
                f"A miss of SELinux's cache of decisions, in {hook}: p99 is at most {whole(pair[0].quantiles[1])}"
                " instructions with"
                f" the cache, and {whole(pair[1].quantiles[1])} where it keeps no entry; the longest call takes"
                f" {whole(pair[0].quiet)} and {whole(pair[1].quiet)}."
            )
    return [Points([*said, *_interrupts(timed), *_noise(timed), *_own(exact)])]


def _interrupts(timed: dict[str, list[Result]]) -> list[str]:
    """Where they lengthen a call most."""
    found = {
        (policy, hook): each
        for policy, boots in timed.items()
        for bench, hooks in HOOKS.items()
        for hook in hooks
        if (each := _over_boots(boots, bench, hook)) and each.interrupted
    }
    if not found:
        return []
    policy, hook = max(found, key=lambda key: found[key].longest / found[key].quiet)
    most = found[policy, hook]
    return [
        f"An interrupt: the longest {hook} under {title(policy)} took {few(most.longest)} ns with one inside, the longest"
        f" without one {few(most.quiet)} ns. Of {most.calls:,} calls, {most.interrupted:,} had one."
    ]


def _noise(timed: dict[str, list[Result]]) -> list[str]:
    """Capability has next to nothing to do in these hooks: what is slow there is the machine."""
    plain = _over_boots(timed["capability"], "open", "inode_permission") if "capability" in timed else None
    if not plain:
        return []
    return [
        f"The machine: with capability only, inode_permission has nothing to do, and its longest call without an interrupt"
        f" still took {few(plain.quiet)} ns, one of {plain.calls:,}. What is not longer than that says nothing about a"
        " module: the host's own scheduler and its caches are in it."
    ]


def _own(exact: dict[str, list[Result]]) -> list[str]:
    """The furthest that a hook is from its median, by module, where that is more than a bucket is wide."""
    said = []
    for policy, (result,) in exact.items():
        each = {
            (bench, hook): found for bench, hooks in HOOKS.items() for hook in hooks if (found := tail(result, bench, hook))
        }
        if each:
            bench, hook = max(each, key=lambda key: each[key].quiet - each[key].quantiles[0])
            found = each[bench, hook]
            if found.quiet <= WIDTH * found.quantiles[0]:
                continue
            said.append(
                f"{title(policy)}: furthest from its median of {whole(found.quantiles[0])} instructions is {hook} in {bench},"
                f" {whole(found.quiet)}."
            )
    return said


LIMITS = [
    "These guests have one processor: no call waits here for a lock that another processor holds.",
    "The page on modules, What processors share, has the atomic operations that could make processors wait.",
]
