# SPDX-License-Identifier: GPL-2.0-only
"""The measurement of a cell: boots its guest, and keeps the result by a hash of its inputs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from lsmlab.guest.settings import ARCHES
from lsmlab.measure.evaluation import guest, machine, result, work
from lsmlab.measure.evaluation.cell import Boot, Cell
from lsmlab.measure.pipeline import jobs, kernel
from lsmlab.measure.pipeline.graph import Graph
from lsmlab.measure.pipeline.jobs import KEPT, MEASURED, Json, Kind

# The option that kernels of arm64 have.
ARM64 = "CONFIG_ARM64=y"


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
    """Return facts about the machine that the guest does not tell: of its architecture, if that is not x86-64."""
    options = kernel.options(directory)
    arch = {"arch": ARCHES[1]} if ARM64 in options.splitlines() else {}
    return {"config": hashlib.sha256(options.encode()).hexdigest()[:16], **arch, **machine.about()}


def _measure(job: Json, directory: Path) -> str:
    """Measure a cell unless its result exists."""
    cell, path = cell_of(job["cell"]), Path(job["result"])
    key = job["key"] or key_of(cell, directory, job["samples"], job["files"])
    if result.read_key(path) == key:
        return KEPT
    guest.require_modules(cell, directory)
    guest.require_policy(cell)
    output = guest.boot(cell, directory, job["initrd"], job["samples"], job["patterns"])
    jobs.write(path, result.assemble(cell, key, output, _unseen(directory)))
    return MEASURED


KIND = Kind("evaluation", _measure)


def add(graph: Graph, cell: Cell, directory: Path | None, **how: object) -> None:
    """Add a cell to a graph of this kind. `how` has its result, initrd, patterns, and what key_of() needs."""
    graph.add(cell.place(), directory, cell=cell.json(), **how)
