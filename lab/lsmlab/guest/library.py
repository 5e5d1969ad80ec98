# SPDX-License-Identifier: GPL-2.0-only
"""Small libraries in C beside these files, each compiled once."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from lsmlab.places import CACHE


def built(name: str) -> str:
    """Return the path of the shared library of NAME.c; each text of the file has a library of its own."""
    source = Path(__file__).with_name(f"{name}.c")
    library = CACHE / f"{name}-{hashlib.sha256(source.read_bytes()).hexdigest()[:16]}.so"
    if not library.exists():
        library.parent.mkdir(parents=True, exist_ok=True)
        part = library.with_suffix(f".{os.getpid()}")
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", part, source], check=True)
        part.rename(library)
    return str(library)
