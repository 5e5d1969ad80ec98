# SPDX-License-Identifier: GPL-2.0-only
"""Latencies of system calls at several delays of a permission check: one boot for each kernel."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from lsmlab.guest.settings import number
from lsmlab.measure.pipeline import printed
from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import bench, request
from lsmlab.places import REPO

# lmbench-hook saves its measurements in a folder, whose files are printed.
COMMAND = """set -f
work=${{WORK:-/tmp}}/sweep
lmbench-hook sweep {words} >&2 || exit
cd "$work" && find . -type f | sort | while read -r path; do
	echo "==> ${{path#./}}"
	cat "$path"
done
"""
NEEDS = ("about",)
LSM = "tunable"


def _command() -> str:
    """Return the command for a guest.

    A few samples are enough where instructions are counted, since they differ only by interrupts.
    """
    runs, warmup, passes = (5, 5, 1) if bench.exact() else (300, 50, 3)
    words = ["-a", "-n", str(number("RUNS", runs, 1, 10**6)), "-w", str(number("WARMUP", warmup, 1, 10**6)),
             "-p", str(number("PASSES", passes, 1, 10**6)), '"$work"', os.environ.get("PATTERNS", "")]
    return COMMAND.format(words=" ".join(words))


def boots(results: Path, kernels: Sequence[str]) -> Iterator[Boot]:
    """Yield a boot for each kernel, with the Tunable Security Module."""
    for kver in kernels:
        name = f"{kver}-{bench.place()}"
        yield bench.boot(name, results / name, _command(), kver, needs=NEEDS, lsm=LSM)


def measure_host(results: Path) -> Path:
    """Measure on this machine, booted with lsm=tunable, and return the folder of the results."""
    out, env = results / f"{platform.release()}-host", dict(os.environ, LSM=LSM)
    status = subprocess.run([REPO / "lab/shell/host", "check"], env=env).returncode
    if status:
        raise SystemExit(status)
    request.programs()
    done = subprocess.run([REPO / "lab/shell/host", "command", _command()], env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise Failed(f"status {done.returncode} of the sweep on this machine")
    printed.keep(out, done.stdout, NEEDS)
    return out
