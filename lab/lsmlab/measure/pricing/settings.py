# SPDX-License-Identifier: GPL-2.0-only
"""The variables of make cost, checked before any work."""

from __future__ import annotations

import fnmatch
import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsmlab.guest.settings import BadSetting, llvm, number
from lsmlab.kernel.tree import Refused, source
from lsmlab.measure.evaluation import plan
from lsmlab.measure.pricing import states
from lsmlab.measure.pricing.states import State
from lsmlab.places import REPO

STACKS = "selinux apparmor landlock"
SAMPLES = 101
BOOTS = 10
# Variables of scripts/cost, besides those about what is compared and how it is printed.
VARIABLES = ("LSM", "BENCH", "FUNCTIONS", "CYCLES", "BOOTS", "FAIL_ABOVE", "SAMPLES", "CONFIG", "LLVM", "SELFTEST")


def _tree(name: str) -> Path:
    """Return a directory with a kernel's source."""
    text = os.environ.get(name, "")
    folder = Path(text).resolve()
    if not text or not folder.is_dir():
        raise BadSetting(f"{name}='{text}' is not a directory; the source of a kernel is wanted")
    try:
        source.version_of(folder)
    except Refused as error:
        raise BadSetting(f"{name}='{text}' is not accepted: {error}") from error
    return folder


def _stack(text: str) -> str:
    names = text.split(",")
    if not all(re.fullmatch(r"[a-z0-9_]+", name) for name in names) or len(set(names)) < len(names):
        raise BadSetting(f"LSM='{text}' is not accepted; stacks with blanks between, each of modules with commas "
                         "between, as in LSM='selinux landlock,apparmor'")
    exclusive = [name for name in names if name in plan.EXCLUSIVE]
    if len(exclusive) > 1:
        raise BadSetting(f"LSM='{text}' is not accepted; the kernel takes only one of {' '.join(plan.EXCLUSIVE)}")
    return text


def pair(name: str, text: str) -> tuple[str, str]:
    """Return a sub-benchmark and a stack."""
    benchmark, _, stack = text.rpartition("/")
    if not benchmark or not stack or re.search(r"[*?]", benchmark):
        raise BadSetting(f"{name}='{text}' is not accepted; a sub-benchmark and a stack, as open/landlock")
    return benchmark, _stack(stack)


def _matches(benchmark: str, pattern: str) -> bool:
    """Say whether a sub-benchmark matches as for lmbench-hook: a star does not match a slash."""
    return benchmark.count("/") == pattern.count("/") and fnmatch.fnmatchcase(benchmark, pattern)


def _pairs(name: str, stacks: list[str], patterns: list[str]) -> list[tuple[str, str]]:
    """Return pairs that are among those measured, since pairs are shown with these."""
    pairs = [pair(name, text) for text in os.environ.get(name, "").split()]
    for benchmark, stack in pairs:
        if stack not in stacks or not any(_matches(benchmark, pattern) for pattern in patterns):
            raise BadSetting(f"{name}='{benchmark}/{stack}' is not accepted; a sub-benchmark of "
                             f"BENCH='{' '.join(patterns)}' and a stack of LSM='{' '.join(stacks)}'")
    return pairs


def samples() -> int:
    return number("SAMPLES", SAMPLES, 5, 99999)


def variables(words: Iterable[str]) -> dict[str, str]:
    """Return the variables of NAME=VALUE, for commands that get no environment."""
    chosen = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in VARIABLES:
            raise BadSetting(f"'{word}' is not accepted; NAME=VALUE of {' '.join(VARIABLES)}")
        chosen[name] = value
    return chosen


def check_patterns(patterns: Iterable[str]) -> None:
    """Check patterns; lmbench-hook names one that matches nothing."""
    done = subprocess.run([REPO / "build/bin/lmbench-hook", "list", *patterns], capture_output=True, text=True)
    if done.returncode:
        raise BadSetting(f"BENCH='{' '.join(patterns)}' is not accepted: {done.stderr.strip()}")


def _states() -> tuple[Path, list[State]]:
    """Return the tree that the states come from, and the states."""
    named = [name for name in ("BEFORE", "AFTER", "RANGE") if os.environ.get(name)]
    if named == ["RANGE"]:
        tree = _tree("KDIR")
        return tree, states.of_range(tree, os.environ["RANGE"])
    if named == ["BEFORE", "AFTER"]:
        before, after = _tree("BEFORE"), _tree("AFTER")
        return before, states.of_folders(before, after)
    given = " ".join(f"{name}='{os.environ[name]}'" for name in named) or "nothing"
    raise BadSetting(f"{given} is given; accepted: KDIR=GIT-TREE RANGE=BASE..HEAD, or BEFORE=DIR AFTER=DIR")


@dataclass(frozen=True)
class Settings:
    origin: Path
    states: list[State]
    stacks: list[str]
    patterns: list[str]
    samples: int
    functions: list[tuple[str, str]]
    cycles: Sequence[tuple[str, str]] = ()
    boots: int = BOOTS

    @classmethod
    def from_environment(cls) -> Settings:
        stacks = [_stack(text) for text in (os.environ.get("LSM") or STACKS).split()]
        patterns = (os.environ.get("BENCH") or "*").split()
        functions, cycles = (_pairs(name, stacks, patterns) for name in ("FUNCTIONS", "CYCLES"))
        if llvm() and cycles:
            raise BadSetting(f"LLVM='{llvm()}' is not accepted with CYCLES, which are of User-Mode Linux: gcc compiles that")
        return cls(*_states(), stacks, patterns, samples(), functions, cycles, number("BOOTS", BOOTS, 2, 999))

    @property
    def kver(self) -> str:
        return source.version_of(self.origin)
