# SPDX-License-Identifier: GPL-2.0-only
"""make cost: the exact price of each commit of a kernel tree, in instructions.

Each commit is built twice, as it is and with the monitor, and booted with each stack of modules and its deciding
policy, where QEMU counts instructions. Each boot is kept in build/cost/results until one of its inputs changes, so an
interrupted run continues where it was. First, a planted change is measured and has to be found exactly.

Variables: KDIR and RANGE=BASE..HEAD, or BEFORE and AFTER, two directories; LSM, stacks with blanks between; BENCH,
patterns of sub-benchmarks ('*'); FUNCTIONS, pairs such as open/landlock of which the functions are counted that execute
more or fewer instructions; CYCLES, such pairs of which the hooks are timed as well, in BOOTS (10) of User-Mode Linux
before and after each commit; SAMPLES (101); CONFIG; LLVM; SELFTEST=no, to plant nothing; PROFILE, a profile of Snakemake,
which says on which machines kernels are built and booted. FORMAT and FAIL_ABOVE are as --format and --fail-above.

Status 1: something could not be measured. 2: a variable was not accepted. 3: over the limit of --fail-above.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from lsmlab.console import progress, say
from lsmlab.measure.pipeline import processes, profile
from lsmlab.measure.pricing import ranges, selftest
from lsmlab.measure.pricing import settings as settings_of
from lsmlab.measure.pricing.measuring import Measuring, estimate
from lsmlab.measure.pricing.run import RESULTS
from lsmlab.places import CACHE, REPO

RANGE = REPO / "build/cost/range.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="only whether the variables are accepted")
    parser.add_argument("--format", default=os.environ.get("FORMAT") or "text", help="text, markdown, html, json or b4")
    parser.add_argument("--fail-above", default=os.environ.get("FAIL_ABOVE") or None, metavar="LIMIT",
                        help="instructions, as 50, or a share, as 1%%: status 3 if a system call costs that much more")


def report(options: argparse.Namespace, python: Path | str, *more: str) -> int:
    words = [str(python), "-m", "lsmpmon_report", "cost", str(RANGE), "--format", options.format, *more]
    if options.fail_above:
        words += ["--fail-above", options.fail_above]
    env = dict(os.environ, PYTHONPATH=str(REPO / "userspace/report"))
    return subprocess.run(words, env=env).returncode


def measure(settings: settings_of.Settings, tested: bool) -> Measuring:
    """Measure, and return the Measuring. The self test comes first, since a failure makes all other results
    worthless.
    """
    measurement = Measuring(settings, say, progress)
    test = selftest.measuring(settings, say, progress) if tested else None
    measurements = [test, measurement] if test else [measurement]
    for one in measurements:
        one.prepare()
    todo = estimate(measurements)
    if todo:
        say(todo)
    if test:
        selftest.run(test)
    measurement.run()
    return measurement


def main(options: argparse.Namespace) -> int:
    began = time.monotonic()
    profile.wanted()
    settings, tested = settings_of.Settings.from_environment(), selftest.wanted()
    status = report(options, sys.executable, "--check")
    if status or options.check:
        return status
    settings_of.check_patterns(settings.patterns)
    processes.end_with_jobs()
    try:
        measurement = measure(settings, tested)
    except selftest.Failed as error:
        say(f"the self test failed, so nothing was measured: {error}")
        return 1
    ranges.write(RANGE, measurement, selftest.PASSED if tested else selftest.OFF)
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    say(f"measured in {minutes} min {seconds} s; results in {RESULTS.relative_to(REPO)}")
    return report(options, CACHE / "venv/bin/python") or int(bool(measurement.failed))
