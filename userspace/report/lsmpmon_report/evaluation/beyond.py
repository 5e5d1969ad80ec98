# SPDX-License-Identifier: GPL-2.0-only
"""Sections: what neither paper has, and the user's own kernel."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from . import published, svg
from .blocks import EMPTY, Cell, Figure, Heading, NotRun, Section, Table, Text, heat, link, part, percent
from .book import FILES, MODULES, Book, Column, cell_of, median, tick, title, where
from .records import Hook, hook_costs, share
from .results import Result
from .stats import interval

# Of the file operations; other sub-benchmarks with a "/" are of other kinds.
FILE_FAMILIES = {
    "stat",
    "fstatat",
    "open",
    "openat",
    "read",
    "write",
    "copy",
    "rename",
    "chmod",
    "mkdir",
    "rmdir",
    "creat",
    "unlink",
    "symlink",
    "close",
}
RULES = (10, 100, 1000, 10000)
RULED = ("landlock", "tomoyo", "apparmor")


def section(book: Book) -> Section:
    return Section(
        "beyond",
        "Beyond both papers",
        [
            Heading("share", "The share of LSM in each system call"),
            *_shares(book),
            Heading("growth", "More modules"),
            *_growth(book),
            Heading("rules", "More rules"),
            *_rules(book),
            Heading("calls", "Lists and static calls: 6.1, 6.12 and 7.2"),
            *_kernels(book),
            Heading("others", "Network, processes, memory, mounts, keys"),
            *_others(book),
            Heading("openit", "A walk through a tree (the measurement of 2008)"),
            *_openit(book),
        ],
    )


# Shares


def _shares(book: Book) -> list:
    names = {
        m: f"{book.results.main}-{m}" + ("-hooks" if m == "capability" else "-on-hooks")
        for m in ("capability", *MODULES)
    }
    found = {m: book.results.get("modules", name) for m, name in names.items()}
    there = {m: r for m, r in found.items() if r and any(share(r, benchmark) for benchmark in FILES.values())}
    if not there:
        return [
            NotRun("modules", "cells whose names end in -hooks, with 'calls' (on qemu and on hardware, not on uml)")
        ]
    table = _share_table(book, there, [name for m, name in names.items() if m not in there])
    return [*_share_plot(book, there), table, Text(_share_why(there), "How to read it.")]


def _share_table(book: Book, there: dict[str, Result], missing: list[str]) -> Table:
    rows = [
        (name, [_share(book, r, b) for r in there.values()] + [_removed(book, m, b) for m in there])
        for name, b in FILES.items()
    ]
    header = [link(title(m), book.results.href(r)) for m, r in there.items()] + [title(m) for m in there]
    groups = [("ticks in hooks, of the call's", len(there)), ("saved without any LSM", len(there))]
    said = where(there.values(), "share of the timed call, monitor on; right: (T on − T dac) / T on, monitor not there")
    return Table("share", "LSM's share of each system call", said, header, rows, groups, "benchmark", missing)


def _share_plot(book: Book, there: dict[str, Result]) -> list:
    names = [title(m) for m in there]
    rows = {
        name: [_share_points(book, r, b, f"{name}, {title(m)}") for m, r in there.items()] for name, b in FILES.items()
    }
    rows = {name: row for name, row in rows.items() if any(row)}
    plot = svg.dots(rows, names, "part of the system call that is spent in hooks", tick)
    return [Figure("plot-share", "LSM's share of each system call, by module that is on", where(there.values()), plot)]


def _share_points(book: Book, result: Result, benchmark: str, label: str) -> list[svg.Point]:
    found = share(result, benchmark)
    return [svg.Point(found.part, f"{label}: {part(found.part, 1)}", book.results.href(result))] if found else []


def _share(book: Book, result: Result, benchmark: str) -> Cell:
    found = share(result, benchmark)
    if not found:
        return EMPTY
    about = (
        f"{found.calls} calls, {found.ticks / found.calls:,.0f} ticks each, {found.hook_calls / found.calls:.1f} hook"
        " calls in each"
    )
    return Cell(part(found.part, 1), book.results.href(result), about, heat=heat(found.part, 1))


def _removed(book: Book, module: str, benchmark: str) -> Cell:
    dac, on = cell_of(book, "dac"), cell_of(book, module if module == "capability" else f"{module}-on")
    if (
        not dac
        or not on
        or dac.setting != on.setting
        or dac.samples(benchmark) is None
        or on.samples(benchmark) is None
    ):
        return EMPTY
    with_it, without = median(on.samples(benchmark)), median(dac.samples(benchmark))
    saved = (with_it - without) / with_it
    return Cell(part(saved, 1), book.results.href(on), f"{without:,.0f} of {with_it:,.0f} remain", heat=heat(saved, 1))


def _share_why(there: dict[str, Result]) -> str:
    said = (
        "Left, the monitor times each system call from its entry to its exit and each hook in it, in a kernel that has"
        " IMA and EVM, too; what the monitor executes is in the hooks and in the call. Right, no monitor: what a kernel"
        " without CONFIG_SECURITY saves of the same call. The left is where the time is, the right what is to be had."
    )
    if "smack" not in there:
        return said
    return said + (
        " Where the right is far above the left, a module makes the kernel do more outside of its hooks, as Smack does:"
        " it sends the kernel over each path a second time (Section 3.6)."
    )


# Growth


def _growth(book: Book) -> list:
    found = book.results.part("growth")
    numbers = {int(name.rpartition("-")[2]): r for name, r in found.items() if name.rpartition("-")[2].isdigit()}
    cells = [(number, result) for number, result in sorted(numbers.items()) if result.benchmarks]
    if len(cells) < 2 or cells[0][0] != 0:
        return [NotRun("growth", f"{book.results.main}-0 (no LSM) and one module more each")]
    added = {number: _added(before, result) for (_, before), (number, result) in zip(cells, cells[1:])}
    columns = [Column(f"{number}: + {added[number]}", cells[0][1], result) for number, result in cells[1:]]
    table = book.table("growth", "Cost as modules are added, over no LSM", columns, full=2.0)
    plot = _growth_plot(book, dict(zip(added, columns)), {0: "none"} | added)
    figure = Figure("plot-growth", "Cost as modules are added", where([c.other for c in columns]), plot)
    return [figure, table, Text(_growth_said(book, columns))]


def _growth_plot(book: Book, columns: dict[int, Column], names: dict[int, str]) -> Markup:
    series = {row: [(0, svg.Point(0, f"{row}: base"))] for row in ("open", "stat", "creat", "unlink", "rename", "read")}
    for row, points in series.items():
        points += [(n, point) for n, c in columns.items() for point in book.points("growth", row, c.title)]
    there = {row: points for row, points in series.items() if len(points) > 1}
    return svg.lines(there, "overhead", "modules, one more each", tick, names=names)


def _added(before: Result, result: Result) -> str:
    """By what is active in both."""
    old, new = (str(r.state.get("lsm") or "").split(",") for r in (before, result))
    return ", ".join(title(module) for module in new if module and module not in old) or "nothing"


def _growth_said(book: Book, columns: list[Column]) -> str:
    last = book.entries["growth"].column(columns[-1].title)
    steps = {
        c.title: median(f.change for f in book.entries["growth"].column(c.title).values())
        for c in columns
        if book.entries["growth"].column(c.title)
    }
    if not last or not steps:
        return ""
    worst = max(last, key=lambda row: last[row].change)
    rises = {name: value - before for before, (name, value) in zip([0.0, *steps.values()], steps.items())}
    most = max(rises, key=rises.__getitem__)
    return (
        f"With all of them, the median benchmark costs {percent(steps[columns[-1].title])} more than without LSM,"
        f" {worst} {percent(last[worst].change)}. The largest step at the median is {most.partition('+ ')[2]}."
        " IMA and EVM are on wherever they are built in: what they add is in “Integrity: audit, IMA, EVM”."
    )


# Rules


def _rules(book: Book) -> list:
    cells = {module: {n: cell_of(book, f"{module}-{n}", "rules") for n in RULES} for module in RULED}
    there = {module: {n: result for n, result in found.items() if result} for module, found in cells.items()}
    columns = [column for module, found in there.items() for column in _rule_columns(module, found)]
    if not columns:
        return [NotRun("rules", "Landlock, TOMOYO and AppArmor with 10, 100, 1,000 and 10,000 rules")]
    missing = [f"{book.results.main}-{module}-{n}" for module in RULED for n in RULES if n not in there[module]]
    table = book.table("rules", "More rules, over the least number of them", columns, full=5.0, missing=missing)
    series = {
        f"{title(m)} {row}": _absolute(book, found, row) for m, found in there.items() for row in ("open", "creat")
    }
    series = {name: points for name, points in series.items() if len(points) > 1}
    plot = svg.lines(series, "a call", "rules", lambda value: f"{value:,.0f}", log=True)
    said = where([c.other for c in columns], "both axes logarithmic")
    return [
        Figure("plot-rules", "What a call costs with more rules", said, plot),
        table,
        Text(_rules_said(book, columns)),
    ]


def _rule_columns(module: str, found: dict[int, Result]) -> list[Column]:
    least = min(found, default=0)
    return [Column(f"{title(module)} {n:,} over {least:,}", found[least], r) for n, r in found.items() if n != least]


def _absolute(book: Book, there: dict[int, Result], row: str) -> list:
    return [
        (float(n), svg.Point(middle, f"{row}, {n:,} rules: {middle:,.0f}", book.results.href(result)))
        for n, result in there.items()
        if (samples := result.samples(FILES[row])) is not None and (middle := float(median(samples))) > 0
    ]


def _rules_said(book: Book, columns: list[Column]) -> str:
    said = []
    for column in columns:
        changes = book.entries["rules"].column(column.title)
        if f"{max(RULES):,} over" in column.title and changes:
            worst = max(changes, key=lambda row: changes[row].change)
            middle = median(found.change for found in changes.values())
            said.append(
                f"{column.title} rules: {percent(middle)} at the median, {percent(changes[worst].change)} on {worst}."
            )
    return " ".join(said) + " A line that stays level does not ask its rules one by one."


# Kernels


def _kernels(book: Book) -> list:
    blocks: list = []
    for module in ("capability", *MODULES):
        found = {k: book.results.get("kernels", f"{k}-{module}-exact") for k in ("6.1", "6.12", "7.2")}
        there = {k: r for k, r in found.items() if r and r.records}
        blocks += [_exact(book, module, there)] if len(there) > 1 else []
    blocks += _latencies(book)
    if not blocks:
        return [NotRun("kernels", "K-MODULE-exact and K-MODULE-latency of each kernel K")]
    why = (
        "Up to 6.11, a hook walks a list and calls through a pointer; since 6.12 each slot is a static call that is "
        "skipped if no module is there. The costs under "
        "capability alone, above all of hooks that it does not implement, are those of the walk. What an indirect "
        "call costs a processor that has to guess its target, instructions do not show; the "
        "cycles of Section 2.3 are of User-Mode Linux, which has no static calls."
    )
    return [*blocks, Text(why, "How to read it.")]


def _exact(book: Book, module: str, there: dict[str, Result]) -> Table:
    costs = {k: hook_costs((r,)) for k, r in there.items()}
    most = {
        hook: max(each[hook].calls for each in costs.values() if hook in each) for c in costs.values() for hook in c
    }
    often = sorted(most, key=lambda hook: (-most[hook], hook))
    rows = [(hook, [_instructions(book, costs[k].get(hook), r) for k, r in there.items()]) for hook in often[:12]]
    rows.append(("a mean call of those that all have", _means(book, there, costs, often)))
    header = [link(result.kernel, book.results.href(result)) for result in there.values()]
    said = where(there.values(), "an average call; with the empty span of the clock")
    return Table(f"exact-{module}", f"The 12 hooks called most, {title(module)}", said, header, rows, corner="hook")


def _means(book: Book, there: dict[str, Result], costs: dict[str, dict[str, Hook]], hooks: list[str]) -> list[Cell]:
    common = [hook for hook in hooks if all(hook in each for each in costs.values())]
    first = next(iter(costs.values()))
    return [Cell(f"{_mean(costs[k], common, first):,.1f}", book.results.href(r)) for k, r in there.items()]


def _mean(costs: dict[str, Hook], hooks: list[str], weights: dict[str, Hook]) -> float:
    """Each hook as often as the first kernel calls it: what differs is the cost, not the mix."""
    calls = sum(weights[hook].calls for hook in hooks)
    return sum(costs[hook].average * weights[hook].calls for hook in hooks) / max(calls, 1)


def _instructions(book: Book, found: Hook | None, result: Result) -> Cell:
    return (
        Cell(
            f"{found.average:,.1f}", book.results.href(result), f"{found.calls:,} calls", heat=heat(found.average, 1000)
        )
        if found
        else EMPTY
    )


def _latencies(book: Book) -> list:
    columns = []
    for module in ("capability", *MODULES):
        cells = {k: book.results.get("kernels", f"{k}-{module}-latency") for k in ("6.1", "6.12", "7.2")}
        there = {k: r for k, r in cells.items() if r and r.benchmarks}
        first = next(iter(there), "")
        columns += [
            Column(f"{title(module)}, {k} over {first}", there[first], r) for k, r in there.items() if k != first
        ]
    return (
        [book.table("kernels-latency", "Whole calls between kernels, same module", columns, full=0.5)]
        if columns
        else []
    )


# Other benchmarks


def _others(book: Book) -> list:
    base = cell_of(book, "dac") or cell_of(book, "capability")
    names = [b for b in base.benchmarks if "/" in b and b.partition("/")[0] not in FILE_FAMILIES] if base else []
    if not base or not names:
        return [NotRun("modules", "sub-benchmarks net/*, task/*, mm/*, mount/* and key/*")]
    cells = {"capability": cell_of(book, "capability")} | {m: cell_of(book, f"{m}-on") for m in MODULES}
    columns = [Column(title(m), base, result) for m, result in cells.items() if result and result is not base]
    rows = {name: name for name in names}
    missing = [f"{book.results.main}-{m}-on" for m, result in cells.items() if not result]
    table = book.table("others", f"Other system calls, over {base.ident}", columns, rows, missing=missing)
    plot = _dots(book, "others", rows, columns, base)
    return [
        Figure("plot-others", "Other system calls, by module", where([c.other for c in columns]), plot),
        table,
        Text(_others_said(book)),
    ]


def _dots(book: Book, table: str, rows: Iterable[str], columns: list[Column], base: Result) -> Markup:
    """What a table says: a row for each benchmark, a shape for each column."""
    names = [column.title for column in columns]
    found = {row: [book.points(table, row, name) for name in names] for row in rows}
    found = {row: points for row, points in found.items() if any(points)}
    return svg.dots(found, names, f"overhead over {base.name}", tick)


def _others_said(book: Book) -> str:
    found = [(c.change, row, column) for (row, column), c in book.entries["others"].found.items() if not c.noise]
    if not found:
        return ""
    change, row, column = max(found)
    said = f"The dearest of them is {row} under {column}: {percent(change)}."
    return said + " “Left out”: the policy does not let the benchmark do this; hovering shows what it answered."


# openit


def _openit(book: Book) -> list:
    found = {name.partition("-")[2]: result for name, result in book.results.part("openit").items()}
    walks = {name: result for name, result in found.items() if result.samples("openit") is not None}
    base = walks.get("dac")
    if not base or len(walks) < 2:
        cells = f"{book.results.main}-dac, -capability and modules"
        return [NotRun("openit", f"{cells}, a walk over 266 directories and 19,255 files")]
    columns = [Column(title(name), base, result) for name, result in walks.items() if result is not base]
    entry = book.compare("openit", columns, {"openit": "openit"})
    rows = [(link(title(name), book.results.href(r)), _walk(book, r, entry, title(name))) for name, r in walks.items()]
    said = where(walks.values(), "a whole walk; change over no LSM")
    header = ["median", "95 % interval", "change"]
    table = Table("openit", "stat and open of every entry of a tree", said, header, rows, corner="cell")
    return [table, Text(_openit_why(), "What differs, and why.")]


def _openit_why() -> str:
    walks = "; ".join(
        f"{name} {before} s before credentials and {after} s after ({percent(after / before - 1)})"
        for name, (before, after) in published.H08_WALK.items()
    )
    return (
        f"Published, for the same kind of walk in 2008: {walks}. Those are two kernels with the same module, ours are"
        " modules on one kernel: LSM as a whole, not one change to it."
    )


def _walk(book: Book, result: Result, entry, name: str) -> list[Cell]:
    href, found = book.results.href(result), interval(result.samples("openit"))
    between = "exact" if found.exact else f"{found.low:,.0f} to {found.high:,.0f}"
    change = entry.found.get(("openit", name))
    said = (
        Cell(percent(change.change), href, f"p (Holm) {change.corrected:.2g}", "noise" if change.noise else "number")
        if change
        else EMPTY
    )
    return [Cell(f"{found.median:,.0f}", href), Cell(between, href), said]


# The user's kernel


def yours(book: Book) -> Section | None:
    """`make eval KDIR=... LSM=a,b`: the same for that tree and that stack."""
    found = book.results.part("yours")
    if not found:
        return None
    cells = {name: result for name, result in found.items() if result.benchmarks}
    base = _base(cells)
    blocks: list = [Text("The tree and the stack that were given to make eval, measured as the others were.")]
    columns = [Column(yours_title(r), base, r) for r in cells.values() if base and r is not base]
    if columns:
        blocks.append(Heading("yours", "What the framework and your stack cost"))
        blocks.append(book.table("yours", f"Your kernel, over {base.ident}", columns))
        plot = _dots(book, "yours", FILES, columns, base)
        blocks.append(Figure("plot-yours", "Your kernel", where([c.other for c in columns]), plot))
    return Section("your-kernel", "Your kernel", [*blocks, *_yours_hooks(book, found)])


def yours_title(result: Result) -> str:
    return f"{result.name} ({result.state.get('lsm') or 'no LSM'})"


def _base(cells: dict[str, Result]) -> Result | None:
    """No LSM, else capability alone, else the first."""
    for end in ("dac", "capability"):
        for name, result in cells.items():
            if name.endswith(end):
                return result
    return next(iter(cells.values()), None)


def _yours_hooks(book: Book, found: dict[str, Result]) -> list:
    costs = {name: hook_costs((result,)) for name, result in found.items()}
    tables = [_dearest(book, found[name], each) for name, each in costs.items() if each]
    return [Heading("yours-hooks", "Where hooks spend most"), *tables] if tables else []


def _dearest(book: Book, result: Result, costs: dict[str, Hook]) -> Table:
    order = sorted(costs, key=lambda hook: -costs[hook].ticks)[:12]
    rows = [(hook, _spent(book, costs[hook], result)) for hook in order]
    caption = f"Hooks, {yours_title(result)}"
    return Table(f"yours-{result.name}", caption, where([result]), ["average", "sum", "calls"], rows, corner="hook")


def _spent(book: Book, hook: Hook, result: Result) -> list[Cell]:
    href = book.results.href(result)
    return [_instructions(book, hook, result), Cell(f"{hook.ticks:,.0f}", href), Cell(f"{hook.calls:,}", href)]
