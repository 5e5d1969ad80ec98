# SPDX-License-Identifier: GPL-2.0-only
"""Compile lsmpmon and the files that it touches in many configurations, without building a kernel.

    KVER=6.12 scripts/lab matrix [--list] [CONFIGURATION...]

The configurations are those of kconfigs/matrix.toml (default: all). Passed ones
are remembered. Status 1 if one fails.
"""

from __future__ import annotations

import argparse
import os
import sys

from lsmlab.guest.settings import KVER
from lsmlab.kernel.objects import Failed, matrix


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="only print their names")
    parser.add_argument("name", nargs="*", metavar="CONFIGURATION")
    parser.set_defaults(refuse=parser.error)


def main(options: argparse.Namespace) -> bool:
    version = os.environ.get("KVER") or KVER
    configs, failed = matrix.configs(version), False
    for name in options.name or configs:
        if name not in configs:
            options.refuse(f"no configuration {name}; --list prints all")
        if options.list:
            print(name)
            continue
        if not configs[name].exists(version):
            print(f"skipped {name}: Linux {version} has no {configs[name].needs} for {configs[name].arch}")
            continue
        try:
            print(f"ok      {name}: {matrix.compile(version, configs[name])}")
        except Failed as error:
            failed = True
            print(f"FAILED  {name}:\n{error}")
        sys.stdout.flush()
    return failed
