# SPDX-License-Identifier: GPL-2.0-only
"""What each module costs that is built in and off, and what it costs enabled and without rules.

Builds a kernel with every module, one without each, and one with none of them, all without IMA and EVM, and boots them where
QEMU counts instructions, with capability; and the first with each module enabled and no policy. Prints how many instructions more
each system call and the boot execute, and how many bytes more the image has. The tables go to build/built.txt as well, their
figures to build/built.json. What was measured is kept until one of its inputs changes.

Variables: KVER, as for make; MODULES, some of the modules, and not the last kernel; SAMPLES, of each call (31); FRESH=1 measures
all of it again.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from lsmlab.analyse import built as analyse
from lsmlab.measure.plans import built, request
from lsmpmon_report.evaluation.titles import title

ALL = "all of them"
# Calls with a column each; the figures have all.
SHOWN = tuple(call for call in built.CALLS if call not in ("rename", "mkdir", "chmod", "net/unix-rr"))
# Kinds of bytes with a column each, and thousands of instructions of the boot.
IMAGE = ("code", "tables", "constants", "data", "init", "security")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes none."""


def _row(name: str, cells: Sequence[object], width: int = 8) -> str:
    return f"{name:<12}" + "".join(f"{cell:>{width}}" for cell in cells)


def _short(call: str) -> str:
    return call.rpartition("/")[2]


def _calls(found: Mapping[str, Any], states: Mapping[str, Any]) -> list[str]:
    """Return the table of calls: how much more each module has, and what the call has with all built in."""
    rows = [_row(title(name), [f"{of['calls'][call]:+}" for call in SHOWN]) for name, of in states.items()]
    return [_row("", [_short(call) for call in SHOWN]), *rows,
            _row("of", [f"{found['every']['calls'][call]:,}" for call in SHOWN])]


def _sizes(found: Mapping[str, Any]) -> list[str]:
    """Return the table of bytes and of the boot."""
    lines = [_row("", [*IMAGE, "KiB", "boot", "boot on", "slab on"], 10)]
    for name, of in found["off"].items():
        on = found["enabled"].get(name)
        more = [f"{on['boot']['kinstructions']:+,}", f"{on['memory']['slab']:+,}"] if on else ["-", "-"]
        lines.append(_row(title(name), [*(f"{of['image'][kind]:+,}" for kind in IMAGE), f"{of['memory']['total']:+,}",
                                        f"{of['boot']['kinstructions']:+,}", *more], 10))
    every = found["every"]
    return [*lines, _row("of", [*(f"{every['image'][kind]:,}" for kind in IMAGE), f"{every['memory']['total']:,}",
                                f"{every['boot']['kinstructions']:,}"], 10)]


def tables(found: Mapping[str, Any], version: str) -> str:
    """Return the tables: of calls, off and enabled, and of bytes."""
    return "\n".join([f"Linux {version}: instructions of a call that a module adds which is built in and off, over not built", "",
                      *_calls(found, found["off"]), "",
                      "Instructions that it adds once enabled, without rules, over built in and off", "",
                      *_calls(found, found["enabled"]), "",
                      "Bytes that a module adds to the image which is built in and off, KiB of memory that it leaves, thousands",
                      "of instructions until it is initialised; once enabled, more of these, and KiB of slabs", "",
                      *_sizes(found)]) + "\n"


def main(_: argparse.Namespace) -> None:
    os.environ["RUNNER"] = "qemu"
    built.check()
    request.programs()
    results = request.base() / "built"
    measuring = built.Measuring(results)
    measuring.measure()
    names = measuring.modules
    everything = {ALL: built.NONE} if built.NONE in measuring.kernels() else {}
    others = {**{name: built.lacking(name) for name in names}, **everything}
    found = analyse.figures(results, built.EVERY, others, names)
    text = tables(found, request.version())
    results.with_suffix(".txt").write_text(text)
    results.with_suffix(".json").write_text(json.dumps({"kernel": request.version(), **found}, indent=1) + "\n")
    print(text, end="")
