# SPDX-License-Identifier: GPL-2.0-only
"""cost-patch [NAME=VALUE...] <PATCH: what one patch of a series costs, for `b4 prep --check`.

	git config b4.prep-perpatch-check-cmd ".../scripts/cost-patch LSM=landlock BENCH='open* stat'"

The patch has to be one of the last 500 commits of the git tree that you are in. Prints nothing if no system call changed,
a line with WARNING if one did, and one with ERROR over the limit of FAIL_ABOVE or if something could not be measured. The
variables are those of scripts/cost, without KDIR, RANGE and FORMAT; the environment may have them as well.

Status 0: measured. 1: it could not be. 2: the patch or a variable was not accepted. 3: over the limit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from lsmlab.measure.pipeline.jobs import Json
from lsmlab.measure.pricing import patches, settings, states
from lsmlab.places import REPO


def measure(tree: str, commit: str, variables: dict[str, str]) -> tuple[int, Json]:
    """Return the status, and the result for b4."""
    env = dict(os.environ, **variables, KDIR=tree, RANGE=f"{commit}^..{commit}", FORMAT="b4")
    done = subprocess.run([REPO / "scripts/cost"], env=env, capture_output=True, text=True)
    if not done.stdout:
        sys.stderr.write("".join(done.stderr.splitlines(keepends=True)[-1:]) or "lsmpmon: scripts/cost said nothing\n")
        sys.exit(done.returncode if done.returncode > 0 else 1)
    row, = json.loads(done.stdout)
    return done.returncode, row


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("variables", nargs="*", metavar="NAME=VALUE")


def main(options: argparse.Namespace) -> int:
    variables = settings.variables(options.variables)
    tree = states.git(Path.cwd(), "rev-parse", "--show-toplevel")
    status, row = measure(tree, patches.commit_of(sys.stdin.buffer.read(), tree), variables)
    line = patches.line_of(row)
    if line:
        print(line)
    return status
