# SPDX-License-Identifier: GPL-2.0-only
"""Count hooks and lines of code in a kernel's source, by module and by category.

The tables are those of a 2021 paper, with its numbers next to ours.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from lsmlab.analyse.hooks import count, table
from lsmlab.kernel.hooks import modules
from lsmlab.kernel.tree import source
from lsmlab.places import REPO
from lsmpmon_report.evaluation.files import Static

GET_SOURCE = REPO / "lab/shell/get-source"


class Refused(Exception):
    """Print why nothing was counted, and return the status for that."""

    def __init__(self, why: str, status: int = 2) -> None:
        super().__init__(why)
        self.status = status


def tree_of(version: str) -> Path:
    """Return the source of a supported kernel."""
    env = {name: value for name, value in os.environ.items() if name != "KDIR"}
    done = subprocess.run([GET_SOURCE], env={**env, "KVER": version}, capture_output=True, text=True)
    if done.returncode:
        raise Refused(done.stderr.strip().removeprefix("lsmpmon: "), done.returncode)
    return Path(done.stdout.strip())


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("versions", metavar="KVER", nargs="*", help="kernels; without any, all that are supported")
    parser.add_argument("--tree", metavar="DIR", type=Path, help="a source tree instead")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the numbers of one kernel there, too")


def trees(options: argparse.Namespace) -> list[Path]:
    if options.tree and options.versions:
        raise Refused(f"--tree {options.tree} and KVER {' '.join(options.versions)}: only one of them")
    unknown = [version for version in options.versions if version not in source.supported()]
    if unknown:
        raise Refused(f"KVER='{unknown[0]}' is not accepted; one of: {' '.join(source.supported())}")
    versions = [] if options.tree else options.versions or source.supported()
    if options.json and len(versions) > 1:
        raise Refused(f"--json {options.json} is for one kernel, not for {' '.join(versions)}")
    return [options.tree] if options.tree else [tree_of(version) for version in versions]


def write(path: Path, counted: Static) -> None:
    try:
        path.write_text(json.dumps(counted, indent=1) + "\n")
    except OSError as error:
        raise Refused(f"--json {path}: {error.strerror}") from error


def print_tables(options: argparse.Namespace) -> None:
    for number, tree in enumerate(trees(options)):
        counted = count.of(tree)
        if options.json:
            write(options.json, counted)
        print("\n\n" if number else "", end="")
        print("\n".join(table.text(counted)))


def main(options: argparse.Namespace) -> int:
    try:
        print_tables(options)
    except (Refused, count.NotATree, modules.Unknown) as refused:
        print(f"hooks-count: {refused}", file=sys.stderr)
        return getattr(refused, "status", 2)
    return 0
