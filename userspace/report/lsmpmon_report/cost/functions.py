# SPDX-License-Identifier: GPL-2.0-only
"""Functions that execute more or fewer instructions, from what lsmlab's pricing/functions.py counted."""

from __future__ import annotations

import json
import pathlib

from ..kernelfiles import FormatError
from .differences import Difference


def _load(path: pathlib.Path) -> dict[str, int]:
    """Return the instructions of each function; nothing if they were not asked for."""
    if not path.exists():
        return {}
    try:
        found: dict[str, int] = json.loads(path.read_text())["functions"]
        return found
    except (ValueError, KeyError) as error:
        raise FormatError(f"{path}: not a count of functions: {error}") from error


def by_function(results: pathlib.Path, before: str, after: str, change: Difference) -> list[tuple[str, int]]:
    """Return the changes of functions between two states, the largest first."""
    name = f"functions/{change.file_name}.json"
    old, new = (_load(results / part / name) for part in (before, after))
    if not old or not new:
        return []
    found = [(function, new.get(function, 0) - old.get(function, 0)) for function in {*old, *new}]
    return sorted(((function, number) for function, number in found if number), key=lambda row: (-abs(row[1]), row[0]))
