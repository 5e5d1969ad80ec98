# SPDX-License-Identifier: GPL-2.0-only
"""Sub-benchmarks, as `lmbench-hook run --json` prints them."""

from __future__ import annotations

import json
import pathlib
import re

from .kernelfiles import FormatError, read


def read_benchmarks(path: pathlib.Path, figure: str, unit: str = "ticks") -> dict[str, float]:
    """Return a figure of each sub-benchmark's samples, min, median or mean; `unit` is ns or ticks."""
    try:
        run = json.loads(read(path))
        rate = run["ticks_per_ns"] if unit == "ns" else 1
        return {row["name"]: row[figure] / rate if unit == "ns" else row[figure] for row in run["benchmarks"]}
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{path}: not a result of `lmbench-hook run --json`: {error}") from error


def timed_calls(calls: str) -> tuple[str, ...]:
    """Return the system calls in brackets: `lseek [read write]`."""
    return tuple(word for inside in re.findall(r"\[(.*?)\]", calls) for word in inside.split())
