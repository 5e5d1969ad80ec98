# SPDX-License-Identifier: GPL-2.0-only
"""The cost of the hooks of each module: one boot for each module, the same file operations in each."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from lsmlab.guest.settings import BadSetting, number
from lsmlab.measure.evaluation import machine
from lsmlab.measure.pipeline import printed
from lsmlab.measure.pipeline.initrd import INSIDE
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import request
from lsmlab.places import REPO

MODULES = "capability selinux apparmor tomoyo smack landlock"
ROUNDS = 200
# The files of this repository that guests read, beside our tools.
FILES = tuple(REPO / name for name in ("build/policy", "userspace/policy"))
FILES_INSIDE = tuple(INSIDE / name for name in ("run", "lsm-setup", "lsm"))


def modules() -> list[str]:
    """Return the modules that MODULES names."""
    return (os.environ.get("MODULES") or MODULES).split()


def versions() -> list[str]:
    """Return the kernels that KVER names, which are compared if there are several."""
    return request.version().split()


def folder(results: Path, kver: str, module: str) -> Path:
    """Return where the results of a module are: in a folder for each kernel, if there are several."""
    own = results if len(versions()) == 1 else results / kver
    return own / f"{request.runner()}{request.suffix()}" / module


def arguments(module: str) -> str:
    """Return the words that the policy of a module needs on the kernel's command line."""
    done = subprocess.run([INSIDE / "lsm-setup", "arguments", module], capture_output=True, text=True)
    if done.returncode:
        raise BadSetting(f"MODULES='{' '.join(modules())}' is not accepted: {done.stderr.strip()}")
    return done.stdout.strip()


def _tools() -> Iterator[Path]:
    yield from (request.tools() / name for name in ("lmbench-hook", "lsmpmon"))


def boots(results: Path) -> Iterator[Boot]:
    """Yield a boot for each module on each kernel. Records are for comparing kernels."""
    kernels, rounds, files = versions(), number("ROUNDS", ROUNDS, 1, 10**6), printed.digest([*_tools(), *FILES, *FILES_INSIDE])
    record: Sequence[str] = ["record"] if len(kernels) > 1 else []
    for kver in kernels:
        kernel = request.kernel(request.runner(), request.flavour(), kver)
        for module in modules():
            words = ["lab/inside/run", module, str(rounds), machine.about()["processor"], *record]
            guest = {**request.machine(), "LSM": module, "KARGS": request.kargs(arguments(module)), "CMD": shlex.join(words)}
            yield Boot(f"{kver}/{module}" if record else module, str(folder(results, kver, module)), kernel, guest, files,
                       needs=("about", "info", "1/result", *(["record.json"] if record else [])))
