# SPDX-License-Identifier: GPL-2.0-only
"""Page: what changed between kernels. Each has its own base without LSM: a slower tmpfs does not count as LSM."""

from __future__ import annotations

from dataclasses import dataclass

from ..drawing import plots
from ..stats import AFFECTED, FLOOR, Interval, change_over_boots
from . import causes
from .blocks import EMPTY, Figure, Heading, NotRun, Page, Points, Table, Text, more, part, percent, whole
from .book import FILES, MODULES, Book, Column, Entry, where
from .paper2010 import cycle_boots, unlike
from .records import Hook, callbacks, hook_costs, in_syscall, info, per_us
from .results import Result
from .titles import title

BOTH = ("capability", *MODULES)
LONG_TERM = ("6.1", "6.6", "6.12", "6.18")


def page(book: Book) -> Page:
    return Page(
        "kernels",
        "What changed between kernels",
        [
            Text(PAGE_IS),
            *_differences(book),
            Heading("By hook"),
            *_by_hook(book),
            Heading("Mitigations of speculation"),
            *_mitigations(book),
        ],
    )


PAGE_IS = (
    "What LSM costs on a kernel is the difference to the same kernel without LSM (flavour dac). What changed is the"
    " difference of two such differences."
)


def _cell(book: Book, kver: str, module: str) -> Result | None:
    found = book.results.get("kernels", f"{kver}-{module}-latency")
    return found if found and found.benchmarks else None


def measured(book: Book) -> list[str]:
    """Kernels whose base is there."""
    return [kver for kver in book.results.kernels if _cell(book, kver, "dac")]


def compare_all(book: Book) -> None:
    for module in BOTH:
        cells = {kver: (_cell(book, kver, "dac"), _cell(book, kver, module)) for kver in measured(book)}
        columns = [Column(kver, base, result) for kver, (base, result) in cells.items() if base and result]
        if columns:
            book.compare(f"kernels-{module}", columns)


def since(book: Book) -> tuple[str, str]:
    """The version with most results, a long-term kernel, and the newest; if they are one, the two newest."""
    found = measured(book)
    if len(found) < 2:
        return "", ""
    return (book.results.main if book.results.main in found[:-1] else found[-2]), found[-1]


def since_said(book: Book) -> str:
    old = since(book)[0]
    return f"Linux {old}, a long-term kernel" if old in LONG_TERM else f"Linux {old}" if old else "an older kernel"


def changes(book: Book, module: str) -> dict[str, float]:
    """By call, how many ticks more LSM costs on the newest kernel than on the long-term one."""
    old, new = since(book)
    entry = book.entries.get(f"kernels-{module}")
    if not entry:
        return {}
    pairs = {row: (entry.found.get((row, old)), entry.found.get((row, new))) for row in FILES}
    return {row: b.difference - a.difference for row, (a, b) in pairs.items() if a and b}


def plot(book: Book) -> Figure | None:
    old, new = since(book)
    there = [module for module in BOTH if changes(book, module)]
    if not there:
        return None
    found = {module: changes(book, module) for module in there}
    rows = {row: [_point(found[m], row, m) for m in there] for row in FILES if any(row in found[m] for m in there)}
    across = f"instructions that LSM costs on {new} more than on {old}; logarithmic to both sides"
    drawn = plots.dots(rows, [title(m) for m in there], across, more, signed=True)
    results = [_cell(book, kver, module) for kver in (old, new) for module in there]
    return Figure("plot-kernels", f"What LSM costs more on Linux {new} than on {old}", where(results), drawn)


def _point(found: dict[str, float], row: str, module: str) -> list[plots.Point]:
    return [plots.Point(found[row], f"{row}, {title(module)}: {more(found[row])}")] if row in found else []


def _differences(book: Book) -> list:
    tables = [_table(book, module) for module in BOTH if f"kernels-{module}" in book.entries]
    if not tables:
        return [NotRun("kernels", "K-dac-latency and K-MODULE-latency of each kernel K")]
    figure = plot(book)
    return [*([figure] if figure else []), *tables]


def _table(book: Book, module: str) -> Table:
    entry, changed = book.entries[f"kernels-{module}"], changes(book, module)
    old, new = since(book)
    rows = []
    for row in FILES:
        cells = [_over(entry.found.get((row, column.title))) for column in entry.columns]
        rows.append((row, [*cells, more(changed[row]) if row in changed else EMPTY]))
    header = [f"{column.title}, of {column.base.kernel}" for column in entry.columns] + [f"{old} to {new}"]
    caption = f"{title(module)}: a call over the same kernel without LSM"
    return Table(
        f"kernels-{module}", caption, book.said(entry.columns), "call", header, rows, more=module != "capability"
    )


def _over(found) -> str:
    return f"{more(found.difference)} ({percent(found.change, 0)} of {whole(found.base)})" if found else EMPTY


# In the module's own callbacks


def _exact(book: Book, kver: str, module: str) -> Result | None:
    found = book.results.get("kernels", f"{kver}-{module}-exact")
    return found if found and found.records else None


def by_hook(book: Book, module: str) -> list[tuple[str, float, float, float]]:
    """Hook, instructions of the module's callback on either kernel, and the change of all calls; the largest first."""
    old, new = since(book)
    results = [_exact(book, kver, module) for kver in (old, new)]
    if not all(results):
        return []
    before, after = (callbacks(result, module) for result in results)
    found = [
        (
            hook,
            before[hook].average,
            after[hook].average,
            (after[hook].average - before[hook].average) * before[hook].calls,
        )
        for hook in before
        if hook in after
    ]
    return sorted(found, key=lambda each: -abs(each[3]))


def in_callbacks(book: Book, module: str, row: str) -> dict[str, float] | None:
    """By hook, what its callbacks take more of this call on the newer kernel; None where they were not counted."""
    spent = [_spent(book, kver, module, FILES[row]) for kver in since(book)]
    if not all(each is not None for each in spent):
        return None
    before, after = spent
    return {hook: after.get(hook, 0) - before.get(hook, 0) for hook in {**before, **after}}


def _spent(book: Book, kver: str, module: str, benchmark: str) -> dict[str, float] | None:
    """By hook, instructions of the module's callbacks in one call, without the clock's empty span."""
    result = _exact(book, kver, module)
    counts = in_syscall(result, benchmark) if result and benchmark in result.records else {}
    if not counts:
        return None
    took, clock = _own(result, benchmark, module), info(result).number("overhead", "0")
    return {hook: count * max(took[hook] - clock, 0) for hook, count in counts.items() if hook in took}


def _own(result: Result, benchmark: str, module: str) -> dict[str, float]:
    """By hook, a mean call of the module's callback in the work of one benchmark."""
    sums: dict[str, tuple[float, int]] = {}
    for table in result.tables(benchmark, "modules", ("module", "hook", "ave", "count")):
        for row in table:
            if row["module"] == module and row.get("count"):
                ticks, number = sums.get(row["hook"], (0.0, 0))
                sums[row["hook"]] = ticks + row["ave"] * row["count"], number + row["count"]
    return {hook: ticks / number for hook, (ticks, number) in sums.items()}


# What the first page says


def said(book: Book, module: str) -> str:
    """How many calls changed, those that changed most, and why."""
    found = changes(book, module)
    if not found:
        return ""
    changed = {row: value for row, value in found.items() if abs(value) > AFFECTED * _before(book, module, row)}
    text = f"{title(module)}: {len(changed) or 'none'} of {len(found)} calls changed by more than {part(AFFECTED)}."
    for row in _extremes({row: value for row, value in changed.items() if abs(value) > FLOOR}):
        text += f" {row}: {more(found[row])} instructions, {_why(book, module, row, found[row])}."
    return " ".join(filter(None, [text, _in_time(book, module)]))


def _extremes(changed: dict[str, float]) -> list[str]:
    """What rose most, and what fell most."""
    up, down = max(changed, key=changed.get, default=""), min(changed, key=changed.get, default="")
    return [row for row, rose in ((up, True), (down, False)) if row and (changed[row] > 0) == rose]


def _before(book: Book, module: str, row: str) -> float:
    """The whole call on the older kernel."""
    return book.entries[f"kernels-{module}"].found[row, since(book)[0]].value


def _why(book: Book, module: str, row: str, change: float) -> str:
    """Where it is by the callbacks of this call, and a cause only where switching it off proved it."""
    spent = in_callbacks(book, module, row)
    cause = causes.proved(module, row, change, *since(book))
    because = f". {cause.said(row)}" if cause else "; the cause is not known"
    if spent is None:
        return f"not split by callback{because}"
    own = sum(spent.values())
    most = max(spent, key=lambda hook: spent[hook] * change, default="")
    if own * change <= 0 or abs(own) < abs(change) / 2:
        return f"not in its callbacks ({more(own)}){because}{_rest(cause, row, change - own, 'outside of')}"
    inside = f"{more(own)} of them in its callbacks, most in {most} ({more(spent[most])})"
    return f"{inside}{because}{_rest(cause, row, own, 'in')}"


def _rest(cause: causes.Cause | None, row: str, change: float, place: str) -> str:
    """What the cause does not explain."""
    left = change - cause.calls[row] if cause else 0.0
    return f"; the cause of the other {more(left)} {place} its callbacks is not known" if abs(left) > FLOOR else ""


# In time, which may say something else


@dataclass(frozen=True)
class Timed:
    """A hook on two kernels, in ns over boots."""

    hook: str
    before: float
    after: float
    change: Interval


def in_time(book: Book, module: str) -> Timed | None:
    """Of the hooks that the module implements on both kernels, the one whose time changed most and certainly."""
    boots = [cycle_boots(book, kver, module) for kver in since(book)]
    own = {hook for hook, *_ in by_hook(book, module)}
    if not all(boots) or not own:
        return None
    before, after = map(hook_costs, boots)
    found = [_timed(hook, before[hook], after[hook], boots) for hook in sorted(own & set(before) & set(after))]
    return max((each for each in found if each.change.sure), key=lambda each: abs(each.after - each.before), default=None)


def _timed(hook: str, before: Hook, after: Hook, boots: list[tuple[Result, ...]]) -> Timed:
    ns = [1000 * each.average / per_us(found[0]) for each, found in zip((before, after), boots)]
    return Timed(hook, *ns, change_over_boots(before.averages, after.averages))


def _in_time(book: Book, module: str) -> str:
    """And whether instructions say the opposite."""
    found = in_time(book, module)
    if not found:
        return ""
    change = found.change
    ticks = next((before, after) for hook, before, after, _ in by_hook(book, module) if hook == found.hook)
    between = f"95\u00a0% interval {percent(change.low, 0)} to {percent(change.high, 0)}"
    text = (
        f"In time, {found.hook} changed most: {whole(found.before)} to {whole(found.after)} ns ({percent(change.median, 0)},"
        f" {between}), where its callback executes {whole(ticks[0])} and {whole(ticks[1])} instructions."
    )
    least = unlike(book, *since(book))
    small = f" This change is not more than {least.said}." if abs(found.after - found.before) <= least.ns else ""
    return text + (OPPOSITE if (ticks[1] - ticks[0]) * change.median < 0 else "") + small


OPPOSITE = " Why the two differ is not known; the times have the clock's own reading in them."


def _by_hook(book: Book) -> list:
    old, new = since(book)
    rows = []
    for module in MODULES:
        for hook, before, after, _ in by_hook(book, module)[:3]:
            change = percent(after / before - 1, 0) if before else EMPTY
            rows.append((title(module), [hook, f"{before:,.1f}", f"{after:,.1f}", change]))
    if not rows:
        return [NotRun("kernels", "K-MODULE-exact of two kernels K, where callbacks are measured")]
    results = [result for module in MODULES for kver in (old, new) if (result := _exact(book, kver, module))]
    said = where(
        results,
        "a mean call of the module's own callback, with the clock's empty span; the three"
        " that changed most, weighted by their calls in all work",
    )
    table = Table("kernels-hooks", "Callbacks that changed most", said, "module", ["hook", old, new, "change"], rows)
    return [*_calls(book), table, Text(HOOKS_ARE), *_causes(book)]


def _calls(book: Book) -> list:
    """For each module, how the change of a call is split."""
    rows = []
    for module in MODULES:
        for row, change in sorted(changes(book, module).items(), key=lambda item: -abs(item[1]))[:3]:
            spent = in_callbacks(book, module, row)
            if spent is not None and abs(change) > FLOOR:
                own = sum(spent.values())
                rows.append((title(module), [row, more(change), more(own), more(change - own)]))
    if not rows:
        return []
    old, new = since(book)
    pairs = [find(book, kver, module) for module in MODULES for kver in (old, new) for find in (_cell, _exact)]
    what = "calls of one kernel over the same without LSM; callbacks of the same call, without the clock"
    what += f"; without changes of {FLOOR} instructions or less"
    said = where(filter(None, pairs), what)
    header = ["call", f"{old} to {new}", "in its callbacks", "not in them"]
    return [Table("kernels-calls", "The three calls of each module that changed most", said, "module", header, rows)]


def _causes(book: Book) -> list:
    found = [cause.whole() for cause in causes.CAUSES if causes.between(cause, *since(book))]
    return [Text("Causes that were proved by switching them off:"), Points(found)] if found else []


HOOKS_ARE = (
    "Only hooks that a module implements are here, by the time in its own callback: what another module does in the"
    " same hook, and how the framework calls them, is not. Linux 6.1 calls IMA and EVM by name, Linux 6.12 as modules"
    " of the framework. What a whole call costs more and no callback takes is in the framework or in the call"
    " itself. Whole calls are of kernels without lsmpmon, IMA and EVM (flavour lsm); callbacks, and the times of hooks,"
    " of kernels that have them (flavour patched)."
)


# Mitigations


def _mitigations(book: Book) -> list:
    blocks = [block for module in ("capability", "selinux") for block in _module_mitigations(book, module)]
    if not blocks:
        return [NotRun("mitigations", "K-dac-off, K-capability-off and K-selinux-off of each kernel K")]
    return [*blocks, Text(SPECULATION)]


def _module_mitigations(book: Book, module: str) -> list:
    """By call and kernel, what LSM costs with mitigations, and what more that is than without them."""
    entries = {kver: found for kver in measured(book) if (found := _four(book, kver, module))}
    if not entries:
        return []
    rows = [(row, [_part(found, row) for found in entries.values()]) for row in FILES]
    columns = [column for found in entries.values() for column in found.columns]
    what = "over the same kernel without LSM (flavour dac), once with and once without mitigations"
    said = where([column.other for column in columns], what)
    caption = f"What mitigations add to what LSM costs: {title(module)}"
    sums = [f"{more(_added(found))} on {kver}" for kver, found in entries.items()]
    return [
        Table(f"mitigations-{module}", caption, said, "call", list(entries), rows, more=module == "capability"),
        Text(f"{title(module)}, the sum over these calls: {', '.join(sums)}."),
    ]


def _four(book: Book, kver: str, module: str) -> Entry | None:
    """LSM's part with mitigations, and without."""
    off, base = (book.results.get("mitigations", f"{kver}-{name}-off") for name in (module, "dac"))
    columns = [Column("with", _cell(book, kver, "dac"), _cell(book, kver, module)), Column("without", base, off)]
    if not all(column.base and column.other for column in columns):
        return None
    return book.compare(f"mitigations-{kver}-{module}", columns)


def _part(entry: Entry, row: str) -> str:
    found = [entry.found.get((row, name)) for name in ("with", "without")]
    if not all(found):
        return EMPTY
    return f"{more(found[0].difference - found[1].difference)} (of {more(found[0].difference)})"


def _added(entry: Entry) -> float:
    both = [row for row in entry.column("with") if row in entry.column("without")]
    return sum(entry.found[row, "with"].difference - entry.found[row, "without"].difference for row in both)


SPECULATION = (
    "In each cell, the instructions that mitigations add to LSM's part of the call; in brackets, that part with"
    " mitigations. All other boots have them: retpolines and barriers, as the kernel reports on the page of the method."
    " A retpoline is a few instructions more for each indirect call. Linux 6.1 calls each callback through a pointer,"
    " Linux 6.12 by a static call, which needs none. That a processor waits in a retpoline is not in an instruction count."
)
