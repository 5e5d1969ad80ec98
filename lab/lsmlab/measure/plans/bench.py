# SPDX-License-Identifier: GPL-2.0-only
"""Boots of lmbench-hook with policies at hand: a shell command in the repository, wherever the guest has that."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from lsmlab.measure.pipeline import initrd, printed
from lsmlab.measure.pipeline.initrd import INSIDE
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import request
from lsmlab.places import REPO

# Seconds, at most.
TIMEOUT = "3000"
# The files of this repository that a guest reads if it sees the files of this machine.
FILES = (*(REPO / f"build/bin/{name}" for name in ("lmbench-hook", "lmbench-hook-sweep")), INSIDE,
         REPO / "userspace/policy", REPO / "build/policy")
SCRIPT = """export TMPDIR=/tmp RUNNER=qemu ACCEL=icount PATH=/repo/build/bin:$PATH
cd /repo
{command}
"""


def exact() -> bool:
    """Say whether ACCEL asks for a guest that counts instructions."""
    return os.environ.get("ACCEL") == "icount"


def make_initrd(out: Path, command: str, policies: Iterable[str] = ()) -> str:
    """Make the initramfs of a command and return its digest. `policies` are words of lab/shell/guest-repo."""
    listed = subprocess.run([REPO / "lab/shell/guest-repo", *policies], stdout=subprocess.PIPE, text=True, check=True).stdout
    return initrd.make(out, SCRIPT.format(command=command), listed.splitlines())


def boot(name: str, out: Path, command: str, kver: str = "", number: int = 1, needs: Sequence[str] = (), lsm: str = "") -> Boot:
    """Return a boot that runs a command, with the modules of `lsm`, or those that LSM asks for.

    If instructions are counted, the guest is an initramfs that reads no file of this machine, so that two boots execute the
    same instructions.
    """
    guest = {**request.machine(), "KARGS": request.kargs(), "TIMEOUT": os.environ.get("TIMEOUT") or TIMEOUT}
    if lsm := lsm or os.environ.get("LSM", ""):
        guest["LSM"] = lsm
    kernel = request.kernel("qemu" if exact() else request.runner(), request.flavour(), kver)
    if exact():
        made = out.with_name("initrd")
        files = make_initrd(made, command)
        guest["INITRD"] = str(made)
    else:
        files = printed.digest(FILES)
        guest["CMD"] = command
    return Boot(name, str(out), kernel, guest, files, number, needs)


def place() -> str:
    """Return the name of the runner, and of the accelerator if there is one, as in folders of results."""
    return "-".join(filter(None, [request.runner(), os.environ.get("ACCEL", "")]))
