# SPDX-License-Identifier: GPL-2.0-only
"""The time that policies take to load: that of a write to the kernel, over a write of as much to nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from lsmlab.measure.pipeline.errors import Failed
from lsmpmon_report.kernelfiles import FormatError, Row, own, parse_table, read


def _number(path: Path) -> float:
    """Return the number in a file."""
    try:
        return float(path.read_text())
    except (OSError, ValueError) as error:
        raise Failed(f"{path}: there should be a number: {error}") from error


def taken(folder: Path) -> float:
    """Return the seconds that a policy took."""
    return _number(folder / "load") - _number(folder / "nothing")


def _writes(path: Path) -> Row:
    """Return the row of all writes in a table of whole calls."""
    for row in parse_table(read(path), name=str(path), needs=("syscall", "slept")):
        if row["syscall"] == "write":
            return row
    raise FormatError(f"{path}: there should be a row of write")


def _own(folder: Path) -> dict[str, float]:
    """Return the instructions of the write on its processor, and the milliseconds that it waited."""
    load, nothing = (_writes(folder / "calls" / name) for name in ("load", "nothing"))
    return {"instructions": own(load) - own(nothing), "waited_ms": (load["slept"] - nothing["slept"]) / 1e6}


def _ms(folders: Iterable[Path]) -> dict[str, float]:
    values = [taken(folder) * 1e3 for folder in folders]
    return {"boots": len(values), "median": median(values), "least": min(values), "most": max(values)}


def figures(results: Path, policies: Iterable[str], boots: int) -> dict[str, dict[str, Any]]:
    """Return of each policy its bytes, how much of it was loaded, its instructions and wait, and the times of timed boots."""
    found = {}
    for name in policies:
        exact = results / f"{name}-exact"
        found[name] = {"bytes": int(_number(exact / "bytes")), "loaded": int(_number(exact / "loaded")),
                       **_own(exact), "ms": _ms(results / f"{name}-{boot}" for boot in range(1, boots + 1))}
    return found
