# SPDX-License-Identifier: GPL-2.0-only
"""Measure whole calls and their hooks where several processors make the same calls at once.

    scripts/lab processors                  on this machine
    scripts/lab processors --prepare        make build/processors/, which can be copied to a machine with more processors
    scripts/lab processors --read           print what is in build/processors/out/

On the other machine, which needs a shell, coreutils, findutils and taskset, `./measure` in that folder boots each guest, and
leaves what it prints in out/. Up to 16 processors are used, by the kernel with SMP of User-Mode Linux. What was measured is
kept: a second run does the rest. The tables go to build/processors.txt as well, their figures to build/processors.json.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lsmlab.analyse import processors as analyse
from lsmlab.console import CommandError
from lsmlab.measure.plans import processors, request
from lsmpmon_report.evaluation.titles import title
from lsmpmon_report.kernelfiles import FormatError

MODULES = processors.MODULES


def arguments(parser: argparse.ArgumentParser) -> None:
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--prepare", action="store_true", help="make the folder, and measure nothing")
    only.add_argument("--read", action="store_true", help="print what was measured, here or elsewhere")


def _row(name: str, cells: list[str], wide: int) -> str:
    return f"{name:<{wide}}" + "".join(f"{cell:>9}" for cell in cells)


def _medians(by: Mapping[str, list[float]], numbers: list[int]) -> list[str]:
    return [f"{by[str(number)][1]:,.0f}" if str(number) in by else "-" for number in numbers]


def _calls(found: Mapping[str, Any], call: str) -> Iterator[str]:
    """Yield a table of a system call: a row for each module."""
    numbers = found["numbers"]
    yield _row(call, [str(number) for number in numbers], 28)
    for module in MODULES:
        if module in found["modules"]:
            yield _row(f"  {title(module)}", _medians(found["modules"][module]["calls"].get(call, {}), numbers), 28)


def _hooks(found: Mapping[str, Any], module: str) -> Iterator[str]:
    """Yield the hooks of a module that take longer on several processors, with their waits for locks."""
    numbers, of = found["numbers"], found["modules"][module]
    for hook, by in analyse.grown(of, numbers).items():
        count, ns = of["waits"].get(hook, {}).get(str(numbers[-1]), (0, 0))
        yield _row(f"  {hook}", [*_medians(by, numbers), f"{count:,}", f"{ns / 1e6:,.1f}"], 28)


def tables(found: Mapping[str, Any]) -> str:
    numbers = found["numbers"]
    lines = [f"Linux {found['kernel']}, SMP, User-Mode Linux on {found['processors']} processors of {found['processor']}; "
             f"{found['boots']} boot{'s' * (found['boots'] > 1)}",
             "", "ns of a whole call, by the number of processors that make the same calls at once, each in its own directory"]
    made = {call for of in found["modules"].values() for call in of["calls"]}
    for call in analyse.CALLS:
        lines += ["", *_calls(found, call)] if call in made else []
    lines += ["", f"ns of a hook that takes at least {analyse.FACTOR} times as long on {numbers[-1]} as on one; and, on "
              f"{numbers[-1]}, how often and", "how many ms its calls waited for locks, in all turns together",
              _row("", [*map(str, numbers), "waits", "ms"], 28)]
    for module in MODULES:
        if module in found["modules"]:
            lines += [title(module), *(list(_hooks(found, module)) or ["  none"])]
    return "\n".join(lines) + "\n"


def _measure(folder: Path) -> None:
    if subprocess.run([folder / processors.MEASURE]).returncode:
        raise CommandError(f"a guest of {folder} did not end")


def main(options: argparse.Namespace) -> None:
    folder = request.base() / "processors"
    if not options.read:
        request.programs()
        processors.prepare(folder)
        if options.prepare:
            print(folder)
            return
        _measure(folder)
    try:
        found = analyse.figures(folder / "out")
    except FormatError as error:
        raise CommandError(str(error)) from error
    text = tables(found)
    folder.with_suffix(".txt").write_text(text)
    folder.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n")
    print(text, end="")
