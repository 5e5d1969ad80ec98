# SPDX-License-Identifier: GPL-2.0-only
"""Times of hooks on two kernels. A change is one that holds over the images of both: where the objects of a kernel are in its
image moves times as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from ..drawing import plots
from ..stats import LEVEL, Interval, change_over_boots, difference_over_boots
from .blocks import Block, Figure, Table, Text, more, whole
from .book import MODULES, Book, where
from .boots import averaged
from .images import images, varied
from .intervals import printed_more
from .paper2010 import CALLS_LEAST, cycle_boots
from .passages import passage
from .records import Hook, hook_costs, implementers, per_us
from .results import Result
from .titles import title

# The older and the newer.
Kernels = tuple[str, str]
# By hook, instructions of the module's callback on either kernel.
Instructions = dict[str, tuple[float, float]]
# The boots of one kernel.
Boots = tuple[Result, ...]


@dataclass(frozen=True)
class Timed:
    """A hook on two kernels, in ns over images: how much more it takes, relative to before and in ns; and whether that holds
    over the images, and is more than hooks without a callback change by.
    """

    hook: str
    before: float
    after: float
    change: Interval
    more: Interval
    holds: bool


@dataclass(frozen=True)
class Floor:
    """The largest change in ns of a hook that has no callback on either kernel, which no module makes."""

    ns: float = 0.0
    said: str = ""


def _boots(book: Book, module: str, kernels: Kernels) -> list[Boots]:
    """Return the boots of both kernels; nothing unless both are of several images."""
    found = [cycle_boots(book, kver, module) for kver in kernels]
    return found if all(varied(boots) for boots in found) else []


def number(book: Book, kernels: Kernels) -> int:
    """Return the number of images of the kernel that has fewer; 0 where the layout was not varied."""
    groups = [boots for module in ("capability", *MODULES) for boots in _boots(book, module, kernels)]
    return min((len(images(boots)) for boots in groups), default=0)


def timed(book: Book, module: str, kernels: Kernels, least: Floor) -> list[Timed]:
    """Return the hooks that the module implements on both kernels; what changed most comes first."""
    both = _boots(book, module, kernels)
    found = [_timed(hook, *ns, least.ns) for hook, ns in _hooks(both, lambda modules: module in modules).items()]
    return sorted(found, key=lambda each: -abs(each.more.median))


def _timed(hook: str, before: list[float], after: list[float], least: float) -> Timed:
    difference = difference_over_boots(before, after)
    holds = difference.sure and abs(difference.median) > least
    return Timed(hook, median(before), median(after), change_over_boots(before, after), difference, holds)


def floor(book: Book, kernels: Kernels) -> Floor:
    largest = Floor()
    for module in ("capability", *MODULES):
        for hook, (before, after) in _hooks(_boots(book, module, kernels), lambda modules: not modules).items():
            ns = abs(difference_over_boots(before, after).median)
            if ns > largest.ns:
                largest = Floor(ns, passage("kernels.floor", ns=ns, hook=hook, module=module))
    return largest


def _hooks(both: list[Boots], wanted: Callable[[tuple[str, ...]], bool]) -> dict[str, tuple[list[float], list[float]]]:
    """Return ns of hooks over images of either kernel: those that the wanted modules implement on both."""
    if not both:
        return {}
    old, new = (_wanted(boots, wanted) for boots in both)
    return {hook: (old[hook], new[hook]) for hook in sorted(set(old) & set(new))}


def _wanted(boots: Boots, wanted: Callable[[tuple[str, ...]], bool]) -> dict[str, list[float]]:
    known = next((each for boot in boots if (each := implementers(boot))), {})
    costs = {hook: cost for hook, cost in hook_costs(boots).items() if cost.calls >= CALLS_LEAST * len(boots)}
    return {hook: _ns(costs[hook], boots[0]) for hook, modules in known.items() if hook in costs and wanted(modules)}


def _ns(hook: Hook, boot: Result) -> list[float]:
    return [1000 * average / per_us(boot) for average in hook.averages]


# What pages say


def said(book: Book, module: str, kernels: Kernels, instructions: Instructions) -> str:
    """Return the hook whose time changed most, of those whose change holds, with its instructions; or that none does."""
    least = floor(book, kernels)
    found = timed(book, module, kernels, least)
    if not found:
        there = module != "capability" and all(cycle_boots(book, kver, module) for kver in kernels)
        return passage("kernels.time_not_varied") if there and not _boots(book, module, kernels) else ""
    of = min(len(images(boots)) for boots in _boots(book, module, kernels))
    most = next((each for each in found if each.holds), None)
    if not most:
        return passage("kernels.no_time", hooks=len(found), images=of, floor=least.said)
    executed = instructions.get(most.hook)
    opposite = executed is not None and (executed[1] - executed[0]) * most.more.median < 0
    return passage("kernels.time", timed=most, level=LEVEL, images=of, instructions=executed or [], opposite=opposite)


def figure(book: Book, kernels: Kernels) -> Figure | None:
    """Return the changes that hold; None if none does."""
    least = floor(book, kernels)
    found = {module: [each for each in timed(book, module, kernels, least) if each.holds] for module in MODULES}
    there = {module: each for module, each in found.items() if each}
    if not there:
        return None
    names = dict.fromkeys(each.hook for rows in there.values() for each in rows)
    rows = {name: [_points(each, name, module) for module, each in there.items()] for name in names}
    old, new = kernels
    across = passage("kernels.times_across", old=old, new=new)
    drawn = plots.dots(rows, [title(module) for module in there], across, more, signed=True)
    return Figure("plot-kernels-times", passage("kernels.times_plotted", old=old, new=new), _where(book, kernels, there), drawn)


def _points(found: list[Timed], hook: str, module: str) -> list[plots.Point]:
    return [plots.Point(each.more.median, f"{hook}, {title(module)}: {printed_more(each.more)} ns")
            for each in found if each.hook == hook]


def _where(book: Book, kernels: Kernels, modules: Collection[str]) -> str:
    groups = [boots for module in modules for boots in _boots(book, module, kernels)]
    return where([boot for boots in groups for boot in boots], passage("kernels.times_where", averaged=averaged(groups)))


def blocks(book: Book, kernels: Kernels) -> list[Block]:
    """Return the figure, a table of all these hooks, and how far boots and images are apart."""
    least = floor(book, kernels)
    found = {module: each for module in MODULES if (each := timed(book, module, kernels, least))}
    if not found:
        return []
    drawn, header = figure(book, kernels), ["hook", *(f"{kver}, ns" for kver in kernels), "change, ns", "holds"]
    rows = [(title(module), _cells(each)) for module, rows in found.items() for each in rows]
    caption = passage("kernels.times", old=kernels[0], new=kernels[1])
    table = Table("kernels-times", caption, _where(book, kernels, found), "module", header, rows)
    halves = [(each.more.high - each.more.low) / 2 for rows in found.values() for each in rows
              if each.more.low is not None and each.more.high is not None]
    text = passage("kernels.apart", apart=apart(book, kernels), half=median(halves) if halves else None, level=LEVEL,
                   floor=least.said)
    return [*([drawn] if drawn else []), table, Text(text)]


def _cells(each: Timed) -> list[str]:
    return [each.hook, whole(each.before), whole(each.after), printed_more(each.more), "yes" if each.holds else "no"]


def apart(book: Book, kernels: Kernels) -> dict[str, float]:
    """Return how far two boots are apart, relative to their mean: the median over hooks and pairs, of one image and of two."""
    found: dict[str, list[float]] = {"one": [], "two": []}
    for boots in (boots for module in ("capability", *MODULES) for boots in _boots(book, module, kernels)):
        for one, other in combinations(boots, 2):
            pair = found["one" if one.layout == other.layout else "two"]
            pair += _differences(hook_costs((one,)), hook_costs((other,)))
    return {which: median(each) for which, each in found.items() if each}


def _differences(one: dict[str, Hook], other: dict[str, Hook]) -> list[float]:
    both = [(one[hook], other[hook]) for hook in one if hook in other]
    return [2 * abs(a.average - b.average) / (a.average + b.average) for a, b in both if min(a.calls, b.calls) >= CALLS_LEAST]
