# SPDX-License-Identifier: GPL-2.0-only
"""Kernels to build and cells to measure as a graph of jobs, which Snakemake runs: on this machine, or where a profile of
Snakemake says.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TextIO

from lsmlab.console import Told
from lsmlab.guest.settings import BadSetting
from lsmlab.measure.evaluation import jobs
from lsmlab.measure.evaluation.cell import Cell, Json
from lsmlab.measure.evaluation.jobs import EXACT, KERNEL, PLAN, TIMED
from lsmlab.places import CACHE, REPO

SNAKEFILE = Path(__file__).with_name("Snakefile")
PROFILES = Path(__file__).with_name("profiles")
# What kernels and guests depend on, for machines that do not get the variables of this one.
VARIABLES = ("KDIR", "CONFIG", "DEADLINE", "XDG_CACHE_HOME")
# Seconds between two looks at what has ended, and in which jobs end their guests after they were told to.
LOOK, PATIENCE = 0.5, 60
# Of the graph's folder: what Snakemake and its jobs say, and how much of that is shown where it fails.
LOG, LINES = "log", 20
# Who hears of a job that has ended: its rule, its name, and what came of it.
Heard = Callable[[str, str, jobs.Outcome], object]


class Failed(Told):
    """Snakemake could not run any job, and what it said."""


def profile() -> Path | None:
    """Return the folder that PROFILE names, or None."""
    text = os.environ.get("PROFILE", "")
    if not text:
        return None
    folder = Path(text) if "/" in text else PROFILES / text
    if not any(folder.glob("config*.yaml")):
        ours = " ".join(sorted(path.name for path in PROFILES.iterdir()))
        raise BadSetting(f"PROFILE='{text}' is not accepted; a folder with a / in its name and config.yaml, a profile of "
                         f"Snakemake, in it, or one of: {ours}")
    return folder.resolve()


def end_with_jobs() -> None:
    """Let a signal that ends this program end its jobs, too."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda got, _: sys.exit(128 + got))


def order(cells: Mapping[str, Cell], single: bool) -> dict[str, list[str]]:
    """Return the cells that each cell waits for. First boots come before second ones, and the rest is random, so that drifts of
    a machine don't bias a cell. On a single machine, each cell waits for the one before it.
    """
    names = random.sample(list(cells), len(cells))
    names.sort(key=lambda name: cells[name].boot)
    if single:
        return {name: names[at - 1:at] for at, name in enumerate(names)}
    boots = sorted({cell.boot for cell in cells.values()})
    before = dict(zip(boots[1:], boots))
    return {name: [other for other in names if cells[other].boot == before.get(cells[name].boot)] for name in names}


class Graph:
    """The jobs that are missing. `builds`: how many kernels a machine builds at once. `say` gets what is worth a line."""

    def __init__(self, folder: Path, say: Callable[[str], object], builds: int = 1) -> None:
        self.folder, self.say, self.builds = folder, say, builds
        self.jobs: dict[str, dict[str, Json]] = {KERNEL: {}, EXACT: {}, TIMED: {}}
        self.cells: dict[tuple[str, str], Cell] = {}

    def add(self, cell: Cell, directory: Path | None, **how: object) -> None:
        """Add a cell, whose kernel is built first unless its directory is given."""
        name = cell.path.removesuffix(".json")
        kernel = None if directory else "-".join(Path(value).name for value in cell.kernel().values())
        if kernel:
            self.jobs[KERNEL][kernel] = {"cell": cell.json()}
        rule = EXACT if cell.exact else TIMED
        self.jobs[rule][name] = {"cell": cell.json(), "kernel": kernel, "directory": directory and str(directory), "after": [],
                                 **how}
        self.cells[rule, name] = cell

    def __len__(self) -> int:
        return len(self.cells)

    def plan(self, single: bool) -> Json:
        timed = {name: self.cells[TIMED, name] for name in self.jobs[TIMED]}
        for name, others in order(timed, single).items():
            self.jobs[TIMED][name]["after"] = others
        variables = {name: os.environ[name] for name in VARIABLES if os.environ.get(name)}
        return {"environment": variables, "processors": len(os.sched_getaffinity(0)), "builds": self.builds, **self.jobs}

    def run(self, heard: Heard) -> None:
        """Do all jobs. `heard` gets each as it ends: its rule, its name, and what came of it."""
        if not self.cells:
            return
        where = profile()
        with self._locked() as lock:
            for old in (path for path in self.folder.iterdir() if path.name != "lock"):
                shutil.rmtree(old) if old.is_dir() else old.unlink()
            (self.folder / PLAN).write_text(json.dumps(self.plan(not where), indent=1))
            self._listen(start(self.folder, where, lock), heard)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[TextIO]:
        """Hold the lock. Snakemake has it, too: it keeps others out where this program was killed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.say(f"waiting for others that work in {self.folder}")
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield lock

    def _listen(self, process: subprocess.Popen[bytes], heard: Heard) -> None:
        waited = {(rule, name) for rule, names in self.jobs.items() for name in names}
        number = len(waited)
        try:
            while process.poll() is None:
                time.sleep(LOOK)
                self._hear(waited, heard)
        finally:
            stop(process)
        self._hear(waited, heard)
        if len(waited) == number:
            raise Failed(f"Snakemake did nothing; the whole log: {self.folder / LOG}\n{self._said()}")
        for rule, name in sorted(waited):
            heard(rule, name, {"status": jobs.FAILED, "reason": f"its job did not end; see {self.folder / LOG}"})

    def _hear(self, waited: set[tuple[str, str]], heard: Heard) -> None:
        for rule, name in sorted(waited):
            outcome = jobs.read(jobs.outcome_of(self.folder, rule, name))
            if outcome:
                waited.remove((rule, name))
                heard(rule, name, outcome)

    def _said(self) -> str:
        return "\n".join((self.folder / LOG).read_text(errors="replace").splitlines()[-LINES:])


def command(folder: Path, where: Path | None) -> list[str | Path]:
    """Return the words that run Snakemake. Its own memory of what was done is not used: a result says by its key what it was
    made of.
    """
    return [CACHE / "venv/bin/python", "-m", "snakemake", "--snakefile", SNAKEFILE, "--directory", folder,
            "--configfile", folder / PLAN, "--keep-going", "--nolock", "--scheduler", "greedy", "--workflow-profile", "none",
            *(["--profile", where] if where else ["--profile", "none", "--cores", "all"])]


def start(folder: Path, where: Path | None, lock: TextIO) -> subprocess.Popen[bytes]:
    """Start Snakemake in a session of its own: signals reach it from stop() only, and once."""
    if not (CACHE / "venv/bin/snakemake").exists():
        subprocess.run([REPO / "scripts/deps", "--python"], check=True, stdout=sys.stderr)
    with open(folder / LOG, "w") as log:
        return subprocess.Popen(command(folder, where), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                pass_fds=[lock.fileno()], start_new_session=True)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop Snakemake as Ctrl-C does: jobs end their guests, and Snakemake cancels those of other machines."""
    for number, seconds in ((signal.SIGINT, PATIENCE), (signal.SIGKILL, None)):
        if process.poll() is None:
            os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
