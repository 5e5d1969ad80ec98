# SPDX-License-Identifier: GPL-2.0-only
"""What it costs to count the calls and the time of every hook with lsmpmon, and with what else Linux has for that.

Does the same file operations under QEMU's -icount, in one boot for each tool, and compares each with a boot of the same
kernel without any tool. Raw results go to build/peers/, the table and its figures to build/peers.txt and build/peers.json.
bpftrace and what compiles BPF are installed if they are missing. What was measured is kept until one of its inputs changes.

Variables: KVER, KDIR, FLAVOUR (patched, or monitor), LSM, KARGS; SESSIONS (7.2), the version for programs of a whole call;
SAMPLES (10), LOOP (8) and ROUNDS (512), the work in each guest; FRESH=1, to measure all again; PROFILE; RESULTS, the folder for
results (build); RUNNER=host, this machine as it is booted: see lab/shell/host-peers.
"""

from __future__ import annotations

import argparse
import subprocess

from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.plans import peers, request
from lsmlab.places import REPO
from lsmlab.publish import tables


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes variables only."""


def main(_: argparse.Namespace) -> int:
    if request.on_host():
        request.measure_host("host-peers")
    request.check("qemu")
    peers.flavour()
    results, work = request.base() / "peers", request.Work.from_environment(peers.SAMPLES)
    if subprocess.run([REPO / "scripts/deps", "--peers"]).returncode:
        raise Failed("bpftrace and what compiles BPF are not installed")
    request.programs("all", "bpf-hooks")
    request.measure(list(peers.boots(results, work)), results)
    peers.write_about(results, work)
    return tables.show(["peers"], results)
