# SPDX-License-Identifier: GPL-2.0-only
"""Put lsmpmon into a kernel tree (apply), or take it out again (unapply).

Any tree from Linux 6.1 on, and from 5.14 on as best effort. Strict: refuses with status 2,
and changes nothing, if a rule of patches/rules.toml does not find its place, if a call of
a hook would not be measured, or if a file of ours exists with other content; the
message names it. Calls in functions security_*() that are no hooks are listed, and
measured if --named says so. The tree's .lsmpmon.patch records the changes. unapply reverts
them byte for byte and leaves other edits alone.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lsmlab.kernel import change
from lsmlab.kernel.seam import vendor
from lsmlab.kernel.tree import Refused, commit

# Leftovers of a build in the user's tree, which must not be copied.
BUILT = ("/.git", "*.o", "*.a", "*.ko", "*.cmd", "/.config", "/vmlinux*", "/include/config",
         "/include/generated", "/arch/*/include/generated")


@contextmanager
def locked(tree: Path) -> Iterator[None]:
    fd = os.open(tree, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def mirror(tree: Path, to: Path) -> None:
    """Make `to` a copy of the user's tree, without our changes."""
    to.mkdir(parents=True, exist_ok=True)
    with locked(to):
        commit.finish(to)
        change.unapply(to)
        excludes = [f"--exclude={pattern}" for pattern in BUILT]
        subprocess.run(["rsync", "-a", "--delete", *excludes, f"{tree}/", f"{to}/"], check=True)


def alter(verb: str, tree: Path, *words: dict[str, str]) -> str:
    with locked(tree):
        commit.finish(tree)
        changed, message = getattr(change, verb)(tree, *words)
    done = {"apply": "applied to", "unapply": "taken out of"}[verb]
    again = {"apply": "already applied to", "unapply": "not applied to"}[verb]
    return "".join(f"lsmpmon: {line}\n" for line in (*message.splitlines(), f"{done if changed else again} {tree}") if line)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--named", default="", metavar="'CALL[=MODULE] ...'",
                        help="calls that are no hooks, to be measured under their names")
    parser.add_argument("verb", choices=("apply", "unapply", "check", "mirror"))
    parser.add_argument("tree", metavar="KDIR")
    parser.add_argument("to", nargs="?", type=Path)


def act(options: argparse.Namespace) -> None:
    if not options.tree:
        raise Refused(f"KDIR is empty: make {options.verb} KDIR=DIR")
    if not Path(options.tree).is_dir():
        raise Refused(f"KDIR='{options.tree}' is not a directory")
    tree = Path(options.tree).resolve()
    if options.verb == "check":
        change.check(tree)
        return
    if options.verb == "mirror":
        mirror(tree, options.to)
        return
    message = alter(options.verb, tree, *([vendor.parse(options.named)] if options.verb == "apply" else []))
    if not options.quiet:
        print(message, end="")


def main(options: argparse.Namespace) -> int:
    try:
        act(options)
    except Refused as error:
        print(f"lsmpmon: refused, nothing is changed: {error}", file=sys.stderr)
        return 2
    return 0
