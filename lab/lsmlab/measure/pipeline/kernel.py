# SPDX-License-Identifier: GPL-2.0-only
"""The kernel of a cell: looks it up, builds it, and gives the reason in one line if it cannot be built."""

from __future__ import annotations

import functools
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from lsmlab.measure.pipeline import errors, processes
from lsmlab.measure.pipeline.errors import LeftOut
from lsmlab.places import CACHE, REPO

# Status of lab/shell/get-source if the mirror does not have this version.
NOT_AVAILABLE = 3
# Variables of a guest. They are the cell's, not the user's.
OURS = ("KVER", "RUNNER", "ACCEL", "CPU", "FLAVOUR", "LAYOUT", "LSM", "KARGS", "CPUS", "SHARE", "INITRD", "CMD")
# Snakemake sets this to the number of a job's processors, and nproc obeys. A compiler gets all processors: of two kernels
# that are built from nothing, one waits for the other.
PROCESSORS = "OMP_NUM_THREADS"


class Failed(errors.Failed):
    """A kernel that cannot be built, and the reason."""


# Patterns of the lines in a log that name the cause, in this order.
REASONS = (r"refused, nothing is changed: (.*)$", r"^(.*?:\d+:(?:\d+:)? (?:fatal )?error: .*)$",
           r"^(.*undefined reference to .*)$")


def environment(**variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items()
            if name not in (*OURS, PROCESSORS) and not name.startswith("MAKE")}
    return kept | variables


def reason(output: str) -> str:
    """Return why a build failed, with files as they are named in the tree of the user."""
    output = re.sub(rf"{re.escape(str(CACHE))}/trees/[^/\s]+/", "", output)
    for pattern in REASONS:
        match = re.search(pattern, output, re.M)
        if match:
            return match[1]
    lines = output.strip().splitlines() or ["no reason was given"]
    return lines[-1].removeprefix("lsmpmon: ")


def _script(name: str, variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return processes.run([REPO / "lab/shell" / name], environment(**variables))


def build(variables: Mapping[str, str]) -> Path:
    """Return the directory of the kernel that these variables of build-kernel name, which exists from then on."""
    source = _script("get-source", variables)
    if source.returncode == NOT_AVAILABLE:
        raise LeftOut(source.stderr.strip())
    built = _script("build-kernel", variables)
    if built.returncode:
        raise Failed(f"its {variables['FLAVOUR']} kernel does not build: {reason(built.stderr)}")
    return Path(built.stdout.strip())


def find(variables: Mapping[str, str]) -> Path | None:
    """Return the kernel's directory if it has been built, or None."""
    return _find(tuple(variables.items()))


@functools.cache
def _find(items: tuple[tuple[str, str], ...]) -> Path | None:
    done = subprocess.run([REPO / "lab/shell/build-kernel", "--find"], env=environment(**dict(items)),
                          capture_output=True, text=True)
    return None if done.returncode else Path(done.stdout.strip())


def named(variables: Mapping[str, str]) -> str:
    """Return a name for the job that builds the kernel of these variables."""
    return "-".join(Path(value).name for value in variables.values())


def options(directory: Path) -> str:
    """Return the text of a kernel's configuration."""
    return (directory / "config").read_text()
