# SPDX-License-Identifier: GPL-2.0-only
"""Section: the tables of Yamamoto & Yamauchi, 2010."""

from __future__ import annotations

from . import published
from .blocks import EMPTY, Cell, Heading, NotRun, Section, Table, Text, heat, link, percent, whole
from .book import Book, Column, median, printed, title, where
from .records import Detail, Hook, detail, hook_costs, per_us
from .results import Result
from .stats import compare, holm

MODULES = ("selinux", "tomoyo", "landlock", "apparmor", "smack")
# The paper's operations, and the sub-benchmarks whose medians add up to each.
OPERATIONS = {
    "stat": ("stat",),
    "open/close": ("open", "close"),
    "read/write": ("read", "write"),
    "0 KB create": ("creat",),
    "0 KB delete": ("unlink",),
    "10 KB create": ("creat/10k",),
    "10 KB delete": ("unlink/10k",),
}


def section(book: Book) -> Section:
    return Section(
        "paper-2010",
        "The tables of 2010, today",
        [
            Text(
                "Yamamoto and Yamauchi measured SELinux, TOMOYO and LIDS on a Pentium 4 with Linux 2.6.30 and 2.6.19."
                " Their “none” is the framework with its default, capability; so is ours here. Landlock stands where"
                " LIDS was: among the modules of today, it is the one that ties access to inodes."
            ),
            Heading("table-3-2010", "File operations by module (its Table 3)"),
            *_files(book),
            Heading("table-4-2010", "Times of hooks by module (its Table 4)"),
            *_hooks(book),
            Heading("table-5-2010", "The same between kernels (its Table 5)"),
            *_kernels(book),
            Heading("table-6-2010", "close under SELinux, in detail (its Table 6)"),
            *_details(book, "close", "selinux"),
            Heading("table-7-2010", "creat under TOMOYO, in detail (its Table 7)"),
            *_details(book, "creat", "tomoyo"),
        ],
    )


# File operations


def _total(result: Result, operation: str) -> float | None:
    samples = [result.samples(name) for name in OPERATIONS[operation]]
    if not samples or any(each is None for each in samples):
        return None
    return sum(float(median(each)) for each in samples)


def _files(book: Book) -> list:
    kver, results = book.results.main, book.results
    base = results.get("modules", f"{kver}-capability")
    others = {module: results.get("modules", f"{kver}-{module}-on") for module in MODULES}
    if not base or not base.benchmarks:
        return [NotRun("modules", f"{kver}-capability, which is the base of this table")]
    there = {
        module: result
        for module, result in others.items()
        if result and result.benchmarks and result.setting == base.setting
    }
    table = _files_table(book, "files-2010", base, there, "2.6.30", f"File operations on {base.kernel}")
    return [
        _missing(table, [f"{kver}-{m}-on" for m in others if m not in there]),
        Text(_files_why(base, there), "What differs, and why."),
    ]


def _missing(table: Table, names: list[str]) -> Table:
    table.missing.extend(names)
    return table


def _files_table(book: Book, ident: str, base: Result, there: dict[str, Result], theirs: str, caption: str) -> Table:
    book.compare(
        ident,
        [Column(title(m), base, r) for m, r in there.items()],
        {"stat": "stat", "0 KB create": "creat", "0 KB delete": "unlink"},
    )
    rows = [
        (operation, _operation(book, operation, base, there) + _theirs(operation, theirs)) for operation in OPERATIONS
    ]
    names = list(published.L10_MODULES)
    said = where(
        [base, *there.values()], "a round; in brackets the increase over capability; published: µs on a Pentium 4"
    )
    header = [
        link("capability", book.results.href(base)),
        *(link(title(m), book.results.href(r)) for m, r in there.items()),
    ]
    groups = [(f"ours, {base.kernel}", len(header)), (f"published, {theirs}", len(names))]
    return Table(ident, caption, said, [*header, *names], rows, groups, "operation")


def _operation(book: Book, operation: str, base: Result, there: dict[str, Result]) -> list[Cell]:
    before = _total(base, operation)
    if before is None:
        return [EMPTY] * (1 + len(there))
    cells = [Cell(whole(before), book.results.href(base))]
    for result in there.values():
        after = _total(result, operation)
        cells.append(EMPTY if after is None else _increased(after, before, book.results.href(result)))
    return cells


def _increased(after: float, before: float, href: str) -> Cell:
    change = (after - before) / before
    return Cell(f"{whole(after)} ({percent(change, 0)})", href, f"{before:,.0f} to {after:,.0f}", heat=heat(change, 2))


def _theirs(operation: str, kernel: str) -> list[Cell]:
    times = published.L10_FILES[kernel][operation]
    rises = ["", *(f" ({rise:g} %)".replace("-", "−") for rise in published.L10_INCREASE[kernel][operation])]
    return [Cell(f"{time:.2f}{rise}", kind="published", title="published") for time, rise in zip(times, rises)]


def _files_why(base: Result, there: dict[str, Result]) -> str:
    said = [
        "Ours are instructions or cycles of a call in a tmpfs, theirs microseconds on a disk's file system: only"
        " the increases compare. Our open/close and read/write are the sums of the two calls, each timed by itself,"
        " read and write of 1 byte."
    ]
    for module, name in (("selinux", "SELinux"), ("tomoyo", "TOMOYO")):
        if module in there:
            said.append(_creation(base, there[module], name))
    said.append(
        "Their creation under SELinux computed and stored a label in an extended attribute of a file on disk; on tmpfs"
        " it stays in memory. A file of 10 KB is made with three writes and closed."
    )
    return " ".join(said)


def _creation(base: Result, result: Result, name: str) -> str:
    before, after = _total(base, "0 KB create"), _total(result, "0 KB create")
    was = published.L10_INCREASE["2.6.30"]["0 KB create"][("SELinux", "TOMOYO").index(name)]
    if before is None or after is None:
        return ""
    return f"Creating an empty file under {name} costs {percent((after - before) / before, 0)} here, +{was} % there."


# Hooks


def cycle_boots(book: Book, kver: str, module: str) -> tuple[Result, ...]:
    """Boots whose hook times are cycles."""
    return tuple(r for r in book.results.boots("kernels", f"{kver}-{module}") if r.records)


def _hooks(book: Book) -> list:
    kver = book.results.main
    boots = {m: cycle_boots(book, kver, m) for m in ("capability", *MODULES)}
    there = {module: found for module, found in boots.items() if found}
    if not there:
        return [NotRun("kernels", f"{kver}-capability, {kver}-selinux and so on, with the times of hooks")]
    rows = [(hook, _hook_row(book, hook, there)) for hook in published.L10_HOOKS]
    results = [result for found in there.values() for result in found]
    said = where(results, "an average call, ns (ticks); with the clock's own, empty span; published: µs on a Pentium 4")
    header = [link(title(m), book.results.href(found[0])) for m, found in there.items()]
    groups = [(f"ours, {results[0].kernel}", len(header)), ("published, 2.6.30", 4)]
    missing = [f"{kver}-{m}" for m in boots if m not in there]
    table = Table(
        "hooks-2010",
        f"Times of hooks on {results[0].kernel}",
        said,
        [*header, *published.L10_MODULES],
        rows,
        groups,
        "hook",
        missing,
    )
    return [table, Text(_hooks_why(there), "What differs, and why.")]


def _hook_row(book: Book, hook: str, there: dict[str, tuple[Result, ...]]) -> list[Cell]:
    base = hook_costs(there["capability"]).get(hook) if "capability" in there else None
    cells = [_hook_cell(book, hook_costs(boots).get(hook), base, boots[0]) for boots in there.values()]
    return cells + [_microseconds(value) for value in published.L10_HOOKS[hook]]


def _hook_cell(book: Book, found: Hook | None, base: Hook | None, result: Result) -> Cell:
    """A hook that costs as much as under capability alone has no callback of the module."""
    if not found:
        return Cell("not called", kind="none", title="not called by this work")
    ns = 1000 * found.average / per_us(result)
    ratio = found.average / base.average - 1 if base else 0
    low, high = min(found.averages), max(found.averages)
    about = f"{found.calls:,} calls; averages of {len(found.averages)} repetitions: {low:,.0f} to {high:,.0f} ticks"
    return Cell(f"{ns:,.0f} ({found.average:,.0f})", book.results.href(result), about, heat=heat(ratio, 12))


def _microseconds(value: float | None) -> Cell:
    return (
        Cell("N/A", kind="none", title="not implemented")
        if value is None
        else Cell(f"{value:.3f}", kind="published", title="published")
    )


def _hooks_why(there: dict[str, tuple[Result, ...]]) -> str:
    said = []
    if "capability" in there:
        empty = median(
            hook.average / per_us(there["capability"][0]) * 1000 for hook in hook_costs(there["capability"]).values()
        )
        said.append(
            f"A hook under capability alone takes {empty:,.0f} ns at the median, 35 to 60 ns there, both with the"
            " reading of the clock."
        )
    said.append(
        _slowest(there)
        + "SELinux's inode_create and inode_init_security took about 20 µs each, where the label of a new file was "
        "computed and written. A module that does not implement a hook reads as capability does."
    )
    return " ".join(said)


def _slowest(there: dict[str, tuple[Result, ...]]) -> str:
    costs = hook_costs(there.get("tomoyo", ()))
    found = {hook: costs[hook].average / per_us(there["tomoyo"][0]) for hook in published.L10_HOOKS if hook in costs}
    if not found:
        return ""
    worst = max(found, key=found.__getitem__)
    return (
        f"TOMOYO's hooks took 13 to 23 µs there; here the most expensive of these, {worst}, takes {found[worst]:.2f} µs, with"
        " a small policy. "
    )


# Kernels


def _kernels(book: Book) -> list:
    blocks: list = [*_latency_kernels(book), *_hook_kernels(book)]
    return blocks or [NotRun("kernels", "each kernel with each module")]


def _latency_kernels(book: Book) -> list:
    """Increases only: kernel by kernel beside the published ones, under each module."""
    found = {k: book.results.get("kernels", f"{k}-capability-latency") for k in book.results.kernels}
    bases = {k: result for k, result in found.items() if result and result.benchmarks}
    if not bases:
        return [NotRun("kernels", "K-capability-latency and K-MODULE-latency, the file operations of each kernel K")]
    ours = {"capability": list(bases)}
    ours |= {m: [k for k in bases if _increase_of(book, m, k, "stat") is not EMPTY] for m in STOOD_FOR}
    rows = [(o, [c for m in ours for c in _kernel_cells(book, bases, m, ours[m], o)]) for o in OPERATIONS]
    header = [name for m in ours for name in (*(link(k, _kernel_href(book, m, k)) for k in ours[m]), *THEIRS)]
    groups = [(STOOD_FOR.get(m, m), len(ours[m]) + len(THEIRS)) for m in ours]
    said = where(
        bases.values(),
        f"capability: a round, published in µs; else increase over it; {' and '.join(THEIRS)}: published",
    )
    missing = [f"{k}-{m}-latency" for m in STOOD_FOR for k in book.results.kernels if k not in ours[m]]
    return [Table("files-kernels", "File operations between kernels", said, header, rows, groups, "operation", missing)]


THEIRS = ("2.6.30", "2.6.19")


STOOD_FOR = {"selinux": "SELinux", "tomoyo": "TOMOYO", "landlock": "Landlock, LIDS"}


def _kernel_href(book: Book, module: str, kver: str) -> str:
    found = book.results.get("kernels", f"{kver}-{module}-latency")
    return book.results.href(found) if found else ""


def _kernel_cells(book: Book, bases: dict[str, Result], module: str, ours: list[str], operation: str) -> list[Cell]:
    if module == "capability":
        totals = [(_total(bases[k], operation), book.results.href(bases[k])) for k in ours]
        cells = [EMPTY if total is None else Cell(whole(total), href) for total, href in totals]
        return cells + [Cell(f"{published.L10_FILES[k][operation][0]:.2f}", kind="published") for k in THEIRS]
    place = list(STOOD_FOR).index(module)
    increases = [_increase_of(book, module, k, operation) for k in ours]
    return increases + [printed(published.L10_INCREASE[k][operation][place]) for k in THEIRS]


def _increase_of(book: Book, module: str, kver: str, operation: str) -> Cell:
    base, result = (book.results.get("kernels", f"{kver}-{m}-latency") for m in ("capability", module))
    if not base or not result or base.setting != result.setting:
        return EMPTY
    before, after = _total(base, operation), _total(result, operation)
    if before is None or after is None:
        return EMPTY
    change = (after - before) / before
    return Cell(percent(change, 0), book.results.href(result), f"{before:,.0f} to {after:,.0f}", heat=heat(change, 2))


def _hook_kernels(book: Book) -> list:
    columns = {
        (module, kver): boots
        for module in ("selinux", "tomoyo", "apparmor", "smack", "landlock")
        for kver in book.results.kernels
        if (boots := cycle_boots(book, kver, module))
    }
    if not columns:
        return []
    rows = [(hook, [_time(book, hook, boots) for boots in columns.values()]) for hook in published.L10_HOOKS]
    groups = [
        (title(m), sum(module == m for module, _ in columns)) for m in dict.fromkeys(module for module, _ in columns)
    ]
    results = [result for boots in columns.values() for result in boots]
    header = [link(kver, book.results.href(boots[0])) for (_, kver), boots in columns.items()]
    said = where(results, "an average call, ns")
    return [
        Table("hooks-kernels", "Times of hooks between kernels", said, header, rows, groups, "hook"),
        Text(_changes(book, columns), "Between kernels."),
    ]


def _time(book: Book, hook: str, boots: tuple[Result, ...]) -> Cell:
    found = hook_costs(boots).get(hook)
    if not found:
        return Cell("–", kind="none", title="not called by this work")
    ns = 1000 * found.average / per_us(boots[0])
    return Cell(
        f"{ns:,.0f}",
        book.results.href(boots[0]),
        f"{found.average:,.0f} ticks, {found.calls:,} calls",
        heat=heat(ns, 1000),
    )


def _changes(book: Book, columns: dict[tuple[str, str], tuple[Result, ...]]) -> str:
    """The sum over these hooks, from the first kernel to the last, by module. Says so where it is noise."""
    said = []
    for module in dict.fromkeys(module for module, _ in columns):
        kernels = [kver for m, kver in columns if m == module]
        if len(kernels) > 1:
            said.append(_change(columns[module, kernels[0]], columns[module, kernels[-1]], title(module), kernels))
    return " ".join(said) or "Only one kernel was measured."


def _change(first: tuple[Result, ...], last: tuple[Result, ...], name: str, kernels: list[str]) -> str:
    before, after = hook_costs(first), hook_costs(last)
    common = [hook for hook in published.L10_HOOKS if hook in before and hook in after]
    tested = holm({hook: compare(before[hook].averages, after[hook].averages) for hook in common})
    sure = [hook for hook in common if not tested[hook].noise]
    largest = max(sure, key=lambda hook: abs(tested[hook].change), default=None)
    if largest is None:
        return f"{name}: none of {len(common)} hooks changed from {kernels[0]} to {kernels[-1]} by more than the noise."
    return (
        f"{name}, {kernels[0]} to {kernels[-1]}: {len(sure)} of {len(common)} hooks changed by more than the noise, "
        f"{largest} most ({percent(tested[largest].change, 0)})."
    )


# One call in detail

# What the hooks of 2.6 are called today.
RENAMED = {
    "file_free": "file_free_security",
    "inode_free": "inode_free_security",
    "sk_free": "sk_free_security",
    "file_alloc": "file_alloc_security",
    "inode_alloc": "inode_alloc_security",
    "dentry_open": "file_open",
}


def _details(book: Book, syscall: str, module: str) -> list:
    found = {kver: cycle_boots(book, kver, module) for kver in book.results.kernels}
    there = {kver: (boots, rows) for kver, boots in found.items() if boots and (rows := detail(boots, syscall))}
    if not there:
        return [NotRun("kernels", f"K-{module} of each kernel K, with {syscall} in its 'syscalls'")]
    return [
        _detail_table(book, syscall, module, there),
        Text(_detail_why(there, syscall, module), "What differs, and why."),
    ]


def _detail_table(book: Book, syscall: str, module: str, there: Kernels) -> Table:
    theirs = published.L10_CALLS[syscall, module]
    columns = {kver: _our_details(book, boots, rows) for kver, (boots, rows) in there.items()}
    columns |= {f"{kver}, published": _their_details(rows, total) for kver, (rows, total) in theirs.items()}
    hooks = dict.fromkeys(hook for column in columns.values() for hook in column if hook != SUM)
    body = [(hook, [cell for c in columns.values() for cell in c.get(hook, [EMPTY] * 3)]) for hook in [*hooks, SUM]]
    results = [result for boots, _ in there.values() for result in boots]
    names = ("sum", "count", "ave")
    header = [link(name, book.results.href(boots[0])) for boots, _ in there.values() for name in names]
    said = where(results, f"shown in µs; all work of {len(results)} boots; published: Pentium 4, µs")
    groups = [(name, 3) for name in columns]
    caption = f"{syscall} under {title(module)}"
    return Table(f"detail-{syscall}", caption, said, [*header, *names * len(theirs)], body, groups, "hook")


# A kernel's boots, and a call of it in detail.
Kernels = dict[str, tuple[tuple[Result, ...], list[Detail]]]


SUM = "average sum"


def _our_details(book: Book, boots: tuple[Result, ...], rows: list[Detail]) -> dict[str, list[Cell]]:
    href = book.results.href(boots[0])
    files = ", ".join(boot.ident for boot in boots)
    cells = {
        row.hook: [Cell(text, href, files) for text in (f"{row.total:,.0f}", whole(row.count), f"{row.average:.3f}")]
        for row in rows
    }
    return cells | {SUM: [EMPTY, EMPTY, Cell(f"{sum(row.average for row in rows):.3f}", href, files)]}


def _their_details(rows: list[tuple[str, float, int, float]], total: float) -> dict[str, list[Cell]]:
    cells = {
        RENAMED.get(hook, hook): [
            Cell(text, kind="published", title=hook) for text in (f"{added:,.0f}", whole(count), f"{average:.3f}")
        ]
        for hook, added, count, average in rows
    }
    return cells | {SUM: [EMPTY, EMPTY, Cell(f"{total:.3f}", kind="published")]}


def _detail_why(there: dict, syscall: str, module: str) -> str:
    sums = {kver: sum(row.average for row in rows) for kver, (_, rows) in there.items()}
    was = published.L10_CALLS[syscall, module]["2.6.30"][1]
    ours = ", ".join(f"{total:.3f} µs on {kver}" for kver, total in sums.items())
    largest = {rows[0].hook for _, rows in there.values()}
    return (
        f"The averages of all hooks that {syscall} called add up to {ours}, and to {was:.3f} µs on 2.6.30. Most expensive on "
        "average: "
        f"{', '.join(sorted(largest))}. Hooks of 2.6 have the names of today (file_free is file_free_security, "
        "dentry_open is file_open); some were added, file_release "
        "(6.12 and 7.2) among them. A hook of a socket or of credentials is in a "
        "call's table if a softirq or the end of a process fell into it; the work here has none of its own."
    )
