# SPDX-License-Identifier: GPL-2.0-only
"""Print a linker script for a kernel of the same objects in another layout.

SEED is the whole variation: the same seed and objects give the same image, byte for byte.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

from lsmlab.console import CommandError
from lsmlab.kernel import layout


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("script", type=Path, metavar="SCRIPT", help="the kernel's own, arch/um/kernel/vmlinux.lds")
    parser.add_argument("seed", type=int, metavar="SEED")
    parser.add_argument("archives", metavar="ARCHIVE", nargs="+", help="what is linked, as the linker is told")


def members(archive: str) -> list[str]:
    done = subprocess.run(["ar", "t", archive], capture_output=True, text=True)
    if done.returncode:
        raise CommandError(done.stderr.strip())
    return done.stdout.split()


def main(options: argparse.Namespace) -> None:
    archives = [(archive, members(archive)) for archive in options.archives]
    try:
        print(layout.shuffled(options.script.read_text(), archives, options.seed), end="")
    except layout.BadScript as error:
        raise CommandError(f"{options.script}: {error}") from error
