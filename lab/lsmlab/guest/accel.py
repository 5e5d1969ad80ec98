# SPDX-License-Identifier: GPL-2.0-only
"""The accelerator for QEMU. A /dev/kvm that exists may still not run a stock
kernel, so `auto` boots one under KVM once and remembers the outcome.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from lsmlab.guest.machines import KVM_CPU, MACHINES, Machine
from lsmlab.guest.settings import Settings
from lsmlab.places import CACHE, REPO

PROBE_SECONDS = 20
TOKEN = "lsmpmon-kvm-works"


def choose(settings: Settings, kernel: Path) -> str:
    if settings.accel != "auto":
        return settings.accel
    machine = MACHINES[settings.arch]
    return "kvm" if machine.native() and _kvm_works(machine, kernel) else "tcg"


def _kvm_works(machine: Machine, kernel: Path) -> bool:
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    memory = CACHE / "kvm-probe"
    seen = memory.read_text().split() if memory.exists() else []
    if seen[:1] != [boot]:
        seen = [boot, "works" if _boots_under_kvm(machine, kernel) else "fails"]
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(" ".join(seen) + "\n")
    return seen[1:] == ["works"]


def _boots_under_kvm(machine: Machine, kernel: Path) -> bool:
    """Say whether KVM boots this kernel as far as a process that prints a word."""
    with tempfile.TemporaryDirectory() as folder:
        script, initrd = Path(folder, "probe"), Path(folder, "initrd")
        script.write_text(f"echo {TOKEN}\n")
        subprocess.run([REPO / "lab/shell/make-initrd", initrd, script], check=True)
        words = [machine.binary, *machine.words, "-nodefaults", "-no-user-config", "-display", "none",
                 "-no-reboot", "-m", "512", "-accel", "kvm", "-cpu", KVM_CPU,
                 "-kernel", str(kernel / "kernel"), "-initrd", str(initrd),
                 "-append", " ".join(["rdinit=/init panic=-1 lsm=", *machine.reboot]), "-serial", "null",
                 "-chardev", "stdio,id=stdout", *machine.second_line("stdout")]
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, timeout=PROBE_SECONDS)
        except (subprocess.TimeoutExpired, FileNotFoundError):
            return False
        return TOKEN.encode() in done.stdout
