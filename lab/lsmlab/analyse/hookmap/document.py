# SPDX-License-Identifier: GPL-2.0-only
"""map.json, the map of one kernel with counts of guests beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from lsmlab.analyse.hookmap import code, counted, made, on_objects, packed
from lsmlab.analyse.hookmap.code import Code
from lsmlab.analyse.hookmap.packed import Ends, Packer, Step
from lsmlab.measure.hookmap import Failed, entries, table
from lsmlab.measure.hookmap.kernel import Kernel

# Kinds of hooks that a call reaches itself, or leaves for its own return.
OWN = ("sync", "last", "rare", "module", "return")
# The objects that a call is shown on first: sockets for what is in net/, files for all others.
SOCKETS, FILES = "tcp", "ext4"


# What a call has of its own if it is like another one.
OF_CALL = ("alike", "function", "calls", "price", "successes")


class On(TypedDict):
    """The hooks of a call on some objects, the same on each of them."""

    objects: list[str]
    must: list[str]
    unless: dict[str, str]
    paths: Ends                 # of those that the call itself calls
    kinds: dict[str, list[str]]
    order: list[str]
    times: dict[str, str]       # without those that are called once
    when: dict[str, list[str]]


class Call(table.Way):
    """A way into the kernel, with its counts."""

    alike: str                  # the call whose entry, with the paths, says the same of this one; or nothing
    paths: Ends
    object: str                 # the object that it is shown on first; nothing if all are the same to it
    on: list[On]
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
    by_object: on_objects.Held
    paths: Checked
    must: Must
    table7: dict[str, made.Made]
    common: dict[str, Ends]
    functions: list[str]
    code: Code
    steps: list[Step]
    cut: dict[str, int]
    syscalls: dict[str, Call]


def _of_call(name: str, entry: table.Entry, by_pair: Mapping[tuple[str, str], int]) -> dict[str, int]:
    return {hook: by_pair[name, hook] for hook in entry["may"] if (name, hook) in by_pair}


def _on(one: table.OnObject, names: list[str], packer: Packer) -> On:
    kinds: dict[str, list[str]] = {}
    for hook, kind in one["kind"].items():
        kinds.setdefault(kind, []).append(hook)
    return {"objects": names, "must": one["must"], "unless": one["unless"], "kinds": kinds,
            "paths": packer.ends(one["paths"]),
            "order": [hook for hook in one["order"] if one["kind"].get(hook) == "sync"], "times": _loops(one["times"]),
            "when": one["when"]}


def _alike(one: table.OnObject, other: table.OnObject) -> bool:
    return (one["kind"], one["must"], one["unless"]) == (other["kind"], other["must"], other["unless"])


def by_object(entry: table.Entry, packer: Packer) -> list[On]:
    """Return what a call does on objects, the same things together."""
    same: list[tuple[table.OnObject, list[str]]] = []
    for name, one in entry["objects"].items():
        names = next((names for other, names in same if _alike(other, one)), None)
        if names is None:
            same.append((one, [name]))
        else:
            names.append(name)
    return [_on(one, names, packer) for one, names in same]


def _loops(times: Mapping[str, str]) -> dict[str, str]:
    return {hook: text for hook, text in times.items() if text != "once"}


def _joined(name: str, entry: table.Entry, pairs: Mapping[tuple[str, str], int], prices: Mapping[tuple[str, str], int],
            called: Counter[str], packer: Packer, file: str) -> Call:
    # Paths to hooks that any call may meet are in the document once.
    paths = {hook: path for hook, path in entry["paths"].items() if entry["kind"][hook] in OWN}
    on = by_object(entry, packer)
    return {"alike": "", "function": entry["function"], "may": entry["may"], "must": entry["must"], "unless": entry["unless"],
            "kind": entry["kind"], "paths": packer.ends(paths), "order": entry["order"], "times": _loops(entry["times"]),
            "when": entry["when"], "named": entry["named"], "deferred": entry["deferred"],
            "object": (SOCKETS if file.startswith("net/") else FILES) if len(on) > 1 else "",
            "on": on, "calls": _of_call(name, entry, pairs), "price": _of_call(name, entry, prices),
            "successes": called[name]}


def _file(static: table.Map, entry: table.Entry) -> str:
    function = static.graph.facts.functions.get(entry["function"] or "")
    return function.file if function else ""


def _said(syscalls: Mapping[str, table.Entry]) -> on_objects.Map:
    """Return what a map says of each call on each object."""
    return {(name, call): on_objects.Said(one["kind"], {hook: one["unless"].get(hook, "") for hook in one["must"]})
            for call, entry in syscalls.items() for name, one in entry["objects"].items()}


def of(built: Kernel, static: table.Map, folder: Path, objects: dict[str, list[str]]) -> Document:
    """Return the document of a map; `folder` has the counts of guests."""
    works = counted.works(folder)
    pairs, numbers = counted.pairs_of(works), entries.numbers(built.tree, built.arch)
    called, (unit, prices) = counted.successes(works, numbers), counted.prices(works)
    syscalls, packer = static.syscalls(), Packer()
    calls: dict[str, Call] = {}
    for name, entry in syscalls.items():    # the native ones come first
        native = static.native(name)
        calls[name] = {**calls[native], "alike": native, "function": entry["function"], "calls": _of_call(name, entry, pairs),
                       "price": _of_call(name, entry, prices), "successes": called[name]} if native else \
            _joined(name, entry, pairs, prices, called, packer, _file(static, entry))
    present, missed = counted.recall(calls, pairs)
    seen, synchronous = counted.precision(calls, pairs)
    looked_up, not_there = table.Witnesses(static.graph).broken(syscalls)
    return {"format": table.FORMAT, "version": table.VERSION, "kernel": built.name(), "objects": objects,
            "hooks": static.hooks, "modules": built.modules(), "counted": sorted(works), "unit": unit,
            "recall": {"there": len(present), "missed": missed},
            "precision": {"seen": seen, "synchronous": synchronous},
            "by_object": on_objects.held(on_objects.read(folder / "objects", numbers), _said(syscalls)),
            "paths": {"checked": looked_up, "broken": not_there},
            "must": {"checked": counted.checked(calls, works, numbers),
                     "broken": counted.broken(calls, works, numbers)},
            "table7": made.read(folder / "table7/calls"),
            "common": {kind: packer.ends(paths) for kind, paths in static.common.items()},
            "cut": dict(sorted(static.graph.cut_edges.items())), "syscalls": calls,
            "code": code.of(static, packer), "functions": list(packer.functions), "steps": packer.steps()}


def objects(content: Document) -> str:
    """Return words about the chosen objects, or nothing if all objects are in the map."""
    return " ".join(f"{what}={','.join(names)}" for what, names in content["objects"].items() if names)


def dump(content: Document, path: Path) -> None:
    """Write a document. A call that is like another one has only what it has of its own; what `kind` names may be called."""
    calls = {name: {what: value for what, value in call.items() if (what in OF_CALL if call["alike"] else what != "may")}
             for name, call in content["syscalls"].items()}
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps({**content, "syscalls": calls}, indent=None, separators=(",", ":")) + "\n")
    part.replace(path)


def load(path: Path | str) -> Document:
    """Return the document in a file."""
    try:
        content: Document = json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise Failed(f"{path}: {error}") from error
    if not isinstance(content, dict) or content.get("format") != table.FORMAT:
        raise Failed(f"{path}: not a map: its format has to be {table.FORMAT}")
    if content.get("version") != table.VERSION:
        raise Failed(f"{path}: a map of version {content.get('version')}, not {table.VERSION}: make map again")
    calls = content["syscalls"]
    for call in calls.values():
        if not call["alike"]:
            call["may"] = list(call["kind"])
    content["syscalls"] = {name: {**calls[call["alike"]], **call} if call["alike"] else call for name, call in calls.items()}
    return content


def path(content: Document, entry: Call, hook: str) -> list[str]:
    end = entry["paths"].get(hook, -1)
    if end < 0:
        end = content["common"][entry["kind"][hook]][hook]
    return packed.path(content["functions"], content["steps"], end)


def own(entry: Call) -> list[str]:
    """Return the hooks that the call itself calls, in the kernel's order."""
    return [hook for hook in entry["may"] if entry["kind"][hook] in OWN]


def synchronous(entry: Call) -> list[str]:
    return [hook for hook in entry["may"] if entry["kind"][hook] == "sync"]
