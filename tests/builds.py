# SPDX-License-Identifier: GPL-2.0-only
"""The time that kernels took to build in this run on this machine: enough must be left before a deadline."""

import re

from kernels import DEADLINE, REPO

# Seconds, until a build has taken longer; and how many times as long the kernels take that have sanitizers or locks checked,
# and that LLVM compiles and links as a whole.
LEAST = 600
TIMES = {"debug": 1.5, "kcsan": 1.5, "rt": 1.5, "llvm": 2}
# All processes of a run add to it; scripts/check removes it at the start.
SEEN = REPO / "build/check/builds"


def note(output):
    """Note the duration that lab/shell/build-kernel printed at its end."""
    taken = re.search(r"built in (\d+) s", output)
    if taken:
        SEEN.parent.mkdir(parents=True, exist_ok=True)
        with open(SEEN, "a") as seen:
            seen.write(f"{taken[1]}\n")


def expected(kind=""):
    """Return how many seconds a build is expected to take. `kind` is a flavour, or llvm."""
    seen = SEEN.read_text().split() if SEEN.exists() else []
    return max([LEAST, *map(int, seen)]) * TIMES.get(kind, 1)


def last_start(kind=""):
    """Return when a build has to begin at the latest, in seconds since 1970, as lab/shell/build-kernel takes it in
    DEADLINE.
    """
    return "" if DEADLINE == float("inf") else int(DEADLINE - expected(kind))
