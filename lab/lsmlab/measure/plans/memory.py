# SPDX-License-Identifier: GPL-2.0-only
"""Boots with one module each, and with its policy, that say how much of the kernel's memory is used."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

from lsmlab.measure.evaluation import plan
from lsmlab.measure.pipeline import printed
from lsmlab.measure.pipeline.initrd import INSIDE
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import request, run
from lsmlab.places import REPO

BASE = "capability"
# Policies, each with its module; modules that have none, or that take one from each program.
POLICIES = {"selinux": "selinux", "selinux-debian": "selinux", "apparmor": "apparmor", "apparmor-debian": "apparmor",
            "smack": "smack", "tomoyo": "tomoyo"}
OTHERS = ("landlock", "yama", "lockdown", "loadpin", "safesetid", "ipe", "bpf")
FILES = (REPO / "build/policy", REPO / "userspace/policy", *(INSIDE / name for name in ("memory", "lsm-setup", "lsm")))
FLAVOUR = "patched"


def states() -> list[str]:
    """Return what is booted: the base, policies and modules, as MODULES says."""
    return [BASE, *request.some_of("MODULES", (*POLICIES, *OTHERS))]


def tools() -> None:
    """Build the policies, which lsm-tools may have to get the programs of."""
    subprocess.run([REPO / "lab/shell/lsm-tools", *(name for name in states() if name in plan.SECOND)])


def boots(results: Path) -> Iterator[Boot]:
    """Yield a boot of each state."""
    files, kernel = printed.digest(FILES), request.kernel("qemu", FLAVOUR)
    for name in states():
        module = POLICIES.get(name, name)
        words = ["lab/inside/memory", *([name] if name in POLICIES else [])]
        kargs = request.kargs("lsm.debug", run.arguments(name) if name in POLICIES else "")
        guest = {"ACCEL": "icount", "LSM": "" if name == BASE else module, "KARGS": kargs, "CMD": shlex.join(words)}
        yield Boot(name, str(results / name), kernel, guest, files, needs=("blobs",))
