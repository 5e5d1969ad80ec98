# SPDX-License-Identifier: GPL-2.0-only
"""Boots of kernels that differ in the modules that are built in, and of one kernel with each module enabled."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from lsmlab.console import say
from lsmlab.guest.settings import BadSetting, number
from lsmlab.kernel import without
from lsmlab.kernel.objects.tree import get_source
from lsmlab.measure.pipeline import initrd, kernel, lock, printed
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import request
from lsmlab.places import CACHE, REPO

# The kernels: with every module, with no module but capability, and without one of them each.
EVERY, NONE = "every", "none"
# Without IMA and EVM, which would be on in each boot.
FLAVOUR = "lsm"
CALLS = ("stat", "open", "read", "write", "creat", "unlink", "rename", "mkdir", "chmod", "net/socket", "net/connect",
         "net/unix-rr", "task/kill", "task/fork", "task/exec", "mm/mmap")
SAMPLES = 31
# Boots of each that make no calls. Their command lines are of different lengths, so that what waits for the clock meets other
# moments of it.
PHASES = 3
# What decides what a kernel of this command is, besides the source and the compiler.
BUILD = (REPO / "lab/shell/build-kernel", REPO / "lab/shell/lib.sh", REPO / "kconfigs", REPO / "lab/lsmlab/kernel/without.py")
# Variables that would change the kernels behind the back of their names.
REFUSED = ("KDIR", "CONFIG", "LLVM")


def check() -> None:
    """Refuse variables that this command does not have."""
    request.check("qemu")
    for name in REFUSED:
        if os.environ.get(name):
            raise BadSetting(f"{name}='{os.environ[name]}' is not accepted here; KVER is the kernel")


def lacking(name: str) -> str:
    """Return the name of the kernel, and of its boot, without a module."""
    return f"without-{name}"


class Measuring:
    """Measures one kernel after the other, in one tree, so that each build compiles only what differs."""

    def __init__(self, results: Path) -> None:
        self.results, self.source = results, get_source()
        self.modules = request.some_of("MODULES", without.modules(self.source))
        self.tree = CACHE / "without" / self.source.name / "tree"
        script = initrd.script(("built",), samples=number("SAMPLES", SAMPLES, 5, 99999), calls=f"'{' '.join(CALLS)}'")
        self.files = initrd.make(results / "initrd", script, [request.tools() / "lmbench-hook"])
        self.booted = initrd.make(results / "booted", initrd.script(("booted",)), [])
        self.inputs = printed.digest(BUILD)

    def kernels(self) -> dict[str, Sequence[str]]:
        """Return the modules that each kernel lacks, by its name, in the order in which least is compiled again.

        Many files depend on whether BPF programs can be on hooks, which come last, and then no module, if all are asked about.
        """
        there = without.modules(self.source)
        none = {NONE: tuple(there)} if set(self.modules) == set(there) else {}
        return {EVERY: (), **{lacking(name): (name,) for name in self.modules}, **none}

    def enabled(self, name: str) -> Mapping[str, str]:
        """Return the value of LSM in each boot of a kernel, by the boot's name."""
        return {name: "", **({module: module for module in self.modules} if name == EVERY else {})}

    def variables(self, name: str) -> dict[str, str]:
        """Return the variables of build-kernel for a kernel."""
        source = f"{self.source.name}-{name}-{self.inputs[:16]}"
        return {**request.kernel("qemu", FLAVOUR), "KDIR": str(self.tree), "LSMPMON_SOURCE": source}

    def boots(self, name: str) -> list[Boot]:
        """Return the boots of a kernel: of each, one that makes calls, 0, and those that do not."""
        return [self._boot(name, boot, lsm, number) for boot, lsm in self.enabled(name).items() for number in range(PHASES + 1)]

    def _boot(self, name: str, boot: str, lsm: str, number: int) -> Boot:
        """Return a boot.

        It prints less, since a line takes more instructions than what it tells of, and unpacks the initramfs before it goes on.
        """
        words = ["quiet", "initramfs_async=0", *([f"phase={'x' * 9 * number}"] if number else [])]
        unpacked, files = ("booted", self.booted) if number else ("initrd", self.files)
        guest = {"ACCEL": "icount", "LSM": lsm, "KARGS": request.kargs(*words), "INITRD": str(self.results / unpacked)}
        out = f"{boot}-{number}" if number else boot
        return Boot(out, str(self.results / out), self.variables(name), guest, files,
                    needs=("boot", "memory") if number else ("run.json", "kernel"))

    def _key(self, name: str) -> str:
        """Return a hash of all inputs of what is measured of a kernel, which build-kernel does not keep for long."""
        inputs = [self.variables(name), list(self.enabled(name)), self.files, self.booted, request.compiler(), request.kargs()]
        return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()[:16]

    def measure(self) -> None:
        """Measure the kernels that are missing, all with FRESH=1."""
        with lock.held(self.tree.parent, lambda: say("waiting for another lab built")):
            for name, lacks in self.kernels().items():
                kept = self.results / "kernels" / name
                key = kept / printed.KEY
                if os.environ.get("FRESH") == "1" or printed.kept(kept) != self._key(name):
                    key.unlink(missing_ok=True)
                    without.put(self.tree, self.source, lacks)
                    request.measure(self.boots(name), self.results)
                    self._keep(name, kept)
                    key.write_text(f"{self._key(name)}\n")

    def _keep(self, name: str, kept: Path) -> None:
        """Keep what an image says of itself: its sections, its symbols, and the sections of security.o."""
        directory = kernel.build(self.variables(name))
        kept.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["size", "-A", "-d", directory / "vmlinux"], stdout=subprocess.PIPE, text=True, check=True)
        (kept / "sections").write_text(done.stdout)
        (kept / "security.o").write_text((directory / "sizes").read_text())
        (kept / "symbols").write_text((directory / "System.map").read_text())
