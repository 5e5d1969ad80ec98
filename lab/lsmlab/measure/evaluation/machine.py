# SPDX-License-Identifier: GPL-2.0-only
"""RUNNER=host: measures what EVAL=quick does, on this machine as it is booted. Each boot adds a result."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
from pathlib import Path

from lsmlab.measure.evaluation import result
from lsmlab.measure.evaluation.cell import Cell
from lsmlab.measure.pipeline import jobs
from lsmlab.places import REPO

# Modules that are in every boot.
ALWAYS = ("capability", "ima", "evm")
MEASURES = ("latency", "hooks")


def _cell() -> Cell:
    release, lsm = platform.release(), Path("/sys/kernel/security/lsm").read_text().strip()
    chosen = [name for name in lsm.split(",") if name not in ALWAYS] or ["capability"]
    return Cell("yours", f"{release}-{'.'.join(chosen)}", MEASURES, "patched", lsm, release, "host", "none")


def about() -> dict[str, str]:
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    return {"processor": model[1] if model else "?", "date": datetime.date.today().isoformat()}


def measure(results: Path, samples: int) -> None:
    """Measure without patterns: the file operations and their variations. Nothing is mounted, and no network is used."""
    settings = f"cell_measures={','.join(MEASURES)} cell_samples={samples}"
    done = subprocess.run([REPO / "lab/shell/host", "command", "lab/inside/eval"], text=True,
                          stdout=subprocess.PIPE, env={**os.environ, "CELL": settings})
    if done.returncode:
        raise SystemExit(done.returncode)
    cell = _cell()
    jobs.write(results / cell.path, result.assemble(cell, "", done.stdout, about()))
