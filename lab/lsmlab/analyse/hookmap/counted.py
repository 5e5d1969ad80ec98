# SPDX-License-Identifier: GPL-2.0-only
"""Counts of guests: files `syscalls` of the monitor, as saved there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from lsmpmon_report import kernelfiles

# These return twice, in the child, too.
RETURNS = {"clone": 2, "clone3": 2, "fork": 2, "vfork": 2}
# x86-64 says that a new program comes of execve(), whatever started it.
SAME_EXIT = {"execve": ("execve", "execveat", "compat:execve", "compat:execveat")}
# The units of a tick. Ticks of plain emulation mean nothing, and have no unit.
UNITS = ("instructions", "cycles")


class Hooks(TypedDict):
    """The part of a way into the kernel that counts are held against."""

    may: list[str]
    must: list[str]
    unless: dict[str, str]
    kind: dict[str, str]


@dataclass
class Work:
    """The counts of one guest."""

    pairs: Counter[tuple[str, str]]     # (system call, hook): calls
    numbers: dict[int, int] = field(default_factory=dict)   # number of a system call: calls without an error
    ticks: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)     # by pair: (own ticks, calls that have them)
    unit: str = ""      # of the ticks


def read_text(text: str, what: Path | str) -> Work:
    """Return the Work of one file."""
    work = Work(Counter())
    for row in kernelfiles.parse_table(text, name=str(what), needs=("syscall", "hook", "count", "cs_count", "sum")):
        pair = row["syscall"], row["hook"]
        work.pairs[pair] += kernelfiles.calls(row)
        work.ticks[pair] = kernelfiles.own(row), kernelfiles.known(row)
    return work


def _beside(path: Path, name: str) -> str:
    other = path.with_name(name)
    return other.read_text() if other.is_file() else ""


def works(folder: Path | str) -> dict[str, Work]:
    """Return {name: Work} of all that is in a folder."""
    by_name: dict[str, Work] = {}
    for path in sorted(Path(folder).glob("*/syscalls")):
        work = by_name[path.parent.name] = read_text(path.read_text(), path)
        lines = _beside(path, "success").splitlines()
        work.numbers = {int(number): int(calls) for number, calls in map(str.split, lines)}
        work.unit = _beside(path, "unit").strip()
    return by_name


def pairs_of(counts: Mapping[str, Work]) -> Counter[tuple[str, str]]:
    total: Counter[tuple[str, str]] = Counter()
    for work in counts.values():
        total += work.pairs
    return total


def prices(counts: Mapping[str, Work]) -> tuple[str, dict[tuple[str, str], int]]:
    """Return (unit, {(system call, hook): mean ticks of a call}), of the works with the best unit."""
    unit = next((unit for unit in UNITS if any(work.unit == unit for work in counts.values())), "")
    ticks: Counter[tuple[str, str]] = Counter()
    calls: Counter[tuple[str, str]] = Counter()
    for work in counts.values():
        if not unit or work.unit != unit:
            continue
        for pair, (spent, count) in work.ticks.items():
            ticks[pair] += spent
            calls[pair] += count
    return unit, {pair: round(ticks[pair] / count) for pair, count in calls.items() if count}


def successes(counts: Mapping[str, Work], names: Mapping[int, str]) -> Counter[str]:
    """Return {system call: calls without an error} of all works; `names` has them by number."""
    total: Counter[str] = Counter()
    for work in counts.values():
        for number, calls in work.numbers.items():
            if number in names:
                total[names[number]] += calls // RETURNS.get(names[number], 1)
    return total


def _sure(entry: Hooks | None) -> list[str]:
    return [hook for hook in entry["must"] if hook not in entry["unless"]] if entry else []


def broken(syscalls: Mapping[str, Hooks], counts: Mapping[str, Work],
           names: Mapping[int, str]) -> list[tuple[str, str, str, int, int]]:
    """Return [(work, system call, hook, successes, calls of the hook)] where a must was not called each time.

    Only musts without any `unless` are checked.
    """
    wrong = []
    for title, work in counts.items():
        for number, returns in work.numbers.items():
            name = names.get(number)
            if name is None:
                continue
            calls = returns // RETURNS.get(name, 1)
            for hook in _sure(syscalls.get(name)):
                counted = sum(work.pairs[one, hook] for one in SAME_EXIT.get(name, (name,)))
                if counted < calls:
                    wrong.append((title, name, hook, calls, counted))
    return wrong


def checked(syscalls: Mapping[str, Hooks], counts: Mapping[str, Work], names: Mapping[int, str]) -> int:
    """Return how many musts were checked against counts."""
    called = successes(counts, names)
    return sum(len(_sure(entry)) for name, entry in syscalls.items() if called[name])


def recall(syscalls: Mapping[str, Hooks],
           counted: Iterable[tuple[str, str]]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return (pairs that are in the map, pairs that are not)."""
    present: list[tuple[str, str]] = []
    missed: list[tuple[str, str]] = []
    for name, hook in counted:
        (present if name in syscalls and hook in syscalls[name]["may"] else missed).append((name, hook))
    return present, sorted(missed)


def precision(syscalls: Mapping[str, Hooks], counted: Collection[tuple[str, str]],
              kinds: Collection[str] = ("sync",)) -> tuple[int, int]:
    """Return (synchronous pairs that were counted, all of them)."""
    pairs = [(name, hook) for name, entry in syscalls.items() for hook, kind in entry["kind"].items()
             if kind in kinds and name != "-"]
    return sum(pair in counted for pair in pairs), len(pairs)
