# SPDX-License-Identifier: GPL-2.0-only
"""A whole kernel tree as it is after each patch of a series."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lsmlab.kernel.series import choice, history
from lsmlab.kernel.series.plan import Step

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


def _take(past: history.History, steps: list[Step], tree: Path) -> list[str]:
    """Take some steps, and return the paths that have changed in the tree."""
    base = past.git("rev-parse", "HEAD").strip()
    for step in steps:
        past.step(step)
    changed = past.git("diff", "--name-only", base).splitlines()
    for path in changed:
        _put(tree, path, past.folder / path)
    return changed


def _each(past: history.History, series: choice.Series, tree: Path) -> Iterator[tuple[int, str, list[str]]]:
    changed = _take(past, series.earlier, tree)
    for number, step in enumerate(series.steps, start=1):
        changed += _take(past, [step], tree)
        yield number, step.subject, changed
        changed = []


@contextmanager
def walk(tree: Path, pristine: Path, version: str, name: str) -> Iterator[Iterator[tuple[int, str, list[str]]]]:
    """Yield the steps, each of which brings the tree into its state and is (number, subject, paths changed in the tree).

    `name` is that of the series, as SERIES has it. The first step also applies the series before it. The tree is pristine
    before the first step, and at the end, even if that is an exception.
    """
    series = choice.chosen(name, version)
    paths = history.touched_by([*series.earlier, *series.steps])
    with tempfile.TemporaryDirectory(prefix="lsmpmon-steps.") as scratch:
        past = history.History(scratch, DATE)
        past.base(series.table["author"], pristine, paths)
        try:
            yield _each(past, series, tree)
        finally:
            _restore(tree, pristine, paths)
