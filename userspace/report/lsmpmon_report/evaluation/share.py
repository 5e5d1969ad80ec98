# SPDX-License-Identifier: GPL-2.0-only
"""The share of LSM in each system call, and the time in hooks on a real processor."""

from __future__ import annotations

from statistics import fmean

from ..drawing import plots
from ..drawing.svg import Drawing
from ..stats import difference_over_boots, over_boots
from .blocks import EMPTY, Block, Figure, NotRun, Table, Text, part
from .book import FILES, MODULES, Book, where
from .boots import averaged
from .images import images
from .intervals import printed, printed_more
from .paper2010 import cycle_boots
from .passages import passage
from .records import hook_times, in_syscall, info, per_us, share
from .results import Result
from .titles import title


def counting(book: Book) -> dict[str, Result]:
    """Return, by module, the boots in which hooks were counted."""
    names = {m: m + ("-hooks" if m == "capability" else "-enforcing-hooks") for m in ("capability", *MODULES)}
    found = {m: book.results.get("modules", f"{book.results.main}-{name}") for m, name in names.items()}
    return {m: result for m, result in found.items() if result and result.records}


def blocks(book: Book) -> list[Block]:
    there = {m: r for m, r in counting(book).items() if any(share(r, benchmark) for benchmark in FILES.values())}
    if not there:
        return [NotRun("modules", passage("share.no_share"))]
    names = [with_module(module) for module in there]
    rows = [(row, [_share(result, benchmark) for result in there.values()]) for row, benchmark in FILES.items()]
    points = {row: [_point(result, b, row) for result in there.values()] for row, b in FILES.items()}
    plot = plots.dots(points, names, passage("share.share_across"), part)
    said = where(there.values(), passage("share.share_where"))
    return [
        Figure("plot-share", passage("share.plotted"), said, plot),
        Table("share", passage("share.share"), said, "call", names, rows, more=True),
        Text(passage("share.share_is")),
    ]


def with_module(module: str) -> str:
    """Return the name of a kernel that has it: capability, IMA and EVM are in its hooks, too."""
    return f"with {title(module)}"


def _share(result: Result, benchmark: str) -> str:
    found = share(result, benchmark)
    return part(found.part, 1) if found else EMPTY


def _point(result: Result, benchmark: str, row: str) -> list[plots.Point]:
    found = share(result, benchmark)
    return [plots.Point(found.part, f"{row}: {part(found.part, 1)}")] if found else []


# Counts x cycles


# Calls of a hook in one call, from which on it has to be timed there: others come by chance, from a softirq for example.
EACH_LEAST = 0.5


def nanoseconds(book: Book, module: str, benchmark: str) -> list[float]:
    """Return ns in hooks of one call, by image: how often each is called there, times what it takes in the same call on a real
    processor. An image has none where one of its boots has none.
    """
    result, boots = counting(book).get(module), cycle_boots(book, book.results.main, module)
    if not result or not boots or benchmark not in result.records:
        return []
    counts = in_syscall(result, benchmark)
    found = [[_spent(counts, boot, benchmark) for boot in image] for image in images(boots)]
    return [fmean(ns for ns in each if ns is not None) for each in found if None not in each]


def _spent(counts: dict[str, float], boot: Result, benchmark: str) -> float | None:
    """Return the ns of these hooks in one boot; None where a hook of this call was not timed in it."""
    ticks, clock = hook_times(boot, benchmark), info(boot).number("overhead", "0")
    if not ticks or any(count >= EACH_LEAST and hook not in ticks for hook, count in counts.items()):
        return None
    spent = sum(count * max(ticks[hook] - clock, 0) for hook, count in counts.items() if hook in ticks)
    return 1000 * spent / per_us(boot)


def _by_call(book: Book, module: str) -> dict[str, list[float]]:
    """Return the same of each call that has a figure from every image."""
    found = {row: nanoseconds(book, module, benchmark) for row, benchmark in FILES.items()}
    number = len(images(cycle_boots(book, book.results.main, module)))
    return {row: each for row, each in found.items() if each and len(each) == number}


def timed(book: Book) -> bool:
    """Return whether hooks were timed by call, with capability and with any module."""
    return bool(_by_call(book, "capability")) and any(_by_call(book, module) for module in MODULES)


def over_capability(book: Book, module: str, row: str) -> list[str]:
    """Return for the first page ns that hooks take more than with capability, in the median call and in this one."""
    base, other = _by_call(book, "capability"), _by_call(book, module)
    both = [name for name in other if name in base]
    if not both:
        return [EMPTY, EMPTY]
    before, after = (list(zip(*(found[name] for name in both))) for found in (base, other))
    return [printed_more(difference_over_boots(before, after)), _over(base, other, row)]


def first_page_is(book: Book) -> str:
    """Return what these ns are."""
    groups = [boots for module in ("capability", *MODULES) if (boots := cycle_boots(book, book.results.main, module))]
    return passage("share.first_page", averaged=averaged(groups) if groups else "")


def _over(base: dict[str, list[float]], other: dict[str, list[float]], row: str) -> str:
    return printed_more(difference_over_boots(base[row], other[row])) if row in base and row in other else EMPTY


def times(book: Book) -> list[Block]:
    found = {module: each for module in ("capability", *MODULES) if (each := _by_call(book, module))}
    if not found:
        return [NotRun("kernels", passage("share.no_times", main=book.results.main))]
    boots = {module: cycle_boots(book, book.results.main, module) for module in found}
    are = passage("share.times_where", averaged=averaged(list(boots.values())))
    said = where([boot for each in boots.values() for boot in each], are)
    names = [with_module(module) for module in found]
    rows = [
        (row, [printed(over_boots(each[row])) if row in each else EMPTY for each in found.values()]) for row in FILES
    ]
    return [
        Figure("plot-times", passage("share.times_plotted"), said, _plot(found, names)),
        Table("times", passage("share.times"), said, "call", names, rows),
        *_times_over(found, said),
        Text(passage("share.times_are")),
    ]


def _times_over(found: dict[str, dict[str, list[float]]], said: str) -> list[Block]:
    base, others = found.get("capability"), {module: each for module, each in found.items() if module != "capability"}
    if not base or not others:
        return []
    rows = [(row, [_over(base, each, row) for each in others.values()]) for row in FILES]
    return [Table("times-over", passage("share.times_over"), said, "call", [title(module) for module in others], rows)]


def _plot(found: dict[str, dict[str, list[float]]], names: list[str]) -> Drawing | None:
    points = {row: [_time_point(each, row) for each in found.values()] for row in FILES}
    return plots.dots(points, names, passage("share.times_across"), lambda value: f"{value:,g}", log=True)


def _time_point(found: dict[str, list[float]], row: str) -> list[plots.Point]:
    each = over_boots(found[row]) if row in found else None
    return [plots.Point(each.median, f"{row}: {printed(each)} ns")] if each and each.median > 0 else []
