# SPDX-License-Identifier: GPL-2.0-only
"""Boots that load a policy: one of each where instructions are counted, and several on User-Mode Linux, by a clock."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from lsmlab.guest.settings import number
from lsmlab.measure.evaluation import plan
from lsmlab.measure.pipeline import initrd, printed
from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.pipeline.initrd import INSIDE
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import request
from lsmlab.places import REPO

FOLDER = REPO / "build/policy"
# The file of a policy, by its module. Those of TOMOYO are so many rules of one domain, which the guest makes.
FILES = {"selinux": "selinux.policy", "selinux-debian": "selinux-debian.policy", "apparmor-debian": "apparmor-debian.profiles"}
RULES = ("tomoyo-1000", "tomoyo-4000", "tomoyo-16000")
BOOTS = 10
NEEDS = ("bytes", "nothing", "load", "loaded", "kernel")
EXACT_NEEDS = (*NEEDS, "calls/nothing", "calls/load")


def policies() -> list[str]:
    """Return the policies that POLICIES names; without it, all."""
    return request.some_of("POLICIES", (*FILES, *RULES))


def tools() -> None:
    """Build the policies. Raise Failed if one could not be."""
    subprocess.run([REPO / "lab/shell/lsm-tools", *(name for name in policies() if name in plan.SECOND)])
    missing = [name for name in policies() if name in FILES and not (FOLDER / FILES[name]).is_file()]
    if missing:
        raise Failed(f"the policy {missing[0]} could not be built here")


def _module(policy: str) -> str:
    return policy.partition("-")[0]


def exact(results: Path) -> Iterator[Boot]:
    """Yield the boots that count instructions."""
    script = initrd.script(("loading",), folder="/policy", dd="/bin/gnu-dd")
    program = Path(shutil.which("dd") or "dd").resolve()
    made = [FOLDER / FILES[name] for name in policies() if name in FILES]
    files = initrd.make(results / "initrd", script, [f"{program}:/bin/gnu-dd", *(f"{path}:/policy/{path.name}" for path in made)])
    for name in policies():
        guest = {"ACCEL": "icount", "LSM": _module(name), "KARGS": request.kargs(f"loading={name}"),
                 "INITRD": str(results / "initrd")}
        yield Boot(f"{name}-exact", str(results / f"{name}-exact"), request.kernel("qemu", "patched"), guest, files,
                   needs=EXACT_NEEDS)


def timed(results: Path) -> Iterator[Boot]:
    """Yield the boots that read a clock, policies in turn, so that what changes on the machine meets all of them."""
    files = printed.digest([INSIDE / "loading", FOLDER])
    command = f"folder={FOLDER.relative_to(REPO)} dd=dd\n. lab/inside/loading"
    for boot in range(1, number("BOOTS", BOOTS, 1, 999) + 1):
        for name in policies():
            guest = {"LSM": _module(name), "KARGS": request.kargs(f"loading={name}"), "CMD": command}
            yield Boot(f"{name}-{boot}", str(results / f"{name}-{boot}"), request.kernel("uml", "patched"), guest, files, boot,
                       NEEDS)
