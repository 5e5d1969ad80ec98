# SPDX-License-Identifier: GPL-2.0-only
"""Instructions that a module adds to a call as a prediction of the cycles that it adds, and where they mislead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from ..drawing import plots
from ..drawing.svg import Drawing
from ..stats import FLOOR, LEVEL, Interval, Line, regress
from . import wholes
from .blocks import Block, Figure, Heading, NotRun, Points, Row, Table, Text, more, whole
from .book import FILES
from .intervals import printed_more
from .passages import passage
from .titles import title
from .wholes import PART, Boots, Calls, Whole

# Rows of a table of calls that are furthest from what is predicted.
TOP = 10
# Points of a regression: several times what it estimates.
POINTS_LEAST = 10


@dataclass(frozen=True)
class Added:
    """A module's instructions in a call, and the call's cycles in each boot without the module and with it."""

    module: str
    row: str
    base: Whole
    exact: Whole
    before: Boots
    after: Boots

    @property
    def instructions(self) -> float:
        return self.exact.ticks - self.base.ticks

    @property
    def in_hooks(self) -> float:
        return self.exact.hooks - self.base.hooks

    @property
    def outside(self) -> float:
        return self.instructions - self.in_hooks

    @property
    def cycles(self) -> float:
        return self.interval.median

    @property
    def interval(self) -> Interval:
        return wholes.added(self.before, self.after, wholes.ticks)

    @property
    def cycles_in_hooks(self) -> float:
        return wholes.added(self.before, self.after, wholes.hooks).median

    @property
    def tells(self) -> bool:
        """Return whether both numbers are more than chance, so that one by the other says something."""
        return self.instructions > FLOOR and self.interval.sure

    @property
    def name(self) -> str:
        return f"{self.row}, {title(self.module)}"


@dataclass(frozen=True)
class Missed:
    """A point of a regression, and what the line says it should be."""

    added: Added
    fitted: float

    @property
    def residual(self) -> float:
        return self.added.cycles - self.fitted


def added(base: Calls, found: dict[str, Calls]) -> list[Added]:
    """Return what each module adds to each call of which both instructions and cycles were counted."""
    return [
        Added(module, row, before, after, base.cycles(row), calls.cycles(row))
        for module, calls in found.items()
        for row in FILES
        if (before := base.instructions(row)) and (after := calls.instructions(row)) and base.cycles(row) and calls.cycles(row)
    ]


def blocks(found: list[Added], said: str) -> list[Block]:
    heading = Heading(passage("predicted.title"))
    if len(found) < POINTS_LEAST:
        return [heading, NotRun(PART, passage("predicted.no_instructions"))]
    fits, swapped = lines(found), list(_swapped(found))
    fit, missed = fits["added"], _missed(found, fits["added"])
    return [
        heading,
        Text(passage("predicted.what")),
        _table_of_lines(fits, found, said),
        Text(_within(missed, fit)),
        Figure("calls-ratio", passage("predicted.ratio"), said, _drawn(found)),
        _table_of_missed(missed, said),
        Text(passage("predicted.swapped_are", pairs=_pairs(found), swapped=len(swapped), floor=FLOOR)),
        Points([passage("predicted.swapped", call=one.row, more=one.module, less=other.module, instructions=many, cycles=cycles)
                for one, other, many, cycles in swapped[:TOP]]),
    ]


def _whole_calls(found: Sequence[Added]) -> tuple[list[float], list[float]]:
    """Return cycles and instructions of each call as a whole, with each module and with capability."""
    plain = {each.row: each for each in found}.values()
    calls = [*(each.after for each in found), *(each.before for each in plain)]
    cycles = [median(call.ticks for call in each.values()) for each in calls]
    return cycles, [*(each.exact.ticks for each in found), *(each.base.ticks for each in plain)]


def lines(found: Sequence[Added]) -> dict[str, Line]:
    """Return the regressions of cycles on instructions by name. The last one has a slope for each of the two places."""
    wholes, executed = _whole_calls(found)
    total, in_hooks = [each.cycles for each in found], [each.in_hooks for each in found]
    outside = [each.outside for each in found]
    return {
        "wholes": regress(wholes, [executed]),
        "added": regress(total, [[each.instructions for each in found]]),
        "hooks": regress([each.cycles_in_hooks for each in found], [in_hooks]),
        "elsewhere": regress([each.cycles - each.cycles_in_hooks for each in found], [outside]),
        "places": regress(total, [in_hooks, outside]),
    }


def _table_of_lines(fits: dict[str, Line], found: Sequence[Added], said: str) -> Table:
    numbers = {name: len(found) for name in fits} | {"wholes": len(_whole_calls(found)[0])}
    said_of = {"wholes": passage("predicted.wholes"), "added": passage("predicted.added"), "hooks": passage("predicted.hooks"),
               "elsewhere": passage("predicted.elsewhere"), "places": passage("predicted.places")}
    rows: list[Row] = []
    for name, line in fits.items():
        slopes = passage("predicted.slopes", slopes=[dict(zip(("value", "low", "high"), each)) for each in line.slopes])
        rows.append((said_of[name], [str(numbers[name]), slopes, more(line.constant), f"{line.r2:.3f}"]))
    header: list[str] = [passage("predicted.points"), passage("predicted.slope"), passage("predicted.constant"),
                         passage("predicted.r2")]
    return Table("calls-predicted", passage("predicted.lines", level=LEVEL), said, "cycles of", header, rows)


def _missed(found: Sequence[Added], line: Line) -> list[Missed]:
    """Return the points, the furthest from the line first."""
    slope = line.slopes[0][0]
    each = [Missed(point, line.constant + slope * point.instructions) for point in found]
    return sorted(each, key=lambda point: -abs(point.residual))


def _within(missed: Sequence[Missed], fit: Line) -> str:
    sizes = [abs(point.residual) for point in missed]
    enough = [point for point in missed if point.added.tells]
    rates = sorted(point.added.cycles / point.added.instructions for point in enough)
    return passage("predicted.within", slope=fit.slopes[0][0], constant=fit.constant, half=median(sizes), most=sizes[0],
                   furthest=missed[0].added.name, rates=[rates[0], rates[-1]] if rates else [], floor=FLOOR, number=len(enough))


def _table_of_missed(missed: Sequence[Missed], said: str) -> Table:
    rows: list[Row] = []
    for point in missed[:TOP]:
        each = point.added
        cells = [more(each.instructions), more(each.outside), printed_more(each.interval)]
        rows.append((each.name, [*cells, more(point.fitted), more(point.residual)]))
    header: list[str] = [passage("predicted.instructions"), passage("predicted.outside"), passage("predicted.cycles"),
                         passage("predicted.fitted"), passage("predicted.residual")]
    return Table("calls-missed", passage("predicted.missed", number=len(rows)), said, "call, module", header, rows)


def _drawn(found: Sequence[Added]) -> Drawing | None:
    """Return cycles for each instruction that a module adds, where it adds enough of them to tell."""
    modules = list(dict.fromkeys(each.module for each in found))
    by_place = {(each.row, each.module): each for each in found if each.tells}
    points = {row: [_point(by_place.get((row, module))) for module in modules] for row in FILES}
    return plots.dots(points, [title(module) for module in modules], passage("predicted.across"), lambda value: f"{value:g}")


def _point(each: Added | None) -> list[plots.Point]:
    if not each:
        return []
    rate = each.cycles / each.instructions
    return [plots.Point(rate, f"{each.name}: {whole(each.cycles)} cycles, {whole(each.instructions)} instructions")]


def _pairs(found: Sequence[Added]) -> int:
    """Return how many pairs of modules differ in a call by more instructions than boots with the same work do."""
    both = [(one, other) for one, other in combinations(found, 2) if one.row == other.row]
    return sum(abs(one.instructions - other.instructions) > FLOOR for one, other in both)


def _swapped(found: Sequence[Added]) -> Iterator[tuple[Added, Added, float, Interval]]:
    """Yield pairs of modules of which one adds more instructions to a call, and the other more cycles, certainly."""
    for one, other in combinations(found, 2):
        many, few = (one, other) if one.instructions > other.instructions else (other, one)
        difference = many.instructions - few.instructions
        if one.row == other.row and difference > FLOOR:
            cycles = wholes.added(many.after, few.after, wholes.ticks)
            if cycles.sure and cycles.median > 0:
                yield many, few, difference, cycles
