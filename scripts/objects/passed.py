# SPDX-License-Identifier: GPL-2.0-only
"""Remembers what has passed, by a hash of all that it depends on."""

import hashlib
import os
import time
from pathlib import Path

from kerneltree import source
from objects.tree import CACHE

DAYS = 30


def digest(*words, files=()):
    whole = hashlib.sha256("\0".join(map(str, words)).encode())
    for path in sorted(files):
        whole.update(f"\0{Path(path).name}\0".encode() + Path(path).read_bytes())
    return whole.hexdigest()[:32]


def inputs(version):
    """What is compiled: our sources and the seams, and the code that does it."""
    compiled = [path for name, path in source.files().items()
                if not name.startswith(("Documentation/", "tools/"))]
    return [*compiled, *source.patches(version), *(source.REPO / "scripts/objects").glob("*.py")]


def once(key, check):
    """Call a check that raises if it fails, unless this very thing has passed.

    What it returns, a text, is kept too.
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


def _prune(folder):
    for path in folder.iterdir():
        if path.stat().st_mtime < time.time() - DAYS * 86400:
            path.unlink(missing_ok=True)
