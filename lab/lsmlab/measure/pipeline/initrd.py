# SPDX-License-Identifier: GPL-2.0-only
"""An initramfs with a guest's script and files: guests that count instructions read nothing of this machine."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable
from pathlib import Path

from lsmlab.places import REPO

INSIDE = REPO / "lab/inside"


def make(out: Path, script: str, files: Iterable[str | Path]) -> str:
    """Make the initramfs `out` and return its digest. `files` are as for lab/shell/make-initrd."""
    out.parent.mkdir(parents=True, exist_ok=True)
    path = out.with_name("script")
    path.write_text(script)
    subprocess.run([REPO / "lab/shell/make-initrd", out, path, *files], check=True)
    return hashlib.sha256(out.read_bytes()).hexdigest()


def script(names: Iterable[str], **variables: object) -> str:
    """Return a script that sets variables and runs the files of these names in lab/inside."""
    words = " ".join(f"{name}={value}" for name, value in variables.items())
    return "".join([f"{words}\n", *((INSIDE / name).read_text() for name in names)])
