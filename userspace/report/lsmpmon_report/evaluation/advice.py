# SPDX-License-Identifier: GPL-2.0-only
"""What the first page advises. Each sentence is computed: it is said only where the results show it."""

from __future__ import annotations

from ..drawing import plots
from ..stats import AFFECTED
from . import denials, ext4, openit, rules
from .blocks import Figure, NotRun, Points, more, part, percent, rise, whole
from .book import LARGEST, Book, Entry, where
from .stacking import IDLE, INTEGRITY

ONE = part(AFFECTED)


def blocks(book: Book) -> list:
    said = [*_order(book), *openit.advice(book), *rules.advice(book), *_integrity(book)]
    if not said:
        return [NotRun("stacking", "orders of modules; rules; integrity: audit, IMA and EVM")]
    figure = _figure(book)
    return [*([figure] if figure else []), Points(said)]


def _figure(book: Book) -> Figure | None:
    """The largest increase by each thing that can be left out, made shorter or put elsewhere."""
    rows, columns = {}, []
    for ident in ("orders", "rules", "integrity"):
        for column in _drawn(book, ident):
            row, most = book.entries[ident].worst(column.title)
            rows[column.title] = [[plots.Point(1 + most.change, f"{column.title}: {row}", row)]]
            columns.append(column)
    if not rows:
        return None
    axis = f"times what the call costs without it (rules: with the fewest), logarithmic; {LARGEST}"
    plot = plots.dots(rows, [""], axis, plots.times, log=True)
    return Figure("advice", "What more rules, and audit, IMA and EVM cost", where([column.other for column in columns]), plot)


def _drawn(book: Book, ident: str) -> list:
    """Of the orders, those that matter; of the rules, the most; of the integrity options, one of those that are equal."""
    entry = book.entries.get(ident)
    columns = [column for column in entry.columns if entry.column(column.title)] if entry else []
    if ident == "orders":
        return [column for column in columns if entry.affected(column.title)][:3]
    if ident == "rules":
        return [column for column in columns if rules.is_most(column)]
    return [column for column in columns if column.title != INTEGRITY["ima-off"] or not _logging_is_equal(entry)]


def _order(book: Book) -> list[str]:
    entry = book.entries.get("orders")
    said = []
    if entry and entry.found:
        most = max(entry.found.values(), key=lambda found: abs(found.change))
        if abs(most.change) > AFFECTED:
            said.append(f"Order, where all modules allow: it changes a call by {percent(most.change)} at most. Measure your own.")
        else:
            said.append(
                f"Order, where all modules allow: in instructions, it does not matter. In {len(entry.found)} comparisons of the"
                f" same modules and policies in another order, no call changes by more than {ONE}."
            )
    if denied := denials.advice(book):
        said.append(
            "Order, where one denies: those behind it are not asked. Put the module that denies most often before those that"
            f" take long.{denied}"
        )
    return said


# Audit, IMA and EVM


def _integrity(book: Book) -> list[str]:
    entry = book.entries.get("integrity")
    if not entry:
        return []
    used = [_in_use(entry, INTEGRITY[name]) for name in ("evm", "ima.evm")]
    said = [_idle(entry), _ima(entry), *used, ext4.advice(book), _audit(entry)]
    return [sentence for sentence in said if sentence]


def cost(entry: Entry, name: str) -> str:
    """The largest increase in percent, and how many calls are affected."""
    row, most = entry.worst(name)
    number = len(entry.affected(name))
    if not number:
        return f"no call changes by more than {ONE}"
    return (
        f"{rise(most.change)} at most ({row}, {more(most.difference)} instructions); calls that change by more than {ONE}:"
        f" {number} of {len(entry.column(name))}"
    )


def _idle(entry: Entry) -> str:
    if not entry.column(IDLE):
        return ""
    build = "If you use neither, build your kernel without them."
    advice = build if entry.affected(IDLE) else "Leaving them out saves nothing here."
    return f"IMA and EVM, built in, without rules and without a key: {cost(entry, IDLE)}. {advice}"


def _ima(entry: Entry) -> str:
    """And whether logging is cheaper than enforcing."""
    said = _in_use(entry, INTEGRITY["ima"])
    if said and _logging_is_equal(entry):
        said += " With ima_appraise=log, each call costs the same: it does the same work."
    return said


def _logging_is_equal(entry: Entry) -> bool:
    logged, enforced = (entry.column(INTEGRITY[name]) for name in ("ima-off", "ima"))
    both = set(logged) & set(enforced)
    return bool(both) and all(round(logged[row].value) == round(enforced[row].value) for row in both)


def _in_use(entry: Entry, name: str) -> str:
    return f"{name}: {cost(entry, name)}." if entry.column(name) else ""


ONLY_TWO = "Only 0 and 2 rules were measured, so what each further rule costs is not known."


def _audit(entry: Entry) -> str:
    """What audit=1 costs by itself, and what the rules add."""
    plain, ruled = (entry.column(INTEGRITY[name]) for name in ("audit-off", "audit"))
    said = []
    if plain:
        said.append(f"audit=1 without a rule: {cost(entry, INTEGRITY['audit-off'])}.")
        said += ["Switch it on only where its records are read."] if entry.affected(INTEGRITY["audit-off"]) else []
    if ruled:
        said.append(f"With two rules: {cost(entry, INTEGRITY['audit'])}.")
    added = [row for row in ruled if row in plain and ruled[row].value > (1 + AFFECTED) * plain[row].value]
    if added:
        each = _each_rule(entry) or ONLY_TWO
        said.append(f"The rules make {len(added)} of {len(ruled)} calls cost more by over {ONE}. {each}")
    return " ".join(said)


def _each_rule(entry: Entry) -> str:
    """By a hundred rules more over ten, none of which a call of the benchmark matches."""
    ten, hundred = (entry.column(INTEGRITY[name]) for name in ("audit-10", "audit-100"))
    found = {row: (hundred[row].difference - ten[row].difference) / 90 for row in hundred if row in ten}
    if not found:
        return ""
    least, most = min(found.values()), max(found.values())
    return f"Each rule more, about other users, adds {whole(least)} to {whole(most)} instructions to a call."
