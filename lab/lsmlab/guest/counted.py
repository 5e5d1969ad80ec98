# SPDX-License-Identifier: GPL-2.0-only
"""User-Mode Linux in QEMU, which counts instructions: those of the image whose cycles are counted outside of it.

Its clock is the time stamp counter here, too, so each time that the kernel measures is in instructions. The kernel around it
is not measured, but its timer interrupts the one inside.
"""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

from lsmlab.console import CommandError
from lsmlab.guest import qemu, uml
from lsmlab.guest.machines import MACHINES
from lsmlab.guest.rundir import RunDirectory
from lsmlab.guest.settings import Settings
from lsmlab.places import REPO

MIB = 384
KERNEL, INITRD = "/uml/kernel", "/uml/initrd"
# The script of the initramfs around it. What the guest inside writes to its second serial line ends with its status.
SCRIPT = """exec 3>&1
{variables} TMPDIR=/tmp {words} </dev/null >&2
reboot -f
"""


class NoKernel(CommandError):
    """There is no kernel to run it in; a message has said why."""

    status = 125


def _outer() -> str:
    done = subprocess.run([REPO / "lab/shell/outer-kernel"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise NoKernel("ACCEL='icount' with RUNNER='uml' needs a kernel for QEMU")
    return done.stdout.strip()


def _script(settings: Settings, kernel: Path) -> str:
    words = [KERNEL, f"mem={MIB}M", "noreboot", "uml_dir=/tmp", "umid=guest", f"initrd={INITRD}", "rdinit=/init",
             "con=null", "con0=null,fd:2", "ssl=null", "ssl1=null,fd:3", *settings.kernel_arguments()]
    return SCRIPT.format(variables=" ".join(f"{name}={value}" for name, value in uml.variables(kernel).items()),
                         words=shlex.join(words))


def _initrd(settings: Settings, kernel: Path, run: RunDirectory) -> Path:
    """Make the initramfs around it, with the image, the initramfs inside, and the library that an older image needs."""
    script, out = run.path / "script", run.path / "outer"
    script.write_text(_script(settings, kernel))
    libraries = [f"{path}:{path}" for name, path in uml.variables(kernel).items() if name == uml.PRELOAD]
    files = [f"{kernel}/kernel:{KERNEL}", f"{settings.initrd}:{INITRD}", *libraries]
    subprocess.run([REPO / "lab/shell/make-initrd", out, script, *files], check=True)
    return out


def command(settings: Settings, kernel: Path, run: RunDirectory, channels: dict[str, int], _: bool) -> list[str]:
    it = MACHINES[settings.arch]
    words = [*qemu.machine(settings, settings.accel), "-kernel", _outer(), "-initrd", str(_initrd(settings, kernel, run))]
    words += [*qemu.descriptor("log", 1, channels["log"]), "-serial", "chardev:log"]
    words += [*qemu.descriptor("stdout", 2, channels["stdout"]), *it.second_line("stdout")]
    arguments = [f"console={it.console}", *it.reboot, *it.clock(settings.accel), "rdinit=/init", "panic=-1"]
    return [*words, "-append", " ".join(arguments)]
