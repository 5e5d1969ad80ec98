# SPDX-License-Identifier: GPL-2.0-only
"""Counts by function the instructions of one system call in the kernel, with guest/spans.c."""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path

from lsmlab.measure.evaluation import guest, result
from lsmlab.measure.evaluation.cell import Boot
from lsmlab.measure.evaluation.spans import Symbols, spans
from lsmlab.measure.pipeline import jobs, kernel, printed
from lsmlab.measure.pipeline.jobs import Json
from lsmlab.measure.pricing.boot import boots, named
from lsmlab.measure.pricing.run import Run
from lsmlab.measure.pricing.states import State
from lsmlab.places import REPO

FORMAT = {"format": "lsmpmon-functions", "version": 1}
PLUGIN = REPO / "lab/lsmlab/guest/spans.c"


def _least(output: str, benchmark: str) -> int:
    rows = json.loads(printed.split(output)["latency"])["benchmarks"]
    return next(int(row["min"]) for row in rows if row["name"] == benchmark)


def _count(boot: Boot, directory: Path, benchmark: str, run: Run) -> Json:
    """Return the functions of the sample that executes the fewest instructions, as everywhere."""
    with tempfile.NamedTemporaryFile() as out:
        counting = replace(boot, spans=out.name)
        output = guest.boot(counting, directory, run.initrds.of(boot)[0], run.settings.samples, [benchmark])
        least, by_length = _least(output, benchmark), spans(Path(out.name).read_text().splitlines())
    if least not in by_length:
        raise guest.Failed(f"{benchmark}: no span of {least} instructions was seen")
    symbols = Symbols((directory / "System.map").read_text().splitlines())
    return {"instructions": least, "functions": symbols.functions(by_length[least])}


def path_of(results: Path, part: str, stack: str, benchmark: str) -> Path:
    return results / part / "functions" / f"{named(benchmark, stack)}.json"


def _boot(state: State, stack: str, run: Run) -> Boot:
    boot, = boots(state, run.worktree.tree, run.settings.kver, [stack], ["latency"])
    return boot


def _key(boot: Boot, run: Run) -> str:
    return hashlib.sha256(run.key(boot).encode() + PLUGIN.read_bytes()).hexdigest()[:16]


def missing(state: State, run: Run) -> list[tuple[str, str]]:
    """Return the pairs of a sub-benchmark and a stack whose functions have not been counted for a state."""
    return [(benchmark, stack) for benchmark, stack in run.settings.functions
            if result.read_key(path_of(run.results, state.ident, stack, benchmark)) != _key(_boot(state, stack, run), run)]


def measure(state: State, benchmark: str, stack: str, run: Run) -> None:
    boot = _boot(state, stack, run)
    directory = kernel.build(boot.kernel())
    about = {**FORMAT, "key": _key(boot, run), "stack": stack, "benchmark": benchmark}
    path = path_of(run.results, state.ident, stack, benchmark)
    jobs.write(path, about | _count(boot, directory, benchmark, run))
