# SPDX-License-Identifier: GPL-2.0-only
"""Saved results: one directory for each module, one numbered directory in it for each repetition."""

from __future__ import annotations

import pathlib
import statistics
from dataclasses import dataclass, field

from .kernelfiles import FormatError, Info, Row, calls, parse_table, read, read_info, read_table

# Characters that a table has for the name of a module.
OWNER = 10


def arch_of(about: dict[str, str]) -> str:
    """Return the architecture of guests, with a comma before it, unless it is the usual one."""
    return f", {about['arch']}" if about.get("arch", "x86_64") != "x86_64" else ""


@dataclass(frozen=True)
class Cost:
    """Cost of one hook in one run, in ticks: the smallest `min` and the median `ave` of the repetitions.

    `calls` are those of one repetition, with and without a context switch inside.
    """

    min: int
    ave: float
    calls: int


@dataclass(frozen=True)
class Run:
    """Results under one module. `info` is the kernel's file; `about` was written next to it when measuring.

    `modules` has those that implement each hook, in their order; it is empty if that was not saved.
    """

    module: str
    info: Info
    about: dict[str, str]
    costs: dict[str, Cost]
    modules: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def empty(self) -> int:
        """Return the empty span, in ticks."""
        return self.info.number("overhead")

    @property
    def step(self) -> int:
        """Return the ticks by which the clock moves at a time; 0 if the kernel did not say."""
        return self.info.number("clock_step", "0")

    @property
    def exact(self) -> bool:
        """Return whether ticks are guest instructions."""
        return self.about.get("accel") == "icount"

    @property
    def emulated(self) -> bool:
        """Return whether ticks are the emulator's time, which means nothing."""
        return self.about.get("accel") == "tcg"

    @property
    def decides(self) -> bool:
        """Return whether the module had a policy. Capability needs none."""
        return self.module == "capability" or self.about.get("policy", "none") != "none"

    def implements(self, hook: str) -> bool:
        """Return whether the module of this run does, as far as is known."""
        return hook not in self.modules or bool({*self.module.split(",")} & {*self.modules[hook]})

    def owner(self, hook: str) -> str:
        """Return whose the cost of a hook is: this run's module, if it implements it, else those that do."""
        if self.implements(hook):
            return self.module
        names = ",".join(self.modules[hook])
        return names if len(names) <= OWNER else "several"


def load(directory: pathlib.Path) -> Run:
    """Return the run saved in `directory`: info, about, and result in each numbered directory."""
    repetitions = sorted(directory.glob("[0-9]*/result"))
    if not repetitions:
        raise FormatError(f"{directory}: no results in it; expected {directory}/1/result")
    info, about = read_info(directory / "info"), read_info(directory / "about")
    for key, default in (("overhead", None), ("clock_khz", None), ("clock_step", "0")):
        info.number(key, default)
    tables = [called(read(path), str(path)) for path in repetitions]
    hooks = directory / "hooks"
    modules = implementers(read_table(hooks, "hook", "modules")) if hooks.exists() else {}
    return Run(about.get("module", directory.name), info, about, merge(tables), modules)


def implementers(rows: list[Row]) -> dict[str, tuple[str, ...]]:
    """Return the modules that implement each hook, from the rows of the file hooks."""
    return {row["hook"]: tuple(filter(None, row["modules"].strip("-").split(","))) for row in rows if row.get("modules")}


def called(text: str, name: str) -> dict[str, Row]:
    """Return the rows of the file result, by hook, of hooks that were called; `name` is for errors."""
    rows = parse_table(text, name=name, needs=("hook", "min", "ave", "count", "cs_count"))
    return {row["hook"]: row for row in rows if row.get("count", 0)}


def merge(tables: list[dict[str, Row]]) -> dict[str, Cost]:
    """Return the hooks of several repetitions, in the kernel's order, including those that only some called."""
    hooks = dict.fromkeys(hook for table in tables for hook in table)
    return {hook: _cost([table[hook] for table in tables if hook in table]) for hook in hooks}


def _cost(rows: list[Row]) -> Cost:
    return Cost(
        min=min(row["min"] for row in rows),
        ave=statistics.median(row["ave"] for row in rows),
        calls=statistics.median_low(calls(row) for row in rows),
    )
