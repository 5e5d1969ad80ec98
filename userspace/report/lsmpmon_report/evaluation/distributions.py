# SPDX-License-Identifier: GPL-2.0-only
"""Page, and first section of the first page: stacks that people run, what each of their modules adds, and a container."""

from __future__ import annotations

from statistics import median

from ..drawing import plots
from ..stats import AFFECTED
from .blocks import EMPTY, Block, Figure, Heading, NotRun, Points, Table, Text, more, rise, whole
from .book import CELLS_ARE, FILES, LARGEST, Book, Column, cell_of, changed, columns_of, where
from .passages import passage
from .records import Hook, callbacks, info, rounds
from .results import Result
from .titles import title

PART = "distributions"
STACKS = ("debian", "debian-profile", "ubuntu", "ubuntu-profile", "fedora", "android")
# Steps to a container, on overlayfs: what each adds, the cell before, the cell with it.
STEPS = {"stack": ("capability", "host"), "profile": ("host", "container"), "seccomp": ("container", "container-seccomp"),
         "userns": ("container-seccomp", "container-seccomp-userns")}
CONTAINER = "container-seccomp-userns"
DRAWN = ("debian", "debian-profile", "fedora", "android", CONTAINER)
# A user namespace by itself: cells with it and without it.
NAMESPACES = {"tmpfs": ("userns", "capability"), "overlayfs": ("overlayfs-userns", "overlayfs-capability"),
              "own": ("overlayfs-userns-root", "overlayfs-capability")}
AUDITING = "audit"
# A list of modules, and the same with more of them that have no policy.
SHORTER, LONGER = "ubuntu", "debian"
# Callbacks that a table of a stack has.
MOST = 10
# A title, and the results without something and with it.
Pair = tuple[str, "Result | None", "Result | None"]


def _cell(book: Book, name: str) -> Result | None:
    return cell_of(book, name, PART)


def _layered(book: Book, name: str) -> Result | None:
    """Return a cell on overlayfs."""
    return _cell(book, f"overlayfs-{name}")


def compare_all(book: Book) -> None:
    """Compare each stack with capability and with no LSM, each with the same without one of its modules, and each step."""
    for ident, pairs in (_pairs(book) | _steps_compared(book)).items():
        if columns := columns_of(pairs):
            book.compare(ident, columns)


def _pairs(book: Book) -> dict[str, list[Pair]]:
    """Return what is compared on a tmpfs, by the name of an entry."""
    base, none, found = _cell(book, "capability"), _cell(book, "dac"), {name: _cell(book, name) for name in STACKS}
    stacks = {title(name): result for name, result in found.items()}
    return {
        PART: [(name, base, result) for name, result in stacks.items()],
        f"{PART}-none": [(name, none, result) for name, result in ({title("capability"): base} | stacks).items()],
        f"{PART}-shorter": [(passage("distributions.shorter_title"), found[SHORTER], found[LONGER])],
        **{f"{PART}-{name}": _without(book, name) for name in STACKS},
    }


def _without(book: Book, name: str) -> list[Pair]:
    """Return a stack beside the same without one of its modules, for each, and without auditing."""
    stack = _cell(book, name)
    modules = [*str(stack.cell.get("lsm")).split(","), AUDITING] if stack else []
    return [(title(module), _cell(book, f"{name}-without-{module}"), stack) for module in modules]


def _steps_compared(book: Book) -> dict[str, list[Pair]]:
    """Return what is compared on overlayfs."""
    none, base, full = (_layered(book, name) for name in ("dac", "capability", CONTAINER))
    steps = {passage("distributions.step", step=step): names for step, names in STEPS.items()}
    return {
        f"{PART}-container": [(title(CONTAINER), base, full)],
        f"{PART}-container-none": [(title(CONTAINER), none, full)],
        f"{PART}-userns": [(passage("distributions.files", kind=kind), _cell(book, base), _cell(book, cell))
                           for kind, (cell, base) in NAMESPACES.items()],
        f"{PART}-steps": [(step, _layered(book, before), _layered(book, after)) for step, (before, after) in steps.items()],
    }


def _added(book: Book, name: str) -> dict[str, float]:
    """Return the instructions that each module of a stack adds to the median call, the most first."""
    entry = book.entries.get(f"{PART}-{name}")
    columns = entry.columns if entry else []
    found = {c.title: median(each.difference for each in entry.column(c.title).values()) for c in columns
             if entry and entry.column(c.title)}
    return dict(sorted(found.items(), key=lambda each: -each[1]))


# The first page


def front(book: Book) -> list[Block]:
    """Return what the first page has of it, before single modules."""
    if PART not in book.entries:
        return [NotRun(PART, passage("distributions.not_run"))]
    base = book.entries[PART].columns[0].base
    dates = sorted(str(each.state.get("date", "")) for each in book.results.part(PART).values())
    said = passage("distributions.front", dates=list(dict.fromkeys([dates[0], dates[-1]])), flavour=base.flavour)
    return [_figure(book), _table(book), *([Points(found)] if (found := _advice(book)) else []), Text(said)]


def _ident(name: str) -> str:
    """Return the entry in which a stack is compared with capability."""
    return f"{PART}-container" if name == CONTAINER else PART


def _columns(book: Book) -> dict[str, Column]:
    """Return the comparison with capability of each stack that was measured."""
    entries = {name: book.entries[_ident(name)] for name in (*STACKS, CONTAINER) if _ident(name) in book.entries}
    return {name: entry.of(title(name)) for name, entry in entries.items() if entry.column(title(name))}


def _figure(book: Book) -> Figure:
    columns = {name: column for name, column in _columns(book).items() if name in DRAWN}
    rows = {row: [book.points(_ident(name), row, title(name)) for name in columns] for row in FILES}
    plot = plots.dots(rows, [title(name) for name in columns], passage("distributions.axis"), plots.times, log=True)
    said = where([column.other for column in columns.values()])
    return Figure(f"{PART}-calls", passage("distributions.drawn"), said, plot)


def _table(book: Book) -> Table:
    columns = _columns(book)
    header = [passage("distributions.median"), LARGEST, passage("answers.affected", threshold=AFFECTED),
              passage("distributions.over_none"), passage("distributions.most")]
    rows = [(title(name), _row(book, name)) for name in columns]
    caption = passage("distributions.stacks", operations=len(FILES))
    nones = [book.entries[ident].columns[-1] for ident in (f"{PART}-none", f"{PART}-container-none") if ident in book.entries]
    return Table("stacks", caption, book.said([*columns.values(), *nones]), "stack", header, rows)


def _row(book: Book, name: str) -> list[str]:
    entry, there = book.entries[_ident(name)], title(name)
    row, most = entry.worst(there)
    affected = f"{len(entry.affected(there))} of {len(entry.column(there))}"
    none = book.entries.get(f"{_ident(name)}-none")
    over = rise(none.middle(there)) if none and none.column(there) else EMPTY
    added = [f"{module} {more(value)}" for module, value in list(_steps(book, name).items())[:2] if round(value) > 0]
    return [rise(entry.middle(there)), f"{row}, {changed(most)}", affected, over, ", ".join(added) or EMPTY]


def _steps(book: Book, name: str) -> dict[str, float]:
    """Return what adds most to a stack, or the steps that do to a container."""
    return _added(book, "steps" if name == CONTAINER else name)


def _advice(book: Book) -> list[str]:
    return [said for said in (_shorter(book), _profile(book), _audited(book), _contained(book)) if said]


def _shorter(book: Book) -> str:
    """Return what modules without a policy cost that another list of modules does not have."""
    entry = book.entries.get(f"{PART}-shorter")
    if not entry or not entry.found:
        return ""
    column = entry.columns[0]
    short, long = (str(result.cell.get("lsm")).split(",") for result in (column.base, column.other))
    differences = median(found.difference for found in entry.column(column.title).values())
    return passage("distributions.shorter", modules=[title(name) for name in long if name not in short], lsm=",".join(short),
                   median=differences, largest=entry.largest(column.title), affected=len(entry.affected(column.title)),
                   of=len(entry.column(column.title)), threshold=AFFECTED)


def _profile(book: Book) -> str:
    """Return what a program in a profile pays more."""
    entry = book.entries[PART]
    outside, inside = (title(name) for name in ("debian", "debian-profile"))
    if not entry.column(outside) or not entry.column(inside):
        return ""
    return passage("distributions.profile", outside=entry.middle(outside), inside=entry.middle(inside),
                   largest=entry.largest(inside))


def _audited(book: Book) -> str:
    """Return what auditing costs as two systems have it."""
    costs = {name: _added(book, name).get(title(AUDITING)) for name in ("fedora", "android")}
    if any(value is None for value in costs.values()):
        return ""
    return passage("distributions.audited", **costs)


def _contained(book: Book) -> str:
    found = book.entries.get(f"{PART}-steps")
    added = _added(book, "steps")
    names = {step: str(passage("distributions.step", step=step)) for step in STEPS}
    if not found or any(name not in added for name in names.values()):
        return ""
    return passage("distributions.contained", **{step: added[name] for step, name in names.items()})


# The page


def blocks(book: Book) -> list[Block]:
    if PART not in book.entries:
        return [NotRun(PART, passage("distributions.not_run"))]
    entry = book.entries[PART]
    return [
        Text(passage("distributions.what")),
        _described(book),
        _figure(book),
        book.summary(PART, passage("distributions.over_capability"), "stack"),
        Text(CELLS_ARE),
        *book.table(PART, passage("distributions.by_call"), entry.columns),
        *_over_none(book),
        Heading(passage("distributions.modules_title")),
        Text(passage("distributions.modules_are")),
        *(block for name in STACKS for block in _modules(book, name)),
        *_by_call(book, f"{PART}-shorter", passage("distributions.shorter_by_call")),
        Heading(passage("distributions.container_title")),
        *_container(book),
        Heading(passage("distributions.missing_title")),
        Points([passage("distributions.missing", what=what) for what in MISSING]),
    ]


MISSING = ("kernels", "lists", "policies", "systemd", "lockdown", "docker", "namespaces", "layers")


def _described(book: Book) -> Table:
    """Return each stack as its boot had it, and what stands in for what."""
    columns = _columns(book)
    rows = [(title(name), [_lsm(column.other), _says(column.other), passage("distributions.audit", stack=name),
                           passage("distributions.stands_in", stack=name)]) for name, column in columns.items()]
    header: list[str] = [passage("distributions.header", column=name) for name in ("modules", "policies", "audit", "stands_in")]
    return Table(f"{PART}-what", passage("distributions.described"), where([c.other for c in columns.values()]), "stack",
                 header, rows)


def _lsm(result: Result) -> str:
    return str(result.state.get("lsm", "")).removeprefix("capability,").replace(",", ", ")


def _says(result: Result) -> str:
    return "; ".join(str(proof.get("says", "")) for proof in (result.data.get("proof") or {}).values())


def _over_none(book: Book) -> list[Block]:
    ident = f"{PART}-none"
    if ident not in book.entries:
        return [NotRun(PART, passage("distributions.none_not_run"))]
    caption = passage("distributions.without_lsm")
    return [book.summary(ident, caption, "stack"), *book.table(ident, caption, book.entries[ident].columns, more=True)]


def _by_call(book: Book, ident: str, caption: str) -> list[Block]:
    return [*book.table(ident, caption, book.entries[ident].columns)] if ident in book.entries else []


def _modules(book: Book, name: str) -> list[Block]:
    """Return what each module of a stack adds, and the callbacks that execute most."""
    ident = f"{PART}-{name}"
    if ident not in book.entries:
        return []
    found: list[Block] = [book.summary(ident, passage("distributions.adds", stack=title(name)), "module")]
    found += book.table(ident, passage("distributions.adds_by_call", stack=title(name)), book.entries[ident].columns, more=True)
    result = book.results.get(PART, f"{book.results.main}-{name}-hooks")
    return [*found, _callbacks(name, result)] if result and result.records else found


def _callbacks(name: str, result: Result) -> Table:
    order = sorted(_costs(result).items(), key=lambda each: -each[1].total)[:MOST]
    number = rounds(result, next(iter(result.records)))
    rows = [(f"{title(module)}, {hook}", [whole(each.calls / number), whole(each.average), whole(each.total / number)])
            for (module, hook), each in order]
    header: list[str] = [passage("distributions.header", column=column) for column in ("calls", "average", "sum")]
    said = where([result], passage("distributions.callbacks_are", overhead=info(result).number("overhead")))
    caption = passage("distributions.callbacks", stack=title(name), operations=len(FILES))
    return Table(f"{PART}-{name}-callbacks", caption, said, "callback", header, rows)


def _costs(result: Result) -> dict[tuple[str, str], Hook]:
    """Return the cost of each callback of each module, in one round of each operation."""
    modules, records = str(result.state.get("lsm", "")).split(","), tuple(FILES.values())
    return {(module, hook): cost for module in modules for hook, cost in callbacks(result, module, records).items()}


def _container(book: Book) -> list[Block]:
    ident = f"{PART}-steps"
    if ident not in book.entries:
        return [NotRun(PART, passage("distributions.container_not_run"))]
    blocks: list[Block] = [Text(passage("distributions.container_is"))]
    blocks += [book.summary(ident, passage("distributions.steps"), "step")]
    blocks += book.table(ident, passage("distributions.steps_by_call"), book.entries[ident].columns)
    for base, other in (("capability", f"{PART}-container"), ("dac", f"{PART}-container-none")):
        blocks += _by_call(book, other, passage("distributions.contained_over", base=base))
    return [*blocks, *_overlayfs(book), Text(passage("distributions.container_why")), *_namespaces(book)]


def _namespaces(book: Book) -> list[Block]:
    """Return what a user namespace adds by itself, by who owns the files, and why."""
    ident = f"{PART}-userns"
    titles = {kind: str(passage("distributions.files", kind=kind)) for kind in NAMESPACES}
    added = _added(book, "userns")
    if set(titles.values()) - set(added):
        return [NotRun(PART, passage("distributions.userns_not_run"))]
    found = _by_call(book, ident, passage("distributions.userns"))
    return [*found, Text(passage("distributions.userns_why", **{kind: added[name] for kind, name in titles.items()}))]


def _overlayfs(book: Book) -> list[Block]:
    """Return what overlayfs takes beside a tmpfs; no LSM does that, so it is in both sides of the other tables."""
    plain, layered = _cell(book, "capability"), _layered(book, "capability")
    if not plain or not layered:
        return []
    rows = [(row, [whole(result.median(benchmark) or 0) for result in (plain, layered)]) for row, benchmark in FILES.items()]
    return [Table(f"{PART}-overlayfs", passage("distributions.overlayfs"), where([plain, layered]), "benchmark",
                  [plain.fs, layered.fs], rows)]
