# SPDX-License-Identifier: GPL-2.0-only
"""Pairs of a system call and a hook, counted while guests do all kinds of work, to check the map against: one boot each."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lsmlab.guest.settings import number
from lsmlab.kernel.objects.tree import get_source
from lsmlab.measure.pipeline import printed
from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.pipeline.initrd import INSIDE
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import request
from lsmlab.places import REPO

# table7 makes the calls of a table of the 2021 paper one by one, objects makes calls on one kind of object after the
# other. lmbench is booted so that it counts instructions, the unit of
# the map's prices.
WORKS = ("table7", "objects", "lmbench", "stress-tmpfs", "stress-ext4", "trinity")
KSELFTEST = "kselftest"
# What guests of other architectures can do: the others make system calls by the numbers of x86-64, or are programs for it.
ELSEWHERE = ("lmbench",)
# Kernel selftests that make system calls with hooks and need little from the guest.
TARGETS = ("capabilities clone3 core exec fchmodat2 filesystems ipc kcmp landlock lsm memfd mount mount_setattr mqueue nsfs "
           "openat2 pidfd prctl proc ptrace seccomp splice tmpfs filesystems/epoll filesystems/overlayfs filesystems/statmount")
LSM = "landlock,lockdown,yama,safesetid,selinux"
# The packages that a work needs, as scripts/deps names them.
PACKAGES = {"stress-tmpfs": "stress", "stress-ext4": "stress", "trinity": "stress", KSELFTEST: "kselftest"}
FILES = (INSIDE / "map-counts", INSIDE / "map-calls", INSIDE / "map-objects")
# The files that works make, if not those of counts.
MADE = {"table7": ("calls",), "objects": ("objects", "success")}
# Seconds for each class of stress, and for trinity; the selftests have 60 times as long at most.
SECONDS = 20


def _make(log: Path, *words: str | Path) -> None:
    with open(log, "a") as output:
        if subprocess.run(["make", "-s", *words], stdout=output, stderr=output).returncode:
            raise Failed(f"the selftests do not build; see {log}")


def build_selftests(folder: Path) -> None:
    """Install the kernel's own selftests in a folder, except those that make leaves out, since the kernel lacks
    something.
    """
    source = get_source()
    build, log = folder / "kselftest-build", folder / "kselftest-build.log"
    log.unlink(missing_ok=True)
    _make(log, "-C", source, f"O={build}", "headers")
    _make(log, "-C", f"{source}/tools/testing/selftests", f"O={build}", f"TARGETS={TARGETS}", f"INSTALL_PATH={folder}/kselftest",
          "install")


def accepted() -> Sequence[str]:
    """Return the works that guests of this architecture can do."""
    return (*WORKS, KSELFTEST) if request.on_x86() else ELSEWHERE


def prepare(folder: Path, works: Iterable[str]) -> None:
    """Get the programs that works need."""
    for packages in dict.fromkeys(PACKAGES[work] for work in works if work in PACKAGES):
        if subprocess.run([REPO / "scripts/deps", f"--{packages}"]).returncode:
            raise Failed(f"what {packages} needs is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    if KSELFTEST in works:
        build_selftests(folder)


def _programs(work: str) -> list[Path]:
    """Return the program of this machine that makes the load."""
    program = shutil.which("trinity" if work == "trinity" else "stress-ng") if PACKAGES.get(work) == "stress" else None
    return [Path(program).resolve()] if program else []


def boots(folder: Path, works: Iterable[str]) -> Iterator[Boot]:
    """Yield a boot for each work. Load is random; the counts of one boot are kept as if another would count the same."""
    seconds = number("SECONDS_EACH", SECONDS, 1, 10**5)
    for work in works:
        guest = request.machine()
        if work == "lmbench":
            guest["ACCEL"] = os.environ.get("ACCEL") or "icount"
        if work == KSELFTEST:
            guest["SHARE"] = str(folder)
        guest |= {"LSM": os.environ.get("LSM", LSM), "KARGS": request.kargs(),
                  "TIMEOUT": os.environ.get("TIMEOUT") or str(75 * seconds + 600),
                  "CMD": shlex.join(["lab/inside/map-counts", work, str(seconds)])}
        needs = MADE.get(work, ("syscalls", "unit"))
        kernel = request.kernel("qemu", request.flavour())
        files = printed.digest([request.tools() / "lmbench-hook", *FILES, *_programs(work)])
        yield Boot(work, str(folder / work), kernel, guest, files, needs=needs)
