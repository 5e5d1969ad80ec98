# SPDX-License-Identifier: GPL-2.0-only
"""Whole calls and their hooks, by the number of processors that make the same calls at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from lsmlab.measure.pipeline.printed import split
from lsmpmon_report.kernelfiles import FormatError, Row, known, own, parse_info, parse_table, read

ABOUT = "about"
# The system calls that the rounds are made of, without close(), which ends several kinds of rounds.
CALLS = ("stat", "open", "pread64", "pwrite64", "creat", "unlink", "rename", "mkdir", "rmdir")
# Rounds of each on a processor, as TOGETHER in lab/inside/eval. A hook that is called less often is not shown.
ROUNDS = 5000
# Hooks of a module that take at least so many times as long on all processors as on one, and so many ns, are shown.
FACTOR, LEAST = 1.5, 10.0

# {number of processors: values of the turns, in ns of a call}.
Turns = dict[int, list[float]]


class Boot:
    """The tables of one boot."""

    def __init__(self, path: Path) -> None:
        self.module, _, self.number = path.name.rpartition("-")
        self.path, self.files = path, split(read(path))
        info = self._file("records/all/info")
        about = parse_info(info, name=f"{path}: info")
        self.tick, self.empty = about.ns(1), about.number("overhead")

    def _file(self, name: str) -> str:
        if name not in self.files:
            raise FormatError(f"{self.path}: there should be {name}")
        return self.files[name]

    @property
    def kernel(self) -> str:
        return self._file("state/kernel").strip()

    def turns(self, kind: str, table: str, *needs: str) -> Iterator[tuple[int, list[Row]]]:
        """Yield (number of processors, rows) of the turns of a kind, hooks or calls."""
        for name in self.files:
            words = name.split("/")
            if len(words) == 3 and words[1].startswith(f"{kind}-") and words[2] == table:
                rows = parse_table(self.files[name], name=f"{self.path}: {name}", needs=needs)
                yield int(words[1].split("-")[1]), rows

    def calls(self) -> Iterator[tuple[int, str, float]]:
        """Yield (number of processors, system call, ns) without interrupts and what others did."""
        for number, rows in self.turns("calls", "calls", "syscall", "count", "sum"):
            for row in rows:
                if row["syscall"] in CALLS and known(row):
                    yield number, str(row["syscall"]), own(row) / known(row) * self.tick

    def hooks(self) -> Iterator[tuple[int, str, float]]:
        """Yield (number of processors, hook, ns) without the clock's own time."""
        for number, rows in self.turns("hooks", "verdicts", "hook", "count", "sum"):
            sums: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
            for row in rows:
                calls, ticks = sums[row["hook"]]
                sums[row["hook"]] = calls + known(row), ticks + own(row)
            for hook, (calls, ticks) in sums.items():
                if calls >= ROUNDS * number:
                    yield number, hook, max(ticks / calls - self.empty, 0) * self.tick

    def waits(self) -> Iterator[tuple[int, str, int, float]]:
        """Yield (number of processors, hook, waits for locks, ns of all) of the turns that count these."""
        for number, rows in self.turns("calls", "waits", "hook", "kind", "count", "sum"):
            for row in rows:
                if row.get("kind") == "lock":
                    yield number, str(row["hook"]), int(row["count"]), row["sum"] * self.tick


def _turns(found: Iterable[tuple[int, str, float]]) -> dict[str, Turns]:
    turns: dict[str, Turns] = {}
    for number, name, value in found:
        turns.setdefault(name, {}).setdefault(number, []).append(value)
    return turns


def _summed(turns: Mapping[str, Turns]) -> dict[str, dict[str, list[float]]]:
    """Return {name: {number of processors: [least, median, most]}} in ns."""
    return {name: {str(number): [round(f(values), 1) for f in (min, median, max)] for number, values in sorted(of.items())}
            for name, of in turns.items()}


def _module(boots: list[Boot]) -> dict[str, Any]:
    waits: dict[str, dict[str, list[float]]] = {}
    for boot in boots:
        for number, hook, count, ns in boot.waits():
            both = waits.setdefault(hook, {}).setdefault(str(number), [0, 0.0])
            both[0], both[1] = both[0] + count, round(both[1] + ns, 1)
    return {"calls": _summed(_turns(found for boot in boots for found in boot.calls())),
            "hooks": _summed(_turns(found for boot in boots for found in boot.hooks())), "waits": waits}


def read_about(folder: Path) -> dict[str, str]:
    """Return what the machine said of itself."""
    return dict(line.partition(": ")[::2] for line in read(folder / ABOUT).splitlines())


def figures(folder: Path) -> dict[str, Any]:
    """Return all that is known of a folder of outputs."""
    boots = [Boot(path) for path in sorted(folder.iterdir()) if path.name != ABOUT]
    if not boots:
        raise FormatError(f"{folder}: there is no output of a guest")
    modules: dict[str, list[Boot]] = {}
    for boot in boots:
        modules.setdefault(boot.module, []).append(boot)
    return {**read_about(folder), "kernel": boots[0].kernel, "boots": min(map(len, modules.values())),
            "numbers": sorted({number for boot in boots for number, *_ in boot.calls()}),
            "modules": {name: _module(of) for name, of in modules.items()}}


def grown(of: Mapping[str, Any], numbers: list[int]) -> dict[str, dict[str, list[float]]]:
    """Return the hooks of a module that take longer on all processors than on one, the worst first."""
    one, all_of_them = str(numbers[0]), str(numbers[-1])
    found = {hook: by for hook, by in of["hooks"].items() if one in by and all_of_them in by and
             by[all_of_them][1] - by[one][1] >= LEAST and by[all_of_them][1] >= FACTOR * by[one][1]}
    return dict(sorted(found.items(), key=lambda item: item[1][one][1] - item[1][all_of_them][1]))
