# SPDX-License-Identifier: GPL-2.0-only
"""Page: the tables of Yamamoto & Yamauchi, 2010."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from ..stats import BOOTS_LEAST, change_over_boots, over_boots
from . import older2010, published
from .blocks import EMPTY, Block, Heading, NotRun, Row, Table, Text, percent, whole
from .blocks import published as theirs
from .book import Book, cell_of, names_of, where
from .boots import averaged
from .images import varied
from .intervals import few, printed, printed_us
from .passages import passage
from .records import Hook, by_syscall, detail, hook_costs, implementers, per_us
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
    "0 KB create": ("creat", "close"),
    "0 KB delete": ("unlink",),
    "10 KB create": ("creat/10k",),
    "10 KB delete": ("unlink/10k",),
}
THEIRS = {"selinux": "SELinux", "tomoyo": "TOMOYO", LIDS: "LIDS"}
OLD = ("2.6.30", "2.6.19")
# Of a hook whose time says something.
CALLS_LEAST = 100

# Capability and a module, in kernels of the same flavour.
Pair = tuple[Result, Result]
# Boots with one module.
Boots = tuple[Result, ...]


def blocks(book: Book) -> list[Block]:
    return [
        Text(passage("paper2010.page_is")),
        Heading(passage("paper2010.files_title")),
        *_files(book),
        Heading(passage("paper2010.hooks_title")),
        *_hooks(book),
        Heading(passage("paper2010.kernels_title")),
        *_latency_kernels(book),
        *_hook_kernels(book),
        Heading(passage("paper2010.detail_title", syscall="close", module="selinux", table=6)),
        *_details(book, "close", "selinux"),
        Heading(passage("paper2010.detail_title", syscall="creat", module="tomoyo", table=7)),
        *_details(book, "creat", "tomoyo"),
        *older2010.blocks(),
    ]


# File operations


def _files(book: Book) -> list[Block]:
    base = cell_of(book, "capability")
    if not base:
        return [NotRun("modules", passage("paper2010.no_files", main=book.results.main))]
    there = {module: pair for module in MODULES if (pair := _over(book, module))}
    rows = [(o, [*cells, *_published(o, "2.6.30")]) for o, cells in _operations(base, there, OLD_MODULES)]
    header = [*_names(there, OLD_MODULES), *(theirs(f"{name}, 2.6.30") for name in published.L10_MODULES)]
    said = passage("paper2010.beside", where=_files_said(base, there, OLD_MODULES))
    caption, missing = passage("paper2010.files", kernel=base.kernel), _missing(book, there)
    table = Table("files-2010", caption, said, "operation", header, rows, missing)
    return [table, *_files_new(base, there), Text(_files_why(base, there))]


def _names(there: dict[str, Pair], modules: tuple[str, ...]) -> list[str]:
    return ["capability", *(title(module) for module in modules if module in there)]


def _files_said(base: Result, there: dict[str, Pair], modules: tuple[str, ...]) -> str:
    results = [base, *(there[module][1] for module in modules if module in there)]
    return where(results, passage("paper2010.files_where", apart=LIDS if LIDS in modules and LIDS in there else ""))


def _files_new(base: Result, there: dict[str, Pair]) -> list[Table]:
    if not set(NEW_MODULES) & set(there):
        return []
    caption, rows = passage("paper2010.files_new", kernel=base.kernel), _operations(base, there, NEW_MODULES)
    said, header = _files_said(base, there, NEW_MODULES), _names(there, NEW_MODULES)
    return [Table("files-2010-new", caption, said, "operation", header, rows)]


def _pair(base: Result | None, result: Result | None) -> Pair | None:
    """Return two results if they can be compared."""
    return (base, result) if base and result and base.setting == result.setting else None


def _over(book: Book, module: str) -> Pair | None:
    if module == LIDS:
        return _latencies(book, book.results.main, module)
    return _pair(cell_of(book, "capability"), cell_of(book, f"{module}-enforcing"))


def _missing(book: Book, there: dict[str, Pair]) -> list[str]:
    found = names_of(book, {f"{module}-enforcing": module in there for module in MODULES if module != LIDS})
    return found if LIDS in there else [*found, f"{LIDS}/{book.results.main}-{LIDS}-latency"]


def _operations(base: Result, there: dict[str, Pair], modules: tuple[str, ...]) -> list[Row]:
    """Return a row for each operation. A module with another base has it beside its increase."""
    pairs = [there[module] for module in modules if module in there]
    return [
        (operation, [whole(total), *(_increased(names, pair, base) for pair in pairs)])
        for operation, names in OPERATIONS.items()
        if (total := base.total(names))
    ]


def _increased(names: tuple[str, ...], pair: Pair, shown: Result) -> str:
    before, after = (result.total(names) for result in pair)
    if not before or not after:
        return EMPTY
    return f"{whole(after)} ({percent(after / before - 1, 0)}{'' if pair[0] is shown else f' of {whole(before)}'})"


def _published(operation: str, kernel: str) -> list[str]:
    times = published.L10_FILES[kernel][operation]
    rises = ["", *(f" ({rise:g} %)".replace("-", "−") for rise in published.L10_INCREASE[kernel][operation])]
    return [theirs(f"{time:.2f}{rise}") for time, rise in zip(times, rises)]


def _files_why(base: Result, there: dict[str, Pair]) -> str:
    """Return how much more creating an empty file costs here and there, in percent there."""
    operation, created = "0 KB create", []
    before = base.total(OPERATIONS[operation])
    for module, was in zip(("selinux", "tomoyo"), published.L10_INCREASE["2.6.30"][operation]):
        after = there[module][1].total(OPERATIONS[operation]) if module in there else None
        created += [{"module": THEIRS[module], "here": after / before - 1, "there": was}] if before and after else []
    return passage("paper2010.files_why", created=created)


# Hooks: cycles, over boots


def cycle_boots(book: Book, kver: str, module: str) -> Boots:
    """Return the boots whose hook times are cycles."""
    return tuple(r for r in book.results.boots(_part(module), f"{kver}-{module}") if r.records)


def _part(module: str) -> str:
    return LIDS if module == LIDS else "kernels"


def _hooks(book: Book) -> list[Block]:
    kver = book.results.main
    boots = {module: cycle_boots(book, kver, module) for module in ("capability", *MODULES)}
    there = {module: found for module, found in boots.items() if found}
    if not there:
        return [NotRun("kernels", passage("paper2010.no_hooks", main=kver))]
    missing = [f"{kver}-{module}" for module in boots if module not in there]
    old = {module: found for module, found in there.items() if module not in NEW_MODULES}
    new = {module: found for module, found in there.items() if module not in OLD_MODULES}
    kernel = next(iter(there.values()))[0].kernel
    tables = [_hook_table("hooks-2010", passage("paper2010.hooks", kernel=kernel), old, missing, beside=True)] if old else []
    if set(new) & set(NEW_MODULES):
        caption = passage("paper2010.hooks_new", kernel=kernel)
        tables.append(_hook_table("hooks-2010-new", caption, new, [] if old else missing, beside=False))
    return [*tables, Text(_hooks_why(there))]


def _hook_table(ident: str, caption: str, there: dict[str, Boots], missing: list[str], *, beside: bool) -> Table:
    rows = [(hook, [_hook_cell(hook, found) for found in there.values()]) for hook in published.L10_HOOKS]
    header, said = list(map(title, there)), _hooks_where(there)
    if beside:
        rows = [(hook, [*cells, *map(_microseconds, published.L10_HOOKS[hook])]) for hook, cells in rows]
        header += [theirs(f"{name}, 2.6.30") for name in published.L10_MODULES]
        said = passage("paper2010.beside", where=said)
    return Table(ident, caption, said, "hook", header, rows, missing)


def _ns(hook: Hook, result: Result) -> list[float]:
    return [1000 * average / per_us(result) for average in hook.averages]


def _hooks_where(there: dict[str, Boots]) -> str:
    averages = passage("paper2010.hooks_where", averaged=averaged(list(there.values())))
    return where([boot for boots in there.values() for boot in boots], averages)


MARKS = {True: "", False: ", not implemented", None: ", not known if implemented"}


def _hook_cell(hook: str, boots: Boots) -> str:
    """Return the time of a hook with the clock's own, empty span. One that the module has no callback for costs as much as under
    capability.
    """
    found = hook_costs(boots).get(hook)
    if not found:
        return "not called"
    return printed(over_boots(_ns(found, boots[0]))) + MARKS[_implemented(hook, boots)]


def _known(boots: Boots) -> dict[str, tuple[str, ...]]:
    """Return the modules that implement each hook; nothing if none of the boots says it."""
    return next((found for boot in boots if (found := implementers(boot))), {})


def _implemented(hook: str, boots: Boots) -> bool | None:
    """Return whether the module of these boots has a callback there; None if none of them says it."""
    module = str(boots[0].cell.get("lsm") or "capability")
    if module == "capability":
        return True
    if known := _known(boots):
        return module in known.get(hook, ())
    return hook in LIDS_HOOKS if module == LIDS else None


def _microseconds(value: float | None) -> str:
    return "N/A" if value is None else theirs(f"{value:.3f}")


def _hooks_why(there: dict[str, Boots]) -> str:
    plain = there.get("capability", ())
    each = [median(ns for hook in hook_costs((boot,)).values() for ns in _ns(hook, boot)) for boot in plain]
    slowest = _slowest(there["tomoyo"]) if "tomoyo" in there else None
    return passage("paper2010.hooks_why", capability=over_boots(each) if each else None, slowest=slowest)


def _slowest(boots: Boots) -> dict[str, object] | None:
    """Return the most expensive hook of the paper that the module implements, and what it takes."""
    costs = hook_costs(boots)
    found = {h: _ns(costs[h], boots[0]) for h in published.L10_HOOKS if h in costs and _implemented(h, boots)}
    worst = max(found, key=lambda hook: median(found[hook]), default="")
    return {"hook": worst, "ns": over_boots(found[worst])} if worst else None


# Kernels


def _latency_kernels(book: Book) -> list[Block]:
    """Return a table for each module with increases only: kernel by kernel beside the published ones."""
    tables: list[Block] = []
    for place, module in enumerate(THEIRS):
        there = {kver: pair for kver in book.results.kernels if (pair := _latencies(book, kver, module))}
        if there:
            rows = [(o, [*(_change(pair, o) for pair in there.values()), *_risen(o, place)]) for o in OPERATIONS]
            said = where([pair[1] for pair in there.values()], passage("paper2010.files_kernels_where"))
            header = [*there, *(theirs(f"{THEIRS[module]}, {k}") for k in OLD)]
            caption = passage("paper2010.files_kernels", module=module)
            tables.append(Table(f"files-kernels-{module}", caption, said, "operation", header, rows))
    return tables or [NotRun("kernels", passage("paper2010.no_kernels"))]


def _latencies(book: Book, kver: str, module: str) -> Pair | None:
    return _pair(*(book.results.get(_part(module), f"{kver}-{name}-latency") for name in ("capability", module)))


def _change(pair: Pair, operation: str) -> str:
    before, after = (result.total(OPERATIONS[operation]) for result in pair)
    return percent(after / before - 1, 0) if before and after else EMPTY


def _risen(operation: str, place: int) -> list[str]:
    return [theirs(f"{published.L10_INCREASE[k][operation][place]:g} %".replace("-", "−")) for k in OLD]


def _hook_kernels(book: Book) -> list[Block]:
    blocks: list[Block] = []
    for module in (*MODULES, "smack"):
        found = {kver: cycle_boots(book, kver, module) for kver in book.results.kernels}
        there = {kver: boots for kver, boots in found.items() if boots}
        if there:
            rows = [(hook, [_hook_cell(hook, boots) for boots in there.values()]) for hook in published.L10_HOOKS]
            caption = passage("paper2010.hooks_kernels", module=module)
            blocks += [
                Table(f"hooks-kernels-{module}", caption, _hooks_where(there), "hook", list(there), rows, more=True),
                Text(_changed(book, there, module)),
            ]
    return blocks


@dataclass(frozen=True)
class Unlike:
    """A difference of a hook in ns between modules that do not implement it, which no module makes. Nor is the hook one of
    capability, whose own work may depend on what labels there are.
    """

    ns: float = 0.0
    said: str = ""


def unlike(book: Book, *kernels: str) -> Unlike:
    return max((_unlike(book, kver) for kver in kernels), key=lambda each: each.ns)


def _unlike(book: Book, kver: str) -> Unlike:
    found: dict[str, dict[str, float]] = {}
    for module in ("capability", *MODULES, "smack"):
        boots = cycle_boots(book, kver, module) if module != LIDS else ()
        known = _known(boots)
        for hook, cost in hook_costs(boots).items() if known else ():
            if cost.calls >= CALLS_LEAST * len(boots) and not {module, "capability"} & set(known.get(hook, ())):
                found.setdefault(hook, {})[module] = median(_ns(cost, boots[0]))
    apart = {hook: max(each.values()) - min(each.values()) for hook, each in found.items()}
    if not apart:
        return Unlike()
    hook = max(apart, key=apart.__getitem__)
    least, most = (end(found[hook], key=found[hook].__getitem__) for end in (min, max))
    return Unlike(apart[hook], passage("paper2010.unlike", ns=apart[hook], hook=hook, least=least, most=most, kernel=kver))


def _changed(book: Book, there: dict[str, Boots], module: str) -> str:
    """Return what changed from the first kernel to the last, of hooks that the module implements on both: IMA and EVM became
    modules.
    """
    kernels = list(there)
    first, last = there[kernels[0]], there[kernels[-1]]
    before, after = hook_costs(first), hook_costs(last)
    common = [h for h in published.L10_HOOKS if h in before and h in after and _implemented(h, first) and _implemented(h, last)]
    if len(kernels) < 2 or not common:
        return ""
    if not (varied(first) and varied(last)):
        return passage("paper2010.not_varied", module=module, first=kernels[0], last=kernels[-1])
    found = {h: change_over_boots(before[h].averages, after[h].averages) for h in common}
    least = unlike(book, kernels[0], kernels[-1])
    by = {h: abs(median(_ns(after[h], last[0])) - median(_ns(before[h], first[0]))) for h in common}
    sure = {hook: change for hook, change in found.items() if change.sure and by[hook] > least.ns}
    most = max(sure, key=lambda hook: abs(sure[hook].median), default="")
    return passage("paper2010.changed", module=module, first=kernels[0], last=kernels[-1], common=len(common), sure=len(sure),
                   unlike=least.said if least.ns else "", most={"hook": most, "change": sure[most]} if most else None)


# One call in detail

# Boots, and the hooks in a system call.
Detailed = tuple[Boots, dict[str, Hook]]
# By hook: the average; the sum and the count.
Cells = dict[str, tuple[str, str]]

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


def _details(book: Book, syscall: str, module: str) -> list[Block]:
    found = {kver: by_syscall(cycle_boots(book, kver, module)) for kver in book.results.kernels}
    there = {kver: (boots, rows) for kver, boots in found.items() if boots and (rows := detail(boots, syscall))}
    if not there:
        return [NotRun("kernels", passage("paper2010.no_detail", syscall=syscall, module=module))]
    columns = {kver: _measured(hooks) for kver, (_, hooks) in there.items()}
    sums = {kver: _sum(hooks) for kver, (_, hooks) in there.items()}
    each = {k: _each(syscall, [(n, hook.total, hook.calls) for n, hook in hooks.items()]) for k, (_, hooks) in there.items()}
    for kver, (copied, total) in published.L10_CALLS[syscall, module].items():
        columns[theirs(kver)], sums[theirs(kver)] = _copied(copied), theirs(f"{total:.3f}")
        each[theirs(kver)] = _each(syscall, [(RENAMED.get(hook, hook), spent, count) for hook, spent, count, _ in copied])
    why = passage("paper2010.detail_why", syscall=syscall, sums={kver: sums[kver] for kver in there},
                  published=published.L10_CALLS[syscall, module]["2.6.30"][1])
    return [*_detail_tables(syscall, module, there, columns, {SUM: sums, _by(syscall): each}), Text(why)]


def _by(syscall: str) -> str:
    return f"all hooks, by call of {ONCE[syscall]}"


def _each(syscall: str, rows: list[tuple[str, float, int]]) -> str:
    """Return what all hooks take in one system call, by their sums, with the digits that the paper prints."""
    count = next((count for hook, _, count in rows if hook == ONCE[syscall]), 0)
    return f"{sum(spent for _, spent, _ in rows) / count:.3f}" if count else EMPTY


def _detail_tables(
    syscall: str, module: str, there: dict[str, Detailed], columns: dict[str, Cells], last: dict[str, dict[str, str]]
) -> list[Table]:
    header, hooks = list(columns), dict.fromkeys(hook for column in columns.values() for hook in column)
    averages, counts = (
        [(hook, [column[hook][place] if hook in column else EMPTY for column in columns.values()]) for hook in hooks]
        for place in (0, 1)
    )
    averages += [(row, list(cells.values())) for row, cells in last.items()]
    groups = [each for each, _ in there.values()]
    boots = [boot for each in groups for boot in each]
    said = [where(boots, passage("paper2010.detail_where", averaged=each)) for each in (averaged(groups), "")]
    caption = passage("paper2010.detail", syscall=syscall, module=module)
    more = passage("paper2010.detail_sums", syscall=syscall, module=module)
    return [
        Table(f"detail-{syscall}", caption, said[0], "hook", header, averages),
        Table(f"detail-{syscall}-sums", more, said[1], "hook", header, counts, more=True),
    ]


def _measured(hooks: dict[str, Hook]) -> Cells:
    return {name: (printed_us(over_boots(hook.averages)), f"{few(hook.total)} in {hook.calls:,}") for name, hook in hooks.items()}


def _sum(hooks: dict[str, Hook]) -> str:
    """Return the sum of the averages, with as many digits as these have."""
    total = sum(hook.average for hook in hooks.values())
    return f"{total:.3f}" if min(len(hook.averages) for hook in hooks.values()) >= BOOTS_LEAST else few(total)


def _copied(rows: list[tuple[str, float, int, float]]) -> Cells:
    """Return the same as the paper prints it: its averages are not always its sums by its counts."""
    return {RENAMED.get(h, h): (theirs(f"{ave:.3f}"), theirs(f"{total:,.3f} in {n:,}")) for h, total, n, ave in rows}


def most_expensive_hook(book: Book) -> str:
    """Return that of the modules that Linux has, by what a call takes; empty if no boot measured cycles."""
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
    ns, said = over_boots(_ns(hook, boots[0])), where(boots, averaged([boots]))
    return passage("paper2010.most_expensive_hook", hook=name, module=module, ns=ns, where=said)
