# SPDX-License-Identifier: GPL-2.0-only
"""Write lsmpmon as a mail series for KVER (or KDIR) to build/series/VERSION/.

That is the first series: the least that is of use by itself, see patches/1.toml.
With SERIES=2 to 5, it is one of those that are applied on top, see patches/2.toml and so
on. With SERIES=monitor, it is the whole monitor; with SERIES=all, `git am --empty=drop
build/series/VERSION-all/*.patch` in a pristine tree does what `make apply` does. Prints
the folder. What is in which patch of these two is said in patches/series.toml.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from lsmlab.kernel.objects.tree import get_source
from lsmlab.kernel.series import choice, history
from lsmlab.kernel.tree import Refused, source
from lsmlab.places import REPO

COVER = """{subject} for Linux {version}

{cover}

Base: Linux {base}
Edits of existing files: {added} lines added, {removed} removed, in {files} files

{changes}
"""


def git_of(folder: Path, *words: str) -> str:
    """Return the output of git if the folder is the top of a checkout, else nothing."""
    if not (folder / ".git").exists():
        return ""
    done = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def date() -> str:
    """Return the date of the sources, so that the same sources give the same mails."""
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S+00:00")
    return git_of(REPO, "log", "-1", "--format=%cI") or now


def base_of(tree: Path, earlier: str) -> str:
    """Return a release and the commit or package that has it, and earlier series."""
    return _release(tree) + (f"\nwith {earlier} of this monitor applied" if earlier else "")


def _release(tree: Path) -> str:
    """Return a release and the commit or package that has it."""
    text = (tree / "Makefile").read_text()
    numbers = re.findall(r"^(?:VERSION|PATCHLEVEL|SUBLEVEL) = (\d+)$", text, re.M)[:3]
    commit = git_of(tree, "rev-parse", "HEAD")
    if commit:
        return f"{'.'.join(numbers)}\nbase-commit: {commit}"
    if os.environ.get("KDIR"):
        return ".".join(numbers)
    kver, _, package = tree.name.partition("-")
    return f"{'.'.join(numbers)}, Debian's package linux-source-{kver} {package}"


def write(tree: Path, folder: Path, name: str) -> None:
    version = source.version_of(tree)
    series = choice.chosen(name, version)
    table, earlier = series.table, series.earlier
    with tempfile.TemporaryDirectory(prefix="lsmpmon-series.") as scratch:
        past = history.History(scratch, date())
        past.base(table["author"], tree, history.touched_by([*earlier, *series.steps]))
        for step in earlier:
            past.step(step)
        base = past.git("rev-parse", "HEAD").strip()
        for step in series.steps:
            past.step(step)
        added, removed, files = past.edits(base)
        cover = COVER.format(subject=table["subject"], version=version,
                             cover=table["cover"].strip(), base=base_of(tree, series.base), added=added,
                             removed=removed, files=files, changes=table["changes"])
        past.mails(base, cover, table["revision"], folder)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes variables only."""


def make() -> None:
    name = choice.which()
    tree = get_source()
    out = REPO / "build/series" / f"{source.version_of(tree)}{choice.SERIES[name]}"
    part = out.with_suffix(f"{out.suffix}.part.{os.getpid()}")
    try:
        write(tree, part, name)
        shutil.rmtree(out, ignore_errors=True)
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    print(out)


def main(_: argparse.Namespace) -> int:
    try:
        make()
    except Refused as error:
        print(f"lsmpmon: no series: {error}", file=sys.stderr)
        return 2
    return 0
