# SPDX-License-Identifier: GPL-2.0-only
"""Page: the time in hooks of everyday work, by module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from ..drawing import plots
from .blocks import EMPTY, Block, Figure, Heading, NotRun, Points, Row, Table, Text, part
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
# A hook that all works call often, to see what else than its work it takes.
COLD = "inode_getattr"


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
        """Return how much more than the quietest run, which is the one that is used, the median run takes."""
        number = hook_calls(self.counts, work)
        each = [of_run(number, run) for run in hook_runs(self.boots, work)]
        least = min(each, default=0.0)
        return median(each) / least - 1 if least else 0.0


@dataclass(frozen=True)
class Works:
    """Stacks by module, and the machine itself: the time of processors that a run of each work takes there, in ns, without
    what starts it. Each of these works has a time in hooks.
    """

    there: dict[str, Measured]
    machine: Result
    runs: dict[str, float]

    @property
    def names(self) -> list[str]:
        return [with_module(module) for module in self.there]

    @property
    def timed(self) -> list[tuple[str, str, float]]:
        """Return module, work and ns in its hooks."""
        return [(module, work, ns) for module, each in self.there.items() for work in self.runs if (ns := each.ns(work))]

    def rows(self, cells: Callable[[str], list[str]]) -> list[Row]:
        return [(name_of(work), cells(work)) for work in self.runs]

    def over(self, module: str, work: str) -> float | None:
        """Return ns in hooks more than with capability."""
        base, other = (self.there[name].ns(work) if name in self.there else None for name in ("capability", module))
        return other - base if base and other else None


def _measured(book: Book) -> dict[str, Measured]:
    found = {}
    for module in ("capability", *MODULES):
        name = f"{book.results.main}-{module}"
        counts, boots = book.results.get("work", f"{name}-counts"), book.results.boots("work", name)
        if counts and boots:
            found[module] = Measured(module, counts, boots)
    return found


def _native(machine: Result) -> dict[str, list[dict[str, float]]]:
    """Return the runs of each work."""
    return machine.data.get("native") or {}


def works_of(book: Book) -> Works | None:
    machine, there = book.results.get("native", "work"), _measured(book)
    native = _native(machine) if machine else {}
    took = {name: median(run["user"] + run["system"] for run in runs) for name, runs in native.items() if runs}
    ns = {work: 1e9 * (took[work] - took.get(NOTHING, 0.0)) for work in WORKS if work in took}
    found = {work: run for work, run in ns.items() if run and any(each.ns(work) for each in there.values())}
    return Works(there, machine, found) if machine and found else None


def name_of(work: str) -> str:
    return NAMES.get(work, work)


def blocks(book: Book) -> list[Block]:
    works = works_of(book)
    if not works:
        return [NotRun("work", passage("work.no_work"))]
    return [
        Text(passage("work.what_is_what")),
        Points([passage("work.work", work=work, name=name_of(work)) for work in works.runs]),
        Text(passage("work.input", named=works.machine.data.get("input"))),
        *_shares(works),
        Text(_said(book, works)),
        Heading(passage("work.hooks_title")),
        _hooks(works),
        Heading(passage("work.callbacks_title")),
        _callbacks(works),
        Heading(passage("work.runs_title")),
        _runs(works),
        _calls(works),
        Text(_differ(works)),
        Heading(passage("work.left_out_title")),
        Points([*_left_out(book, works), *_limits()]),
    ]


def _limits() -> list[str]:
    return [
        passage("work.nested"),
        passage("work.labels"),
        passage("work.not_exact"),
        passage("work.network"),
        passage("work.another_kernel"),
    ]


def _where(there: dict[str, Measured]) -> str:
    counts, boots = [each.counts for each in there.values()], [boot for each in there.values() for boot in each.boots]
    numbers = sorted({len(each.boots) for each in there.values()})
    return passage("work.where", calls=where(counts), times=where(boots), numbers=numbers)


def _shares(works: Works) -> list[Block]:
    stacks = works.there.values()
    rows = works.rows(lambda work: [f"{works.runs[work] / 1e6:,.1f}", *(_ns(each, work, works.runs[work]) for each in stacks)])
    points = {name_of(work): [_point(each, work, run) for each in stacks] for work, run in works.runs.items()}
    plot = plots.dots(points, works.names, passage("work.shares_across"), lambda value: f"{value:g}", log=True)
    said = passage("work.shares_where", where=_where(works.there), machine=_machine(works.machine))
    header = ["CPU time on the machine, ms", *works.names]
    return [
        Figure("work-share", passage("work.shares_plotted"), said, plot),
        Table("work-share", passage("work.shares"), said, "work", header, rows),
        *_more_than_capability(works, said),
    ]


def _machine(machine: Result) -> str:
    return f"{machine.kernel}, {machine.state.get('processor', '?')}, {machine.fs}"


def _more_than_capability(works: Works, said: str) -> list[Table]:
    others = [module for module in works.there if module != "capability"]
    if "capability" not in works.there or not others:
        return []
    rows = works.rows(lambda work: [_over_cell(works, module, work) for module in others])
    return [Table("work-over", passage("work.over"), said, "work", [title(module) for module in others], rows)]


def _over_cell(works: Works, module: str, work: str) -> str:
    over = works.over(module, work)
    return "left out" if over is None else f"{few_more(over / 1000)} ({few_more(100 * over / works.runs[work])})"


def _ns(each: Measured, work: str, run: float) -> str:
    ns = each.ns(work)
    return f"{few(ns / 1000)} ({few(100 * ns / run)})" if ns else "left out"


def _point(each: Measured, work: str, run: float) -> list[plots.Point]:
    ns = each.ns(work)
    if not ns:
        return []
    said = f"{name_of(work)}, {with_module(each.module)}: {few(ns / 1000)} µs, {few(100 * ns / run)} for 100 µs"
    return [plots.Point(100 * ns / run, said)]


def most(book: Book) -> str:
    """Return the largest ratio, for the first page, too; empty if there is none."""
    works = works_of(book)
    if not works:
        return ""
    ratio, module, work = max((ns / works.runs[work], module, work) for module, work, ns in works.timed)
    return passage("work.most", work=name_of(work), kernel=with_module(module), ratio=ratio)


def most_expensive_hook(book: Book) -> str:
    """Return it for the first page: a work starts programs, which no file operation does."""
    works = works_of(book)
    found = [
        (hook.each, name, module, work)
        for module, each in (works.there if works else {}).items()
        for work in (works.runs if works else ())
        for name, hook in each.hooks(work).items()
        if hook.each and hook.calls >= CALLS_LEAST
    ]
    if not found:
        return ""
    ns, name, module, work = max(found)
    return passage("work.most_expensive_hook", hook=name, kernel=with_module(module), ns=ns, work=name_of(work))


def _said(book: Book, works: Works) -> str:
    more = [works.there[module].disturbed(work) for module, work, _ in works.timed]
    runs = sorted({len(hook_runs(works.there[module].boots, work)) for module, work, _ in works.timed})
    disturbed = {"median": median(more), "most": max(more)}
    return passage("work.said", most=most(book), added=_added(works), runs=runs, disturbed=disturbed, cold=_cold(works))


def _cold(works: Works) -> str:
    """Return how far the time of one hook is apart between works, with the module where that is most; empty for one work."""
    found = {}
    for module, each in works.there.items():
        hooks = [hook for work in works.runs if (hook := each.hooks(work).get(COLD)) and hook.calls >= CALLS_LEAST]
        ns = [hook.each for hook in hooks if hook.each]
        if len(ns) > 1 and module != "capability":
            found[module] = min(ns), max(ns)
    if not found:
        return ""
    module = max(found, key=lambda name: found[name][1] - found[name][0])
    return passage("work.cold", hook=COLD, module=module, least=found[module][0], most=found[module][1])


def _added(works: Works) -> dict[str, float]:
    """Return what each module adds to capability, at the median of the works; the one that adds most first."""
    found = {}
    for module in works.there:
        both = [100 * over / run for work, run in works.runs.items() if (over := works.over(module, work)) is not None]
        if both and module != "capability":
            found[module] = median(both)
    return dict(sorted(found.items(), key=lambda each: -each[1]))


# Details


def _hooks(works: Works) -> Table:
    rows = works.rows(lambda work: [_top(each.hooks(work)) for each in works.there.values()])
    return Table("work-hooks", passage("work.hooks", number=TOP), _where(works.there), "work", works.names, rows)


def _top(found: dict[str, Spent]) -> str:
    whole_time = total(found)
    if not whole_time:
        return "left out"
    order = sorted(found, key=lambda hook: -found[hook].ns)[:TOP]
    return "; ".join(
        f"{hook} {part(found[hook].ns / whole_time)} ({found[hook].calls:,}, {few(found[hook].each or 0)} ns)" for hook in order
    )


def _callbacks(works: Works) -> Table:
    rows = works.rows(lambda work: [_by_module(each.callbacks(work)) for each in works.there.values()])
    caption, said = passage("work.callbacks"), passage("work.callbacks_where", where=_where(works.there))
    return Table("work-callbacks", caption, said, "work", works.names, rows, more=True)


def _by_module(found: dict[tuple[str, str], Spent]) -> str:
    sums: dict[str, float] = {}
    for (module, _), each in found.items():
        sums[module] = sums.get(module, 0) + each.ns
    whole_time = sum(sums.values())
    if not whole_time:
        return "left out"
    order = sorted(sums, key=lambda module: -sums[module])
    return ", ".join(f"{title(module)} {part(sums[module] / whole_time)}" for module in order)


def _runs(works: Works) -> Table:
    runs = _native(works.machine)
    rows = [(name_of(work), _run(runs[work])) for work in [NOTHING, *works.runs] if work in runs]
    header = ["elapsed", "user", "system", "runs"]
    said = passage("work.runs_where", machine=_machine(works.machine), modules=works.machine.state.get("lsm") or "")
    return Table("work-runs", passage("work.runs"), said, "work", header, rows)


def _run(runs: list[dict[str, float]]) -> list[str]:
    return [*(f"{1000 * median(run[name] for run in runs):,.1f}" for name in ("elapsed", "user", "system")), str(len(runs))]


def _calls(works: Works) -> Table:
    """Return calls on two architectures, of the same programs."""
    rows = works.rows(lambda work: [_both(each, work) for each in works.there.values()])
    boots = [result for each in works.there.values() for result in (each.counts, each.boots[0])]
    said = where(boots, passage("work.calls_where"))
    return Table("work-calls", passage("work.calls"), said, "work", works.names, rows, more=True)


def _differ(works: Works) -> str:
    """Return the hooks whose calls differ most, with the first module."""
    each = next(iter(works.there.values()))
    apart: dict[str, int] = {}
    for work in works.runs:
        qemu, uml = (hook_calls(result, work) for result in (each.counts, each.boots[0]))
        for hook in {*qemu, *uml}:
            apart[hook] = apart.get(hook, 0) + uml.get(hook, 0) - qemu.get(hook, 0)
    order = sorted(apart, key=lambda hook: (-abs(apart[hook]), hook))[:TOP]
    return passage("work.differ", module=each.module, more={hook: apart[hook] for hook in order if apart[hook]})


def _both(each: Measured, work: str) -> str:
    numbers = [sum(hook_calls(result, work).values()) for result in (each.counts, each.boots[0])]
    return " / ".join(f"{number:,}" if number else EMPTY for number in numbers)


def _left_out(book: Book, works: Works) -> list[str]:
    reasons: dict[tuple[str, str], list[str]] = {}
    for module, each in works.there.items():
        for result in (each.counts, *each.boots):
            for work, why in (result.data.get("not_done") or {}).items():
                names = reasons.setdefault((name_of(work), why), [])
                names += [module] if module not in names else []
    absent = [result for result in book.results.absent if result.part == "work"]
    return [
        *(passage("work.not_done", work=work, modules=names, why=why) for (work, why), names in reasons.items()),
        *(passage("work.left_out", boot=result.ident, why=result.data["left_out"]) for result in absent),
    ]
