# SPDX-License-Identifier: GPL-2.0-only
"""What a hook call that is measured adds to the kernel's stack, by architecture, as the compiler reports frames.

    KVER=6.12 scripts/lab stack

Compiles the measured copies of dispatches, and prints how large their frames are. A hook call inside another one adds that
once more. The table goes to build/stack.txt as well, its figures to build/stack.json.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics

from lsmlab.guest.settings import KVER
from lsmlab.kernel.objects import stack
from lsmlab.places import REPO

# Name in the table, architecture, and whether the stack protector is on.
ROWS = (("x86-64", "x86_64", False), ("x86-64, stack protector", "x86_64", True), ("arm64", "arm64", False),
        ("arm, 32 bits", "arm", False))


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes none."""


def _row(version: str, arch: str, protector: bool) -> dict[str, int]:
    sizes = sorted(stack.added(version, arch, protector).values())
    return {"hooks": len(sizes), "median": statistics.median_low(sizes), "most": sizes[-1]}


def main(_: argparse.Namespace) -> None:
    version = os.environ.get("KVER") or KVER
    rows = {name: _row(version, arch, protector) for name, arch, protector in ROWS}
    lines = [f"Linux {version}, gcc: bytes of the kernel's stack that a measured hook call takes",
             f"{'':<26}hooks  median    most"]
    lines += [f"{name:<26}{row['hooks']:5,}{row['median']:8,}{row['most']:8,}" for name, row in rows.items()]
    text = "\n".join(lines) + "\n"
    (REPO / "build").mkdir(exist_ok=True)
    (REPO / "build/stack.txt").write_text(text)
    (REPO / "build/stack.json").write_text(json.dumps(rows, indent=1) + "\n")
    print(text, end="")
