# SPDX-License-Identifier: GPL-2.0-only
"""The tests of the short tier, and the plan and the result of a run.

Documentation/reference/tests.md has the tiers as a table.
"""

import os
import subprocess
import time
from collections import Counter

from guests import ADDED, DEBUG, GUESTS, LIDS, variables_of
from kernels import DEADLINE, DEFAULT, NOT_BEGUN, REPO, SHORT, VERSIONS, environment

# CPU minutes. A check from nothing was measured, 43 in all: 10 for the kernel of User-Mode Linux, 13 for that of QEMU, and
# 20 for the short tier, of which 4 have been saved or are in the full tier since.
BUILD = {"uml": 10, "qemu": 13, "kcsan": 20, "rt": 20, "bpf": 16, "llvm": 30, "arm64": 13, LIDS: 10}
WORK = {True: 16, False: 28}


def is_full(item, where):
    """Say whether a test is for the full tier only.

    Such a test is one of another kernel, one that takes long, or the second of two that differ in the runner only.
    """
    again = where[1] == "qemu" and item.get_closest_marker("once")
    return where[0] not in (DEFAULT, "any") or where in (DEBUG, *ADDED) or bool(again or item.get_closest_marker("full"))


def built(kver, runner):
    """Say whether the kernel of a place is built."""
    env = environment(**variables_of(kver, runner))
    return not subprocess.run([REPO / "lab/shell/build-kernel", "--find"], env=env, capture_output=True).returncode


def plan():
    """Yield lines for the start of a run."""
    places = GUESTS if SHORT else [*GUESTS, *((kver, LIDS) for kver in VERSIONS),
                                            *(place for place in ADDED if place[0] in VERSIONS)]
    missing = [place for place in places if not built(*place)]
    work = WORK[SHORT] * len(VERSIONS) + sum(BUILD[runner] for _, runner in missing)
    yield f"{'the short tier' if SHORT else 'all tests'}, Linux {' '.join(VERSIONS)}"
    if missing:
        yield f"kernels to be built: {', '.join(map(' '.join, missing))}"
    yield f"about {1 + work // (os.cpu_count() or 1)} minutes where nothing else runs and every guest is booted"
    if DEADLINE < float("inf"):
        yield f"what has not begun by {time.strftime('%H:%M:%S', time.localtime(DEADLINE))} is skipped"


def not_begun(reports):
    """Return the tests by name and place that the deadline left out, and how many; xdist adds a group to names."""
    left_out = Counter()
    for report in reports:
        if NOT_BEGUN in str(report.longrepr):
            where = dict(getattr(report, "user_properties", [])).get("place") or ("any", "")
            name = report.nodeid.split("[")[0].split("@")[0]
            left_out[f"{name}, {' '.join(where).strip()}"] += 1
    return [f"{name}: {number}" for name, number in left_out.items()]
