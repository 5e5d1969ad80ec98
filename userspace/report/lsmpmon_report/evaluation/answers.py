# SPDX-License-Identifier: GPL-2.0-only
"""The first page: what costs most, by how much, in which module. All computed; without data there is no answer."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import Markup

from . import svg
from .blocks import EMPTY, Cell, Figure, Points, Section, Table, Text, link, part, percent
from .book import FILES, MODULES, Book, Column, Entry, median, median_cell, ratio_cell, tick, title, unit, where
from .paper2010 import MODULES as TIMED_MODULES
from .paper2010 import cycle_boots
from .records import hook_costs, per_us, share
from .rules import RULED
from .stats import Comparison
from .yours import yours_title


def section(book: Book) -> Section:
    said = [found for answer in ANSWERS if (found := answer(book))]
    if not said:
        nothing = Text("There are no results that could be compared. What is there is in Section 1.")
        return Section("answers", "The answers", [nothing])
    return Section("answers", "The answers", [Points(said), *_overview(book)])


def _to(ident: str) -> Markup:
    return Markup(' <a class="to" href="#on-{}">where</a>').format(ident)


def _say(text: str, ident: str) -> Markup:
    head, _, rest = text.partition(":")
    return Markup("<b>{}:</b>{}").format(head, rest) + _to(ident)


def _sure(entry: Entry) -> dict[tuple[str, str], Comparison]:
    return {key: found for key, found in entry.found.items() if not found.noise}


def _entry(book: Book, ident: str) -> dict[tuple[str, str], Comparison]:
    return _sure(book.entries[ident]) if ident in book.entries else {}


def _worst(found: dict[tuple[str, str], Comparison]) -> tuple[str, str, float]:
    row, column = max(found, key=lambda key: found[key].change)
    return row, column, found[row, column].change


def _over(change: float, base: str) -> str:
    """Changes over 100 % are written as a factor."""
    if change >= 1:
        what = f"it costs {base}" if base.startswith("with ") else f"{base} costs"
        return f"{1 + change:.1f} times what {what} ({percent(change, 0)})"
    return f"{part(change, 1)} more than {base}"


def _most_expensive_call(book: Book) -> Markup | None:
    found = _entry(book, "figure-6")
    if not found:
        return None
    row, column, change = _worst(found)
    modules = dict.fromkeys(c for _, c in found)
    medians = {m: median(f.change for f in book.entries["figure-6"].column(m).values()) for m in modules}
    order = sorted(medians, key=lambda m: -medians[m])
    cell = book.entries["figure-6"].columns[0].other
    middle = ", ".join(f"{m} {percent(medians[m])}" for m in order)
    return _say(
        f"What costs most: {row} under {column}, with a policy that decides: {_over(change, 'capability alone')}, in"
        f" {unit(cell)}. At the median of the 14 file operations: {middle}.",
        "figure-6",
    )


def _framework(book: Book) -> Markup | None:
    found = {row: c for (row, column), c in _entry(book, "figure-2").items() if column == "capability"}
    if not found:
        return None
    worst = max(found, key=lambda row: found[row].change)
    middle = median(c.change for c in book.entries["figure-2"].column("capability").values())
    return _say(
        f"The framework: LSM with capability costs {percent(middle)} over a kernel without LSM at the median,"
        f" {percent(found[worst].change)} at most ({worst}).",
        "figure-2",
    )


def _split(book: Book) -> Markup | None:
    hooks, policy = book.entries.get("figure-6-hooks"), book.entries.get("figure-6-policy")
    if not hooks or not policy:
        return None
    said = []
    sure = [abs(c.change) for c in policy.found.values() if not c.noise]
    if max(sure, default=0.0) < 0.005:
        names = ", ".join(dict.fromkeys(column for _, column in policy.found))
        return _say(
            f"Hooks and policy: of {names}, none costs more with enforcement on than off, where all is allowed: a"
            " module that does not enforce decides all the same.",
            "figure-6",
        )
    for module in dict.fromkeys(column for _, column in policy.found):
        off, on = (median([c.change for c in e.column(module).values()] or [0.0]) for e in (hooks, policy))
        said.append(f"{module} {percent(off)} and {percent(on)}")
    return _say(
        "Hooks and policy: at the median, a module's hooks with enforcement off, and what enforcement then adds, are:"
        f" {'; '.join(said)}.",
        "figure-6",
    )


def _most_expensive_hook(book: Book) -> Markup | None:
    found = []
    for module in TIMED_MODULES:
        boots = cycle_boots(book, book.results.main, module)
        costs = hook_costs(boots) if boots else {}
        found += [
            (hook.average / per_us(boots[0]), name, module, hook.average, boots)
            for name, hook in costs.items()
            if hook.calls >= 100
        ]
    if not found:
        return None
    us, name, module, ticks, boots = max(found, key=lambda each: each[0])
    return _say(
        f"The most expensive hook: {name} in {title(module)}, {1000 * us:,.0f} ns a call ({ticks:,.0f} {unit(boots[0])} on"
        f" {boots[0].cell.get('runner')}).",
        "table-4-2010",
    )


def _stacking(book: Book) -> Markup | None:
    found = {key: c for key, c in _entry(book, "figure-7").items() if "+" in key[1]}
    if not found:
        return None
    row, column, change = _worst(found)
    order = {key: abs(c.change) for key, c in _entry(book, "figure-7-order").items()}
    most = max(order, key=order.__getitem__, default=None)
    said = (
        f" Another order of the same modules changes {part(order[most], 1)} at most ({most[0]}, {most[1]})."
        if most
        else ""
    )
    if most and round(order[most], 3) == 0:
        said = " Another order of the same modules changes nothing."
    return _say(
        f"Stacks: the most expensive is {column}, where {row} costs {_over(change, 'capability alone')}.{said}", "figure-7"
    )


def _integrity(book: Book) -> Markup | None:
    found = {key: c for key, c in _entry(book, "figure-8").items() if "alone" not in key[1]}
    if not found:
        return None
    row, column, change = _worst(found)
    return _say(f"Integrity: {column} costs most: {row} costs {_over(change, 'with nothing on')}.", "figure-8")


def _rules(book: Book) -> Markup | None:
    entry = book.entries.get("rules")
    if not entry:
        return None
    said = []
    for module in RULED:
        most = [c.title for c in entry.columns if c.title.startswith(title(module) + " ")]
        changes = entry.column(most[-1]) if most else {}
        if changes:
            worst = max(changes, key=lambda row: changes[row].change)
            name, _, least = most[-1].partition(" over ")
            said.append(f"{name} rules: {worst} costs {_over(changes[worst].change, f'with {least}')}")
    return _say(f"Rules: at worst, {'; '.join(said)}.", "rules") if said else None


def _share(book: Book) -> Markup | None:
    found = []
    for module in MODULES:
        result = book.results.get("modules", f"{book.results.main}-{module}-on-hooks")
        shares = [(s.part, row) for row, b in FILES.items() if result and (s := share(result, b))]
        found += [(each, row, module) for each, row in shares]
    if not found:
        return None
    most, row, module = max(found)
    return _say(
        f"LSM's share: hooks take up to {part(most)} of a system call ({row} under {title(module)}, with the monitor's"
        f" own cost in both); the median over all calls and modules is {part(median(p for p, _, _ in found))}.",
        "share",
    )


def _growth(book: Book) -> Markup | None:
    entry = book.entries.get("growth")
    last = entry.column(entry.columns[-1].title) if entry and entry.columns else {}
    if not last:
        return None
    names = [title(name) for name in str(entry.columns[-1].other.state.get("lsm") or "").split(",")]
    middle = percent(median(found.change for found in last.values()))
    return _say(f"Many modules: {', '.join(names)} together cost {middle} at the median over no LSM.", "growth")


def _versions(book: Book) -> Markup | None:
    entry = book.entries.get("kernels-latency")
    columns = [c.title for c in entry.columns if entry.column(c.title)] if entry else []
    said = [f"{name}: {percent(median(f.change for f in entry.column(name).values()))}" for name in columns[:4]]
    return _say(f"Kernels: whole calls, at the median, {'; '.join(said)}.", "calls") if said else None


def _yours(book: Book) -> Markup | None:
    entry = book.entries.get("yours")
    columns = [c for c in entry.columns if entry.column(c.title)] if entry else []
    if not columns:
        return None
    said = []
    for column in columns:
        found = entry.column(column.title)
        sure = {row: each.change for row, each in found.items() if not each.noise}
        worst = max(sure, key=sure.__getitem__, default=None)
        most = f", {percent(sure[worst])} at most ({worst})" if worst else ""
        middle = percent(median(each.change for each in found.values()))
        said.append(f"{column.title} costs {middle} at the median{most}")
    return _say(f"Your kernel: over {yours_title(columns[0].base)}, {'; '.join(said)}.{_yours_hook(book)}", "yours")


def _yours_hook(book: Book) -> str:
    """Where the stack's time goes."""
    found = [
        (hook.ticks, name, hook.calls, result)
        for result in book.results.part("yours").values()
        for name, hook in hook_costs((result,)).items()
    ]
    if not found:
        return ""
    ticks, name, calls, result = max(found, key=lambda each: each[0])
    return f" Of its hooks, {name} takes most: {calls:,} calls of {ticks / calls:,.0f} {unit(result)}."


# Sections in this order, where there are results.
ANSWERS = (
    _most_expensive_call,
    _framework,
    _split,
    _most_expensive_hook,
    _stacking,
    _integrity,
    _rules,
    _share,
    _growth,
    _versions,
    _yours,
)

# A plot and a table that say all of it


def _overview(book: Book) -> list:
    entry = book.entries.get("figure-6")
    if not entry:
        return []
    rows = {
        column.title: [[p for row in FILES for p in book.points("figure-6", row, column.title)]]
        for column in entry.columns
    }
    rows = {name: points for name, points in rows.items() if points[0]}
    plot = svg.dots(
        rows, ["one benchmark"], "overhead over capability alone; a point is one of the 14 file operations", tick
    )
    said = where([column.other for column in entry.columns])
    return [Figure("overview", "What each module costs, with a policy that decides", said, plot), _summary(book, entry)]


def _summary(book: Book, entry: Entry) -> Table:
    rows = [
        (link(c.title, book.results.href(c.other)), _summed(book, entry, c))
        for c in entry.columns
        if entry.column(c.title)
    ]
    header = ["hooks, enforcement off (3)", "policy, on over off (4)", "both, over capability (1)", "least", "most"]
    said = where([column.other for column in entry.columns])
    return Table("summary", "Modules, at the median of the 14 file operations", said, header, rows, corner="module")


def _summed(book: Book, entry: Entry, column: Column) -> list[Cell]:
    found, href = entry.column(column.title), book.results.href(column.other)
    order = sorted(found, key=lambda row: found[row].change)
    parts = [_part(book, ident, column.title) for ident in ("figure-6-hooks", "figure-6-policy")]
    ends = [_named(found[row], row, href, column) for row in (order[0], order[-1])]
    return [*parts, median_cell(entry, column, 1.0), *ends]


def _part(book: Book, ident: str, name: str) -> Cell:
    other = book.entries.get(ident)
    column = next((c for c in other.columns if c.title == name), None) if other else None
    return median_cell(other, column, 1.0) if column else EMPTY


def _named(found: Comparison, row: str, href: str, column: Column) -> Cell:
    cell = ratio_cell(found, href, column, 2.0)
    return replace(cell, text=f"{row} {cell.text}")
