# SPDX-License-Identifier: GPL-2.0-only
"""map.json: the map of one kernel, with what was counted beside it."""

import json
from pathlib import Path

from lsmlab.analyse.hookmap import counted, table7
from lsmlab.measure.hookmap import Failed, entries, table

# What a call reaches itself, or leaves for its own return.
OWN = ("sync", "module", "return")


def _of_call(name, entry, by_pair):
    return {hook: by_pair[name, hook] for hook in entry["may"] if (name, hook) in by_pair}


def _joined(name, entry, pairs, prices, called):
    # Ways to what any call may meet are in the document once.
    paths = {hook: path for hook, path in entry["paths"].items() if entry["kind"][hook] in OWN}
    return {**entry, "paths": paths, "calls": _of_call(name, entry, pairs), "price": _of_call(name, entry, prices),
            "successes": called[name]}


def of(built, found, folder, objects):
    """The document of a map; what was counted is in a folder."""
    works = counted.works(folder)
    pairs, numbers = counted.pairs_of(works), entries.numbers(built.tree)
    called, (unit, prices) = counted.successes(works, numbers), counted.prices(works)
    calls = {name: _joined(name, entry, pairs, prices, called) for name, entry in found.syscalls().items()}
    there, missed = counted.recall(calls, pairs)
    seen, synchronous = counted.precision(calls, pairs)
    return {"format": table.FORMAT, "version": table.VERSION, "kernel": built.release, "objects": objects,
            "hooks": found.hooks, "modules": built.modules(), "counted": sorted(works), "unit": unit,
            "recall": {"there": len(there), "missed": missed},
            "precision": {"seen": seen, "synchronous": synchronous},
            "paths": dict(zip(("checked", "broken"), table.Witnesses(found.graph).broken(calls))),
            "must": {"checked": counted.checked(calls, works, numbers),
                     "broken": counted.broken(calls, works, numbers)},
            "table7": table7.read(folder / "table7.calls"), "common": found.common,
            "cut": dict(sorted(found.graph.cut_edges.items())), "syscalls": calls}


def objects(said):
    """Words about the objects that were chosen, or nothing if all are there."""
    return " ".join(f"{what}={','.join(names)}" for what, names in said["objects"].items() if names)


def load(path):
    """One that was written."""
    try:
        said = json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise Failed(f"{path}: {error}") from error
    if not isinstance(said, dict) or said.get("format") != table.FORMAT:
        raise Failed(f"{path}: not a map: its format has to be {table.FORMAT}")
    return said


def path(said, entry, hook):
    return entry["paths"].get(hook) or said["common"][entry["kind"][hook]][hook]


def own(entry):
    """Hooks that are the call's own doing, in the kernel's order."""
    return [hook for hook in entry["may"] if entry["kind"][hook] in OWN]


def synchronous(entry):
    return [hook for hook in entry["may"] if entry["kind"][hook] == "sync"]
