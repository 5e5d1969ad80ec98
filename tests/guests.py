# SPDX-License-Identifier: GPL-2.0-only
"""What tests with guests share: the built kernels, and commands run in them."""

import functools
import os
import subprocess
from pathlib import Path

from hooksites import Sites, Vmlinux

REPO = Path(__file__).resolve().parents[1]
RUNNERS = ("uml", "qemu")
VARIABLES = ("KVER", "KDIR", "RUNNER", "ACCEL", "FLAVOUR", "LSM", "KARGS", "CPUS", "TIMEOUT",
             "SHARE", "INITRD", "CMD", "MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
CLEAN = {name: value for name, value in os.environ.items() if name not in VARIABLES}
LSMMON = "/sys/kernel/security/lsmmon"


def environment(**variables):
    return dict(CLEAN, **{name: str(value) for name, value in variables.items()})


def execute(cmd, **variables):
    """A command in a guest, as scripts/exec runs it, whatever its status is."""
    env = environment(**{"TIMEOUT": 600, "LSM": "", "CMD": cmd, **variables})
    return subprocess.run([REPO / "scripts/exec"], env=env, capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL)


def output(cmd, **variables):
    """What a command prints that succeeds."""
    done = execute(cmd, **variables)
    assert done.returncode == 0, f"status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@functools.cache
def source_tree():
    """The pristine source of the kernel."""
    done = subprocess.run([REPO / "scripts/get-source"], env=environment(),
                          stdout=subprocess.PIPE, text=True, check=True)
    return Path(done.stdout.strip())


@functools.cache
def kernel_directory(runner, flavour="patched"):
    """Where a kernel and what was kept of its build are."""
    done = subprocess.run([REPO / "scripts/build-kernel"], stdout=subprocess.PIPE, text=True,
                          env=environment(RUNNER=runner, FLAVOUR=flavour), check=True)
    return Path(done.stdout.strip())


@functools.cache
def sites(runner):
    """Where a kernel calls and records hooks; read once for all tests."""
    vmlinux = Vmlinux(kernel_directory(runner) / "vmlinux")
    return Sites(vmlinux, vmlinux.disassembly())


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
