# SPDX-License-Identifier: GPL-2.0-only
"""Remembers passed checks by a hash of their inputs."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from lsmlab.kernel.tree import source
from lsmlab.places import CACHE

DAYS = 30


def digest(*words: object, files: Iterable[Path] = ()) -> str:
    """Return a hash of words and of files with their names."""
    whole = hashlib.sha256("\0".join(map(str, words)).encode())
    for path in sorted(files):
        whole.update(f"\0{Path(path).name}\0".encode() + Path(path).read_bytes())
    return whole.hexdigest()[:32]


def inputs(version: str) -> list[Path]:
    """Return what a check depends on: our sources, the seams, and the code of the check."""
    compiled = [path for name, path in source.files().items()
                if not name.startswith(("Documentation/", "tools/"))]
    return [*compiled, *source.patches(version), *Path(__file__).parent.glob("*.py")]


def once(key: str, check: Callable[[], str | None]) -> str:
    """Call a check, which raises if it fails, unless it has passed with the same inputs.

    The text that it returns is remembered as well.
    """
    path = CACHE / "passed" / key
    if path.is_file():
        os.utime(path)
        return path.read_text()
    text = check() or ""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{key}.{os.getpid()}")
    part.write_text(text)
    part.replace(path)
    _prune(path.parent)
    return text


def _prune(folder: Path) -> None:
    """Remove what is old. Others may remove or rename a file meanwhile."""
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_mtime < time.time() - DAYS * 86400:
                path.unlink()
