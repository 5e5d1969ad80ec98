# SPDX-License-Identifier: GPL-2.0-only
"""Check that each step of the series builds.

    KVER=6.12 SERIES=1 LLVM=-19 scripts/lab series-steps [--boot]

After each patch, compile our files and those that it touches, with W=1 and
gcc, or LLVM if that is set; a warning that the kernel does not have without
the series is a failure. With --boot, build and boot a whole kernel (RUNNER,
by default uml), which takes an hour.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from lsmlab.guest.settings import KVER, llvm
from lsmlab.kernel.objects import Failed, matrix
from lsmlab.kernel.objects.build import Objects
from lsmlab.kernel.objects.tree import ours, pristine
from lsmlab.kernel.series import choice, steps
from lsmlab.kernel.tree import Refused
from lsmlab.places import REPO


def boot(tree: Path) -> str:
    """Boot the tree as it is, without applying anything to it."""
    env = dict(os.environ, KDIR=str(tree), FLAVOUR="asis", CMD="uname -r")
    done = subprocess.run([REPO / "scripts/exec"], env=env, capture_output=True, text=True)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)
    return f"boots {done.stdout.strip()}"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--boot", action="store_true", help="build and boot a kernel each time")


def build_all(options: argparse.Namespace) -> None:
    version = os.environ.get("KVER") or KVER
    config = matrix.configs(version)["all"]
    with ours(version, "unapply") as tree, steps.walk(tree, pristine(version), version, choice.which()) as patches:
        objects = Objects(tree, config.arch, llvm=llvm())
        known = set() if options.boot else matrix.base(objects, config, version)
        for number, subject, changed in patches:
            print(f"{number:2} {subject}: ", end="", flush=True)
            result = boot(tree) if options.boot else matrix.step(objects, config, version, changed, known)
            print(result, flush=True)


def main(options: argparse.Namespace) -> int:
    try:
        build_all(options)
    except Failed as error:
        print(f"FAILED\n{error}")
        return 1
    except Refused as error:
        print(f"lsmpmon: {error}", file=sys.stderr)
        return 2
    return 0
