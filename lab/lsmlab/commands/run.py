# SPDX-License-Identifier: GPL-2.0-only
"""make run: measure what the hooks of every module cost.

Boots the kernel once per module, does the same file operations in each, and prints what each hook of each module cost. Raw
results go to build/run/RUNNER/MODULE/, the table and its figures to run.txt and run.json next to them; with ARCH=arm64, LLVM or
CONFIG, the folder is RUNNER-arm64, RUNNER-llvm or RUNNER-config. With several versions in KVER, does this on each kernel, in
build/run/KVER/, records the same operations, and compares the records with lsmpmon diff. What was measured is kept until one of
its inputs changes, so an interrupted run goes on where it was.

Variables: KVER, KDIR, RUNNER, ARCH, ACCEL, FLAVOUR, CPUS, KARGS; MODULES, the modules; ROUNDS (200), of each file operation;
FRESH=1, to measure all again; PROFILE; RESULTS, the folder for results (build/run); RUNNER=host, this machine as it is booted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

from lsmlab.guest.settings import ARCHES
from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.plans import request, run
from lsmlab.places import REPO
from lsmlab.publish import tables


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes variables only."""


def _compare(results: Path, module: str) -> None:
    """Compare the records of the kernels, in the order of KVER."""
    print(f"{module}: {' '.join(run.versions())}", flush=True)
    records = [run.folder(results, kver, module) / "record.json" for kver in run.versions()]
    if subprocess.run([REPO / "build/bin/lsmpmon", "diff", *records]).returncode:
        raise Failed(f"the records of {module} cannot be compared")


def main(_: argparse.Namespace) -> int:
    if request.on_host():
        request.measure_host("host", "run")
    request.check(arches=ARCHES)
    results = Path(os.environ.get("RESULTS") or REPO / "build/run").resolve()
    request.programs()
    if subprocess.run([REPO / "lab/shell/lsm-tools"]).returncode:
        raise Failed("the policies of the modules cannot be made")
    request.measure(list(run.boots(results)), results)
    if len(run.versions()) > 1:
        for module in run.modules():
            _compare(results, module)
        return 0
    measured = [run.folder(results, run.versions()[0], module) for module in run.modules()]
    return tables.show(["table"], measured[0].parent / "run.txt", *measured)
