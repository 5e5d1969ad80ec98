# SPDX-License-Identifier: GPL-2.0-only
"""A run of make cost: its settings, its tree, the boots of its states, their results and what could not be measured."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from lsmlab.kernel.objects.build import compiler_version
from lsmlab.measure.evaluation.cell import Boot
from lsmlab.measure.evaluation.initrds import Initrds
from lsmlab.measure.pipeline import printed
from lsmlab.measure.pricing.boot import KINDS, boots
from lsmlab.measure.pricing.settings import Settings
from lsmlab.measure.pricing.states import State
from lsmlab.measure.pricing.worktree import Worktree
from lsmlab.places import REPO

RESULTS = REPO / "build/cost/results"
# The inputs of a kernel besides its source.
INPUTS = ("lsmpmon", "modules", "patches/rules.toml", "kconfigs", "lab/shell/build-kernel", "lab/shell/lib.sh",
          "lab/lsmlab/commands/tree.py", "lab/lsmlab/kernel/change.py",
          *(f"lab/lsmlab/kernel/{name}" for name in ("tree", "hooks", "seam")))


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]


def inputs() -> str:
    """Return a digest of the inputs of a kernel, and of the compiler."""
    compiler = compiler_version("x86_64", os.environ.get("LLVM", ""))
    own = [os.environ["CONFIG"]] if os.environ.get("CONFIG") else []
    files = (file for name in (*INPUTS, *own) for file in _files(REPO / name) if "selftests" not in file.parts)
    return hashlib.sha256((compiler + printed.digest(files)).encode()).hexdigest()


class Run:
    """The state that all measurements of a run share.

    `failed` has, by state and stack, why there is no result; an empty stack stands for all.
    """

    def __init__(self, settings: Settings, say: Callable[[str], object], progress: Callable[[str], object],
                 kinds: Iterable[str] = tuple(KINDS), results: Path | None = None) -> None:
        self.settings, self.say, self.progress, self.results = settings, say, progress, results or RESULTS
        self.worktree = Worktree(settings.origin)
        self.boots = {state.ident: list(boots(state, self.worktree.tree, settings.kver, settings.stacks, kinds))
                      for state in settings.states}
        self.initrds = Initrds([boot for of_state in self.boots.values() for boot in of_state])
        self.inputs, self.done = inputs(), 0
        self.failed: dict[str, dict[str, str]] = {}

    def key(self, boot: Boot) -> str:
        """Return a hash of all inputs of the result. The tree's path is not one."""
        about = {name: value for name, value in boot.json().items() if name not in ("tree", "spans")}
        parts = [json.dumps(about, sort_keys=True), self.inputs, self.initrds.of(boot)[1], str(self.settings.samples),
                 *self.settings.patterns]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def fail(self, part: str, stack: str, why: str) -> None:
        self.failed.setdefault(part, {})[stack] = why
        self.progress("")
        self.say(f"{part[:12]}{f' under {stack}' if stack else ''}: {why}")

    def step(self, state: State, what: str) -> None:
        number = min(self.done + 1, len(self.settings.states))
        self.progress(f"{number} of {len(self.settings.states)}, {state.name} {state.subject[:40]}: {what}")
