# SPDX-License-Identifier: GPL-2.0-only
"""What counting the calls of every hook costs with lsmpmon, and with what else Linux has for that."""

from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass

from .kernelfiles import FormatError, parse_info, read
from .rounds import DEFERRED, hook_calls, read_ticks
from .runs import called

BASE, OURS = "off", "lsmpmon"

# {directory: name}.
TOOLS = {
    OURS: "lsmpmon",
    "profiler": "function profiler",
    "graph": "function_graph",
    "multi": "BPF kprobe.multi",
    "kprobes": "kprobe and kretprobe events",
    "fprobes": "fprobe events",
    "bpftrace": "bpftrace, kprobe and kretprobe",
}


@dataclass(frozen=True)
class Tool:
    """`per_hook` is in instructions above nobody measuring; `kept` are the calls that one can read, of `counted`."""

    name: str
    per_hook: float
    counted: int
    kept: int


@dataclass(frozen=True)
class Peers:
    """`functions` are traced, all that are named security_*; `unseen` are calls of hooks that none of them makes."""

    tools: dict[str, Tool]
    functions: int
    unseen: int
    about: dict[str, str]


def load_peers(directory: pathlib.Path) -> Peers:
    """Read what scripts/peers saved: TOOL/run.json, TOOL/counted, lsmpmon/counts/NAME, about."""
    about = parse_info(read(directory / "about"), name=str(directory / "about"))
    base = read_ticks(directory / BASE / "run.json")
    rounds = int(about["rounds"])
    hooks = sum(hook_calls(directory / OURS / "counts" / name, rounds) for name in base)
    if hooks <= 0:
        raise FormatError(f"{directory / OURS / 'counts'}: no hook was called")
    tools = {name: _tool(directory / name, what, base, hooks) for name, what in TOOLS.items()}
    (functions,) = _numbers(directory / BASE / "functions", 1)
    return Peers(tools, functions, _unseen(directory / OURS / "result"), about)


def _tool(directory: pathlib.Path, what: str, base: dict[str, float], hooks: float) -> Tool:
    ticks = read_ticks(directory / "run.json")
    counted, kept = _numbers(directory / "counted", 2)
    if not counted:
        raise FormatError(f"{directory / 'counted'}: {what} should have counted calls")
    return Tool(what, sum(ticks[name] - base[name] for name in base) / hooks, counted, kept)


def _unseen(path: pathlib.Path) -> int:
    rows = called(read(path), str(path))
    return sum(rows[hook]["count"] + rows[hook]["cs_count"] for hook in DEFERRED if hook in rows)


def _numbers(path: pathlib.Path, count: int) -> list[int]:
    words = read(path).split()
    if len(words) != count or not all(map(str.isdigit, words)):
        raise FormatError(f"{path}: numbers expected: {count}")
    return [int(word) for word in words]


def render(peers: Peers) -> str:
    about = peers.about
    lines = [
        f"Linux {about.get('kernel', '?')} on qemu, icount: 1 tick = 1 instruction; LSM={about.get('lsm', '?')}",
        "Instructions that a hook call takes more than with the monitor off and no tracer, over 16 file operations; the",
        f"calls counted in {about['rounds']} rounds of these, and those that can be read afterwards, with buffers as large as usual:",
        "",
        f"{'':<34} {'a hook call':>11} {'times':>6} {'counted':>9} {'kept':>9}",
    ]
    ours = peers.tools[OURS].per_hook
    lines += [_line(tool, tool.per_hook / ours) for tool in sorted(peers.tools.values(), key=lambda tool: tool.per_hook)]
    lines.append(f"Tracers watch the {peers.functions} functions named security_*.")
    lines.append(f"None of these calls {', '.join(DEFERRED)}; only lsmpmon counted that: {peers.unseen:,} calls.")
    return "\n".join(lines) + "\n"


def _line(tool: Tool, times: float) -> str:
    return f"{tool.name:<34} {tool.per_hook:>11,.1f} {times:>5.1f}x {tool.counted:>9,} {tool.kept:>9,}"


def to_json(peers: Peers) -> str:
    return json.dumps(
        {
            "about": peers.about,
            "unit": "instructions",
            "tools": {name: vars(tool) for name, tool in peers.tools.items()},
            "functions": peers.functions,
            "unseen": peers.unseen,
        },
        indent=1,
    )
