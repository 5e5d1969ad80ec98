# SPDX-License-Identifier: GPL-2.0-only
"""One job of a graph: the Snakefile of the pipeline calls it. Builds a kernel or measures a cell, as plan.json in FOLDER
says, and writes its outcome to FOLDER/RULE/NAME.json. Status 1 only if there is nothing to write.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lsmlab.measure.evaluation import measuring
from lsmlab.measure.pipeline import jobs, printed

KINDS = {kind.name: kind for kind in (measuring.KIND, printed.KIND)}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("rule", choices=jobs.RULES, metavar="RULE")
    parser.add_argument("name", metavar="NAME")


def main(options: argparse.Namespace) -> int:
    jobs.do(options.folder, options.rule, options.name, KINDS)
    return 0
