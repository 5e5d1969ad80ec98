# SPDX-License-Identifier: GPL-2.0-only
"""A change of known size to the source of any kernel: no-operations in a callback, and one call more of a hook."""

from __future__ import annotations

import re
from pathlib import Path

NOPS = 20
# The file of each change, and the sub-benchmark that shows this one and not the other.
MODULE, CALLBACK, LONGER = "landlock", "file_open", "open"
HOOK, ASKED_TWICE = "inode_getattr", "stat"
FILES = (f"security/{MODULE}/fs.c", "fs/stat.c")


class NoPlace(Exception):
    """The source has no place for the change."""


def _insert(tree: Path, file: str, pattern: str, text: str) -> None:
    """Insert text after the one place where the pattern matches; \\1 is its group."""
    path = tree / file
    changed, places = re.subn(pattern, rf"\g<0>{text}", path.read_text() if path.exists() else "", flags=re.M)
    if places != 1:
        raise NoPlace(f"{file} has {places} places like '{pattern}', and should have one")
    path.write_text(changed)


def _function(tree: Path) -> str:
    """Return the name of the callback."""
    source = tree / FILES[0]
    match = re.search(rf"LSM_HOOK_INIT\({CALLBACK}, (\w+)\)", source.read_text() if source.exists() else "")
    if not match:
        raise NoPlace(f"{FILES[0]} has no callback for {CALLBACK}")
    return match[1]


def plant(tree: Path) -> None:
    _insert(tree, FILES[0], rf"^static int {_function(tree)}\([^{{;]*\)\n{{\n",
            rf'\tasm volatile(".rept {NOPS}; nop; .endr");\n')
    _insert(tree, FILES[1], rf"^(\t\w+ = security_{HOOK}\(.*\);\n)", r"\1")
