# SPDX-License-Identifier: GPL-2.0-only
"""Count hooks with the monitor and functions with ftrace's profiler, at once.

Usage: profile_counts.py FILE-OF-FUNCTIONS FOLDER...
Prints JSON: for an empty workload and for workload.py in the folders, what
either has counted; and which functions can be traced.
"""

import json
import os
import sys
import time
from pathlib import Path

import workload

LSMMON = Path("/sys/kernel/security/lsmmon")
TRACING = Path("/sys/kernel/tracing")


def settle():
    """Wait until files, tasks and credentials that are freed later are freed."""
    time.sleep(1)


def select(functions):
    """Have ftrace profile these functions, as far as it knows them, and return all functions that it knows."""
    text = (TRACING / "available_filter_functions").read_text()
    traceable = {line.split()[0] for line in text.splitlines()}
    (TRACING / "set_ftrace_filter").write_text("\n".join(f for f in functions if f in traceable))
    return sorted(traceable)


def profile():
    """Return the hits of each function, summed over all processors."""
    hits = {}
    for path in TRACING.glob("trace_stat/function[0-9]*"):
        for line in path.read_text().splitlines()[2:]:
            words = line.split()
            hits[words[0]] = hits.get(words[0], 0) + int(words[1])
    return hits


def measure(work):
    """Run the work and return both counts. The monitor is on for a little longer, on both sides, than the profiler."""
    control = os.open(LSMMON / "control", os.O_WRONLY)
    profiler = os.open(TRACING / "function_profile_enabled", os.O_WRONLY)
    (LSMMON / "reset").write_text("1")
    settle()
    os.write(control, b"1")
    os.write(profiler, b"1")
    output = work()
    settle()
    os.write(profiler, b"0")
    os.write(control, b"0")
    os.close(profiler)
    os.close(control)
    return {**{name: (LSMMON / name).read_text() for name in ("result", "info")}, "hits": profile(), "said": output}


def main():
    traceable = select(Path(sys.argv[1]).read_text().split())
    measure(list)
    empty = measure(list)
    work = measure(lambda: workload.everything(sys.argv[2:]))
    print(json.dumps({"traceable": traceable, "empty": empty, "work": work}))


if __name__ == "__main__":
    main()
