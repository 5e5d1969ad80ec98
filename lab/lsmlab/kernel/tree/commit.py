# SPDX-License-Identifier: GPL-2.0-only
"""Changes a tree atomically, even if interrupted.

All changes are first written to a folder in the tree. Renaming that folder
commits them: before it, nothing has changed; after it, the changes are carried
out, now or by the next command on this tree.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

DRAFT = ".lsmpmon.draft"
READY = ".lsmpmon.ready"


def finish(tree: Path) -> None:
    """Finish an interrupted command."""
    shutil.rmtree(tree / DRAFT, ignore_errors=True)
    ready = tree / READY
    if not ready.is_dir():
        return
    files = ready / "files"
    for path in sorted(p for p in files.rglob("*") if p.is_file()):
        target = tree / path.relative_to(files)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, target)
    for name in (ready / "remove").read_text().splitlines():
        (tree / name).unlink(missing_ok=True)
    for name in (ready / "rmdir").read_text().splitlines():
        _remove_empty(tree / name)
    shutil.rmtree(ready)


def _remove_empty(folder: Path) -> None:
    """Remove the folder unless it has files of others."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def write(tree: Path, files: dict[str, Path], remove: Iterable[str], rmdir: Iterable[str]) -> None:
    """Write and remove files at once. `files` is {path in the tree: file with the new content and mode}."""
    draft = tree / DRAFT
    (draft / "files").mkdir(parents=True)
    for name, content in files.items():
        target = draft / "files" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(content, target)
    (draft / "remove").write_text("".join(f"{name}\n" for name in remove))
    (draft / "rmdir").write_text("".join(f"{name}\n" for name in rmdir))
    draft.rename(tree / READY)
    finish(tree)
