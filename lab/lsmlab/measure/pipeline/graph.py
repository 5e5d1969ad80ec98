# SPDX-License-Identifier: GPL-2.0-only
"""Kernels to build and cells to measure as a graph of jobs, done on this machine, or where a profile of Snakemake says."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from lsmlab.measure.pipeline import jobs, kernel, lock, profile
from lsmlab.measure.pipeline.jobs import EXACT, KERNEL, PLAN, TIMED, Json, Kind
from lsmlab.measure.pipeline.pool import Heard, Pool

# Variables that kernels and guests depend on, for machines that do not get those of this one.
VARIABLES = ("KDIR", "CONFIG", "ARCH", "LLVM", "DEADLINE", "XDG_CACHE_HOME")


@dataclass(frozen=True)
class Place:
    """A cell as a graph needs it.

    `name` is the cell's; `exact` says that other load on the machine does not matter; `variables` are those of build-kernel
    that name its kernel; `boot` counts the boots of the same cell, from 1.
    """

    name: str
    exact: bool
    variables: Mapping[str, str]
    boot: int = 1


def order(places: Mapping[str, Place], single: bool) -> dict[str, list[str]]:
    """Return the cells that each cell waits for.

    First boots come before second ones, and the rest is random, so that drifts of a machine don't bias a cell. On a single
    machine, each cell waits for the one before it.
    """
    names = random.sample(list(places), len(places))
    names.sort(key=lambda name: places[name].boot)
    if single:
        return {name: names[at - 1:at] for at, name in enumerate(names)}
    boots = sorted({place.boot for place in places.values()})
    before = dict(zip(boots[1:], boots))
    return {name: [other for other in names if places[other].boot == before.get(places[name].boot)] for name in names}


class Graph:
    """The jobs of one kind that are missing.

    `builds` is the number of kernels that a machine builds at once. `say` prints a line.
    """

    def __init__(self, folder: Path, kind: Kind, say: Callable[[str], object], builds: int = 1) -> None:
        self.folder, self.kind, self.say, self.builds = folder, kind, say, builds
        self.jobs: dict[str, dict[str, Json]] = {KERNEL: {}, EXACT: {}, TIMED: {}}
        self.places: dict[str, dict[str, Place]] = {EXACT: {}, TIMED: {}}

    def add(self, place: Place, directory: Path | None, **how: object) -> None:
        """Add a cell, whose kernel is built first unless its directory is given; `how` is for the kind."""
        needed = None if directory else kernel.named(place.variables)
        if needed:
            self.jobs[KERNEL][needed] = {"variables": dict(place.variables)}
        rule = EXACT if place.exact else TIMED
        self.jobs[rule][place.name] = {"kernel": needed, "directory": directory and str(directory), "after": [], **how}
        self.places[rule][place.name] = place

    def __len__(self) -> int:
        return sum(map(len, self.places.values()))

    def plan(self, single: bool) -> Json:
        """Return all data that jobs need, with the cells that read a clock in the order in which they are measured."""
        after = order(self.places[TIMED], single)
        timed = {name: self.jobs[TIMED][name] | {"after": others} for name, others in after.items()}
        variables = {name: os.environ[name] for name in VARIABLES if os.environ.get(name)}
        return {"kind": self.kind.name, "environment": variables, "processors": len(os.sched_getaffinity(0)),
                "builds": self.builds, **self.jobs, TIMED: timed}

    def run(self, heard: Heard) -> None:
        """Do all jobs. `heard` is called as each ends, with its rule, its name and its outcome."""
        if not self:
            return
        where = profile.wanted()
        with self._locked() as held:
            if where:
                self._clear()
                jobs.write(self.folder / PLAN, self.plan(single=False))
                profile.run(self.folder, where, held, self.jobs, heard)
            else:
                Pool(self.plan(single=True), self.kind, heard).run()

    def _clear(self) -> None:
        for old in (path for path in self.folder.iterdir() if path.name != "lock"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()

    def _locked(self) -> AbstractContextManager[TextIO]:
        """Hold the lock. Snakemake inherits it, so that a second run waits even if this program was killed."""
        return lock.held(self.folder, lambda: self.say(f"waiting for others that work in {self.folder}"))
