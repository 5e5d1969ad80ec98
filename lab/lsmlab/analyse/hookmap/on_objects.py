# SPDX-License-Identifier: GPL-2.0-only
"""Pairs that were counted on one kind of object, held against what the map says of that object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol, TypedDict

from lsmlab.measure.hookmap import Failed

# (object, system call, hook).
Pair = tuple[str, str, str]


class Held(TypedDict):
    """Counted pairs: how many are in the map, and which are not. And of the pairs that the calls made themselves, by the map:
    how many were counted, and how many there are.
    """

    there: int
    missed: list[Pair]
    seen: int
    synchronous: int


class Said(Protocol):
    """A map: it says the kinds of the hooks of a call on an object."""

    def __call__(self, name: str, call: str) -> Mapping[str, str]: ...


def read(path: Path | str) -> list[Pair]:
    """Return the pairs that lab/inside/map-objects printed."""
    pairs: list[Pair] = []
    lines = Path(path).read_text().splitlines() if Path(path).is_file() else []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) != 4 or not words[3].isdigit():
            raise Failed(f"{path}: line {number}: not what lab/inside/map-objects prints")
        pairs.append((words[0], words[1], words[2]))
    return pairs


def held(pairs: Iterable[Pair], said: Said) -> Held:
    """Hold counted pairs against a map."""
    counted = set(pairs)
    missed = sorted(pair for pair in counted if pair[2] not in said(*pair[:2]))
    own = [(name, call, hook) for name, call in sorted({pair[:2] for pair in counted})
           for hook, kind in said(name, call).items() if kind == "sync"]
    return {"there": len(counted) - len(missed), "missed": missed, "seen": sum(pair in counted for pair in own),
            "synchronous": len(own)}
