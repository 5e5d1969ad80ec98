# SPDX-License-Identifier: GPL-2.0-only
"""Atomic operations of a system call, from the counts of guest/spans.c and a disassembly of the kernel.

Each needs a cache line for itself, so processors that make them on the same line wait for each other.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from pathlib import Path

from lsmlab.measure.evaluation.spans import Symbols, spans
from lsmlab.measure.pipeline import printed
from lsmlab.measure.pipeline.jobs import Json

# The name of the measurement, and its file. A copy is a read and a write, and as long as other work.
MEASURE = "atomics"
PATTERNS = ("open", "openat", "rename", "creat", "mkdir", "rmdir", "unlink", "symlink", "chmod", "stat",
            "fstatat", "read/4k", "write/4k")
# Instructions with the prefix, or an exchange with memory, which needs none; not of memory that each processor has of its own.
ATOMIC = re.compile(r"^([0-9a-f]+):\s+(?!.*%gs:)(?:lock |xchg .*\()", re.M)


class NotSeen(Exception):
    """A call that was timed and not among the spans."""


def places(disassembly: str) -> set[int]:
    """Return the addresses of atomic operations in the output of `objdump -d`."""
    return {int(address, 16) for address in ATOMIC.findall(disassembly)}


def _disassembly(vmlinux: Path) -> str:
    return subprocess.run(["objdump", "-d", "--no-show-raw-insn", vmlinux], stdout=subprocess.PIPE, text=True, check=True).stdout


def count(latency: Json, by_length: dict[int, Counter[int]], where: set[int], symbols: Symbols) -> Json:
    """Return by sub-benchmark how many instructions its shortest sample executes, how many are atomic, and in which
    functions.
    """
    counted: Json = {}
    for row in latency["benchmarks"]:
        least = int(row["min"])
        if least not in by_length:
            raise NotSeen(f"{row['name']}: no span of {least} instructions was seen")
        atomic = {address: times for address, times in by_length[least].items() if address in where}
        counted[row["name"]] = {"instructions": least, "atomics": sum(atomic.values()),
                                "functions": symbols.functions(atomic)}
    return counted


def file_of(output: str, counted: str, kernel: Path) -> str:
    """Return a file to put behind the output of the guest: `counted` is the plugin's output, `kernel` a directory."""
    latency = json.loads(printed.split(output)["latency"])
    symbols = Symbols((kernel / "System.map").read_text().splitlines())
    counts = count(latency, spans(counted.splitlines()), places(_disassembly(kernel / "vmlinux")), symbols)
    return f"==> {MEASURE}\n{json.dumps(counts)}\n"
