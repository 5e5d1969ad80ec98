# SPDX-License-Identifier: GPL-2.0-only
"""Values and texts that other documents quote of a report, and make figures keeps."""

from __future__ import annotations

import json
from dataclasses import dataclass

from . import answers, calls, method, predicted
from .blocks import more, percent
from .book import FILES, Book
from .passages import passage
from .titles import title
from .wholes import Calls, calls_of

# Modules of which whole calls are timed.
TIMED = ("selinux", "apparmor", "tomoyo", "smack", "landlock")
SHOWN = ("ns", "percent", "hooks_ns", "elsewhere_ns", "instructions", "percent_of_instructions")
WIDE = 14


@dataclass(frozen=True)
class Quoted:
    values: dict[str, object]
    text: str

    @property
    def json(self) -> str:
        return json.dumps(self.values, indent=1, ensure_ascii=False) + "\n"


def evaluation(book: Book) -> Quoted | None:
    found = answers.medians(book)
    if not found or not all(book.results.part(name) for name in method.PARTS):
        return None
    said = ", ".join(f"{name} {value:+.1f} %".replace("-", "−") for name, value in found.items())
    return Quoted({"operations": len(FILES), "median": found}, said + "\n")


def whole_calls(book: Book) -> Quoted | None:
    """Return what modules add to whole calls, if all of them were timed and counted."""
    found = calls_of(book)
    base = found.pop(calls.BASE, None)
    if not base or set(TIMED) - set(found):
        return None
    rows = {title(module): row for module in TIMED if (row := _values(base, found[module]))}
    if len(rows) < len(TIMED):
        return None
    lines = predicted.lines(predicted.added(base, found))
    values = {
        "operations": len(FILES),
        "modules": rows,
        "cycles": {name: round(line.slopes[0][0], 3) for name, line in lines.items() if len(line.slopes) == 1},
        "r2": {name: round(line.r2, 3) for name, line in lines.items()},
    }
    first, boots = base.boots[0], min(len(each.boots) for each in (base, *found.values()))
    about = passage("calls.quoted", kernel=first.kernel, operations=len(FILES), boots=boots, flavour=first.flavour,
                    processor=first.state.get("processor", "?"))
    return Quoted(values, "\n".join([about, *_lines(rows)]) + "\n")


def _values(base: Calls, found: Calls) -> dict[str, float] | None:
    each, ns = calls.sums(base, found), calls.tick(base)
    if not each or not each.exact:
        return None
    return {
        "ns": round(ns * each.cycles.median),
        "percent": round(100 * each.change, 1),
        "hooks_ns": round(ns * each.hooks.median),
        "elsewhere_ns": round(ns * each.elsewhere.median),
        "instructions": round(each.exact.ticks),
        "percent_of_instructions": round(100 * each.exact.ticks / each.exact_of, 1),
        "elsewhere_instructions": round(each.exact.elsewhere),
    }


def _lines(found: dict[str, dict[str, float]]) -> list[str]:
    """Return a table as lines of text."""
    header = {
        "ns": passage("calls.quoted_ns"), "percent": passage("calls.quoted_percent"),
        "hooks_ns": passage("calls.quoted_hooks_ns"), "elsewhere_ns": passage("calls.quoted_elsewhere_ns"),
        "instructions": passage("calls.quoted_instructions"),
        "percent_of_instructions": passage("calls.quoted_percent_of_instructions"),
    }
    rows = [("", *(str(header[name]) for name in SHOWN))]
    for module, values in found.items():
        rows.append((module, *(_cell(name, values[name]) for name in SHOWN)))
    return [f"{name:<10}" + "".join(f"{cell:>{WIDE}}" for cell in cells) for name, *cells in rows]


def _cell(name: str, value: float) -> str:
    return percent(value / 100).replace("\u00a0", " ") if name.startswith("percent") else more(value)
