# SPDX-License-Identifier: GPL-2.0-only
"""Page: the time in hooks of everyday work, by module."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from ..drawing import plots
from .blocks import EMPTY, Figure, Heading, NotRun, Page, Points, Table, Text, more, part
from .book import MODULES, Book, where
from .hooktimes import NOTHING, Spent, callback_calls, callback_runs, hook_calls, hook_runs, of_run, spent, total
from .intervals import few, few_more
from .results import Result
from .share import with_module
from .titles import title

# By work, what it does.
WORKS = {
    "untar": "tar unpacks an archive, and rm removes the files again",
    "status": "git status in a repository of the same files",
    "compile": "gcc compiles four of these files, one after the other",
    "shell": "a shell starts sed 50 times, in a pipe, as a configure script does",
    "web": "nginx starts, serves 100 pages to curl by one connection, and ends",
    "database": "Redis starts, answers 500 times set and 500 times get of 5 clients, and ends",
}
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
    return Page("work", "Everyday work", _blocks(book))


def _blocks(book: Book) -> list:
    there, works = measured(book), shown(book)
    if not works:
        return [NotRun("work", "hook calls and their times in six works, by module, and the works on the machine itself")]
    return [
        Text(WHAT_IS_WHAT),
        Points([f"{name_of(work)}: {WORKS[work]}" for work in works]),
        Text(_input(book)),
        *_shares(book, there, works),
        Text(_said(book, there, works), "What it says."),
        Heading("Which hooks"),
        _hooks(there, works),
        Heading("Whose callbacks"),
        _callbacks(there, works),
        Heading("The runs, and what was counted"),
        _runs(book, works),
        _calls(there, works),
        Text(_differ(there, works), "Why the two differ."),
        Heading("Left out, and limits"),
        Points([*_left_out(book, there), *LIMITS]),
    ]


WHAT_IS_WHAT = (
    "How often each work calls each hook is counted under QEMU, which has no clock of a machine. What a call of"
    " a hook takes is measured on User-Mode Linux, in the same work, where hooks run at the speed of the processor and system"
    " calls do"
    " not. Their product is the time in hooks. How long the whole work takes is measured on the machine itself, with its"
    " own kernel, outside of any guest. A percentage is the time in hooks, of one kernel, over the CPU time of the same"
    " work on the machine, which has the machine's own modules in it. It is a ratio and not a share of one run: it says how"
    " large LSM is beside the rest of the work."
    " Each module enforces a policy that lets the work run and denies something else."
)


def _input(book: Book) -> str:
    """What was unpacked: figures of other files are of another work."""
    result = book.results.get("native", "work")
    named = result.data.get("input") if result else None
    files = f"{named}, which are made for this and are the same everywhere" if named else "the sources of lsmpmon, as they were then"
    return f"The files of untar, git status and compile are {files}."


def _where(there: dict[str, Measured]) -> str:
    counts, boots = [each.counts for each in there.values()], [boot for each in there.values() for boot in each.boots]
    number = sorted({len(each.boots) for each in there.values()})
    least = f"the quietest run of {' or '.join(map(str, number))} boots, without an interval, so two digits"
    return f"calls: {where(counts)}; times of hooks: {where(boots)}, {least}"


def _shares(book: Book, there: dict[str, Measured], works: list[str]) -> list:
    names = [with_module(module) for module in there]
    machine = book.results.get("native", "work")
    rows = [(name_of(work), _share_cells(book, there, work)) for work in works]
    points = {name_of(work): [_point(book, each, work) for each in there.values()] for work in works}
    plot = plots.dots(points, names, "time in hooks, in % of the work's CPU time on the machine, logarithmic", _tick, log=True)
    said = f"{_where(there)}; the run, {RUN_IS}: {machine.kernel}, {machine.state.get('processor', '?')}, {machine.fs}"
    header = ["the run, ms of CPU time", *names]
    caption = "µs in all hooks of each work, and in percent of the run on the machine"
    return [
        Figure("work-share", "Time in all hooks of each work, by what is in the kernel", said, plot),
        Table("work-share", caption, said, "work", header, rows),
        *_more_than_capability(book, there, works, said),
    ]


RUN_IS = "on the machine, the median of user and system time together, less that of “nothing”"


def _more_than_capability(book: Book, there: dict[str, Measured], works: list[str], said: str) -> list[Table]:
    others = {module: each for module, each in there.items() if module != "capability"}
    if "capability" not in there or not others:
        return []
    rows = [(name_of(work), [_over_cell(book, there, module, work) for module in others]) for work in works]
    caption = "µs in the hooks of each work over capability in the same kernel, and percentage points of the run"
    return [Table("work-over", caption, said, "work", [title(module) for module in others], rows)]


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
    """For the first page."""
    found = _highest(book)
    if not found:
        return ""
    share, module, work = found
    return (
        f"Of everyday work, {name_of(work)} {with_module(module)} has the largest ratio. Its time in hooks is"
        f" {few(100 * share)}\u00a0% of the CPU time that it takes on the machine (capability, IMA and EVM included). That is"
        " not a share of the run: cycles of"
        " hooks on User-Mode Linux, over a run on the host, whose kernel is another one."
    )


def most_expensive_hook(book: Book) -> str:
    """For the first page: a work starts programs, which no file operation does."""
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
    return (
        f"The most expensive hook of everyday work is {name} {with_module(module)}: {few(ns)} ns a call in"
        f" {name_of(work)}, without the clock's own reading."
    )


def _said(book: Book, there: dict[str, Measured], works: list[str]) -> str:
    more = [each.disturbed(work) for each in there.values() for work in works if each.ns(work)]
    number = {len(hook_runs(each.boots, work)) for each in there.values() for work in works if each.ns(work)}
    return (
        f"{most(book)} {_added(book, there, works)}The time of hooks is that of the quietest of"
        f" {' or '.join(map(str, sorted(number)))} runs; the median run takes {part(median(more))} more at the median, and"
        f" {part(max(more))} at most. A difference between two modules that is smaller than that says nothing."
    )


def _added(book: Book, there: dict[str, Measured], works: list[str]) -> str:
    """What a module adds to capability, at the median of the works."""
    found = {}
    for module in there:
        both = {work: over for work in works if (over := _over(there, module, work)) is not None}
        if both and module != "capability":
            found[module] = median(100 * over / processors(book, work) for work, over in both.items())
    order = sorted(found, key=lambda module: -found[module])
    said = ", ".join(f"{title(module)} {few_more(found[module])}" for module in order)
    noise = "" if not said or min(found.values()) >= 0 else LESS
    return f"Over capability, at the median of these works, in percentage points of the run: {said}. {noise}" if said else ""


LESS = (
    "A module cannot take less than capability, which is under each of them: a negative figure says that the machine had"
    " other work to do when capability was measured, and how far these times can be trusted. "
)


# Details


def _hooks(there: dict[str, Measured], works: list[str]) -> Table:
    rows = [(name_of(work), [_top(each.hooks(work)) for each in there.values()]) for work in works]
    caption = f"The {TOP} hooks that take most of the time in hooks: their part of it, calls, ns of one"
    return Table("work-hooks", caption, _where(there), "work", [with_module(module) for module in there], rows)


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
    caption = "Time in callbacks, by the module that they are of"
    said = f"{_where(there)}; a callback includes a reading of the clock that only this record has"
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
    said = f"{machine.kernel}, {machine.state.get('processor', '?')}, {machine.fs}; medians, ms; modules there: "
    said += machine.state.get("lsm") or "not known"
    said += "; elapsed time includes waiting for what else the machine did, and is not used"
    caption = "The works on the machine itself; “nothing” is what starts each"
    return Table("work-runs", caption, said, "work", header, rows)


def _run(runs: list[dict]) -> list[str]:
    return [*(f"{1000 * median(run[name] for run in runs):,.1f}" for name in ("elapsed", "user", "system")), str(len(runs))]


def _calls(there: dict[str, Measured], works: list[str]) -> Table:
    """Two architectures; the same programs."""
    rows = [(name_of(work), [_both(each, work) for each in there.values()]) for work in works]
    said = where([result for each in there.values() for result in (each.counts, each.boots[0])], "counts, not times")
    caption, header = "Hook calls of each work, under QEMU / on User-Mode Linux", [with_module(module) for module in there]
    return Table("work-calls", caption, said, "work", header, rows, more=True)


def _differ(there: dict[str, Measured], works: list[str]) -> str:
    """The hooks whose calls differ most, with the first module."""
    each = next(iter(there.values()))
    apart: dict[str, int] = {}
    for work in works:
        qemu, uml = (hook_calls(result, work) for result in (each.counts, each.boots[0]))
        for hook in {*qemu, *uml}:
            apart[hook] = apart.get(hook, 0) + uml.get(hook, 0) - qemu.get(hook, 0)
    order = sorted(apart, key=lambda hook: (-abs(apart[hook]), hook))[:TOP]
    named = ", ".join(f"{hook} {more(apart[hook])}" for hook in order if apart[hook])
    return (
        f"Calls on User-Mode Linux beyond those under QEMU, over all works with {title(each.module)}: {named or 'none'}. Its hostfs, where the"
        " programs and headers are, forgets a name as soon as nobody uses it, and makes a new inode the next time. So the"
        " counts of QEMU are the ones that are used."
    )


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
                names += [title(module)] if title(module) not in names else []
    said = [f"{work}, with {', '.join(names)}: {why}." for (work, why), names in reasons.items()]
    absent = [result for result in book.results.absent if result.part == "work"]
    return said + [f"{result.ident}: {result.data['left_out']}." for result in absent]


LIMITS = [
    "A hook that is called inside another one is in the time of both.",
    "Files of Debian's programs are on hostfs or 9p, which have no labels of their own; the work itself is in a tmpfs.",
    (
        "Numbers of calls are not exact to the digit, since the machine answers in its own time when a program is read: in a"
        " second boot, most works made up to four calls more or fewer, the database a few hundred."
    ),
    "TOMOYO's policy and Landlock's rules are about files: they do not decide about the network.",
    (
        "The run is of another kernel, with its own modules and without lsmpmon: a share of the"
        " run and of the hooks together would be lower. The numerator is the quietest run, the denominator a median."
    ),
]
