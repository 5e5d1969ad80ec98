# SPDX-License-Identifier: GPL-2.0-only
"""Page: the slowest of a million calls, and what makes them slow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from ..drawing import plots
from ..drawing.svg import Drawing
from ..kernelfiles import Row
from ..stats import over_boots
from .blocks import EMPTY, Block, Figure, Heading, NotRun, Points, Table, Text, whole
from .book import Book, where
from .boots import averaged
from .intervals import few, printed
from .passages import passage
from .records import info, per_us
from .results import Result
from .titles import title

POLICIES = ("capability", "selinux", "selinux-debian", "selinux-misses", "apparmor", "tomoyo", "smack", "landlock")
# By sub-benchmark, the hooks whose calls are looked at.
HOOKS = {
    "open": ("inode_permission", "file_open", "file_alloc_security"),
    "creat": ("path_mknod", "inode_create", "inode_init_security"),
}
QUANTILES = (0.5, 0.99, 0.999, 0.9999)
# A quantile is at most that many times what it stands for.
WIDTH = 1.125
NAMES = [f"p{100 * quantile:g}" for quantile in QUANTILES]


@dataclass(frozen=True)
class Tail:
    """All calls of one hook, in one unit: quantiles of their own time, and the longest without an interrupt inside; the longest
    from begin to end; and how many were interrupted or switched out.
    """

    calls: int
    quantiles: list[float]
    quiet: float
    longest: float
    interrupted: int
    switched: int


def _unit(result: Result) -> float:
    """Return what tables print of a tick: instructions, or ns."""
    return 1.0 if result.exact else 1000 / per_us(result)


def tail(result: Result, bench: str, hook: str) -> Tail | None:
    """Return calls as counted, with the clock's own reading. The end of a bucket may be above the longest call in it."""
    buckets, rows = (
        [row for table in result.tables(bench, file, ("hook", *needs)) for row in table if row["hook"] == hook]
        for file, needs in (("histogram", ("le", "own")), ("verdicts", ("quiet_max", "irq_count", "cs_max")))
    )
    if not buckets or not rows:
        return None
    unit, longest = _unit(result), max(max(row["max"], row["cs_max"]) for row in rows)
    return Tail(
        sum(row["own"] for row in buckets),
        [unit * min(quantile(buckets, each), longest) for each in QUANTILES],
        unit * max(row["quiet_max"] for row in rows),
        unit * longest,
        sum(row["irq_count"] for row in rows),
        sum(row["cs_count"] for row in rows),
    )


def quantile(buckets: list[Row], part: float) -> float:
    """Return the upper end of the bucket in which it is, by own time."""
    buckets = sorted(buckets, key=lambda row: row["le"])
    wanted, seen, end = part * sum(row["own"] for row in buckets), 0, 0.0
    for row in buckets:
        seen, end = seen + row["own"], row["le"]
        if seen >= wanted:
            break
    return end


def _tails(boots: list[Result], bench: str, hook: str) -> list[Tail]:
    """Return one of each boot."""
    return [each for boot in boots if (each := tail(boot, bench, hook))]


def _over_boots(boots: list[Result], bench: str, hook: str) -> Tail | None:
    """Return the median of each figure, and of the longest calls the longest of all boots: a mean of two is not a call."""
    found = _tails(boots, bench, hook)
    if not found:
        return None
    return Tail(
        round(median(each.calls for each in found)),
        [median(each.quantiles[number] for each in found) for number in range(len(QUANTILES))],
        max(each.quiet for each in found),
        max(each.longest for each in found),
        round(median(each.interrupted for each in found)),
        round(median(each.switched for each in found)),
    )


def _exact(book: Book) -> dict[str, list[Result]]:
    found = {policy: book.results.get("tails", f"{book.results.main}-{policy}-exact") for policy in POLICIES}
    return {policy: [result] for policy, result in found.items() if result and result.records}


def _timed(book: Book) -> dict[str, list[Result]]:
    found = {policy: book.results.boots("tails", f"{book.results.main}-{policy}") for policy in POLICIES}
    return {policy: boots for policy, boots in found.items() if boots}


def blocks(book: Book) -> list[Block]:
    exact, timed = _exact(book), _timed(book)
    if not exact and not timed:
        return [NotRun("tails", passage("tails.no_tails"))]
    why = [*_misses(exact), *_interrupts(timed), *_noise(timed), *_own(exact)]
    limits = [passage("tails.one_processor"), passage("tails.shared")]
    found = [Text(passage("tails.what")), *_time(timed), *_instructions(exact)]
    return [*found, Heading(passage("tails.why")), Points(why), Points(limits)]


def _time(timed: dict[str, list[Result]]) -> list[Block]:
    if not timed:
        return [NotRun("tails", passage("tails.no_time"))]
    boots = [boot for each in timed.values() for boot in each]
    empty = median(info(boot).number("overhead") * _unit(boot) for boot in boots)
    numbers = averaged(list(timed.values()))
    said = where(boots, passage("tails.time_where", empty=empty, averaged=numbers))
    figure = Figure("tails-time", passage("tails.time"), said, _plot(timed))
    return [Heading(passage("tails.time_title")), figure, *_tables(timed, "time", "ns", said)]


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
    return plots.dots(rows, [*NAMES, "longest without an interrupt"], passage("tails.time_across"), whole, log=True)


def _instructions(exact: dict[str, list[Result]]) -> list[Block]:
    if not exact:
        return [NotRun("tails", passage("tails.no_exact"))]
    said = where([each[0] for each in exact.values()], passage("tails.exact_where"))
    tables = _tables(exact, "instructions", "instructions", said)
    return [Heading(passage("tails.exact_title")), Text(passage("tails.exact")), *tables]


def _tables(found: dict[str, list[Result]], name: str, unit: str, said: str) -> list[Table]:
    return [
        _table(found, bench, hook, f"tails-{name}-{hook}", unit, said)
        for bench, hooks in HOOKS.items()
        for hook in hooks
        if any(_over_boots(boots, bench, hook) for boots in found.values())
    ]


def _table(found: dict[str, list[Result]], bench: str, hook: str, ident: str, unit: str, said: str) -> Table:
    rows = [(title(policy), _cells(_tails(boots, bench, hook), boots[0].exact)) for policy, boots in found.items()]
    header = ["calls", *NAMES, "longest, no interrupt", "longest, begin to end", "interrupted", "switched out"]
    more = hook not in HOOKS["open"][:2]
    return Table(ident, passage("tails.table", hook=hook, bench=bench, unit=unit), said, "module", header, rows, more=more)


def _cells(tails: list[Tail], exact: bool) -> list[str]:
    """Return the cells of a row. Instructions are exact, and of one boot."""
    if not tails:
        return [EMPTY] * (len(NAMES) + 5)
    each = zip(*(found.quantiles for found in tails))
    values = [whole(median(boots)) if exact else printed(over_boots(boots)) for boots in each]
    longest = [max(found.quiet for found in tails), max(found.longest for found in tails)]
    values += [whole(value) if exact else few(value) for value in longest]
    numbers = zip(*((found.calls, found.interrupted, found.switched) for found in tails))
    calls, *disturbed = [f"{median(each):,.0f}" for each in numbers]
    return [calls, *values, *disturbed]


def _misses(exact: dict[str, list[Result]]) -> Iterator[str]:
    """Yield what SELinux's cache of decisions changes, by hook."""
    for hook in HOOKS["open"][:2]:
        hits, misses = (_over_boots(exact.get(name, []), "open", hook) for name in ("selinux-debian", "selinux-misses"))
        if hits and misses and hits.quantiles != misses.quantiles:
            yield passage("tails.miss", hook=hook, hits=hits, misses=misses)


def _interrupts(timed: dict[str, list[Result]]) -> list[str]:
    """Return where they lengthen a call most."""
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
    return [passage("tails.interrupt", hook=hook, policy=policy, tail=found[policy, hook])]


def _noise(timed: dict[str, list[Result]]) -> list[str]:
    """Return how slow capability is, which has next to nothing to do in these hooks: what is slow there is the machine."""
    plain = _over_boots(timed["capability"], "open", "inode_permission") if "capability" in timed else None
    return [passage("tails.machine", tail=plain)] if plain else []


def _own(exact: dict[str, list[Result]]) -> Iterator[str]:
    """Yield, by module, the furthest that a hook is from its median, where that is more than a bucket is wide."""
    for policy, (result,) in exact.items():
        each = {
            (bench, hook): found for bench, hooks in HOOKS.items() for hook in hooks if (found := tail(result, bench, hook))
        }
        if each:
            bench, hook = max(each, key=lambda key: each[key].quiet - each[key].quantiles[0])
            found = each[bench, hook]
            if found.quiet > WIDTH * found.quantiles[0]:
                yield passage("tails.furthest", policy=policy, hook=hook, bench=bench, tail=found)
