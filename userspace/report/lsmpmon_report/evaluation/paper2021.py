# SPDX-License-Identifier: GPL-2.0-only
"""Section: the figures and tables of Zhang, Liu & Jaeger, 2021."""

from __future__ import annotations

import re

from . import published, svg
from .blocks import EMPTY, Cell, Figure, Heading, NotRun, Points, Section, Table, Text, heat, join, link, part, percent
from .book import FILES, MODULES, Book, Column, median, title, where
from .records import hook_counts, implementers, in_syscall
from .results import Result

EQUATIONS = [
    "overhead = (T with − T base) / T base, of medians of the same benchmark on the same runner.   (1)",
    "framework = overhead of LSM with capability over plain DAC (a kernel without CONFIG_SECURITY).   (2)",
    "hooks of a module = overhead of the module with enforcement off over capability alone.   (3)",
    "policy of a module = overhead of enforcement on over enforcement off.   (4)",
]
INTEGRITY = ("audit", "ima", "evm", "ima.evm", "audit-off", "ima-off", "evm-off")


def section(book: Book) -> Section:
    return Section(
        "paper-2021",
        "The figures of 2021, today",
        [
            Text(
                "Zhang, Liu and Jaeger measured 14 file operations on Linux 5.3 (i7-6500U, ext4). Each of them is one"
                " system call, or one after another. We use:"
            ),
            Points(EQUATIONS),
            Text(
                "read, write and copy move a file of 100 KiB, 4 KiB a call; the path of the others has a depth of 3,"
                " unless said otherwise."
            ),
            Heading(
                "figure-2", "The framework over plain DAC, and SELinux over plain DAC (its Figures 2 and 3, Table 1)"
            ),
            *_framework(book),
            Heading("figure-6", "Modules, enforcement off and on (its Figure 6)"),
            *_modules(book),
            Heading("figure-7", "Stacking and its order (its Figure 7)"),
            *_stacking(book),
            Heading("figure-8", "Integrity: audit, IMA, EVM (its Figure 8)"),
            *_integrity(book),
            Heading("executions", "Hooks executed in each benchmark (its section 5.1.1)"),
            *_executions(book),
            Heading("table-7", "Hooks observed in each system call (its Table 7)"),
            *_observed(book),
            Heading("table-6", "Slopes: what a check's delay does to a system call (its Table 6)"),
            *_slopes(book),
            Heading("static", "Hooks and lines of code (its Tables 2 and 5)"),
            *_static(book),
        ],
    )


def cell_of(book: Book, name: str, part: str = "modules") -> Result | None:
    """With latencies."""
    found = book.results.get(part, f"{book.results.main}-{name}")
    return found if found and found.benchmarks else None


def tick(value: float) -> str:
    return part(value)


# Figures 2 and 3


def _framework(book: Book) -> list:
    dac, kver = cell_of(book, "dac"), book.results.main
    others = {
        "capability": cell_of(book, "capability"),
        "SELinux, off": cell_of(book, "selinux-off"),
        "SELinux, on": cell_of(book, "selinux-on"),
    }
    columns = [Column(name, dac, other) for name, other in others.items() if dac and other]
    if not columns:
        return [NotRun("modules", f"{kver}-dac and {kver}-capability, which these figures compare")]
    beside = {"capability, 5.3": published.Z21_FRAMEWORK, "SELinux off, 5.3": published.Z21_SELINUX}
    missing = [f"{kver}-{name.lower().replace(', ', '-')}" for name, other in others.items() if not other]
    table = book.table(
        "figure-2", f"Overhead over plain DAC, {columns[0].other.kernel}", columns, published=beside, missing=missing
    )
    return [_framework_plot(book, columns), table, Text(_framework_why(book), "What differs, and why.")]


def _framework_plot(book: Book, columns: list[Column]) -> Figure:
    book.compare("figure-2", columns, FILES)
    rows = {row: [next(iter(book.points("figure-2", row, c.title)), None) for c in columns] for row in FILES}
    rows = {row: points for row, points in rows.items() if any(points)}
    plot = svg.bars(rows, [c.title for c in columns], "overhead over plain DAC", tick)
    return Figure("plot-figure-2", "Overhead over plain DAC (Equation 1)", where([c.other for c in columns]), plot)


def _framework_why(book: Book) -> str:
    changes = {row: found.change for row, found in book.entries["figure-2"].column("capability").items()}
    if not changes:
        return "Nothing to compare."
    worst = max(changes, key=changes.__getitem__)
    return (
        f"The framework with capability costs {percent(median(changes.values()))} at the median and "
        f"{percent(changes[worst])} at most ({worst}); "
        "published were 0.6 % (write) to 7.5 % (open) in time. Since 6.12 the kernel calls the hooks of modules "
        "directly "
        "(static calls), where 5.3 followed a list of pointers. An instruction count has no cache misses and no cost "
        "of a mispredicted "
        "indirect branch in it, so it is the smaller part of what a machine feels. The published column for SELinux "
        "has its hooks with enforcement off."
    )


# Figure 6


def _modules(book: Book) -> list:
    base = cell_of(book, "capability")
    if not base:
        return [NotRun("modules", f"{book.results.main}-capability, which is the base of this figure")]
    hooks, policy, total, missing = [], [], [], []
    for module in MODULES:
        off, on = cell_of(book, f"{module}-off"), cell_of(book, f"{module}-on")
        missing += [f"{book.results.main}-{module}-{state}" for state, found in (("off", off), ("on", on)) if not found]
        hooks += [Column(title(module), base, off)] if off else []
        policy += [Column(title(module), off, on)] if off and on else []
        total += [Column(title(module), base, on)] if on else []
    special = cell_of(book, "selinux-debian-on")
    total += [Column("SELinux, Debian's policy", base, special)] if special else []
    tables = [
        ("figure-6-hooks", "Enforcement off: the hooks of a module over capability (Equation 3)", hooks, 0.5),
        ("figure-6-policy", "What enforcement adds: on over off (Equation 4)", policy, 0.5),
        ("figure-6", "Enforcement on, over capability (Equation 1)", total, 1.0),
    ]
    made = [
        book.table(ident, caption, columns, full=full, missing=missing if ident == "figure-6" else ())
        for ident, caption, columns, full in tables
        if columns
    ]
    return [*_modules_plot(book, hooks, total), *made, Text(_modules_why(book), "What differs, and why.")]


def _modules_plot(book: Book, hooks: list[Column], total: list[Column]) -> list:
    """One panel: a row for each benchmark, a shape for each module, hollow with enforcement off."""
    names = [c.title for c in total if c.title in {title(m) for m in MODULES}]
    if not names:
        return []
    off = {c.title for c in hooks}
    rows = {
        row: [
            (book.points("figure-6-hooks", row, name, True) if name in off else []) + book.points("figure-6", row, name)
            for name in names
        ]
        for row in FILES
    }
    plot = svg.dots({row: found for row, found in rows.items() if any(found)}, names, "overhead over capability", tick)
    caption = (
        "Overhead over capability by module: filled with enforcement on, hollow with enforcement off; between them is"
        " the policy"
    )
    return [Figure("plot-figure-6", caption, where([c.other for c in total]), plot)]


def _modules_why(book: Book) -> str:
    said = []
    if "figure-6-hooks" in book.entries:
        most = [
            (found.change, row, name)
            for (row, name), found in book.entries["figure-6-hooks"].found.items()
            if not found.noise
        ]
        change, row, name = max(most, default=(0.0, "", ""))
        said.append(f"With enforcement off, the dearest is {row} under {name}, {percent(change)}. " if row else "")
    said.append(
        "Published: with enforcement off every module stayed within 15 % everywhere, read at 5.8 to 8 %, mkdir and "
        "rmdir at 8 to 14 %. A module that is "
        "permissive still decides, and only answers otherwise; all that these benchmarks do is allowed, so “on” and "
        "“off” differ where the module goes another way "
        "as soon as it is off, and not in what it costs to look up a policy. "
    )
    return "".join([*said, _policy_said(book)])


def _policy_said(book: Book) -> str:
    if "figure-6-policy" not in book.entries:
        return ""
    found = {key: c.change for key, c in book.entries["figure-6-policy"].found.items() if not c.noise}
    most = max(found, key=lambda key: abs(found[key]), default=None)
    if most is None or abs(found[most]) < 0.005:
        return "Here none of them differs by as much as 0.5 %: what a module costs, it costs with enforcement off, too."
    return f"Most differs {most[0]} under {most[1]}: {percent(found[most])}."


# Figure 7


def _stacking(book: Book) -> list:
    base, found = cell_of(book, "capability"), book.results.part("stacking")
    if not found or not base:
        return [
            NotRun(
                "stacking",
                (
                    "pairs of modules and more, in each order"
                    if base
                    else f"{book.results.main}-capability of part modules, which is the base of this figure"
                ),
            )
        ]
    stacks = {
        name.partition("-")[2]: result
        for name, result in found.items()
        if result.benchmarks and name.startswith(book.results.main + "-")
    }
    singles = {m: cell_of(book, f"{m}-on") for m in MODULES if any(m in stack.split(".") for stack in stacks)}
    columns = [Column(title(m), base, result) for m, result in singles.items() if result]
    columns += [
        Column(_stack(stack), base, result)
        for stack, result in sorted(stacks.items(), key=lambda each: (each[0].count("."), each[0]))
    ]
    missing = [f"modules/{book.results.main}-{m}-on" for m, result in singles.items() if not result]
    table = book.table(
        "figure-7",
        "Stacks over capability, in the order in which modules are asked",
        columns,
        full=2.0,
        missing=missing,
    )
    return [
        *_stacking_plot(book, columns),
        table,
        *_orders(book, stacks),
        Text(_stacking_why(book, stacks, singles), "What differs, and why."),
    ]


def _stack(name: str) -> str:
    return " + ".join(title(module) for module in name.split("."))


def _stacking_plot(book: Book, columns: list[Column]) -> list:
    rows = {c.title: [[p for row in FILES for p in book.points("figure-7", row, c.title)]] for c in columns}
    rows = {name: points for name, points in rows.items() if points[0]}
    plot = svg.dots(rows, ["one benchmark"], "overhead over capability; a point is one of the 14 benchmarks", tick)
    return (
        [Figure("plot-figure-7", "Each stack, all 14 benchmarks", where([c.other for c in columns]), plot)]
        if rows
        else []
    )


def _orders(book: Book, stacks: dict[str, Result]) -> list:
    """The same modules in another order: compared with the first such stack."""
    first: dict[frozenset, str] = {}
    columns = []
    for stack in sorted(stacks):
        key = frozenset(stack.split("."))
        if key in first:
            columns.append(Column(f"{_stack(stack)}, not {_stack(first[key])}", stacks[first[key]], stacks[stack]))
        first.setdefault(key, stack)
    return [book.table("figure-7-order", "The same modules in another order", columns, full=0.2)] if columns else []


def _stacking_why(book: Book, stacks: dict[str, Result], singles: dict[str, Result | None]) -> str:
    said = []
    if "figure-7-order" in book.entries:
        found = [
            (abs(c.change), c.change, row, name)
            for (row, name), c in book.entries["figure-7-order"].found.items()
            if not c.noise
        ]
        if found:
            _, change, row, name = max(found)
            said.append(f"Of all orders, {name} changes most: {row}, {percent(change)}. ")
    said.append(_additive(book, stacks, singles))
    said.append(
        "Published: another order changed open and stat by over 10 %, TOMOYO behind capability cost over 100 % in "
        "unlink, symlink, chmod, stat and fstatat, and Smack "
        "first had a median of 15.3 %. All modules of a stack are asked in turn until one denies, so where all allow, "
        "order changes no work; what it did change on a "
        "machine are caches and branch prediction, which instructions do not have. SELinux, AppArmor and Smack are "
        "marked as exclusive in these "
        "kernels: only one of them can be on, so the published stacks of two of them cannot be booted unchanged."
    )
    return "".join(said)


def _additive(book: Book, stacks: dict[str, Result], singles: dict[str, Result | None]) -> str:
    """How far a stack is from the sum of its modules, each alone."""
    entry, apart = book.entries["figure-7"], []
    for stack in stacks:
        modules = stack.split(".")
        if all(singles.get(module) for module in modules):
            whole, parts = entry.column(_stack(stack)), [entry.column(title(module)) for module in modules]
            apart += [
                whole[row].change - sum(each[row].change for each in parts)
                for row in whole
                if all(row in each for each in parts)
            ]
    if not apart:
        return ""
    return (
        f"A stack costs what its modules cost alone, added, to {part(median(abs(each) for each in apart), 1)} of the"
        f" base at the median (at worst {percent(max(apart, key=abs))}). "
    )


# Figure 8


def _integrity(book: Book) -> list:
    base = cell_of(book, "none", "integrity")
    others = {name: cell_of(book, name, "integrity") for name in INTEGRITY}
    columns = [Column(_integrity_title(name), base, result) for name, result in others.items() if base and result]
    if not columns:
        return [
            NotRun(
                "integrity", "audit, IMA and EVM, each and together, over a kernel that has them and nothing to decide"
            )
        ]
    missing = [f"{book.results.main}-{name}" for name, result in others.items() if not result]
    table = book.table(
        "figure-8", "Integrity over a kernel with audit, IMA and EVM that are not in use", columns, missing=missing
    )
    rows = {c.title: [[p for row in FILES for p in book.points("figure-8", row, c.title)]] for c in columns}
    plot = svg.dots(
        {name: found for name, found in rows.items() if found[0]},
        ["one benchmark"],
        "overhead; a point is one of the 14 benchmarks",
        tick,
    )
    return [
        Figure("plot-figure-8", "Integrity, all 14 benchmarks", where([c.other for c in columns]), plot),
        table,
        Text(_integrity_why(book), "What differs, and why."),
    ]


def _integrity_title(name: str) -> str:
    base, _, state = name.partition("-")
    return " and ".join(title(each) for each in base.split(".")) + (", hooks alone" if state == "off" else "")


def _integrity_why(book: Book) -> str:
    both = {row: found.change for row, found in book.entries["figure-8"].column("IMA and EVM").items()}
    said = ""
    if both:
        worst = max(both, key=both.__getitem__)
        said = f"IMA and EVM together cost {percent(both[worst])} on {worst}, where they cost most; "
    return (
        said
        + "published were 135 % on chmod, and over 50 % on mkdir, rmdir, fstatat, read, copy, link and unlink. What "
        "they cost depends on the "
        "file system (labels and signatures are extended attributes, and what has been hashed is kept as long as the "
        "file does not change) and on the policy that says what is measured; "
        "Section 1 shows both."
    )


# Hooks executed


def _counting(book: Book) -> Result | None:
    """Whichever has counts: hooks are counted whether a module implements them or not."""
    names = [
        f"{book.results.main}-{module}-on-hooks"
        for module in ("selinux", "apparmor", "tomoyo", "smack", "landlock", "bpf")
    ]
    found = [book.results.get("modules", name) for name in [*names, f"{book.results.main}-capability-hooks"]]
    return next((result for result in found if result and any(b in result.records for b in FILES.values())), None)


def _executions(book: Book) -> list:
    result = _counting(book)
    if not result:
        return [NotRun("modules", "cells whose names end in -hooks, on the kernel with the monitor")]
    rows = [
        (name, _execution(book, result, benchmark))
        for name, benchmark in FILES.items()
        if hook_counts(result, benchmark)
    ]
    header = ["hook calls", "inode_*", "file_*", "path_*", "others", "most often", "then"]
    table = Table(
        "executions",
        f"Hook calls in a round of each benchmark, and their shares, {result.kernel}",
        where([result], f"counts, not times; from {result.ident}"),
        header,
        rows,
        corner="benchmark",
    )
    why = (
        "Published: file_permission is 99 % of the hooks in read, write and copy; inode_permission, inode_getattr and "
        "inode_follow_link are 99 % in stat; "
        "in open 60 % are inode and 33 % file hooks. A round here is the timed call with those that it needs (open "
        "with its close, creat with close and unlink). "
        "Since 5.3, hooks were added at the ends of calls (file_post_open, file_release, inode_post_...), so shares "
        "of the older ones are lower."
    )
    return [table, Text(why, "What differs, and why.")]


def _execution(book: Book, result: Result, benchmark: str) -> list[Cell]:
    counts, href = hook_counts(result, benchmark), book.results.href(result)
    total = sum(counts.values())
    kinds = {
        kind: sum(n for hook, n in counts.items() if hook.startswith(kind)) / total
        for kind in ("inode_", "file_", "path_")
    }
    often = sorted(counts, key=lambda hook: (-counts[hook], hook))[:2]
    cells = [
        Cell(f"{total:.1f}".removesuffix(".0"), href),
        *(Cell(part(each), href, heat=heat(each, 2)) for each in kinds.values()),
    ]
    cells.append(Cell(part(max(0.0, 1 - sum(kinds.values()))), href))
    return (
        cells
        + [Cell(f"{hook} {part(counts[hook] / total)}", href, kind="text") for hook in often]
        + [EMPTY] * (2 - len(often))
    )


# Table 7


def _observed(book: Book) -> list:
    names = {
        m: book.results.get("modules", f"{book.results.main}-{m}-on-hooks")
        for m in (*published.Z21_CALLS_MODULES, "landlock", "bpf")
    }
    there = {module: result for module, result in names.items() if result and result.records}
    if not there:
        return [NotRun("modules", f"{book.results.main}-MODULE-on-hooks, with the hooks that each system call reached")]
    rows = [
        row
        for syscall, (needed, hooks) in published.Z21_CALLS.items()
        for row in _observed_call(book, there, syscall, needed, hooks)
    ]
    header = [
        "hook",
        *(link(title(m), book.results.href(r)) for m, r in there.items()),
        "needed",
        *(title(m) for m in published.Z21_CALLS_MODULES),
    ]
    groups = [("observed, in one call", 1 + len(there)), ("published, 5.3 (d: depth)", 5)]
    table = Table(
        "table-7",
        "Checks in one system call that a module implements",
        where(there.values(), "counts, not times; path of depth 3"),
        header,
        rows,
        groups,
        "system call",
        [f"{book.results.main}-{m}-on-hooks" for m in names if m not in there],
    )
    why = (
        "Published is what the source says could be called (a path of depth d calls inode_permission once for each of "
        "its directories); ours is what was called, counted, for a "
        "path in lmbench-hook's own directory, whose own depth is in it. A 0 in one of ours: the module does not "
        "implement the hook, or the call did not reach it. "
        "Hooks that only allocate, free or inform are left out; file_permission is of the call itself."
        + _again(there)
    )
    return [table, Text(why, "What differs, and why.")]


def _again(there: dict[str, Result]) -> str:
    """A module that cannot answer without sleeping sends the kernel over the path once more."""
    counts = {
        m: in_syscall(result, "stat").get("inode_permission", 0)
        for m, result in there.items()
        if "stat" in result.records
    }
    more = [m for m in counts if counts[m] > min(counts.values())]
    if not more:
        return ""
    return (
        f" {' and '.join(title(m) for m in more)}: inode_permission is called once more for a path. A module that does"
        " not answer while the kernel walks a path without locks (-ECHILD) makes it start again with locks, from the"
        " first directory."
    )


CHECKS = re.compile(
    r"(path_\w+|inode_(permission|rename|mkdir|rmdir|symlink|unlink|create|setattr|getattr|follow_link|link|mknod)"
    r"|file_(open|permission|truncate))$"
)


def _observed_call(book: Book, there: dict[str, Result], syscall: str, needed: str, hooks: dict[str, str]) -> list:
    benchmark = FILES.get(syscall, syscall)
    seen = {
        module: {
            h: n
            for h, n in in_syscall(result, benchmark).items()
            if CHECKS.match(h) and module in implementers(result).get(h, ())
        }
        for module, result in there.items()
    }
    if not any(benchmark in result.records for result in there.values()):
        return []
    order = dict.fromkeys([*hooks, *(hook for counts in seen.values() for hook in counts)]) or {"": None}
    return [
        (syscall if not n else "", _observed_row(book, there, seen, hook, needed if not n else "", hooks.get(hook, "")))
        for n, hook in enumerate(order)
    ]


def _observed_row(book: Book, there: dict[str, Result], seen: dict, hook: str, needed: str, beside: str) -> list[Cell]:
    counts = [
        Cell(
            f"{seen[m].get(hook, 0):.2f}".removesuffix("0").removesuffix(".0"),
            book.results.href(r),
            kind="number" if hook in seen[m] else "none",
        )
        for m, r in there.items()
    ]
    theirs = [Cell(text, kind="published") for text in beside.split()] or [EMPTY] * 4
    return [
        Cell(hook or "none", kind="text"),
        *(counts if hook else [EMPTY] * len(there)),
        Cell(needed, kind="published"),
        *theirs,
    ]


# Table 6


def _slopes(book: Book) -> list:
    if not book.slopes:
        return [NotRun("slopes", "what scripts/slopes saves, given with --slopes")]
    # What it loads takes long.
    from . import depths

    return depths.blocks(book)


# Tables 2 and 5


def _static(book: Book) -> list:
    kernels = book.results.static
    if not kernels:
        return [NotRun("static", "hooks and lines of code, counted in the source of each kernel")]
    order = sorted(kernels, key=lambda name: [int(part) if part.isdigit() else 0 for part in name.split(".")])
    why = (
        "Lines are those of the module's directory that are neither empty nor a comment alone; how the published ones "
        "were counted is not printed. "
        "Those of the framework that only a kernel's configuration adds are counted, too. Since 6.12 IMA and EVM are "
        "modules with hooks of the framework; before, the kernel called them by name. "
        "There are more hooks than in 5.3: io_uring, BPF tokens, post-operation hooks and others came."
    )
    return [
        _static_table(book, kernels, order),
        _category_table(book, kernels, order),
        Text(why, "What differs, and why."),
    ]


def _static_table(book: Book, kernels: dict[str, Result], order: list[str]) -> Table:
    modules = list(
        dict.fromkeys([*published.Z21_STATIC, *(m for name in order for m in kernels[name].data["modules"])])
    )
    rows = [
        (title(m), [cell for name in order for cell in _static_cells(book, kernels[name], m)] + _static_theirs(m))
        for m in modules
    ]
    total = [
        cell
        for name in order
        for cell in (
            Cell(str(kernels[name].data["framework"]["hooks"]), book.results.href(kernels[name])),
            EMPTY,
            EMPTY,
        )
    ]
    rows.append(("framework", [*total, Cell(str(published.Z21_HOOKS), kind="published"), EMPTY, EMPTY]))
    header = [
        join([link(what, book.results.href(kernels[name]))]) for name in order for what in ("hooks", "lines", "a hook")
    ] + ["hooks", "lines", "a hook"]
    groups = [(kernels[name].data["kernel"], 3) for name in order] + [("published, 5.3", 3)]
    return Table(
        "table-2",
        "Hooks, lines of code, lines of code a hook",
        "counted in the source; no kernel was booted",
        header,
        rows,
        groups,
        "module",
    )


def _static_cells(book: Book, result: Result, module: str) -> list[Cell]:
    found = result.data["modules"].get(module)
    if not found:
        return [EMPTY] * 3
    href, each = book.results.href(result), found.get("lines_per_hook")
    lines = Cell(f"{found['code_lines']:,}", href, f"of {found['lines']:,} lines in {found.get('files', '?')} files")
    return [Cell(str(found["count"]), href), lines, Cell(f"{each:,.0f}", href) if each else EMPTY]


def _static_theirs(module: str) -> list[Cell]:
    return [Cell(f"{figure:,}", kind="published") for figure in published.Z21_STATIC.get(module, ())] or [EMPTY] * 3


def _category_table(book: Book, kernels: dict[str, Result], order: list[str]) -> Table:
    """Module by module, so that each is beside itself."""
    columns = published.Z21_COLUMNS
    rows = []
    for category, theirs in published.Z21_CATEGORIES.items():
        cells = []
        for module, printed_there in zip(columns, theirs):
            cells += [_category_cell(book, kernels[name], module, category) for name in order]
            cells.append(Cell(str(printed_there), kind="published"))
        rows.append((category, cells))
    header = [*(link(name, book.results.href(kernels[name])) for name in order), "5.3"] * len(columns)
    groups = [(title(module), len(order) + 1) for module in columns]
    return Table(
        "table-5", "Hooks by category; 5.3 is published", "counted in the source", header, rows, groups, "category"
    )


def _category_cell(book: Book, result: Result, module: str, category: str) -> Cell:
    number = _category(result.data["modules"].get(module), category)
    return EMPTY if number is None else Cell(str(number), book.results.href(result))


def _category(module: dict | None, category: str) -> int | None:
    if not module:
        return None
    known = {"file accessing": module.get("file_accessing"), "total": module["count"]}
    return known[category] if category in known else module["categories"].get(category, 0)
