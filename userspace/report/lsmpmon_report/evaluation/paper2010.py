# SPDX-License-Identifier: GPL-2.0-only
"""Page: the tables of Yamamoto & Yamauchi, 2010."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from ..stats import BOOTS_LEAST, change_over_boots, over_boots
from . import older2010, published
from .blocks import EMPTY, Heading, NotRun, Page, Table, Text, percent, whole
from .blocks import published as theirs
from .book import Book, cell_of, names_of, where
from .intervals import boots_said, few, printed, printed_us
from .records import Detail, Hook, by_syscall, detail, hook_costs, implementers, per_us
from .results import Result
from .titles import title

# The three of 2010, and two of today.
LIDS = "lids"
OLD_MODULES = ("selinux", "tomoyo", LIDS)
NEW_MODULES = ("landlock", "apparmor")
MODULES = (*OLD_MODULES, *NEW_MODULES)
# What the model of LIDS implements: its boots count no hooks by module. A test compares it with the module's source.
LIDS_HOOKS = frozenset(
    "inode_permission inode_unlink inode_rmdir inode_symlink inode_mkdir inode_mknod inode_link inode_rename inode_readlink"
    " inode_follow_link inode_setattr bprm_creds_for_exec cred_prepare cred_transfer".split()
)
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
THEIRS = {"selinux": "SELinux", "tomoyo": "TOMOYO", LIDS: "LIDS"}
OLD = ("2.6.30", "2.6.19")
# Of a hook whose time says something.
CALLS_LEAST = 100


def page(book: Book) -> Page:
    return Page(
        "paper-2010",
        "The tables of 2010, today",
        [
            Text(
                "Yamamoto and Yamauchi measured SELinux, TOMOYO and LIDS on a Pentium 4 with Linux 2.6.30 and 2.6.19."
                " Their “none” is read as the framework with its default, capability. No kernel of today has LIDS:"
                " a module on its model stands for it, which looks up inodes in access lists and was written for this"
                " comparison (Documentation/admin-guide/LSM/lids.rst). It has a kernel of its own, and is compared with"
                " capability in that kernel. Published figures are in italics."
            ),
            Heading("File operations by module (Table 3)"),
            *_files(book),
            Heading("Times of hooks by module (Table 4)"),
            *_hooks(book),
            Heading("The same between kernels (Table 5)"),
            *_kernels(book),
            Heading("close under SELinux, in detail (Table 6)"),
            *_details(book, "close", "selinux"),
            Heading("creat under TOMOYO, in detail (Table 7)"),
            *_details(book, "creat", "tomoyo"),
            *older2010.blocks(),
        ],
    )


# File operations


def _total(result: Result, operation: str) -> float | None:
    found = [result.median(name) for name in OPERATIONS[operation]]
    return None if any(each is None for each in found) else sum(found)


def _files(book: Book) -> list:
    base = cell_of(book, "capability")
    if not base:
        return [NotRun("modules", f"{book.results.main}-capability, which is the base of this table")]
    pairs = {module: _over(book, module) for module in MODULES}
    there = {module: pair for module, pair in pairs.items() if all(pair) and pair[0].setting == pair[1].setting}
    rows = [(o, [*_operation(o, base, there, OLD_MODULES), *_published(o, "2.6.30")]) for o in OPERATIONS if _total(base, o)]
    header = [*_names(there, OLD_MODULES), *(theirs(f"{name}, 2.6.30") for name in published.L10_MODULES)]
    said = f"{_files_said(base, there, OLD_MODULES)}; published: µs on a Pentium 4"
    table = Table("files-2010", f"File operations on {base.kernel}", said, "operation", header, rows, _missing(book, there))
    results = {module: result for module, (_, result) in there.items()}
    return [table, *_files_new(base, there), Text(_files_why(base, results), "What differs, and why.")]


def _names(there: dict, modules: tuple[str, ...]) -> list[str]:
    return ["capability", *(title(module) for module in modules if module in there)]


def _files_said(base: Result, there: dict, modules: tuple[str, ...]) -> str:
    results = [base, *(there[module][1] for module in modules if module in there)]
    own = f", of {title(LIDS)} over capability in its own kernel" if {LIDS} & set(modules) & set(there) else ""
    return where(results, f"in brackets the increase over capability{own}")


def _files_new(base: Result, there: dict) -> list[Table]:
    if not set(NEW_MODULES) & set(there):
        return []
    rows = [(o, _operation(o, base, there, NEW_MODULES)) for o in OPERATIONS if _total(base, o)]
    caption = f"File operations on {base.kernel}, modules that the paper does not have"
    said, header = _files_said(base, there, NEW_MODULES), _names(there, NEW_MODULES)
    return [Table("files-2010-new", caption, said, "operation", header, rows)]


def _over(book: Book, module: str) -> tuple[Result | None, Result | None]:
    """Capability and the module, in kernels of the same flavour."""
    if module == LIDS:
        return _pair(book, book.results.main, module)
    return cell_of(book, "capability"), cell_of(book, f"{module}-enforcing")


def _missing(book: Book, there: dict) -> list[str]:
    found = names_of(book, {f"{module}-enforcing": module in there for module in MODULES if module != LIDS})
    return found if LIDS in there else [*found, f"{LIDS}/{book.results.main}-{LIDS}-latency"]


def _operation(operation: str, base: Result, there: dict, modules: tuple[str, ...]) -> list[str]:
    """A module with another base has it beside its increase."""
    pairs = [there[module] for module in modules if module in there]
    return [whole(_total(base, operation)), *(_increased(operation, *pair, shown=base) for pair in pairs)]


def _increased(operation: str, base: Result, result: Result, *, shown: Result) -> str:
    before, after = _total(base, operation), _total(result, operation)
    if not before or not after:
        return EMPTY
    return f"{whole(after)} ({percent(after / before - 1, 0)}{'' if base is shown else f' of {whole(before)}'})"


def _published(operation: str, kernel: str) -> list[str]:
    times = published.L10_FILES[kernel][operation]
    rises = ["", *(f" ({rise:g} %)".replace("-", "−") for rise in published.L10_INCREASE[kernel][operation])]
    return [theirs(f"{time:.2f}{rise}") for time, rise in zip(times, rises)]


def _files_why(base: Result, there: dict[str, Result]) -> str:
    said = [
        "The figures of today are instructions of a call in a tmpfs, the published ones microseconds on another machine, and"
        " on a file system that is not among the figures at hand. Even an increase depends on the file system. Today's"
        " open/close and read/write are the sums of the two calls, each timed by itself, read and write of 1 byte."
    ]
    said += [
        _creation(base, there[module], place) for place, module in enumerate(("selinux", "tomoyo")) if module in there
    ]
    said.append(
        "On tmpfs, the label of a new file stays in memory. Whether creation under SELinux took so much longer there because"
        " the label was stored on a disk is not tested here; [SELinux on ext4](ext4.md) is on a page of its own. A file of"
        " 10 KB is made with three writes and closed."
    )
    return " ".join(filter(None, said))


def _creation(base: Result, result: Result, place: int) -> str:
    before, after = _total(base, "0 KB create"), _total(result, "0 KB create")
    name, was = published.L10_MODULES[1 + place], published.L10_INCREASE["2.6.30"]["0 KB create"][place]
    if not before or not after:
        return ""
    return f"Creating an empty file under {name} costs {percent(after / before - 1, 0)} here, +{was} % there."


# Hooks: cycles, over boots


def cycle_boots(book: Book, kver: str, module: str) -> tuple[Result, ...]:
    """Boots whose hook times are cycles."""
    return tuple(r for r in book.results.boots(_part(module), f"{kver}-{module}") if r.records)


def _part(module: str) -> str:
    return LIDS if module == LIDS else "kernels"


def _hooks(book: Book) -> list:
    kver = book.results.main
    boots = {module: cycle_boots(book, kver, module) for module in ("capability", *MODULES)}
    there = {module: found for module, found in boots.items() if found}
    if not there:
        return [NotRun("kernels", f"{kver}-capability-1, {kver}-selinux-1 and so on, with the times of hooks")]
    missing = [f"{kver}-{module}" for module in boots if module not in there]
    old = {module: found for module, found in there.items() if module not in NEW_MODULES}
    new = {module: found for module, found in there.items() if module not in OLD_MODULES}
    tables = [_hook_table("hooks-2010", "Times of hooks", old, missing, beside=True)] if old else []
    if set(new) & set(NEW_MODULES):
        caption = "Times of hooks, modules that the paper does not have,"
        tables.append(_hook_table("hooks-2010-new", caption, new, [] if old else missing, beside=False))
    return [*tables, Text(_hooks_why(there), "What differs, and why.")]


def _hook_table(ident: str, caption: str, there: dict, missing: list[str], *, beside: bool) -> Table:
    rows = [(hook, [_hook_cell(hook, found) for found in there.values()]) for hook in published.L10_HOOKS]
    header, results = list(map(title, there)), [result for found in there.values() for result in found]
    said = where(results, f"{AVERAGE}; {boots_said([len(found) for found in there.values()])}")
    if beside:
        rows = [(hook, [*cells, *map(_microseconds, published.L10_HOOKS[hook])]) for hook, cells in rows]
        header += [theirs(f"{name}, 2.6.30") for name in published.L10_MODULES]
        said += "; published: µs on a Pentium 4"
    return Table(ident, f"{caption} on {results[0].kernel}", said, "hook", header, rows, missing)


def _ns(hook: Hook, result: Result) -> list[float]:
    return [1000 * average / per_us(result) for average in hook.averages]


AVERAGE = "an average call of the whole hook, ns, with the clock's own reading"
MARKS = {True: "", False: ", not implemented", None: ", not known if implemented"}


def _hook_cell(hook: str, boots: tuple[Result, ...]) -> str:
    """With the clock's own, empty span. A hook without a callback of the module costs as much as under capability."""
    found = hook_costs(boots).get(hook)
    if not found:
        return "not called"
    return printed(over_boots(_ns(found, boots[0]))) + MARKS[_implemented(hook, boots)]


def _implemented(hook: str, boots: tuple[Result, ...]) -> bool | None:
    """Whether the module of these boots has a callback there; None if none of them says it."""
    module = str(boots[0].cell.get("lsm") or "capability")
    if module == "capability":
        return True
    known = next((found for boot in boots if (found := implementers(boot))), None)
    if known:
        return module in known.get(hook, ())
    return hook in LIDS_HOOKS if module == LIDS else None


def _microseconds(value: float | None) -> str:
    return "N/A" if value is None else theirs(f"{value:.3f}")


def _hooks_why(there: dict[str, tuple[Result, ...]]) -> str:
    said = []
    if "capability" in there:
        each = [median(ns for hook in hook_costs((boot,)).values() for ns in _ns(hook, boot)) for boot in there["capability"]]
        said.append(
            f"A hook with capability only takes {printed(over_boots(each))} ns at the median, with the reading of the clock; 35"
            " to 60 ns there."
        )
    said += [_slowest(there)] if there.get("tomoyo") else []
    said.append(
        "SELinux's inode_create and inode_init_security took about 20 µs each there. A hook that a module does not"
        " implement says so; its time is that of the framework and of capability, IMA and EVM, which are in all of these"
        " kernels and implement some of the hooks."
    )
    return " ".join(filter(None, said))


def _slowest(there: dict[str, tuple[Result, ...]]) -> str:
    boots = there["tomoyo"]
    costs = hook_costs(boots)
    found = {h: _ns(costs[h], boots[0]) for h in published.L10_HOOKS if h in costs and _implemented(h, boots)}
    if not found:
        return ""
    worst = max(found, key=lambda hook: median(found[hook]))
    return (
        f"TOMOYO's hooks took 13 to 23 µs there; here the most expensive of these, {worst}, takes"
        f" {printed(over_boots(found[worst]))} ns, with the rules that it learned from the benchmark."
    )


# Kernels


def _kernels(book: Book) -> list:
    return [*_latency_kernels(book), *_hook_kernels(book)]


def _latency_kernels(book: Book) -> list:
    """Increases only: kernel by kernel beside the published ones, a table for each module."""
    tables = []
    for place, module in enumerate(THEIRS):
        pairs = {k: _pair(book, k, module) for k in book.results.kernels}
        there = {k: pair for k, pair in pairs.items() if all(pair)}
        if there:
            rows = [(o, [*(_change(pair, o) for pair in there.values()), *_risen(o, place)]) for o in OPERATIONS]
            said = where([pair[1] for pair in there.values()], "increase over capability on the same kernel")
            header = [*there, *(theirs(f"{THEIRS[module]}, {k}") for k in OLD)]
            caption = f"File operations between kernels: {title(module)}"
            tables.append(Table(f"files-kernels-{module}", caption, said, "operation", header, rows))
    return tables or [NotRun("kernels", "K-capability-latency and K-MODULE-latency of each kernel K")]


def _pair(book: Book, kver: str, module: str) -> tuple[Result | None, Result | None]:
    base, result = (book.results.get(_part(module), f"{kver}-{m}-latency") for m in ("capability", module))
    return (base, result) if base and result and base.setting == result.setting else (None, None)


def _change(pair: tuple[Result, Result], operation: str) -> str:
    before, after = (_total(result, operation) for result in pair)
    return percent(after / before - 1, 0) if before and after else EMPTY


def _risen(operation: str, place: int) -> list[str]:
    return [theirs(f"{published.L10_INCREASE[k][operation][place]:g} %".replace("-", "−")) for k in OLD]


def _hook_kernels(book: Book) -> list:
    blocks = []
    for module in (*MODULES, "smack"):
        found = {kver: cycle_boots(book, kver, module) for kver in book.results.kernels}
        there = {kver: boots for kver, boots in found.items() if boots}
        if there:
            rows = [(hook, [_hook_cell(hook, boots) for boots in there.values()]) for hook in published.L10_HOOKS]
            numbers = boots_said([len(boots) for boots in there.values()])
            said = where([b for boots in there.values() for b in boots], f"{AVERAGE}; {numbers}")
            caption = f"Times of hooks between kernels: {title(module)}"
            blocks += [
                Table(f"hooks-kernels-{module}", caption, said, "hook", list(there), rows, more=True),
                Text(_changed(book, there, title(module))),
            ]
    return blocks


@dataclass(frozen=True)
class Unlike:
    """How many ns a hook differs by between modules that do not implement it, at most: no module's doing. Nor is the hook
    one of capability, whose own work may depend on what labels there are.
    """

    ns: float = 0.0
    what: str = ""

    @property
    def said(self) -> str:
        return f"the {whole(self.ns)} ns that {self.what}, which do not implement it"


def unlike(book: Book, *kernels: str) -> Unlike:
    return max((_unlike(book, kver) for kver in kernels), key=lambda each: each.ns)


def _unlike(book: Book, kver: str) -> Unlike:
    found: dict[str, dict[str, float]] = {}
    for module in ("capability", *MODULES, "smack"):
        boots = cycle_boots(book, kver, module) if module != LIDS else ()
        known = next((each for boot in boots if (each := implementers(boot))), None)
        for hook, cost in hook_costs(boots).items() if known else ():
            if cost.calls >= CALLS_LEAST * len(boots) and not {module, "capability"} & set(known.get(hook, ())):
                found.setdefault(hook, {})[module] = median(_ns(cost, boots[0]))
    apart = {hook: max(each.values()) - min(each.values()) for hook, each in found.items()}
    hook = max(apart, key=apart.__getitem__, default=None)
    if not hook:
        return Unlike()
    least, most = (title(end(found[hook], key=found[hook].__getitem__)) for end in (min, max))
    return Unlike(apart[hook], f"{hook} differs by between {least} and {most} on {kver}")


def _changed(book: Book, there: dict[str, tuple[Result, ...]], name: str) -> str:
    """From the first kernel to the last, of hooks that the module implements on both: IMA and EVM became modules."""
    kernels = list(there)
    first, last = there[kernels[0]], there[kernels[-1]]
    before, after = hook_costs(first), hook_costs(last)
    common = [
        h
        for h in published.L10_HOOKS
        if h in before and h in after and _implemented(h, first) and _implemented(h, last)
    ]
    found = {h: change_over_boots(before[h].averages, after[h].averages) for h in common}
    least = unlike(book, kernels[0], kernels[-1])
    by = {h: abs(median(_ns(after[h], last[0])) - median(_ns(before[h], first[0]))) for h in common}
    sure = {hook: change for hook, change in found.items() if change.sure and by[hook] > least.ns}
    if len(kernels) < 2 or not common:
        return ""
    between = f"{name}, {kernels[0]} to {kernels[-1]}:"
    if not sure:
        more = f" and more than {least.said}" if least.ns else ""
        return f"{between} no change of its {len(common)} hooks here is certain{more}."
    most = max(sure, key=lambda hook: abs(sure[hook].median))
    change, by_more = sure[most], f" by more than {least.said}" if least.ns else ""
    return (
        f"{between} {len(sure)} of its {len(common)} hooks here changed{by_more}, in percent {most} most:"
        f" {percent(change.median, 0)} (95 % interval {_end(change.low)} to {_end(change.high)}, over boots)."
    )


def _end(value: float) -> str:
    """Of an interval without 0. One that rounds to 0 is on one side of it."""
    rounded = percent(value, 0)
    return rounded if rounded != percent(0, 0) else f"just {'above' if value > 0 else 'below'} {rounded}"


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
SUM = "average sum"
# Of each call in detail, a hook that it calls once.
ONCE = {"close": "file_free_security", "creat": "inode_create"}


def _details(book: Book, syscall: str, module: str) -> list:
    found = {kver: by_syscall(cycle_boots(book, kver, module)) for kver in book.results.kernels}
    there = {kver: (boots, rows) for kver, boots in found.items() if boots and (rows := detail(boots, syscall))}
    if not there:
        return [NotRun("kernels", f"K-{module}-1 of each kernel K, with {syscall} in its 'syscalls'")]
    columns = {kver: _measured(rows) for kver, (_, rows) in there.items()}
    sums = {kver: _sum(rows) for kver, (_, rows) in there.items()}
    each = {kver: _each(syscall, [(row.hook, row.total, row.count) for row in rows]) for kver, (_, rows) in there.items()}
    for kver, (rows, total) in published.L10_CALLS[syscall, module].items():
        columns[theirs(kver)], sums[theirs(kver)] = _copied(rows), theirs(f"{total:.3f}")
        each[theirs(kver)] = _each(syscall, [(RENAMED.get(hook, hook), spent, count) for hook, spent, count, _ in rows])
    boots = [boot for each, _ in there.values() for boot in each]
    averaged = boots_said([len(found) for found, _ in there.values()])
    said = _details_said(boots, f"{averaged}; last row: all boots together"), _details_said(boots, "all boots together")
    return [
        *_detail_tables(f"{syscall} under {title(module)}", f"detail-{syscall}", said, columns, {SUM: sums, _by(syscall): each}),
        Text(_detail_why(book, there, syscall, module), "What differs, and why."),
    ]


def _by(syscall: str) -> str:
    return f"all hooks, by call of {ONCE[syscall]}"


def _each(syscall: str, rows: list[tuple[str, float, int]]) -> str:
    """What all hooks take in one system call, by their sums, with the digits that the paper prints."""
    count = next((count for hook, _, count in rows if hook == ONCE[syscall]), 0)
    return f"{sum(spent for _, spent, _ in rows) / count:.3f}" if count else EMPTY


def _detail_tables(name: str, ident: str, said: tuple[str, str], columns: dict[str, dict], last: dict[str, dict]) -> list[Table]:
    header, hooks = list(columns), dict.fromkeys(hook for column in columns.values() for hook in column)
    averages, counts = (
        [(hook, [column[hook][place] if hook in column else EMPTY for column in columns.values()]) for hook in hooks]
        for place in (0, 1)
    )
    averages += [(row, list(cells.values())) for row, cells in last.items()]
    return [
        Table(ident, f"{name}: average of each hook", said[0], "hook", header, averages),
        Table(f"{ident}-sums", f"{name}: sum and count of each hook", said[1], "hook", header, counts, more=True),
    ]


def _details_said(boots: list[Result], how: str) -> str:
    return where(boots, f"µs; with the monitor's feature syscall; {how}; published: Pentium 4")


def _measured(rows: list[Detail]) -> dict[str, tuple[str, str]]:
    """By hook: the average; the sum and the count."""
    return {row.hook: (printed_us(over_boots(row.averages)), f"{few(row.total)} in {row.count:,}") for row in rows}


def _sum(rows: list[Detail]) -> str:
    """With as many digits as its parts."""
    total = sum(row.average for row in rows)
    return f"{total:.3f}" if min(len(row.averages) for row in rows) >= BOOTS_LEAST else few(total)


def _copied(rows: list[tuple[str, float, int, float]]) -> dict[str, tuple[str, str]]:
    """The same as the paper prints it: its averages are not always its sums by its counts."""
    return {RENAMED.get(h, h): (theirs(f"{ave:.3f}"), theirs(f"{total:,.3f} in {n:,}")) for h, total, n, ave in rows}


def _detail_why(book: Book, there: dict, syscall: str, module: str) -> str:
    here = ", ".join(f"{_sum(rows)} µs on {kver}" for kver, (_, rows) in there.items())
    was = published.L10_CALLS[syscall, module]["2.6.30"][1]
    return " ".join(
        [
            f"The averages of all hooks that {syscall} called add up to {here}, and to {was:.3f} µs on 2.6.30. Such a sum is not"
            " the time of a call: in it, a hook that few calls reach counts as much as one that all reach, and one that a call"
            " reaches six times counts once. The last row is the sum of all times by the calls; for the published kernels, it was"
            " computed here.",
            "Hooks of 2.6 have the names of today (file_free is file_free_security, dentry_open is file_open); some were"
            " added since, file_release among them. A hook of a socket or of credentials is in a call's table if a softirq or"
            " the end of a process fell into it; the work here has none of its own.",
        ]
    )


def most_expensive_hook(book: Book) -> str:
    """Of the modules that Linux has, by what a call takes; empty if no boot measured cycles."""
    found = [
        (hook.average / per_us(boots[0]), hook, name, module, boots)
        for module in (*MODULES, "smack")
        if module != LIDS
        if (boots := cycle_boots(book, book.results.main, module))
        for name, hook in hook_costs(boots).items()
        if hook.calls >= CALLS_LEAST
    ]
    if not found:
        return ""
    _, hook, name, module, boots = max(found, key=lambda each: each[0])
    ns, said = printed(over_boots(_ns(hook, boots[0]))), where(boots, boots_said([len(boots)]))
    return (
        f"The most expensive hook of the file operations is {name} with {title(module)}: {ns} ns a call, with the clock's own"
        f" reading ({said})."
    )
