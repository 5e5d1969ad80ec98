# SPDX-License-Identifier: GPL-2.0-only
"""make overhead: what the monitor itself costs.

Does the same file operations in an initramfs under QEMU's -icount, on the unpatched kernel, and on the patched one with the
monitor off, on, and on with each feature. On User-Mode Linux, measures what an empty hook reads above the empty span, and
cycles of a hook call. Raw results go to build/overhead/, the table and its figures to build/overhead.txt and
build/overhead.json; with LLVM, ARCH=arm64 or CONFIG, the names begin with overhead-llvm, overhead-arm64 or overhead-config, and
nothing is measured on User-Mode Linux. What was measured is kept until one of its inputs changes, so an interrupted run goes
on where it was.

Variables: KVER, KDIR, ARCH, LLVM, CONFIG, LSM, KARGS; SAMPLES (400), LOOP (8) and ROUNDS (512), the work in each guest; FRESH=1,
to measure all again; PROFILE; RESULTS, the folder for results (build); RUNNER=host, this machine as it is booted.
"""

from __future__ import annotations

import argparse

from lsmlab.guest.settings import ARCHES
from lsmlab.measure.plans import overhead, request
from lsmlab.publish import tables


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--gate", action="store_true", help="status 1 if a target is missed")


def main(options: argparse.Namespace) -> int:
    if request.on_host():
        request.measure_host("host", "overhead")
    request.check("qemu", ARCHES)
    results, work = request.base() / f"overhead{request.suffix()}", request.Work.from_environment(overhead.SAMPLES)
    request.programs()
    request.measure([*overhead.counted(results, work), *overhead.timed(results)], results)
    overhead.write_sizes(results)
    overhead.write_about(results, work)
    words = ["overhead", "--gate"] if options.gate else ["overhead"]
    return tables.show(words, results)
