# SPDX-License-Identifier: GPL-2.0-only
"""The jobs of a graph: each builds a kernel, or measures a cell, and has an outcome."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsmlab.measure.pipeline import kernel
from lsmlab.measure.pipeline.errors import Failed, LeftOut

# An object of a JSON file, with any values.
Json = dict[str, Any]
# The status, one of those below; and a reason, or the directory of a kernel.
Outcome = dict[str, str]
# A kernel was built; a cell was measured, or its kept result was used.
BUILT, MEASURED, KEPT, LEFT_OUT, FAILED = "built", "measured", "kept", "left out", "failed"
# The file in the folder of a graph that has its jobs, by rule and name.
PLAN = "plan.json"
# One for kernels, one for cells that are exact, and one for those that read a real clock.
RULES = KERNEL, EXACT, TIMED = "kernel", "exact", "timed"


@dataclass(frozen=True)
class Kind:
    """A kind of cells.

    `measure` gets the arguments of Graph.add() for a cell, and the directory of its kernel; it returns whether the cell was
    MEASURED or KEPT, or raises Failed or LeftOut.
    """

    name: str
    measure: Callable[[Json, Path], str]


def outcome_of(folder: Path, rule: str, name: str) -> Path:
    """Return the file in which a job on another machine leaves its outcome."""
    return folder / rule / f"{name}.json"


def read(path: Path) -> Outcome | None:
    """Return the outcome of a job; None if the job has not ended."""
    try:
        outcome: Outcome = json.loads(path.read_text())
        return outcome
    except (OSError, ValueError):
        return None


def write(path: Path, content: object) -> None:
    """Write JSON atomically, since an interruption may come at any time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(content, indent=1) + "\n")
    os.replace(part, path)


def build(job: Json) -> Outcome:
    """Build the kernel of a job, and return the outcome."""
    try:
        return {"status": BUILT, "directory": str(kernel.build(job["variables"]))}
    except (Failed, LeftOut) as error:
        return _reason(error)


def measure(kind: Kind, job: Json, made: Outcome | None) -> Outcome:
    """Measure a cell, and return the outcome. If its kernel was not built, the cell gets the outcome `made` of the kernel."""
    if made is None:
        return {"status": FAILED, "reason": "the job of its kernel left no outcome"}
    if "directory" not in made:
        return made
    try:
        return {"status": kind.measure(job, Path(made["directory"]))}
    except (Failed, LeftOut) as error:
        return _reason(error)


def _reason(error: Failed | LeftOut) -> Outcome:
    return {"status": LEFT_OUT if isinstance(error, LeftOut) else FAILED, "reason": str(error)}


def do(folder: Path, rule: str, name: str, kinds: dict[str, Kind]) -> None:
    """Do one job of the plan in a folder, on any machine, and write its outcome there."""
    plan = json.loads((folder / PLAN).read_text())
    job = plan[rule][name]
    if rule == KERNEL:
        outcome = build(job)
    else:
        made = {"directory": job["directory"]} if job["directory"] else read(outcome_of(folder, KERNEL, job["kernel"]))
        outcome = measure(kinds[plan["kind"]], job, made)
    write(outcome_of(folder, rule, name), outcome)
