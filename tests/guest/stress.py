# SPDX-License-Identifier: GPL-2.0-only
"""Several copies of workload.py work at once while everything is measured.

Usage: stress.py COPIES FOLDER...
Prints JSON: the monitor's tables, and what the copies were refused.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import workload

LSMMON = Path("/sys/kernel/security/lsmmon")
FEATURES = ("syscall", "module", "histogram", "stack", "comm", "cgroup", "task", "slowest", "waits")
TABLES = ("result", "verdicts", "cpus", "syscalls", "modules", "histogram", "stacks", "comms", "cgroups", "tasks", "slowest",
          "waits", "info")
# Namespaces of their own, so that names do not clash: host name, IPC, network.
NAMESPACES = 0x04000000 | 0x08000000 | 0x40000000


def copy(number, folders):
    workload.syscall(workload.UNSHARE, NAMESPACES)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    places = [f"{folder}/{number}" for folder in folders]
    for place in places:
        os.mkdir(place)
    return workload.everything(places)


def start(number, folders):
    """Start a copy, and return its process and the pipe for its refused operations."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, "\n".join(copy(number, folders)).encode())
        os._exit(0)
    os.close(writing)
    return child, open(reading)


def main():
    for name in FEATURES:
        (LSMMON / "features").write_text(f"{name} 1")
    (LSMMON / "control").write_text("1")
    refused = []
    for child, pipe in [start(n, sys.argv[2:]) for n in range(int(sys.argv[1]))]:
        refused += pipe.read().splitlines()
        assert os.waitpid(child, 0)[1] == 0
    (LSMMON / "control").write_text("0")
    print(json.dumps({"said": refused, **{name: (LSMMON / name).read_text() for name in TABLES}}))


if __name__ == "__main__":
    main()
