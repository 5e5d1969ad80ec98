# SPDX-License-Identifier: GPL-2.0-only
"""The cost of counting the calls of every hook with lsmpmon, and with what else Linux has for that."""

from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass

from .benchmarks import read_benchmarks
from .kernelfiles import FormatError, calls, read, read_info
from .rounds import DEFERRED
from .runs import called

BASE, OURS, STATS = "off", "lsmpmon", "stats"

# {directory: name}.
TOOLS = {
    OURS: "lsmpmon",
    "profiler": "function profiler",
    "graph": "function_graph",
    "multi": "BPF kprobe.multi",
    "kprobes": "kprobe and kretprobe events",
    "fprobes": "fprobe events",
    "bpftrace": "bpftrace, kprobe and kretprobe",
    "fentry": "BPF fentry and fexit",
    STATS: "BPF fentry and fexit, bpf_stats on",
    "fsession": "BPF fsession",
}


@dataclass(frozen=True)
class Tool:
    """`per_hook` is in instructions above nobody measuring; `kept` are the calls that one can read, of `counted`."""

    name: str
    per_hook: float
    counted: int
    kept: int


@dataclass(frozen=True)
class Programs:
    """Runs of our BPF programs, as bpf_stats says them."""

    runs: int
    ns: int

    @property
    def per_run(self) -> float:
        return self.ns / max(1, self.runs)


@dataclass(frozen=True)
class Kernel:
    """`functions` are traced, all that are named security_*; `calls` are those of one round of all operations."""

    release: str
    tools: dict[str, Tool]
    functions: int
    calls: float
    programs: Programs | None


@dataclass(frozen=True)
class Peers:
    """Kernels by version and flavour; `unseen` are calls of hooks that none of the functions makes."""

    kernels: dict[str, Kernel]
    unseen: int
    about: dict[str, str]

    @property
    def first(self) -> Kernel:
        """Return the kernel that has lsmpmon."""
        return next(iter(self.kernels.values()))


def load_peers(directory: pathlib.Path) -> Peers:
    """Read what scripts/lab peers saved: about, and in KERNEL/TOOL/ what each guest printed."""
    about = read_info(directory / "about")
    names, rounds = about["kernels"].split(), about.number("rounds")
    kernels = {name: _kernel(directory / name, rounds) for name in names}
    return Peers(kernels, _unseen(directory / names[0] / OURS / "result"), about)


def _kernel(directory: pathlib.Path, rounds: int) -> Kernel:
    base, ticks = directory / BASE, read_benchmarks(directory / BASE / "run.json", "min")
    (functions,) = _numbers(base / "functions", 1)
    calls = calls_of_a_round(base / "calls", rounds)
    tools = {name: _tool(directory / name, what, ticks, calls) for name, what in TOOLS.items() if (directory / name).is_dir()}
    stats = directory / STATS / "programs"
    programs = Programs(*_numbers(stats, 2)) if STATS in tools else None
    return Kernel(read(base / "kernel").strip(), tools, functions, calls, programs)


def calls_of_a_round(path: pathlib.Path, rounds: int) -> float:
    """Return the calls of one round, from those during a program with `rounds` rounds, and with twice as many."""
    once, twice = _numbers(path, 2)
    if twice <= once:
        raise FormatError(f"{path}: no hook was called")
    return (twice - once) / rounds


def _tool(directory: pathlib.Path, what: str, base: dict[str, float], calls: float) -> Tool:
    ticks = read_benchmarks(directory / "run.json", "min")
    counted, kept = _numbers(directory / "counted", 2)
    if not counted:
        raise FormatError(f"{directory / 'counted'}: {what} should have counted calls")
    return Tool(what, sum(ticks[name] - base[name] for name in base) / calls, counted, kept)


def _unseen(path: pathlib.Path) -> int:
    rows = called(read(path), str(path))
    return sum(calls(rows[hook]) for hook in DEFERRED if hook in rows)


def _numbers(path: pathlib.Path, count: int) -> list[int]:
    words = read(path).split()
    if len(words) != count or not all(map(str.isdigit, words)):
        raise FormatError(f"{path}: numbers expected: {count}")
    return [int(word) for word in words]


def render(peers: Peers) -> str:
    about, rounds = peers.about, peers.about["rounds"]
    lines = [
        f"Runner qemu, icount: 1 tick = 1 instruction; LSM={about.get('lsm', '?')}",
        "Instructions that a hook call takes more than in the same kernel with the monitor off and no tracer, over 16 file",
        f"operations; the calls counted in {rounds} rounds of these, and those that can be read afterwards, with buffers as",
        "large as usual:",
        "",
        f"{'':<34} {'a hook call':>11} {'times':>6} {'counted':>9} {'kept':>9}",
    ]
    ours = peers.first.tools[OURS].per_hook
    for name, kernel in peers.kernels.items():
        lines += _table(name, kernel, ours)
    for kernel in peers.kernels.values():
        lines += _programs(kernel)
    lines.append(f"None of these functions calls {', '.join(DEFERRED)}; only lsmpmon counted that: {peers.unseen:,} calls.")
    return "\n".join(lines) + "\n"


def _table(name: str, kernel: Kernel, ours: float) -> list[str]:
    flavour = name.partition("-")[2]
    functions = f"{kernel.functions} functions named security_*, {kernel.calls:.0f} calls in a round"
    rows = sorted(kernel.tools.values(), key=lambda tool: tool.per_hook)
    return [f"Linux {kernel.release}, {flavour}: {functions}", *(_line(tool, tool.per_hook / ours) for tool in rows)]


def _line(tool: Tool, times: float) -> str:
    return f"{tool.name:<34} {tool.per_hook:>11,.1f} {times:>5.1f}x {tool.counted:>9,} {tool.kept:>9,}"


def _programs(kernel: Kernel) -> list[str]:
    if not kernel.programs:
        return []
    found = kernel.programs
    return [f"bpf_stats timed our programs, and no hook: {found.runs:,} runs, {found.per_run:.1f} instructions each."]


def to_json(peers: Peers) -> str:
    return json.dumps(
        {
            "about": peers.about,
            "unit": "instructions",
            "kernels": {name: _kernel_json(kernel) for name, kernel in peers.kernels.items()},
            "unseen": peers.unseen,
        },
        indent=1,
    )


def _kernel_json(kernel: Kernel) -> dict[str, object]:
    found = vars(kernel) | {"tools": {name: vars(tool) for name, tool in kernel.tools.items()}}
    if kernel.programs:
        return found | {"programs": {**vars(kernel.programs), "per_run": kernel.programs.per_run}}
    del found["programs"]
    return found
