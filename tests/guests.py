# SPDX-License-Identifier: GPL-2.0-only
"""What tests with guests share: the built kernels, and commands run in them."""

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hooklists import ListsVmlinux
from hooksites import Sites, Vmlinux

REPO = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPO / "scripts"))
from kerneltree.source import supported  # noqa: E402

DEFAULT = "6.12"
KERNELS = supported()
RUNNERS = ("uml", "qemu")
GUESTS = [(kver, runner) for kver in KERNELS for runner in RUNNERS]
# Of scripts/get-source: the mirror does not have it.
NOT_TO_BE_HAD = 3
VARIABLES = ("KVER", "KDIR", "RUNNER", "ACCEL", "FLAVOUR", "LSM", "KARGS", "CPUS", "TIMEOUT",
             "SHARE", "INITRD", "CMD", "MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
CLEAN = {name: value for name, value in os.environ.items() if name not in VARIABLES}
LSMMON = "/sys/kernel/security/lsmmon"


def environment(**variables):
    return dict(CLEAN, **{name: str(value) for name, value in variables.items()})


def execute(cmd, **variables):
    """A command in a guest, as scripts/exec runs it, whatever its status is."""
    source_tree(variables.get("KVER", DEFAULT))
    env = environment(**{"TIMEOUT": 600, "LSM": "", "CMD": cmd, **variables})
    return subprocess.run([REPO / "scripts/exec"], env=env, capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL)


def output(cmd, **variables):
    """What a command prints that succeeds."""
    done = execute(cmd, **variables)
    assert done.returncode == 0, f"status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@functools.cache
def _source(kver):
    return subprocess.run([REPO / "scripts/get-source"], env=environment(KVER=kver),
                          capture_output=True, text=True)


def source_tree(kver=DEFAULT):
    """The pristine source of a kernel; skips the test if it is not to be had."""
    done = _source(kver)
    if done.returncode == NOT_TO_BE_HAD:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@functools.cache
def _kernel_directory(kver, runner, flavour):
    done = subprocess.run([REPO / "scripts/build-kernel"], stdout=subprocess.PIPE, text=True,
                          env=environment(KVER=kver, RUNNER=runner, FLAVOUR=flavour), check=True)
    return Path(done.stdout.strip())


def kernel_directory(kver, runner, flavour="patched"):
    """Where a kernel and what was kept of its build are."""
    source_tree(kver)
    return _kernel_directory(kver, runner, flavour)


@functools.cache
def _sites(directory, source):
    vmlinux = Vmlinux(directory / "vmlinux")
    if not vmlinux.slots:
        vmlinux = ListsVmlinux(vmlinux.path, source)
    return Sites(vmlinux, vmlinux.disassembly())


def sites(kver, runner):
    """Where a kernel calls and records hooks; read once for all tests."""
    return _sites(kernel_directory(kver, runner), source_tree(kver))


def counts(result):
    """lsmmon/result: calls by hook, in its order; never called is 0."""
    header, *lines = (line.split() for line in result.splitlines())
    assert header == ["hook", "min", "max", "ave", "count", "cs_count"]
    assert all(len(words) in (1, 6) for words in lines), lines
    return {words[0]: sum(map(int, words[4:6])) for words in lines}


def rows(table):
    """Any table of lsmmon/: a mapping by column for each row; what is not there is empty."""
    header, *lines = (line.split() for line in table.splitlines())
    return [dict.fromkeys(header, "") | dict(zip(header, words)) for words in lines]
