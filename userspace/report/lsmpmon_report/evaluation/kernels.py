# SPDX-License-Identifier: GPL-2.0-only
"""Page: what changed between kernels. Each has its own base without LSM: a slower tmpfs does not count as LSM."""

from __future__ import annotations

from dataclasses import dataclass

from ..drawing import plots
from ..stats import AFFECTED
from . import causes, kerneltimes
from .blocks import EMPTY, Block, Figure, Heading, NotRun, Points, Table, Text, more, percent, whole
from .book import FILES, MODULES, Book, Entry, columns_of, where
from .comparison import Comparison
from .floors import limit
from .passages import passage
from .records import callbacks, in_syscall, info
from .results import Result
from .titles import title

BOTH = ("capability", *MODULES)
LONG_TERM = ("6.1", "6.6", "6.12", "6.18")


def blocks(book: Book) -> list[Block]:
    return [
        Text(passage("kernels.page_is")),
        *_differences(book),
        Heading(passage("kernels.hooks_title")),
        *_by_hook(book),
        *_times(book),
        Heading(passage("kernels.mitigations_title")),
        *_mitigations(book),
    ]


def _cell(book: Book, kver: str, module: str) -> Result | None:
    found = book.results.get("kernels", f"{kver}-{module}-latency")
    return found if found and found.benchmarks else None


def measured(book: Book) -> list[str]:
    """Return the kernels whose base is there."""
    return [kver for kver in book.results.kernels if _cell(book, kver, "dac")]


def compare_all(book: Book) -> None:
    for module in BOTH:
        columns = columns_of((kver, _cell(book, kver, "dac"), _cell(book, kver, module)) for kver in measured(book))
        if columns:
            book.compare(f"kernels-{module}", columns)


def since(book: Book) -> tuple[str, str]:
    """Return the version with most results, a long-term kernel, and the newest; if they are one, the two newest."""
    found = measured(book)
    if len(found) < 2:
        return "", ""
    return (book.results.main if book.results.main in found[:-1] else found[-2]), found[-1]


def since_said(book: Book) -> str:
    old = since(book)[0]
    return passage("kernels.since", old=old, long_term=old in LONG_TERM)


def changes(book: Book, module: str) -> dict[str, float]:
    """Return, by call, how many ticks more LSM costs on the newest kernel than on the long-term one."""
    old, new = since(book)
    entry = book.entries.get(f"kernels-{module}")
    if not entry:
        return {}
    pairs = {row: (entry.found.get((row, old)), entry.found.get((row, new))) for row in FILES}
    return {row: b.difference - a.difference for row, (a, b) in pairs.items() if a and b}


def plot(book: Book) -> Figure | None:
    old, new = since(book)
    found = {module: each for module in BOTH if (each := changes(book, module))}
    if not found:
        return None
    rows = {row: [_point(each, row, module) for module, each in found.items()] for row in FILES}
    across = passage("kernels.plot_across", old=old, new=new)
    drawn = plots.dots(rows, [title(module) for module in found], across, more, signed=True)
    results = filter(None, (_cell(book, kver, module) for kver in (old, new) for module in found))
    return Figure("plot-kernels", passage("kernels.plot", old=old, new=new), where(results), drawn)


def _point(found: dict[str, float], row: str, module: str) -> list[plots.Point]:
    return [plots.Point(found[row], f"{row}, {title(module)}: {more(found[row])}")] if row in found else []


def _differences(book: Book) -> list[Block]:
    tables = [_table(book, module) for module in BOTH if f"kernels-{module}" in book.entries]
    if not tables:
        return [NotRun("kernels", passage("kernels.no_differences"))]
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
    caption = passage("kernels.differences", module=module)
    return Table(
        f"kernels-{module}", caption, book.said(entry.columns), "call", header, rows, more=module != "capability"
    )


def _over(found: Comparison | None) -> str:
    return f"{more(found.difference)} ({percent(found.change, 0)} of {whole(found.base)})" if found else EMPTY


# In the module's own callbacks


def _exact(book: Book, kver: str, module: str) -> Result | None:
    found = book.results.get("kernels", f"{kver}-{module}-exact")
    return found if found and found.records else None


def by_hook(book: Book, module: str) -> list[tuple[str, float, float, float]]:
    """Return hooks, instructions of the module's callback on either kernel, and the change of all calls; the largest first."""
    old, new = (_exact(book, kver, module) for kver in since(book))
    if not old or not new:
        return []
    before, after = callbacks(old, module), callbacks(new, module)
    pairs = [(hook, each.average, after[hook].average, each.calls) for hook, each in before.items() if hook in after]
    found = [(hook, one, other, (other - one) * calls) for hook, one, other, calls in pairs]
    return sorted(found, key=lambda each: -abs(each[3]))


def in_callbacks(book: Book, module: str, row: str) -> dict[str, float] | None:
    """Return, by hook, what its callbacks take more of this call on the newer kernel; None where they were not counted."""
    before, after = (_spent(book, kver, module, FILES[row]) for kver in since(book))
    if before is None or after is None:
        return None
    return {hook: after.get(hook, 0) - before.get(hook, 0) for hook in {**before, **after}}


def _spent(book: Book, kver: str, module: str, benchmark: str) -> dict[str, float] | None:
    """Return, by hook, instructions of the module's callbacks in one call, without the clock's empty span."""
    result = _exact(book, kver, module)
    if not result or benchmark not in result.records or not (counts := in_syscall(result, benchmark)):
        return None
    took, clock = callbacks(result, module, (benchmark,)), info(result).number("overhead", "0")
    return {hook: count * max(took[hook].average - clock, 0) for hook, count in counts.items() if hook in took}


# What the first page says


def said(book: Book, module: str) -> str:
    """Return how many calls changed, those that changed most, and why."""
    found = changes(book, module)
    if not found:
        return ""
    before = book.entries[f"kernels-{module}"].column(since(book)[0])
    changed = {row: value for row, value in found.items() if abs(value) > AFFECTED * before[row].value}
    most = _extremes({row: value for row, value in changed.items() if abs(value) > limit(book, row)})
    calls = [_call(book, module, row, found[row]) for row in most]
    instructions = {hook: (before, after) for hook, before, after, _ in by_hook(book, module)}
    time = kerneltimes.said(book, module, since(book), instructions)
    return passage("kernels.changed", module=module, number=len(changed), of=len(found), affected=AFFECTED, calls=calls,
                   time=time)


def _extremes(changed: dict[str, float]) -> list[str]:
    """Return what rose most, and what fell most."""
    up, down = (end(changed, key=changed.__getitem__, default="") for end in (max, min))
    return [row for row, rose in ((up, True), (down, False)) if row and (changed[row] > 0) == rose]


def _call(book: Book, module: str, row: str, change: float) -> str:
    """Return where a change is by the callbacks of this call, and its cause only where switching that off proved it."""
    split, cause = _split(book, module, row, change), causes.proved(module, row, change, *since(book))
    rest = 0.0
    if split and cause:
        rest = (split.own if split.inside else change - split.own) - cause.calls[row]
    return passage("kernels.call", call=row, change=change, callbacks=split or {}, cause=cause.said(row) if cause else "",
                   rest=rest if abs(rest) > limit(book, row) else 0)


@dataclass(frozen=True)
class Split:
    """The part of a change that all callbacks take, whether it is most of it, and the hook whose callback takes most."""

    inside: bool
    own: float
    hook: str
    most: float


def _split(book: Book, module: str, row: str, change: float) -> Split | None:
    """Return how a change is split; None where callbacks were not counted."""
    spent = in_callbacks(book, module, row)
    if spent is None:
        return None
    own, hook = sum(spent.values()), max(spent, key=lambda hook: spent[hook] * change, default="")
    return Split(own * change > 0 and abs(own) >= abs(change) / 2, own, hook, spent.get(hook, 0))


# In time, which may say something else


def plot_times(book: Book) -> Figure | None:
    return kerneltimes.figure(book, since(book))


def _times(book: Book) -> list[Block]:
    found = kerneltimes.blocks(book, since(book))
    return [Heading(passage("kernels.times_title")), *found] if found else []


def images(book: Book) -> int:
    """Return the number of images whose times are compared; 0 where these are of one image of each kernel."""
    return kerneltimes.number(book, since(book))


def _by_hook(book: Book) -> list[Block]:
    old, new = since(book)
    rows = []
    for module in MODULES:
        for hook, before, after, _ in by_hook(book, module)[:3]:
            change = percent(after / before - 1, 0) if before else EMPTY
            rows.append((title(module), [hook, f"{before:,.1f}", f"{after:,.1f}", change]))
    if not rows:
        return [NotRun("kernels", passage("kernels.no_hooks"))]
    results = [result for module in MODULES for kver in (old, new) if (result := _exact(book, kver, module))]
    said = where(results, passage("kernels.hooks_where"))
    table = Table("kernels-hooks", passage("kernels.hooks"), said, "module", ["hook", old, new, "change"], rows)
    return [*_calls(book), table, Text(passage("kernels.hooks_are")), *_causes(book)]


def _calls(book: Book) -> list[Block]:
    """Return, for each module, how the change of a call is split."""
    rows = []
    for module in MODULES:
        for row, change in sorted(changes(book, module).items(), key=lambda item: -abs(item[1]))[:3]:
            spent = in_callbacks(book, module, row)
            if spent is not None and abs(change) > limit(book, row):
                own = sum(spent.values())
                rows.append((title(module), [row, more(change), more(own), more(change - own)]))
    if not rows:
        return []
    old, new = since(book)
    pairs = [find(book, kver, module) for module in MODULES for kver in (old, new) for find in (_cell, _exact)]
    said = where(filter(None, pairs), passage("kernels.calls_where"))
    header = ["call", f"{old} to {new}", "in its callbacks", "not in them"]
    return [Table("kernels-calls", passage("kernels.calls"), said, "module", header, rows)]


def _causes(book: Book) -> list[Block]:
    found = [cause.whole() for cause in causes.CAUSES if causes.between(cause, *since(book))]
    return [Text(passage("kernels.causes")), Points(found)] if found else []


# Mitigations


def _mitigations(book: Book) -> list[Block]:
    blocks = [block for module in ("capability", "selinux") for block in _module_mitigations(book, module)]
    if not blocks:
        return [NotRun("mitigations", passage("kernels.no_mitigations"))]
    return [*blocks, Text(passage("kernels.speculation"))]


def _module_mitigations(book: Book, module: str) -> list[Block]:
    """Return, by call and kernel, what LSM costs with mitigations, and what more that is than without them."""
    entries = {kver: found for kver in measured(book) if (found := _four(book, kver, module))}
    if not entries:
        return []
    rows = [(row, [_part(found, row) for found in entries.values()]) for row in FILES]
    columns = [column for found in entries.values() for column in found.columns]
    said = where([column.other for column in columns], passage("kernels.mitigations_where"))
    caption, sums = passage("kernels.mitigations", module=module), {kver: _added(found) for kver, found in entries.items()}
    return [
        Table(f"mitigations-{module}", caption, said, "call", list(entries), rows, more=module == "capability"),
        Text(passage("kernels.added", module=module, sums=sums)),
    ]


def _four(book: Book, kver: str, module: str) -> Entry | None:
    """Return LSM's part with mitigations, and without."""
    off, base = (book.results.get("mitigations", f"{kver}-{name}-off") for name in (module, "dac"))
    columns = columns_of([("with", _cell(book, kver, "dac"), _cell(book, kver, module)), ("without", base, off)])
    return book.compare(f"mitigations-{kver}-{module}", columns) if len(columns) == 2 else None


def _part(entry: Entry, row: str) -> str:
    found, less = (entry.found.get((row, name)) for name in ("with", "without"))
    return f"{more(found.difference - less.difference)} (of {more(found.difference)})" if found and less else EMPTY


def _added(entry: Entry) -> float:
    both = [row for row in entry.column("with") if row in entry.column("without")]
    return sum(entry.found[row, "with"].difference - entry.found[row, "without"].difference for row in both)
