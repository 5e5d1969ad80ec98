# SPDX-License-Identifier: GPL-2.0-only
"""Built kernels, and commands run in guests, as several tests share them."""

import functools
import re
import subprocess
import sys
from pathlib import Path

import boots
import builds
import inputs
import pytest
from hooklists import ListsVmlinux
from hooksites import Sites, Vmlinux
from kernels import DEFAULT, NOT_BEGUN, PAST_DEADLINE, REPO, VERSIONS, environment, pristine

from lsmpmon_report.kernelfiles import add_up, parse_table

RUNNERS = ("uml", "qemu")
GUESTS = [(kver, runner) for kver in VERSIONS for runner in RUNNERS]
# The kernel that checks locks, memory and arithmetic replaces the plain one of a guest, so that none has to be built in
# addition.
DEBUG = ("6.1", "qemu")
# Kernels for QEMU that are built in addition: the one that looks for data races, the real-time one, the one with the types
# that BPF programs need, the one that LLVM builds, with CFI, and the one for arm64. These take long to build, so each is of
# one version.
RACES = ("6.12", "kcsan")
BPF = ("6.12", "bpf")
# The next three are of 6.12, or of the newest version if that is the only one under test.
NEWEST = "7.3"
_version = NEWEST if VERSIONS == [NEWEST] else "6.12"
REALTIME = (_version, "rt")
CLANG = (_version, "llvm")
ARM64 = (_version, "arm64")
ADDED = (BPF, RACES, REALTIME, CLANG, ARM64)
# User-Mode Linux with the model of LIDS, in each version, in addition as well.
LIDS = "uml-lids"
KERNELS = (*RUNNERS, *(runner for _, runner in ADDED), LIDS)
LLVM = "-19"
# Seconds after which a guest will not answer any more, however busy the machine is.
PATIENCE = 2400
LSMMON = "/sys/kernel/security/lsmmon"


def name_of(guest):
    """Return the name of a guest. Where none is under test, pytest asks for that of something else."""
    return "-".join(guest) if isinstance(guest, tuple) else None


def flavour_of(kver, runner):
    if (kver, runner) == DEBUG:
        return "debug"
    return "patched" if runner in (*RUNNERS, CLANG[1], ARM64[1]) else runner.removeprefix("uml-")


def variables_of(kver, runner):
    """Return the variables of make for the kernel of a place."""
    more = {CLANG[1]: {"LLVM": LLVM}, ARM64[1]: {"ARCH": "arm64"}}.get(runner, {})
    return {"KVER": kver, "RUNNER": "uml" if runner in ("uml", LIDS) else "qemu", "FLAVOUR": flavour_of(kver, runner), **more}


def execute(cmd, expected=0, **variables):
    """Run a command in a guest with scripts/exec; its status may be any.

    If no input of the boot has changed since it ended with the `expected` status and its tests passed, nothing is booted:
    boots.py returns the kept output.
    """
    guest = variables.get("KVER", DEFAULT), variables.get("RUNNER", RUNNERS[0])
    directory = kernel_directory(*guest, variables.get("FLAVOUR"))
    kernel = {**variables_of(*guest), "FLAVOUR": variables.pop("FLAVOUR", flavour_of(*guest))}
    variables = {"TIMEOUT": PATIENCE, "LSM": "", "CMD": cmd, **variables, **kernel}

    def boot():
        return subprocess.run([REPO / "scripts/exec"], env=environment(**variables), capture_output=True, text=True,
                              errors="replace", stdin=subprocess.DEVNULL)

    return boots.once(inputs.digest(directory, variables), boot, variables.get("SHARE"), expected)


# Why there is no output, by the request. A guest that hangs is not booted again for each test that wants it.
_without_output = {}


def output(cmd, **variables):
    """Return the output of a command, which has to succeed."""
    about = cmd, *sorted((name, str(value)) for name, value in variables.items())
    if about not in _without_output:
        done = execute(cmd, **variables)
        if done.returncode == 0:
            return done.stdout
        _without_output[about] = f"status {done.returncode}\n{done.stdout}\n{done.stderr}"
    pytest.fail(_without_output[about])


@functools.cache
def _kernel_directory(kver, runner, flavour):
    # A kernel that a running test builds has no deadline: missing it would be a failure, and not a skip.
    late = builds.last_start(runner if runner == CLANG[1] else flavour)
    env = environment(**{**variables_of(kver, runner), "FLAVOUR": flavour, "DEADLINE": late})
    done = subprocess.run([REPO / "lab/shell/build-kernel"], capture_output=True, text=True, env=env)
    sys.stderr.write(done.stderr)
    builds.note(done.stderr)
    if done.returncode == PAST_DEADLINE:
        pytest.skip(NOT_BEGUN)
    done.check_returncode()
    return Path(done.stdout.strip())


def kernel_directory(kver, runner, flavour=None):
    """Return the directory of a built kernel; the first call builds it."""
    pristine(kver)
    return _kernel_directory(kver, runner, flavour or flavour_of(kver, runner))


@functools.cache
def _sites(directory, source):
    vmlinux = Vmlinux(directory / "vmlinux")
    if not vmlinux.slots:
        vmlinux = ListsVmlinux(vmlinux.path, source)
    return Sites(vmlinux, vmlinux.disassembly())


def sites(kver, runner):
    """Return where a kernel calls and records hooks; this is read once for all tests."""
    return _sites(kernel_directory(kver, runner), pristine(kver))


def available(modules, kver, runner):
    """Return the modules that a kernel has, as in LSM=: User-Mode Linux 6.1 has no Landlock, and none has BPF LSM."""
    config = (kernel_directory(kver, runner) / "config").read_text()
    return [name for name in modules
            if re.search(f"^CONFIG_(SECURITY_{name.upper()}|{name.upper()}_LSM)=y$", config, re.M)]


def counts(table, *by, of=("count", "cs_count")):
    """Return the sums of columns of a table of lsmmon/, which must have them. A row without calls has none of them."""
    rows = parse_table(table, needs=(*by, *of))
    assert all(len({column in row for column in of}) == 1 for row in rows), table
    return add_up(rows, *by, of=of)
