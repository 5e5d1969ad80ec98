# SPDX-License-Identifier: GPL-2.0-only
"""Bytes that modules add to each object of the kernel, over the base, and the memory that policies take."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.pipeline.printed import read

# As Linux 6.1 to 6.12 say it with lsm.debug, and as newer ones do.
SIZE = re.compile(r"(?:([\w ]+?) blob size *= |blob\((\w+)\)[_ ]*size )(\d+)")
# Names of the former, by those of the latter.
SAME = {"perf event": "perf_event", "tun device": "tun_dev"}


def sizes(text: str) -> dict[str, int]:
    """Return the bytes that modules add to each kind of object."""
    found = [match for match in map(SIZE.fullmatch, text.splitlines()) if match]
    return {SAME.get(match[1], match[1]) or match[2]: int(match[3]) for match in found}


def _number(path: Path) -> int:
    text = read(path).strip()
    if not text.isdigit():
        raise Failed(f"{path}: '{text}' should be a number of KiB")
    return int(text)


def _objects(path: Path) -> dict[str, int]:
    found = sizes(read(path))
    if not found:
        raise Failed(f"{path}: no size of an object, as lsm.debug has the kernel print them")
    return found


def figures(results: Path, states: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return what each state adds to the first, which is the base: bytes of objects, and KiB of the policy."""
    base, *others = states
    least = _objects(results / base / "blobs")
    found: dict[str, dict[str, Any]] = {}
    for state in others:
        more = {kind: size - least.get(kind, 0) for kind, size in _objects(results / state / "blobs").items()}
        found[state] = {"objects": {kind: size for kind, size in more.items() if size}}
        if (results / state / "policy").exists():
            found[state]["policy"] = _number(results / state / "policy") - _number(results / state / "used")
    return found
