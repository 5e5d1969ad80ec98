# SPDX-License-Identifier: GPL-2.0-only
"""Pairs that were counted on one kind of object, held against what the map says of that object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple, TypedDict

from lsmlab.analyse.hookmap.counted import RETURNS
from lsmlab.measure.hookmap import Failed

# (object, system call, hook).
Pair = tuple[str, str, str]


class Share(TypedDict):
    """Pairs of an object that its calls make themselves, by the map: how many were counted, and how many there are."""

    seen: int
    synchronous: int


class Held(TypedDict):
    """Counted pairs: how many are in the map, and which are not; and the share of those in the map that were counted.

    Of the musts that nothing excuses: how many are of calls that succeeded, and which were counted less often, as (object,
    call, hook, successes, calls of it). `always` has the pairs that were counted at least as often as their call succeeded,
    and that are not musts; `never` those that the map has and that were not counted, of calls that were made.
    """

    there: int
    missed: list[Pair]
    shares: dict[str, Share]
    musts: int
    broken: list[tuple[str, str, str, int, int]]
    always: list[Pair]
    never: list[Pair]


class Said(NamedTuple):
    """A map's words about a call on an object."""

    kinds: Mapping[str, str]        # by hook
    must: Mapping[str, str]         # {hook: flags that excuse it, or nothing}


# {(object, call): what the map says}.
Map = Mapping[tuple[str, str], Said]
NOTHING = Said({}, {})


class Counts(NamedTuple):
    """The hooks that calls on objects called, and how many of the calls succeeded."""

    hooks: dict[Pair, int]
    successes: dict[tuple[str, str], int]


def _lines(path: Path, count: int) -> Iterator[list[str]]:
    """Yield the words of each line that lab/inside/map-objects printed, the last of which is a number."""
    lines = path.read_text().splitlines() if path.is_file() else []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) != count or not words[-1].isdigit():
            raise Failed(f"{path}: line {number}: not what lab/inside/map-objects prints")
        yield words


def read(folder: Path, names: Mapping[int, str]) -> Counts:
    """Return what lab/inside/map-objects printed; `names` has system calls by number. What was in no call is left out."""
    hooks = {(name, call, hook): int(count) for name, call, hook, count in _lines(folder / "objects", 4) if call != "-"}
    successes = {(name, call): int(count) // RETURNS.get(call, 1) for name, number, count in _lines(folder / "success", 3)
                 if (call := names.get(int(number) if number.isdigit() else -1))}
    return Counts(hooks, successes)


def _own(counts: Counts, said: Map) -> Iterator[Pair]:
    """Yield the pairs that calls make themselves, by the map, of the calls that were made."""
    for name, call in sorted({pair[:2] for pair in counts.hooks}):
        yield from ((name, call, hook) for hook, kind in said.get((name, call), NOTHING).kinds.items() if kind == "sync")


def _shares(counts: Counts, own: Iterable[Pair]) -> dict[str, Share]:
    shares: dict[str, Share] = {}
    for pair in own:
        share = shares.setdefault(pair[0], {"seen": 0, "synchronous": 0})
        share["seen"] += pair in counts.hooks
        share["synchronous"] += 1
    return shares


def held(counts: Counts, said: Map) -> Held:
    """Hold counts against a map."""
    missed = sorted(pair for pair in counts.hooks if pair[2] not in said.get(pair[:2], NOTHING).kinds)
    musts = [(*place, hook, calls) for place, calls in counts.successes.items()
             for hook, flags in said.get(place, NOTHING).must.items() if not flags]
    always = sorted(pair for pair, calls in counts.hooks.items() if 0 < counts.successes.get(pair[:2], 0) <= calls
                    and said.get(pair[:2], NOTHING).kinds.get(pair[2]) == "sync" and pair[2] not in said[pair[:2]].must)
    own = list(_own(counts, said))
    return {"there": len(counts.hooks) - len(missed), "missed": missed, "shares": _shares(counts, own), "musts": len(musts),
            "broken": [(name, call, hook, calls, seen) for name, call, hook, calls in musts
                       if (seen := counts.hooks.get((name, call, hook), 0)) < calls], "always": always,
            "never": [pair for pair in own if pair not in counts.hooks]}


def drawn(held: Held, seed: int, count: int) -> list[Pair]:
    """Return some of the pairs that were never counted, drawn at random; a seed draws the same again."""
    return sorted(Random(seed).sample(held["never"], min(count, len(held["never"]))))
