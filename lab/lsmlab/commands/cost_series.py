# SPDX-License-Identifier: GPL-2.0-only
"""cost-series [NAME=VALUE...]: what a series costs that you review, for the checks of `b4 review`.

	git config b4.review-series-check-cmd ".../scripts/cost-series LSM=landlock BENCH='open* stat'"

b4 has to have checked the series out: its branch is measured, from the commit before the first patch. What is printed and
the status are those of scripts/cost with FORMAT=b4. The variables are the same, without KDIR, RANGE and FORMAT; the
environment may have them as well.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import NoReturn

from lsmlab.measure.pricing import series, settings, states
from lsmlab.places import REPO


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("variables", nargs="*", metavar="NAME=VALUE")


def main(options: argparse.Namespace) -> NoReturn:
    """Become scripts/cost."""
    variables = settings.variables(options.variables)
    fixed = {"KDIR": states.git(Path.cwd(), "rev-parse", "--show-toplevel"), "FORMAT": "b4",
             "RANGE": series.range_of(os.environ.get(series.VARIABLE, ""))}
    os.execve(REPO / "scripts/cost", ["cost"], os.environ | variables | fixed)
