# SPDX-License-Identifier: GPL-2.0-only
"""Print which LSM hooks are new, gone or changed between two kernel trees, and
whether every call of a hook in the newer one is measured. Calls in functions
security_*() that are no hooks, and that Linux does not have, are listed as such.

A tree without lsmpmon is read as after `make apply`. Where that refuses, it is
read as it is, and the output shows what rules would have to cover. Status 1 if a
call is not measured.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lsmlab.kernel.hooks import defs
from lsmlab.kernel.seam.kernel import Kernel, edited
from lsmlab.kernel.tree import Refused, source


def applied(folder: Path | str) -> tuple[Kernel, str]:
    """Return the kernel with the seam in it, and the words for that."""
    folder = Path(folder)
    if (folder / "include/linux/lsmpmon_hooks.h").exists():
        return Kernel(folder, {}), "with lsmpmon in it"
    try:
        _, files = edited(source.version_of(folder), source.reader(folder))
    except Refused as error:
        return Kernel(folder, {}), f"as it is ({error})"
    return Kernel(folder, files), "with lsmpmon"


def print_difference(difference: defs.Difference) -> None:
    for title, hooks in (("new", difference.new), ("gone", difference.gone)):
        for hook in hooks:
            print(f"{title:8}{hook}")
    for old, new in difference.changed:
        print(f"changed {old}\n     to {new}")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", help="kernel tree")
    parser.add_argument("new", help="kernel tree")


def print_all(options: argparse.Namespace) -> bool:
    (old, _), (new, seam) = applied(options.old), applied(options.new)
    before, after = old.hooks(), new.hooks()
    sites, missed, unused = new.calls()
    names = [f"Linux {source.release_of(kernel.folder)}" for kernel in (old, new)]
    print(f"{names[0]} has {len(before)} hooks, {names[1]} has {len(after)}")
    print_difference(defs.compare(before, after))
    print(f"{names[1]} {seam}: hooks are called in {len(sites)} places, "
          f"{sum(site.measured for site in sites)} measured")
    for name in unused:
        print(f"unused  {name}: nothing calls it")
    for call in new.others():
        print(f"no hook {call}")
    for line in missed:
        print(f"missed  {line}")
    return bool(missed)


def main(options: argparse.Namespace) -> int:
    try:
        return print_all(options)
    except Refused as error:
        print(f"hooks-diff: {error}", file=sys.stderr)
        return 2
