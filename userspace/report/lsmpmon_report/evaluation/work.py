# SPDX-License-Identifier: GPL-2.0-only
"""Page: the time in hooks of everyday work, by module."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from ..drawing import plots
from .blocks import EMPTY, Block, Figure, Heading, NotRun, Page, Points, Table, Text, part
from .book import MODULES, Book, where
from .hooktimes import NOTHING, Spent, callback_calls, callback_runs, hook_calls, hook_runs, of_run, spent, total
from .intervals import few, few_more
from .passages import passage
from .results import Result
from .share import with_module
from .titles import title

WORKS = ("untar", "status", "compile", "shell", "web", "database")
NAMES = {"status": "git status", "web": "web server"}
TOP = 3
# Calls in a run from which on a hook's time is worth naming.
CALLS_LEAST = 10


@dataclass(frozen=True)
class Measured:
    """One stack: where its hook calls were counted, and the boots in which they were timed."""

    module: str
    counts: Result
    boots: list[Result]

    def hooks(self, work: str) -> dict[str, Spent]:
        return spent(hook_calls(self.counts, work), hook_runs(self.boots, work))

    def callbacks(self, work: str) -> dict[tuple[str, str], Spent]:
        return spent(callback_calls(self.counts, work), callback_runs(self.boots, work))

    def ns(self, work: str) -> float | None:
        return total(self.hooks(work)) or None

    def disturbed(self, work: str) -> float:
        """How much more than the quietest run, which is the one that is used, the median run takes."""
        number = hook_calls(self.counts, work)
        each = [of_run(number, run) for run in hook_runs(self.boots, work)]
        return median(each) / min(each) - 1 if each and min(each) else 0.0


def measured(book: Book) -> dict[str, Measured]:
    found = {}
    for module in ("capability", *MODULES):
        name = f"{book.results.main}-{module}"
        counts, boots = book.results.get("work", f"{name}-counts"), book.results.boots("work", name)
        if counts and boots:
            found[module] = Measured(module, counts, boots)
    return found


def native(book: Book) -> dict[str, list[dict]]:
    """By work, its runs on the machine itself."""
    result = book.results.get("native", "work")
    return (result.data.get("native") or {}) if result else {}


def processors(book: Book, work: str) -> float | None:
    """The time of processors that a run takes on the machine itself, in ns, without what starts it."""
    runs = native(book)
    if not runs.get(work):
        return None
    took = {name: median(run["user"] + run["system"] for run in runs[name]) for name in (work, NOTHING) if name in runs}
    return 1e9 * (took[work] - took.get(NOTHING, 0.0))


def name_of(work: str) -> str:
    return NAMES.get(work, work)


def shown(book: Book) -> list[str]:
    """Works with a time in hooks and a time of the whole run."""
    there = measured(book).values()
    return [work for work in WORKS if processors(book, work) and any(each.ns(work) for each in there)]


def page(book: Book) -> Page:
    return Page("work", passage("work.title"), _blocks(book))


def _blocks(book: Book) -> list[Block]:
    there, works = measured(book), shown(book)
    if not works:
        return [NotRun("work", passage("work.no_work"))]
    return [
        Text(passage("work.what_is_what")),
        Points([passage("work.work", work=work, name=name_of(work)) for work in works]),
        Text(_input(book)),
        *_shares(book, there, works),
        Text(_said(book, there, works)),
        Heading(passage("work.hooks_title")),
        _hooks(there, works),
        Heading(passage("work.callbacks_title")),
        _callbacks(there, works),
        Heading(passage("work.runs_title")),
        _runs(book, works),
        _calls(there, works),
        Text(_differ(there, works)),
        Heading(passage("work.left_out_title")),
        Points([*_left_out(book, there), *_limits()]),
    ]


def _limits() -> list[str]:
    return [
        passage("work.nested"),
        passage("work.labels"),
        passage("work.not_exact"),
        passage("work.network"),
        passage("work.another_kernel"),
    ]


def _input(book: Book) -> str:
    """Return what was unpacked."""
    result = book.results.get("native", "work")
    return passage("work.input", named=result.data.get("input") if result else None)


def _where(there: dict[str, Measured]) -> str:
    counts, boots = [each.counts for each in there.values()], [boot for each in there.values() for boot in each.boots]
    numbers = sorted({len(each.boots) for each in there.values()})
    return passage("work.where", calls=where(counts), times=where(boots), numbers=numbers)


def _shares(book: Book, there: dict[str, Measured], works: list[str]) -> list[Block]:
    names = [with_module(module) for module in there]
    rows = [(name_of(work), _share_cells(book, there, work)) for work in works]
    points = {name_of(work): [_point(book, each, work) for each in there.values()] for work in works}
    plot = plots.dots(points, names, passage("work.shares_across"), _tick, log=True)
    said = passage("work.shares_where", where=_where(there), machine=_machine(book))
    header = ["the run, ms of CPU time", *names]
    return [
        Figure("work-share", passage("work.shares_plotted"), said, plot),
        Table("work-share", passage("work.shares"), said, "work", header, rows),
        *_more_than_capability(book, there, works, said),
    ]


def _machine(book: Book) -> str:
    machine = book.results.get("native", "work")
    return f"{machine.kernel}, {machine.state.get('processor', '?')}, {machine.fs}"


def _more_than_capability(book: Book, there: dict[str, Measured], works: list[str], said: str) -> list[Table]:
    others = {module: each for module, each in there.items() if module != "capability"}
    if "capability" not in there or not others:
        return []
    rows = [(name_of(work), [_over_cell(book, there, module, work) for module in others]) for work in works]
    return [Table("work-over", passage("work.over"), said, "work", [title(module) for module in others], rows)]


def _over(there: dict[str, Measured], module: str, work: str) -> float | None:
    """ns in hooks more than with capability."""
    base, other = (there[name].ns(work) if name in there else None for name in ("capability", module))
    return other - base if base and other else None


def _over_cell(book: Book, there: dict[str, Measured], module: str, work: str) -> str:
    over = _over(there, module, work)
    return "left out" if over is None else f"{few_more(over / 1000)} ({few_more(100 * over / processors(book, work))})"


def _tick(value: float) -> str:
    return f"{value:g} %"


def _share_cells(book: Book, there: dict[str, Measured], work: str) -> list[str]:
    run = processors(book, work)
    cells = [_ns(each.ns(work), run) for each in there.values()]
    return [f"{run / 1e6:,.1f}", *cells]


def _ns(ns: float | None, run: float) -> str:
    return f"{few(ns / 1000)} ({few(100 * ns / run)}\u00a0%)" if ns else "left out"


def _point(book: Book, each: Measured, work: str) -> list[plots.Point]:
    ns, run = each.ns(work), processors(book, work)
    if not ns:
        return []
    said = f"{name_of(work)}, {with_module(each.module)}: {few(100 * ns / run)}\u00a0%, {few(ns / 1000)} µs"
    return [plots.Point(100 * ns / run, said)]


def _highest(book: Book) -> tuple[float, str, str] | None:
    """The largest ratio, its module, and the work."""
    there = measured(book)
    found = [
        (each.ns(work) / processors(book, work), module, work)
        for module, each in there.items()
        for work in shown(book)
        if each.ns(work)
    ]
    return max(found, default=None)


def most(book: Book) -> str:
    """Return the largest ratio, for the first page, too; empty if there is none."""
    found = _highest(book)
    if not found:
        return ""
    ratio, module, work = found
    return passage("work.most", work=name_of(work), kernel=with_module(module), ratio=ratio)


def most_expensive_hook(book: Book) -> str:
    """Return it for the first page: a work starts programs, which no file operation does."""
    found = [
        (hook.each, name, module, work)
        for module, each in measured(book).items()
        for work in shown(book)
        for name, hook in each.hooks(work).items()
        if hook.each and hook.calls >= CALLS_LEAST
    ]
    if not found:
        return ""
    ns, name, module, work = max(found)
    return passage("work.most_expensive_hook", hook=name, kernel=with_module(module), ns=ns, work=name_of(work))


def _said(book: Book, there: dict[str, Measured], works: list[str]) -> str:
    more = [each.disturbed(work) for each in there.values() for work in works if each.ns(work)]
    runs = sorted({len(hook_runs(each.boots, work)) for each in there.values() for work in works if each.ns(work)})
    disturbed = {"median": median(more), "most": max(more)}
    return passage("work.said", most=most(book), added=_added(book, there, works), runs=runs, disturbed=disturbed)


def _added(book: Book, there: dict[str, Measured], works: list[str]) -> dict[str, float]:
    """Return what each module adds to capability, at the median of the works; the one that adds most first."""
    found = {}
    for module in there:
        both = {work: over for work in works if (over := _over(there, module, work)) is not None}
        if both and module != "capability":
            found[module] = median(100 * over / processors(book, work) for work, over in both.items())
    return dict(sorted(found.items(), key=lambda each: -each[1]))


# Details


def _hooks(there: dict[str, Measured], works: list[str]) -> Table:
    rows = [(name_of(work), [_top(each.hooks(work)) for each in there.values()]) for work in works]
    return Table("work-hooks", passage("work.hooks", number=TOP), _where(there), "work", [with_module(module) for module in there], rows)


def _top(found: dict[str, Spent]) -> str:
    whole_time = total(found)
    if not whole_time:
        return "left out"
    order = sorted(found, key=lambda hook: -found[hook].ns)[:TOP]
    return "; ".join(
        f"{hook} {part(found[hook].ns / whole_time)} ({found[hook].calls:,}, {few(found[hook].each or 0)} ns)" for hook in order
    )


def _callbacks(there: dict[str, Measured], works: list[str]) -> Table:
    rows = [(name_of(work), [_by_module(each.callbacks(work)) for each in there.values()]) for work in works]
    caption, said = passage("work.callbacks"), passage("work.callbacks_where", where=_where(there))
    return Table("work-callbacks", caption, said, "work", [with_module(module) for module in there], rows, more=True)


def _by_module(found: dict[tuple[str, str], Spent]) -> str:
    sums: dict[str, float] = {}
    for (module, _), each in found.items():
        sums[module] = sums.get(module, 0) + each.ns
    whole_time = sum(sums.values())
    if not whole_time:
        return "left out"
    order = sorted(sums, key=lambda module: -sums[module])
    return ", ".join(f"{title(module)} {part(sums[module] / whole_time)}" for module in order)


def _runs(book: Book, works: list[str]) -> Table:
    runs, machine = native(book), book.results.get("native", "work")
    rows = [(name_of(work), _run(runs[work])) for work in [NOTHING, *works] if work in runs]
    header = ["elapsed", "user", "system", "runs"]
    said = passage("work.runs_where", machine=_machine(book), modules=machine.state.get("lsm") or "")
    return Table("work-runs", passage("work.runs"), said, "work", header, rows)


def _run(runs: list[dict]) -> list[str]:
    return [*(f"{1000 * median(run[name] for run in runs):,.1f}" for name in ("elapsed", "user", "system")), str(len(runs))]


def _calls(there: dict[str, Measured], works: list[str]) -> Table:
    """Two architectures; the same programs."""
    rows = [(name_of(work), [_both(each, work) for each in there.values()]) for work in works]
    said = where([result for each in there.values() for result in (each.counts, each.boots[0])], passage("work.calls_where"))
    return Table("work-calls", passage("work.calls"), said, "work", [with_module(module) for module in there], rows, more=True)


def _differ(there: dict[str, Measured], works: list[str]) -> str:
    """Return the hooks whose calls differ most, with the first module."""
    each = next(iter(there.values()))
    apart: dict[str, int] = {}
    for work in works:
        qemu, uml = (hook_calls(result, work) for result in (each.counts, each.boots[0]))
        for hook in {*qemu, *uml}:
            apart[hook] = apart.get(hook, 0) + uml.get(hook, 0) - qemu.get(hook, 0)
    order = sorted(apart, key=lambda hook: (-abs(apart[hook]), hook))[:TOP]
    return passage("work.differ", module=each.module, more={hook: apart[hook] for hook in order if apart[hook]})


def _both(each: Measured, work: str) -> str:
    return " / ".join(_number(hook_calls(result, work)) for result in (each.counts, each.boots[0]))


def _number(found: dict[str, int]) -> str:
    return f"{sum(found.values()):,}" if found else EMPTY


def _left_out(book: Book, there: dict[str, Measured]) -> list[str]:
    reasons: dict[tuple[str, str], list[str]] = {}
    for module, each in there.items():
        for result in (each.counts, *each.boots):
            for work, why in (result.data.get("not_done") or {}).items():
                names = reasons.setdefault((name_of(work), why), [])
                names += [module] if module not in names else []
    said = [passage("work.not_done", work=work, modules=names, why=why) for (work, why), names in reasons.items()]
    absent = [result for result in book.results.absent if result.part == "work"]
    return said + [passage("work.left_out", boot=result.ident, why=result.data["left_out"]) for result in absent]
