# SPDX-License-Identifier: GPL-2.0-only
"""The jobs of a graph on other machines: Snakemake does them where a profile says."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from lsmlab.guest.settings import BadSetting
from lsmlab.measure.pipeline import errors, jobs, processes
from lsmlab.measure.pipeline.jobs import PLAN, Json
from lsmlab.measure.pipeline.pool import Heard
from lsmlab.places import CACHE, REPO

SNAKEFILE = Path(__file__).with_name("Snakefile")
PROFILES = Path(__file__).with_name("profiles")
# Seconds between two looks at which jobs have ended.
LOOK = 0.5
# The log in the graph's folder, of Snakemake and its jobs, and how many of its lines are shown after a failure.
LOG, LINES = "log", 20


class Failed(errors.Failed):
    """Snakemake could not run any job; the message is its own."""


def wanted() -> Path | None:
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


def run(folder: Path, where: Path, lock: TextIO, planned: Mapping[str, Mapping[str, Json]], heard: Heard) -> None:
    """Do the jobs of the plan in a folder. `heard` is called as each ends, and with a failure for those that never end."""
    waited = {(rule, name) for rule, names in planned.items() for name in names}
    number, process = len(waited), start(folder, where, lock)
    try:
        while process.poll() is None:
            time.sleep(LOOK)
            _hear(folder, waited, heard)
    finally:
        processes.end(process)
    _hear(folder, waited, heard)
    if len(waited) == number:
        raise Failed(f"Snakemake did nothing; the whole log: {folder / LOG}\n{_said(folder)}")
    for rule, name in sorted(waited):
        heard(rule, name, {"status": jobs.FAILED, "reason": f"its job did not end; see {folder / LOG}"})


def _hear(folder: Path, waited: set[tuple[str, str]], heard: Heard) -> None:
    for rule, name in sorted(waited):
        outcome = jobs.read(jobs.outcome_of(folder, rule, name))
        if outcome:
            waited.remove((rule, name))
            heard(rule, name, outcome)


def _said(folder: Path) -> str:
    return "\n".join((folder / LOG).read_text(errors="replace").splitlines()[-LINES:])


def command(folder: Path, where: Path) -> list[str | Path]:
    """Return the words that run Snakemake.

    Its own memory of finished jobs is not used: the key of a result names its inputs.
    """
    return [CACHE / "venv/bin/python", "-m", "snakemake", "--snakefile", SNAKEFILE, "--directory", folder,
            "--configfile", folder / PLAN, "--keep-going", "--nolock", "--scheduler", "greedy", "--workflow-profile", "none",
            "--profile", where]


def start(folder: Path, where: Path, lock: TextIO) -> subprocess.Popen[bytes]:
    """Start Snakemake in a session of its own: signals reach it from processes.end() only, and once.

    As after Ctrl-C, its jobs end their guests then, and it cancels those of other machines.
    """
    if not (CACHE / "venv/bin/snakemake").exists():
        subprocess.run([REPO / "scripts/deps", "--python"], check=True, stdout=sys.stderr)
    with open(folder / LOG, "w") as log:
        return subprocess.Popen(command(folder, where), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                pass_fds=[lock.fileno()], start_new_session=True)
