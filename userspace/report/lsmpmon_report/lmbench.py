# SPDX-License-Identifier: GPL-2.0-only
"""lmbench-hook beside the real LMbench's lat_syscall, in one guest."""

from __future__ import annotations

import json
import pathlib
import re
from dataclasses import dataclass

from .benchmarks import read_benchmarks
from .kernelfiles import FormatError, read

# Name in lat_syscall's output, the round of lmbench-hook that does the same, and how they differ.
PAIRS = (
    ("stat", "stat", "LMbench calls stat() of the C library, which is newfstatat() today; here it is the call stat."),
    ("open/close", "open", "the same two calls; LMbench's open() of the C library is openat()."),
    ("read", "read", "LMbench reads 1 byte of /dev/zero, a device; here it is 1 byte of a file, by pread64()."),
    ("write", "write", "LMbench writes 1 byte to /dev/null, which does nothing; here a file changes, by pwrite64()."),
)
SAID = re.compile(r"^Simple (\S+): ([0-9.]+) microseconds$", re.M)


@dataclass(frozen=True)
class Pair:
    """Times of one round, in us."""

    name: str
    lmbench: float
    ours: float
    why: str

    @property
    def ratio(self) -> float:
        return self.ours / self.lmbench


def load_pairs(directory: pathlib.Path) -> list[Pair]:
    said = dict(SAID.findall(read(directory / "lat_syscall.txt")))
    rounds = read_benchmarks(directory / "run.json", "median", "ns")
    missing = [name for name, _, _ in PAIRS if name not in said]
    if missing:
        raise FormatError(f"{directory}/lat_syscall.txt: no 'Simple NAME: ... microseconds' of {', '.join(missing)}")
    return [Pair(name, float(said[name]), rounds[ours] / 1000, why) for name, ours, why in PAIRS]


def render(pairs: list[Pair]) -> str:
    lines = [
        "One round, us: LMbench's lat_syscall, and lmbench-hook run --loop on a path of the same depth and length",
        f"{'':<12} {'LMbench':>9} {'ours':>9} {'ratio':>7}",
        *(f"{pair.name:<12} {pair.lmbench:>9.3f} {pair.ours:>9.3f} {pair.ratio:>7.2f}" for pair in pairs),
        *(f"{pair.name}: {pair.why}" for pair in pairs),
        "Both time whole loops here, so neither includes reading the clock.",
    ]
    return "\n".join(lines) + "\n"


def to_json(pairs: list[Pair]) -> str:
    return json.dumps({"unit": "us", "pairs": [{**vars(pair), "ratio": pair.ratio} for pair in pairs]}, indent=1)
