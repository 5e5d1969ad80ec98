# SPDX-License-Identifier: GPL-2.0-only
"""Fit each system call's latency to the delay of a permission check.

Measures on the kernels that are named (6.12), and compares the slopes with the checks that lsmpmon counts and with the
published table. Measurements, text, figures and plots go to build/slopes/. What was measured is kept until one of its inputs
changes.

Variables: RUNNER and ACCEL, as for make; with RUNNER=host, this machine, booted with lsm=tunable. RUNS (300; icount: 5), WARMUP
(50; 5), PASSES (3; 1) and PATTERNS set the work. FRESH=1 measures all of it again; RESULTS is the folder for results (build).
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

from lsmlab.guest.settings import KVER
from lsmlab.measure.plans import asked, slopes
from lsmlab.places import REPO

PROGRAM = REPO / "build/bin/lmbench-hook"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kernels", nargs="*", metavar="KVER", help="versions of Linux")


def _measured(results: Path, kernels: list[str]) -> list[Path]:
    """Measure, and return the folders of the results."""
    if asked.on_host():
        return [slopes.measure_host(results)]
    asked.check()
    asked.programs()
    boots = list(slopes.boots(results, kernels))
    asked.measure(boots, results)
    return [Path(boot.out) for boot in boots]


def main(options: argparse.Namespace) -> int:
    results = asked.base() / "slopes"
    folders = _measured(results, options.kernels or [os.environ.get("KVER") or KVER])
    for folder in folders:
        subprocess.run([PROGRAM, "slopes", folder, "--plot", folder / "slopes.svg"], stdout=subprocess.DEVNULL, check=True)
    words: list[str | Path] = [PROGRAM, "slopes", *folders, "--json", results / "slopes.json"]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True)
    (results / "slopes.txt").write_text(done.stdout)
    print(done.stdout, end="")
    return done.returncode
