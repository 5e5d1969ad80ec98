# SPDX-License-Identifier: GPL-2.0-only
"""Hooks of calls that a guest made one by one, as lab/inside/map-calls prints them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from lsmlab.measure.hookmap import Failed

# "call": the system call; and by object, {hook: {depth: times}}.
Made = dict[str, Any]


def read(path: Path | str) -> dict[str, Made]:
    """Return {row: {"call": system call, object: {hook: {depth: times}}}} of what map-calls printed."""
    rows: dict[str, Made] = {}
    if not Path(path).is_file():
        return rows
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        try:
            row, call, depth, wanted, calls, hook, count = line.split()
            times = int(count) / int(calls)
            depth = str(int(depth))
        except (ValueError, ZeroDivisionError):
            raise Failed(f"{path}: line {number}: not what lab/inside/map-calls prints") from None
        of_row = rows.setdefault(row.replace("_", " "), {"call": call})
        hooks = of_row.setdefault(wanted, defaultdict(dict))
        if hook != "-":
            hooks[hook][depth] = times
    return rows
