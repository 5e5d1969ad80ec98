# SPDX-License-Identifier: GPL-2.0-only
"""The time that kernels took to build in this run on this machine: enough must be left before a deadline."""

import re

from kernels import DEADLINE, REPO

# Seconds, until a build has taken longer; and the factor for kernels with sanitizers.
LEAST = 600
SANITIZERS = 1.5
# All processes of a run add to it; scripts/check removes it at the start.
SEEN = REPO / "build/check/builds"


def note(output):
    """Note the duration that lab/shell/build-kernel printed at its end."""
    taken = re.search(r"built in (\d+) s", output)
    if taken:
        SEEN.parent.mkdir(parents=True, exist_ok=True)
        with open(SEEN, "a") as seen:
            seen.write(f"{taken[1]}\n")


def expected(sanitizers=False):
    """Return how many seconds a build is expected to take."""
    seen = SEEN.read_text().split() if SEEN.exists() else []
    return max([LEAST, *map(int, seen)]) * (SANITIZERS if sanitizers else 1)


def last_start(sanitizers=False):
    """Return when a build has to begin at the latest, in seconds since 1970, as lab/shell/build-kernel takes it in
    DEADLINE.
    """
    return "" if DEADLINE == float("inf") else int(DEADLINE - expected(sanitizers))
