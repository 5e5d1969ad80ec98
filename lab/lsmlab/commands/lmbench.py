# SPDX-License-Identifier: GPL-2.0-only
"""Compare lmbench-hook's plain calls with lat_syscall of the real LMbench, in one guest.

Debian has LMbench in non-free. It is downloaded from the machine's own mirror, with separate lists of packages, and unpacked in
build/lmbench-program/. Results go to build/lmbench/. Status 3 if the mirror does not have it.

Variables: KVER, as for make; FRESH=1, to measure again; RESULTS, the folder for results (build).
"""

from __future__ import annotations

import argparse

from lsmlab.console import say
from lsmlab.measure.pipeline.errors import LeftOut
from lsmlab.measure.plans import lmbench, request
from lsmlab.publish import tables

NOT_AVAILABLE = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes variables only."""


def main(_: argparse.Namespace) -> int:
    request.check()
    request.programs()
    results = request.base() / "lmbench"
    try:
        boot = lmbench.boot(results)
    except LeftOut as error:
        say(error)
        return NOT_AVAILABLE
    request.measure([boot], request.base() / "lmbench-graph")
    return tables.show(["lmbench"], results)
