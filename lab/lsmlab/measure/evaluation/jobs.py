# SPDX-License-Identifier: GPL-2.0-only
"""The jobs of a graph: builds a kernel, or measures a cell, and writes what came of it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from lsmlab.measure.evaluation import guest, kernel, machine, result, work
from lsmlab.measure.evaluation.cell import Boot, Cell, Json

# What comes of a job, besides a reason. Of a kernel: built; of a cell: measured, or kept, since its result was there.
BUILT, MEASURED, KEPT, LEFT_OUT, FAILED = "built", "measured", "kept", "left out", "failed"
# The status, one of these; and a reason, or the directory of a kernel.
Outcome = dict[str, str]
# The file in the folder of a graph that says what its jobs are, by rule and name.
PLAN = "plan.json"
# Of the Snakefile: one for kernels, one for cells that are exact, and one for those that read a real clock.
RULES = KERNEL, EXACT, TIMED = "kernel", "exact", "timed"


def outcome_of(folder: Path, rule: str, name: str) -> Path:
    return folder / rule / f"{name}.json"


def read(path: Path) -> Outcome | None:
    """Return what came of a job; None if it has not ended."""
    try:
        outcome: Outcome = json.loads(path.read_text())
        return outcome
    except (OSError, ValueError):
        return None


def cell_of(about: Json) -> Cell:
    """Return the cell of which this is the json()."""
    kind = Boot if "tree" in about else Cell
    return kind(**{**about, "measures": tuple(about["measures"])})


def key_of(cell: Cell, directory: Path, samples: int, files: str) -> str:
    """Return a hash of all inputs of a result."""
    parts = [json.dumps(cell.json(), sort_keys=True), directory.name, files, str(samples)]
    if work.wanted([cell]):
        parts.append(work.digest())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _unseen(directory: Path) -> dict[str, str]:
    """Return facts about the machine that the guest cannot see."""
    options = kernel.options(directory)
    return {"config": hashlib.sha256(options.encode()).hexdigest()[:16], **machine.about()}


def _build(job: Json) -> Outcome:
    return {"status": BUILT, "directory": str(kernel.build(cell_of(job["cell"])))}


def _measure(job: Json, directory: Path) -> Outcome:
    """Measure a cell unless its result exists."""
    cell, path = cell_of(job["cell"]), Path(job["result"])
    key = job["key"] or key_of(cell, directory, job["samples"], job["files"])
    if result.read_key(path) == key:
        return {"status": KEPT}
    guest.require_modules(cell, directory)
    guest.require_policy(cell)
    guest.require_processors(cell, directory)
    output = guest.boot(cell, directory, job["initrd"], job["samples"], job["patterns"])
    result.write(path, result.assemble(cell, key, output, _unseen(directory)))
    return {"status": MEASURED}


def _ended(folder: Path, plan: Json, rule: str, name: str) -> Outcome:
    """Return what comes of a job. Where its kernel was not built, what came of the kernel comes of the cell."""
    job = plan[rule][name]
    try:
        if rule == KERNEL:
            return _build(job)
        made = read(outcome_of(folder, KERNEL, job["kernel"])) if job["kernel"] else {"directory": job["directory"]}
        if made is None:
            raise kernel.Failed("the job of its kernel left no outcome")
        return _measure(job, Path(made["directory"])) if "directory" in made else made
    except kernel.LeftOut as reason:
        return {"status": LEFT_OUT, "reason": str(reason)}
    except (kernel.Failed, guest.Failed, result.BadOutput) as error:
        return {"status": FAILED, "reason": str(error)}


def do(folder: Path, rule: str, name: str) -> None:
    """Do one job of the graph in a folder."""
    plan = json.loads((folder / PLAN).read_text())
    result.write(outcome_of(folder, rule, name), _ended(folder, plan, rule, name))
