# SPDX-License-Identifier: GPL-2.0-only
"""Make what tar, Git and a compiler work with in the evaluation's part work: the same bytes on every machine, of a version."""

from __future__ import annotations

import argparse
from pathlib import Path

from lsmlab.console import say
from lsmlab.measure.evaluation import frozen


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help=f"a folder; {frozen.VERSION}.tar and {frozen.VERSION}-git.tar are made in it")


def main(options: argparse.Namespace) -> int:
    if not options.folder.is_dir():
        say(f"'{options.folder}': give a folder that exists")
        return 2
    try:
        frozen.make(options.folder)
    except frozen.Differs as error:
        say(error)
        return 1
    return 0
