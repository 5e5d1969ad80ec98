# SPDX-License-Identifier: GPL-2.0-only
"""Fit each system call's latency to the delay of a permission check.

Measures on the kernels that are named (6.12), and compares the slopes with the checks that lsmpmon counts and with the
published table. build/slopes/ has a folder of each kernel with its measurements, its slopes and a plot, and beside these what is
printed: how many agree. What was measured is kept until one of its inputs changes.

Variables: RUNNER and ACCEL, as for make; with RUNNER=host, this machine, booted with lsm=tunable. RUNS (300; icount: 5), WARMUP
(50; 5), PASSES (3; 1) and PATTERNS set the work. FRESH=1 measures all of it again; RESULTS is the folder for results (build).
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

from lsmlab.measure.plans import request, slopes
from lsmlab.places import REPO

PROGRAM = REPO / "build/bin/lmbench-hook"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kernels", nargs="*", metavar="KVER", help="versions of Linux")


def _measured(results: Path, kernels: list[str]) -> list[Path]:
    """Measure, and return the folders of the results."""
    if request.on_host():
        return [slopes.measure_host(results)]
    request.check()
    request.programs()
    boots = list(slopes.boots(results, kernels))
    request.measure(boots, results)
    return [Path(boot.out) for boot in boots]


def _slopes(out: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Fit slopes, and write the table and its figures to a folder."""
    asked_for: list[str | Path] = [PROGRAM, "slopes", *words, "--json", out / "slopes.json"]
    done = subprocess.run(asked_for, stdout=subprocess.PIPE, text=True)
    (out / "slopes.txt").write_text(done.stdout)
    return done


def main(options: argparse.Namespace) -> int:
    results = request.base() / "slopes"
    folders = _measured(results, options.kernels or [request.version()])
    for folder in folders:
        _slopes(folder, "--plot", folder / "slopes.svg", folder)
    done = _slopes(results, "--brief", *folders)
    print(done.stdout, end="")
    return done.returncode
