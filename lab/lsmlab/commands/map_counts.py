# SPDX-License-Identifier: GPL-2.0-only
"""Count pairs of a system call and a hook in guests of KVER (6.12), to check the map against: build/map/VERSION/counted/.

Each WORK is a boot: table7, objects, lmbench, stress-tmpfs, stress-ext4 and trinity, which are done if none is named,
and kselftest. With ARCH=arm64 it is lmbench only, and the folder is VERSION-arm64. What was counted is kept until one of
its inputs changes. trinity, stress-ng and libraries of the selftests are installed if they are missing.

Variables: SECONDS_EACH (20), the time for each class of stress, and for trinity, of which the selftests have 60 times as long at
most; LSM, KARGS, CPUS and ACCEL, as for make exec; FRESH=1, to count all again.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from lsmlab.console import say
from lsmlab.guest.settings import ARCHES, BadSetting
from lsmlab.measure.hookmap import kernel
from lsmlab.measure.plans import counts, request
from lsmlab.places import REPO


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("works", nargs="*", metavar="WORK")


def main(options: argparse.Namespace) -> int:
    os.environ["RUNNER"] = "qemu"
    request.check(arches=ARCHES)
    accepted = counts.accepted()
    works = options.works or [work for work in counts.WORKS if work in accepted]
    for work in works:
        if work not in accepted:
            raise BadSetting(f"WORK='{work}' is not accepted; one of: {' '.join(accepted)}")
    folder = REPO / "build/map" / kernel.folder(request.version(), request.arch()) / "counted"
    request.programs()
    counts.prepare(folder, works)
    boots = list(counts.boots(folder, works))
    request.measure(boots, folder)
    for boot in boots:
        saved = Path(boot.out) / boot.needs[0]
        say(f"{boot.name}: {len(saved.read_text().splitlines())} lines in {saved}")
    return 0
