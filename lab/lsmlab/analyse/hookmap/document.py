# SPDX-License-Identifier: GPL-2.0-only
"""map.json, the map of one kernel with counts of guests beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from lsmlab.analyse.hookmap import counted, made
from lsmlab.measure.hookmap import Failed, entries, table
from lsmlab.measure.hookmap.kernel import Kernel

# Kinds of hooks that a call reaches itself, or leaves for its own return.
OWN = ("sync", "module", "return")


class Call(table.Entry):
    """A way into the kernel, with its counts."""

    calls: dict[str, int]       # by hook
    price: dict[str, int]       # by hook, in the unit
    successes: int


class Recall(TypedDict):
    """Pairs that were counted: how many are in the map, and which are not."""

    there: int
    missed: list[tuple[str, str]]


class Precision(TypedDict):
    """Synchronous pairs: how many were counted, and how many there are."""

    seen: int
    synchronous: int


class Checked(TypedDict):
    """Paths that were looked up: how many, and the calls and hooks of those that are not there."""

    checked: int
    broken: list[tuple[str, str]]


class Must(TypedDict):
    """Musts that were checked against counts: how many, and those that are wrong, as counted.broken() returns them."""

    checked: int
    broken: list[tuple[str, str, str, int, int]]


class Document(TypedDict):
    """The content of map.json."""

    format: str
    version: int
    kernel: str
    objects: dict[str, list[str]]
    hooks: list[str]
    modules: dict[str, list[str]]
    counted: list[str]
    unit: str
    recall: Recall
    precision: Precision
    paths: Checked
    must: Must
    table7: dict[str, made.Made]
    common: dict[str, table.Paths]
    cut: dict[str, int]
    syscalls: dict[str, Call]


def _of_call(name: str, entry: table.Entry, by_pair: Mapping[tuple[str, str], int]) -> dict[str, int]:
    return {hook: by_pair[name, hook] for hook in entry["may"] if (name, hook) in by_pair}


def _joined(name: str, entry: table.Entry, pairs: Mapping[tuple[str, str], int], prices: Mapping[tuple[str, str], int],
            called: Counter[str]) -> Call:
    # Paths to hooks that any call may meet are in the document once.
    paths = {hook: path for hook, path in entry["paths"].items() if entry["kind"][hook] in OWN}
    return {**entry, "paths": paths, "calls": _of_call(name, entry, pairs), "price": _of_call(name, entry, prices),
            "successes": called[name]}


def of(built: Kernel, static: table.Map, folder: Path, objects: dict[str, list[str]]) -> Document:
    """Return the document of a map; `folder` has the counts of guests."""
    works = counted.works(folder)
    pairs, numbers = counted.pairs_of(works), entries.numbers(built.tree)
    called, (unit, prices) = counted.successes(works, numbers), counted.prices(works)
    calls = {name: _joined(name, entry, pairs, prices, called) for name, entry in static.syscalls().items()}
    present, missed = counted.recall(calls, pairs)
    seen, synchronous = counted.precision(calls, pairs)
    looked_up, not_there = table.Witnesses(static.graph).broken(calls)
    return {"format": table.FORMAT, "version": table.VERSION, "kernel": built.release, "objects": objects,
            "hooks": static.hooks, "modules": built.modules(), "counted": sorted(works), "unit": unit,
            "recall": {"there": len(present), "missed": missed},
            "precision": {"seen": seen, "synchronous": synchronous},
            "paths": {"checked": looked_up, "broken": not_there},
            "must": {"checked": counted.checked(calls, works, numbers),
                     "broken": counted.broken(calls, works, numbers)},
            "table7": made.read(folder / "table7/calls"), "common": static.common,
            "cut": dict(sorted(static.graph.cut_edges.items())), "syscalls": calls}


def objects(content: Document) -> str:
    """Return words about the chosen objects, or nothing if all objects are in the map."""
    return " ".join(f"{what}={','.join(names)}" for what, names in content["objects"].items() if names)


def load(path: Path | str) -> Document:
    """Return the document in a file."""
    try:
        content: Document = json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise Failed(f"{path}: {error}") from error
    if not isinstance(content, dict) or content.get("format") != table.FORMAT:
        raise Failed(f"{path}: not a map: its format has to be {table.FORMAT}")
    return content


def path(content: Document, entry: Call, hook: str) -> list[str]:
    return entry["paths"].get(hook) or content["common"][entry["kind"][hook]][hook]


def own(entry: Call) -> list[str]:
    """Return the hooks that the call itself calls, in the kernel's order."""
    return [hook for hook in entry["may"] if entry["kind"][hook] in OWN]


def synchronous(entry: Call) -> list[str]:
    return [hook for hook in entry["may"] if entry["kind"][hook] == "sync"]
