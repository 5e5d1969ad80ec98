# SPDX-License-Identifier: GPL-2.0-only
"""A whole kernel tree as it is after each patch of a series."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsmlab.kernel.series import history, plan

DATE = "2026-01-01T00:00:00+00:00"


def _put(tree: Path, path: str, content: Path) -> None:
    """Replace the file instead of writing to it, since trees share files."""
    part = tree / f"{path}.part"
    part.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(content, part)
    os.replace(part, tree / path)


def _restore(tree: Path, pristine: Path, paths: Iterable[str]) -> None:
    for path in paths:
        if (pristine / path).is_file():
            _put(tree, path, pristine / path)
        else:
            (tree / path).unlink(missing_ok=True)


def walk(tree: Path, pristine: Path, version: str, name: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield (number, subject, changed paths) with the tree in that state. At the end the tree is pristine.

    `name` is that of the series, as SERIES has it.
    """
    table, steps = plan.planned(name, version)
    paths = history.touched_by(steps)
    with tempfile.TemporaryDirectory(prefix="lsmpmon-steps.") as name:
        past = history.History(name, DATE)
        past.base(table["author"], pristine, paths)
        try:
            for number, step in enumerate(steps, start=1):
                past.step(step)
                changed = past.git("diff", "--name-only", "HEAD^").splitlines()
                for path in changed:
                    _put(tree, path, past.folder / path)
                yield number, step.subject, changed
        finally:
            _restore(tree, pristine, paths)
