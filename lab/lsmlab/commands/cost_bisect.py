# SPDX-License-Identifier: GPL-2.0-only
"""cost-bisect BENCHMARK/STACK LIMIT: whether a system call costs too much at HEAD, for `git bisect run`.

	git bisect run .../scripts/cost-bisect open/landlock '>2600'

measures the sub-benchmark `open` under Landlock at the commit that the git tree of the current directory (or KDIR) is
at, and prints its instructions. LIMIT says what is bad: '>N' or '<N'.

Status 0: good. 1: bad. 125: it does not build or boot, so git skips it. 255: an argument was not accepted, which ends
the bisection.
"""

from __future__ import annotations

import argparse
import json
import operator
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from lsmlab.console import say
from lsmlab.guest.settings import BadSetting
from lsmlab.measure.pipeline import processes, profile
from lsmlab.measure.pricing import settings as settings_of
from lsmlab.measure.pricing import states
from lsmlab.measure.pricing.measuring import Measuring
from lsmlab.measure.pricing.run import RESULTS
from lsmlab.places import REPO

GOOD, BAD, SKIP, ABORT = 0, 1, 125, 255
# The status of command.py if an argument was not accepted.
MISUSED = ABORT
COMPARE = {">": operator.gt, "<": operator.lt}


def limit(text: str) -> Callable[[float], bool]:
    """Return a function that says of a number of instructions whether it is bad."""
    match = re.fullmatch(r"([<>])\s*(\d+(?:\.\d+)?)", text)
    if not match:
        raise BadSetting(f"LIMIT '{text}' is not accepted; what is bad, as '>2600' or '<2000'")
    return lambda value: COMPARE[match[1]](value, float(match[2]))


def settings(what: str) -> settings_of.Settings:
    benchmark, stack = settings_of.pair("BENCHMARK/STACK", what)
    tree = Path(os.environ.get("KDIR") or states.git(Path.cwd(), "rev-parse", "--show-toplevel"))
    return settings_of.Settings(tree, [states.head(tree)], [stack], [benchmark], settings_of.samples(), [])


def instructions(wanted: settings_of.Settings) -> float:
    state, = wanted.states
    result = json.loads((RESULTS / state.ident / f"{wanted.stacks[0]}-latency.json").read_text())
    row, = result["latency"]["benchmarks"]
    least: float = row["min"] - result["latency"]["empty"]["min"]
    return least


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="BENCHMARK/STACK")
    parser.add_argument("limit", metavar="LIMIT")


def judge(options: argparse.Namespace) -> int:
    is_bad, wanted = limit(options.limit), settings(options.what)
    profile.wanted()
    processes.end_with_jobs()
    subprocess.run(["make", "-s", "-C", REPO, "tools"], check=True, stdout=sys.stderr)
    settings_of.check_patterns(wanted.patterns)
    measuring = Measuring(wanted, say, lambda text: None, ["latency"])
    measuring.prepare()
    measuring.run()
    if measuring.failed:
        return SKIP
    value = instructions(wanted)
    print(f"{wanted.states[0].name} {options.what}: {value:g} instructions, {'bad' if is_bad(value) else 'good'}")
    return BAD if is_bad(value) else GOOD


def main(options: argparse.Namespace) -> int | str | None:
    try:
        return judge(options)
    except (BadSetting, profile.Failed) as error:
        say(error)
        return ABORT
    except SystemExit as status:
        return ABORT if status.code == 2 else status.code
    except KeyboardInterrupt:
        return 130
