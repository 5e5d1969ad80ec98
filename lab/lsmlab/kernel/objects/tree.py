# SPDX-License-Identifier: GPL-2.0-only
"""The source tree for compiling objects, separate from the one that kernels are built from."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lsmlab.kernel import change
from lsmlab.kernel.tree import Refused, commit
from lsmlab.places import CACHE, REPO


def get_source(env: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the source that KDIR or KVER names; the first call unpacks it.

    If there is none, get-source has printed why, and the command ends with its status.
    """
    done = subprocess.run([REPO / "lab/shell/get-source"], env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return Path(done.stdout.strip())


def pristine(version: str) -> Path:
    """Return the path of the source of a version; the first call unpacks it."""
    return get_source({**{name: value for name, value in os.environ.items() if name != "KDIR"}, "KVER": version})


def _make(source: Path, tree: Path) -> None:
    part = tree.with_name(f"{tree.name}.part")
    for old in (tree, part):
        shutil.rmtree(old, ignore_errors=True)
    subprocess.run(["cp", "-al", source, part], check=True)
    part.rename(tree)


@contextmanager
def ours(version: str, verb: str = "apply") -> Iterator[Path]:
    """Yield the tree with lsmpmon applied (or unapplied), for one user at a time.

    It shares files with the pristine tree, so a file must be replaced, never
    written to.
    """
    source = pristine(version)
    tree = CACHE / "trees" / f"{source.name}-objects"
    tree.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{tree}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not tree.is_dir():
            _make(source, tree)
        try:
            commit.finish(tree)
            getattr(change, verb)(tree)
        except Refused:     # an earlier command was interrupted
            _make(source, tree)
            getattr(change, verb)(tree)
        yield tree
