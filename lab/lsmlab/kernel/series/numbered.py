# SPDX-License-Identifier: GPL-2.0-only
"""The numbered series: the monitor in parts, each applied on those before it.

patches/NUMBER.toml has the patches of each, as patches/series.toml has those of the whole monitor. A patch has whole
files, as they are before later patches make them grow, and `grows`, {file of an earlier patch: items that it adds to
that file}; for the kinds of items see growth.py. So all of them together make the files of the monitor.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsmlab import toml
from lsmlab.kernel.series import plan
from lsmlab.kernel.series.growth import Item
from lsmlab.kernel.series.plan import Step
from lsmlab.kernel.series.resolve import at_least
from lsmlab.kernel.tree import Refused, source
from lsmlab.places import REPO

TABLES = {name: REPO / f"patches/{name}.toml" for name in ("1", "2", "3", "4", "5")}


def read() -> dict[str, toml.Table]:
    """Return the table of each series, in order, with the author of the whole monitor."""
    author = plan.read()["author"]
    return {name: {**plan.read(path), "author": author} for name, path in TABLES.items()}


def _later(rows: Sequence[toml.Table]) -> list[dict[str, list[Item]]]:
    """Return for each patch {path: what later ones add to that file}, in the order in which it is taken out."""
    later: list[dict[str, list[Item]]] = []
    added: dict[str, list[Item]] = {}
    for row in reversed(rows):
        later.append({path: [*items] for path, items in added.items()})
        for path, items in row.get("grows", {}).items():
            added.setdefault(path, []).extend(items)
    return later[::-1]


def _grow(steps: Sequence[tuple[Step, toml.Table]], files: dict[str, Path]) -> None:
    """Add to each step the files that grow in it, and say what is to be taken out of its files."""
    known: set[str] = set()
    for (step, row), later in zip(steps, _later([row for _, row in steps])):
        for path in row.get("grows", {}):
            if path not in known:
                raise Refused(f"{path} grows in '{step.subject}', and is in no patch before that")
            step.files[path] = files[path]
        known.update(step.files)
        step.grows = {path: later[path] for path in step.files if path in later}


def _check(steps: list[Step], whole: list[Step]) -> None:
    """Check that each file and seam of the monitor is in exactly one patch of these series."""
    where = ", ".join(path.name for path in TABLES.values())
    for kind, found in (("file", lambda step: [*step.files]), ("seam", lambda step: [*map(plan.seam_name, step.seams)])):
        names = sorted({name for step in whole for name in found(step)})
        plan.check_once(kind, names, [name for step in steps for name in found(step)], where)


def _steps(table: toml.Table, version: str, files: dict[str, Path], seams: list[Path]) -> list[tuple[Step, toml.Table]]:
    """Return the steps of a table, each with its row, and without what grows."""
    known = plan.read()
    return [(plan.propose(known, version, step), row) for row in table["patch"]
            if (step := plan.pick_step(row, table, files, seams))]


def steps(version: str, tables: dict[str, toml.Table] | None = None) -> dict[str, list[Step]]:
    """Return the patches of each series for a version, in order."""
    tables = read() if tables is None else tables
    since = tables["1"]["since"]
    if not at_least(version, since):
        raise Refused(f"the numbered series are for Linux {since} and later, not for {version}; SERIES=monitor is for all")
    files, seams = source.files(), source.patches(version)
    for name, table in tables.items():
        plan.check_stale(table, files, seams, TABLES[name].name)
    found = {name: _steps(table, version, files, seams) for name, table in tables.items()}
    every = [pair for pairs in found.values() for pair in pairs]
    _check([step for step, _ in every], plan.steps(plan.read(), version, whole=False))
    _grow(every, files)
    return {name: [step for step, _ in pairs] for name, pairs in found.items()}
