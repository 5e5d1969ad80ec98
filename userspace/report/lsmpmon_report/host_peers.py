# SPDX-License-Identifier: GPL-2.0-only
"""System calls of this machine under each tool that counts hooks, and under none, as lab/shell/host-peers saved them."""

from __future__ import annotations

import json
import pathlib
import statistics
from dataclasses import dataclass

from .benchmarks import read_benchmarks
from .kernelfiles import FormatError, read, read_info
from .peers import OURS, TOOLS, calls_of_a_round


@dataclass(frozen=True)
class Timed:
    """`passes` are ns of a hook call above nobody measuring right before."""

    name: str
    passes: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.passes)


@dataclass(frozen=True)
class Machine:
    """`missing` are tools that this kernel does not have; `calls` are those of one round of all operations."""

    tools: dict[str, Timed]
    missing: list[str]
    calls: float
    about: dict[str, str]
    notes: list[str]


def load_machine(directory: pathlib.Path) -> Machine:
    """Read about, calls, missing, disturbances, and of each pass TOOL/off-N.json and TOOL/on-N.json."""
    about = read_info(directory / "about")
    calls = calls_of_a_round(directory / "calls", about.number("rounds"))
    tools = {name: Timed(what, _passes(directory / name, calls)) for name, what in TOOLS.items() if (directory / name).is_dir()}
    if not tools:
        raise FormatError(f"{directory}: this kernel has none of the tools")
    missing = [TOOLS[name] for name in read(directory / "missing").split()]
    return Machine(tools, missing, calls, about, read(directory / "disturbances").splitlines())


def _passes(directory: pathlib.Path, calls: float) -> list[float]:
    return [_more(path, calls) for path in sorted(directory.glob("on-*.json"))]


def _more(path: pathlib.Path, calls: float) -> float:
    on, off = (read_benchmarks(each, "median", "ns") for each in (path, path.with_name(path.name.replace("on", "off", 1))))
    return sum(on[name] - off[name] for name in off) / calls


def render(machine: Machine) -> str:
    passes = len(next(iter(machine.tools.values())).passes)
    lines = [
        f"Linux {machine.about.get('kernel', '?')} on this machine; {machine.about.get('lsm', '?')}",
        f"ns that a hook call takes more than with no tool right before, over 16 file operations with {machine.calls:.0f} calls",
        f"in a round; median, least and most of {passes} passes:",
        "",
        f"{'':<34} {'a hook call':>11} {'least':>9} {'most':>9} {'times':>6}",
    ]
    ours = machine.tools[OURS].median if OURS in machine.tools else None
    lines += [_line(tool, ours) for tool in sorted(machine.tools.values(), key=lambda tool: tool.median)]
    if machine.missing:
        lines.append(f"Not in this kernel: {'; '.join(machine.missing)}.")
    return "\n".join([*lines, *machine.notes]) + "\n"


def _line(tool: Timed, ours: float | None) -> str:
    times = f"{tool.median / ours:>5.1f}x" if ours and ours > 0 else f"{'-':>6}"
    return f"{tool.name:<34} {tool.median:>11,.1f} {min(tool.passes):>9,.1f} {max(tool.passes):>9,.1f} {times}"


def to_json(machine: Machine) -> str:
    tools = {name: {**vars(tool), "median": tool.median} for name, tool in machine.tools.items()}
    return json.dumps({"runner": "host", "unit": "ns", **vars(machine), "tools": tools}, indent=1)
