# SPDX-License-Identifier: GPL-2.0-only
"""Apply and unapply.

States of the affected files: `now` as they are in the tree, `base` without
lsmpmon, `next` as they will be. The record in the tree is the diff from base to
what was applied, so any version of lsmpmon can restore the tree.
"""

from __future__ import annotations

import filecmp
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from lsmlab.kernel.seam import kernel, rules
from lsmlab.kernel.tree import Refused, commit, source
from lsmlab.kernel.tree.staging import Staging, touched

RECORD = ".lsmpmon.patch"
FOLDERS = "lsmpmon-folders:"


def _record(tree: Path) -> Path | None:
    """Return the record in the tree, or None."""
    path = tree / RECORD
    return path if path.is_file() else None


def _folders(record: Path) -> list[str]:
    """Return the folders that were made, from the record."""
    first = record.read_text(errors="replace").split("\n", 1)[0]
    return first[len(FOLDERS):].split() if first.startswith(FOLDERS) else []


def _stage_base(staging: Staging, tree: Path, paths: Iterable[str]) -> None:
    """Make `now` and `base`. Applying the record to base must give `now` again."""
    record = _record(tree)
    staging.fetch("now", tree, paths)
    staging.copy("now", "base")
    if not record:
        return
    staging.patch("base", record, reverse=True)
    staging.copy("base", "again")
    staging.patch("again", record)
    if not staging.same("now", "again"):
        raise Refused(f"{RECORD} no longer fits its files")


def _stage_next(staging: Staging, tree: Path, version: str, files: dict[str, Path], vendors: dict[str, str] | None) -> str:
    """Make `next` of our files and the seam, and check it. Return the message about it."""
    staging.copy("base", "next")
    for path, content in files.items():
        old = staging.state("base") / path
        if old.exists() and old.read_bytes() != content.read_bytes():
            raise Refused(f"{path} exists and is not ours")
        staging.put("next", path, content)
    edited, message = kernel.proven(tree, version, source.reader(staging.state("base")), vendors)
    for path, text in edited.items():
        (staging.state("next") / path).write_bytes(text)
    return message


def _new_folders(tree: Path, staging: Staging, kept: Iterable[str]) -> list[str]:
    """Return the directories that only our files need, including old ones, deepest first."""
    made = set(kept)
    for path in staging.paths("next") - staging.paths("base"):
        for parent in PurePosixPath(path).parents:
            if not (tree / parent).exists():
                made.add(parent.as_posix())
    return sorted(made, reverse=True)


def _differs(one: Path, two: Path) -> bool:
    """Say whether files differ in content or in the executable bit."""
    if not one.exists() or not filecmp.cmp(one, two, shallow=False):
        return True
    return (one.stat().st_mode ^ two.stat().st_mode) & 0o111 != 0


def _bring(tree: Path, staging: Staging, state: str, record: bytes | None, rmdir: Iterable[str]) -> bool:
    """Write only the files that differ, to keep the times of the others."""
    now, then = staging.state("now"), staging.state(state)
    files = {p: then / p for p in staging.paths(state) if _differs(now / p, then / p)}
    remove = sorted(staging.paths("now") - staging.paths(state))
    if record is None:
        remove.append(RECORD)
    else:
        new = staging.path / "record"
        new.write_bytes(record)
        if _differs(tree / RECORD, new):
            files[RECORD] = new
    if files or remove:
        commit.write(tree, files, remove, rmdir)
    return bool(files or remove)


def _stage(staging: Staging, tree: Path, vendors: dict[str, str] | None = None) -> tuple[Path | None, str]:
    """Make all states. Return the record and the message about the kernel."""
    version, record, files = source.version_of(tree), _record(tree), source.files()
    _stage_base(staging, tree, sorted({*files, *rules.files(), *(touched(record) if record else ())}))
    return record, _stage_next(staging, tree, version, files, vendors)


def check(tree: Path) -> None:
    """Raise Refused if apply() would, without changing the tree."""
    with Staging() as staging:
        _stage(staging, tree)


def apply(tree: Path, vendors: dict[str, str] | None = None) -> tuple[bool, str]:
    """Return (whether the tree changed, the message about its kernel); `vendors` are as from seam.vendor.parse()."""
    with Staging() as staging:
        record, message = _stage(staging, tree, vendors)
        made = _new_folders(tree, staging, _folders(record) if record else ())
        head = f"{FOLDERS} {' '.join(made)}\n".encode()
        return _bring(tree, staging, "next", head + staging.diff("base", "next"), ()), message


def unapply(tree: Path) -> tuple[bool, str]:
    """Return the same as apply()."""
    record = _record(tree)
    if not record:
        return False, ""
    with Staging() as staging:
        _stage_base(staging, tree, touched(record))
        return _bring(tree, staging, "base", None, _folders(record)), ""
