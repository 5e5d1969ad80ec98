# SPDX-License-Identifier: GPL-2.0-only
"""What each module takes of memory that is on and that nobody uses, and what its policy takes.

Boots a guest with each module, by itself with capability. Prints how many bytes it adds to each object of the kernel, as
lsm.debug has the kernel say, and how much more memory of the kernel's own is used once its policy is loaded. The table goes to
build/memory.txt as well, its figures to build/memory.json. What was measured is kept until one of its inputs changes.

Variables: KVER, as for make; MODULES, some of the rows; FRESH=1 measures all of it again.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from lsmlab.analyse import memory as analyse
from lsmlab.measure.plans import memory, request
from lsmpmon_report.evaluation.titles import title

# Objects with a column of their own, and its head, of which a system has many. Others stand behind the row.
COLUMNS = {"cred": "cred", "inode": "inode", "file": "file", "sock": "sock", "superblock": "super", "task": "task", "key": "key",
           "ipc": "ipc", "msg_msg": "message"}
HEADS = (*COLUMNS.values(), "policy")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes none."""


def _row(name: str, cells: Iterator[str] | tuple[str, ...], rest: str = "") -> str:
    return (f"{name:<28}" + "".join(f"{cell:>8}" for cell in cells) + rest).rstrip()


def _cells(of: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(of["objects"].get(kind, "-")) for kind in COLUMNS)
    yield f"{of['policy'] / 1024:.1f}" if "policy" in of else "-"


def table(found: Mapping[str, Mapping[str, Any]], version: str) -> str:
    """Return the table, a row for each state."""
    lines = [f"Linux {version}: bytes that a module adds to an object, over capability, IMA and EVM; MiB of its policy", "",
             _row("", HEADS)]
    for state, of in found.items():
        others = [f"{kind} {size}" for kind, size in of["objects"].items() if kind not in COLUMNS]
        lines.append(_row(title(state), _cells(of), f"  {', '.join(others)}"))
    return "\n".join(lines) + "\n"


def main(_: argparse.Namespace) -> None:
    os.environ["RUNNER"] = "qemu"
    request.check()
    request.programs()
    memory.tools()
    results = request.base() / "memory"
    request.measure(list(memory.boots(results)), results)
    found = analyse.figures(results, memory.states())
    text = table(found, request.version())
    results.with_suffix(".txt").write_text(text)
    results.with_suffix(".json").write_text(json.dumps({"kernel": request.version(), "modules": found}, indent=1) + "\n")
    print(text, end="")
