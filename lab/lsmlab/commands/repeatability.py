# SPDX-License-Identifier: GPL-2.0-only
"""Time each sub-benchmark in several boots (5), and print how far apart their medians are.

Raw results go to build/repeatability/. With ACCEL=icount, all medians must be identical. What was measured is kept until one of
its inputs changes.

Variables: KVER, RUNNER, ACCEL and LSM, as for make; RUNS, WARMUP, DIRECTORIES and PATTERNS reduce the work; FRESH=1 measures all
again; RESULTS is the folder for results (build).
"""

from __future__ import annotations

import argparse
import os
import subprocess

from lsmlab.guest.settings import BadSetting, number
from lsmlab.measure.plans import bench, request
from lsmlab.places import REPO

BOOTS = 5


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("boots", nargs="?", default=str(BOOTS), metavar="BOOTS", help="how many boots")


def _boots(text: str) -> int:
    if not text.isdecimal() or int(text) < 2:
        raise BadSetting(f"repeatability '{text}' is not accepted; a whole number of boots, from 2")
    return int(text)


def _command() -> str:
    runs, warmup, directories = (9, 5, 20) if bench.exact() else (300, 50, 100)
    words = ["-n", str(number("RUNS", runs, 1, 10**6)), "-w", str(number("WARMUP", warmup, 1, 10**6)),
             "--directories", str(number("DIRECTORIES", directories, 1, 10**6)), "--json", os.environ.get("PATTERNS", "")]
    return f"set -f; echo '==> run.json'; lmbench-hook run {' '.join(words)}"


def main(options: argparse.Namespace) -> int:
    count = _boots(options.boots)
    request.check()
    request.programs()
    results = request.base() / "repeatability" / f"{request.version()}-{bench.place()}"
    boots = [bench.boot(f"boot-{boot}", results / str(boot), _command(), number=boot, needs=("run.json",))
             for boot in range(1, count + 1)]
    request.measure(boots, results)
    files = [results / str(boot) / "run.json" for boot in range(1, count + 1)]
    words = [REPO / "build/bin/lmbench-hook", "spread", "--unit", "ticks" if bench.exact() else "ns", *files]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True)
    (results / "spread.txt").write_text(done.stdout)
    print(done.stdout, end="")
    return done.returncode
