# SPDX-License-Identifier: GPL-2.0-only
"""Page: whole calls in time, and of what a module adds to them, the part in hooks and the part elsewhere."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from ..drawing import plots
from ..drawing.svg import Drawing
from ..kernelfiles import Info
from ..stats import Interval, over_boots
from . import predicted
from .blocks import EMPTY, Block, Figure, Heading, NotRun, Points, Row, Table, Text, more, part, rise, whole
from .book import FILES, Book, where
from .boots import averaged
from .intervals import few, few_more, printed, printed_more
from .passages import passage
from .records import info
from .titles import title
from .wholes import PART, Boots, Calls, Measure, Whole, added, calls_of, elsewhere, hooks, newest, records_of, ticks, together

BASE = "capability"


def _ns(about: Info, figure: Measure, call: Whole) -> float:
    return about.ns(figure(call))


def tick(base: Calls) -> float:
    """Return its ns."""
    return info(base.boots[0]).ns(1)


def _over_boots(calls: Boots, figure: Measure) -> Interval:
    return over_boots([figure(call) for call in calls.values()])


def blocks(book: Book) -> list[Block]:
    found = calls_of(book)
    base = found.pop(BASE, None)
    if not base or not found:
        return [NotRun(PART, passage("calls.no_calls"))]
    said = _where(base, found)
    return [
        Text(passage("calls.what")),
        Heading(passage("calls.split_title")),
        *_split(base, found, said),
        *(Table(*_by_call(base, module, calls), said, "call", *_rows(base, calls), more=True) for module, calls in found.items()),
        _of_base(base, said),
        *predicted.blocks(predicted.added(base, found), said),
        Heading(passage("calls.limits")),
        Points(_limits(book, base, found)),
    ]


def _where(base: Calls, found: dict[str, Calls]) -> str:
    """Return what the figures of all tables are. Instructions are of the same image as cycles."""
    boots = [boot for calls in (base, *found.values()) for boot in calls.boots]
    exact = [calls.exact for calls in (base, *found.values()) if calls.exact]
    numbers = averaged([calls.boots for calls in (base, *found.values())])
    return where([*boots, *exact], passage("calls.where", averaged=numbers, exact=bool(exact)))


def _split(base: Calls, found: dict[str, Calls], said: str) -> list[Block]:
    header: list[str] = [passage("calls.adds_ns"), passage("calls.of_all"), passage("calls.hooks_ns"),
                         passage("calls.elsewhere_ns"), passage("calls.elsewhere_part"), passage("calls.adds_exact"),
                         passage("calls.of_all_exact"), passage("calls.elsewhere_exact_part"), passage("calls.per_instruction")]
    rows = [(title(module), _sums(base, calls)) for module, calls in found.items()]
    return [
        Figure("calls-split", passage("calls.split"), said, _drawn(base, found)),
        Table("calls-modules", passage("calls.modules", operations=len(FILES)), said, "module", header, rows),
        Text(_orders(base, found)),
        *map(Text, _rates(base, found)),
        Points([text for module, calls in found.items() if (text := _sure(base, module, calls))]),
    ]


def _exact(calls: Calls) -> Whole | None:
    """Return the instructions of all calls together."""
    each = [calls.instructions(row) for row in FILES]
    there = [call for call in each if call]
    return together(there) if len(there) == len(each) else None


@dataclass(frozen=True)
class Sums:
    """The cycles and instructions that a module adds to all calls together, one each, and those of the calls with capability."""

    cycles: Interval
    hooks: Interval
    elsewhere: Interval
    of: float
    exact: Whole | None
    exact_of: float

    @property
    def change(self) -> float:
        return self.cycles.median / self.of

    @property
    def elsewhere_part(self) -> float:
        return self.elsewhere.median / self.cycles.median


def sums(base: Calls, calls: Calls) -> Sums | None:
    before, after = base.all_cycles(FILES), calls.all_cycles(FILES)
    if not before.keys() & after.keys():
        return None
    cycles, in_hooks, outside = (added(before, after, figure) for figure in (ticks, hooks, elsewhere))
    plain, of = _exact(base), _over_boots(before, ticks).median
    return Sums(cycles, in_hooks, outside, of, _difference(base, calls), plain.ticks if plain else 0.0)


def _sums(base: Calls, calls: Calls) -> list[str]:
    found, about = sums(base, calls), info(base.boots[0])
    if not found:
        return [EMPTY] * 9
    ns = [printed_more(_scaled(each, about.ns(1))) for each in (found.cycles, found.hooks, found.elsewhere)]
    share = EMPTY if found.elsewhere.chance else part(found.elsewhere_part)
    cells = [ns[0], rise(found.change), *ns[1:], share]
    exact = found.exact
    if not exact:
        return [*cells, *[EMPTY] * 4]
    cells += [more(exact.ticks), rise(exact.ticks / found.exact_of), part(exact.elsewhere / exact.ticks)]
    return [*cells, f"{found.cycles.median / exact.ticks:.2f}"]


def _scaled(each: Interval, factor: float) -> Interval:
    ends = [None if end is None else factor * end for end in (each.low, each.high)]
    return Interval(factor * each.median, *ends)


def _difference(base: Calls, calls: Calls) -> Whole | None:
    """Return the instructions that a module adds to all calls together."""
    before, after = _exact(base), _exact(calls)
    return _minus(before, after) if before and after else None


def _minus(before: Whole, after: Whole) -> Whole:
    return Whole(after.ticks - before.ticks, after.hooks - before.hooks, after.asked - before.asked)


def _drawn(base: Calls, found: dict[str, Calls]) -> Drawing | None:
    rows: dict[str, list[float]] = {}
    for module, calls in found.items():
        each = sums(base, calls)
        if each:
            rows[f"{title(module)}, cycles"] = [each.hooks.median, each.elsewhere.median]
        if each and each.exact:
            rows[f"{title(module)}, instructions"] = [each.exact.hooks, each.exact.elsewhere]
    return plots.stacked(rows, ["in hooks", "elsewhere"], passage("calls.split_across", operations=len(FILES)), whole)


def _orders(base: Calls, found: dict[str, Calls]) -> str:
    """Return the modules in the order of what they add to all calls: in time, in time of hooks, and in instructions."""
    each = {module: total for module, calls in found.items() if (total := sums(base, calls))}
    exact = {module: total.exact.ticks for module, total in each.items() if total.exact}
    by_time = sorted(each, key=lambda module: -each[module].cycles.median)
    by_hooks = sorted(each, key=lambda module: -each[module].hooks.median)
    return passage("calls.orders", time=by_time, hooks=by_hooks, instructions=sorted(exact, key=lambda module: -exact[module]))


def _rates(base: Calls, found: dict[str, Calls]) -> list[str]:
    """Return cycles for each instruction, if all of the modules have both."""
    each = {module: total for module, calls in found.items() if (total := sums(base, calls))}
    rates = {module: total.cycles.median / total.exact.ticks for module, total in each.items() if total.exact}
    if not rates or len(rates) < len(found):
        return []
    most = max(each, key=lambda module: each[module].cycles.median)
    of, exact = each[most], each[most].exact
    change_exact = exact.ticks / of.exact_of if exact else 0.0
    return [passage("calls.rates", base=of.of / of.exact_of, least=min(rates.values()), most_rate=max(rates.values()), most=most,
                    change=of.change, change_exact=change_exact)]


def _sure(base: Calls, module: str, calls: Calls) -> str:
    """Return in which calls a module costs more or less outside of its hooks than chance, and where that is most."""
    both = [row for row in FILES if base.cycles(row) and calls.cycles(row)]
    each = {row: added(base.cycles(row), calls.cycles(row), elsewhere) for row in both}
    sure = {row: found for row, found in each.items() if found.sure}
    most = max(sure, key=lambda row: sure[row].median, default="")
    return passage("calls.sure", module=module, calls=len(each), sure=list(sure), most=most, added=sure.get(most)) if each else ""


def _by_call(base: Calls, module: str, calls: Calls) -> tuple[str, str]:
    return f"calls-{module}", passage("calls.by_call", module=module)


def _rows(base: Calls, calls: Calls) -> tuple[list[str], list[Row]]:
    """Return header and rows of what a module adds, call by call."""
    header: list[str] = [passage("calls.adds"), passage("calls.adds_ns"), passage("calls.of_base"),
                         passage("calls.hooks"), passage("calls.elsewhere"), passage("calls.adds_exact"),
                         passage("calls.hooks_exact"), passage("calls.elsewhere_exact"), passage("calls.asked_more")]
    return header, [(row, _cells(base, calls, row)) for row in FILES if base.cycles(row) and calls.cycles(row)]


def _cells(base: Calls, calls: Calls, row: str) -> list[str]:
    before, after, about = base.cycles(row), calls.cycles(row), info(base.boots[0])
    each = [added(before, after, figure) for figure in (ticks, partial(_ns, about, ticks), hooks, elsewhere)]
    change = each[0].median / _over_boots(before, ticks).median
    cells = [printed_more(each[0]), _middle(each[1]), rise(change), printed_more(each[2]), printed_more(each[3])]
    exact = calls.instructions(row), base.instructions(row)
    if not exact[0] or not exact[1]:
        return [*cells, *[EMPTY] * 4]
    difference = _minus(exact[1], exact[0])
    return [*cells, *(more(figure(difference)) for figure in (ticks, hooks, elsewhere)), more(difference.asked)]


def _middle(each: Interval) -> str:
    """Return a difference in ns, whose interval in cycles is beside it."""
    return few_more(each.median) if each.low is None else more(each.median)


def _of_base(base: Calls, said: str) -> Table:
    header: list[str] = [passage("calls.cycles"), passage("calls.ns"), passage("calls.in_hooks"),
                         passage("calls.instructions"), passage("calls.in_hooks_exact"), passage("calls.per_instruction"),
                         passage("calls.asked")]
    rows = [(row, _call(base, row)) for row in FILES if base.cycles(row)]
    return Table("calls-base", passage("calls.base"), said, "call", header, rows)


def _call(base: Calls, row: str) -> list[str]:
    cycles, about, exact = base.cycles(row), info(base.boots[0]), base.instructions(row)
    each = [_over_boots(cycles, figure) for figure in (ticks, partial(_ns, about, ticks), hooks)]
    cells = [printed(each[0]), few(each[1].median) if each[1].low is None else whole(each[1].median), printed(each[2])]
    if not exact:
        return [*cells, *[EMPTY] * 4]
    return [*cells, whole(exact.ticks), whole(exact.hooks), f"{each[0].median / exact.ticks:.2f}", whole(exact.asked)]


def _spread(stacks: Collection[Calls]) -> float:
    """Return the largest difference of the records of one call in a boot that counts instructions, as part of the call."""
    found = [records_of(calls.exact, name) for calls in stacks if calls.exact for name in FILES.values()]
    least = [(min(call.ticks for call in records), max(call.ticks for call in records)) for records in found if records]
    return max((high / low - 1 for low, high in least), default=0.0)


def _limits(book: Book, base: Calls, found: dict[str, Calls]) -> list[str]:
    about, state = info(base.boots[0]), base.boots[0].state
    limits: list[str] = [
        passage("calls.processor", processor=state.get("processor", "?"), mhz=about.number("clock_khz") / 1000,
                step=about.number("clock_step", "0"), empty=about.number("overhead")),
        passage("calls.lacks", kernel=newest(book), mitigations=bool(state.get("mitigations"))),
        passage("calls.monitor"),
        passage("calls.image"),
        passage("calls.noise", intervals=len(found) * len(FILES)),
    ]
    if any(calls.exact for calls in found.values()):
        limits.append(passage("calls.exactly", spread=_spread([base, *found.values()])))
    return limits
