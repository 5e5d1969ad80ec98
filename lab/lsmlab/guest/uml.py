# SPDX-License-Identifier: GPL-2.0-only
"""User-Mode Linux: the host's files by hostfs, consoles on descriptors."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO

from lsmlab.guest import library, memory
from lsmlab.guest.rundir import RunDirectory
from lsmlab.guest.settings import Settings
from lsmlab.places import CACHE

# UML dies at init (wait_stub_done, SIGTRAP) if the C library registers restartable
# sequences for the kernel's thread. This does not apply where processes start
# with a separate stub program.
NO_RSEQ = "glibc.pthread.rseq=0"
OWN_PROGRAM = "stub_exe_start"

# Kernels that save as much extended state as the host has need no help.
HOSTS_STATE = "host_fp_size"
PRELOAD = "LD_PRELOAD"


# Locks are held as long as this process lives.
_held: list[TextIO] = []


def one_cpu() -> str:
    """Pin the guest to one processor, since cycle counts need it: the last one without a guest, or any."""
    processors = sorted(os.sched_getaffinity(0), reverse=True)
    for number in processors:
        lock = open(CACHE / f"cpu-{number}.lock", "w")  # noqa: SIM115 (held until this process ends)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        _held.append(lock)
        return str(number)
    return str(processors[os.getpid() % len(processors)])


def _several(kernel: Path) -> bool:
    """Say whether the kernel was built for several processors, each of them a thread of this machine."""
    return "CONFIG_SMP=y" in (kernel / "config").read_text().splitlines()


def processors(settings: Settings, kernel: Path) -> list[str]:
    """Return the words that start the kernel, and those that set its number of processors.

    Several processors need its processes to wait in SECCOMP.
    """
    words = [str(kernel / "kernel"), f"mem={memory.MIB}M", "noreboot"]
    if settings.cpus > 1 and _several(kernel):
        return [*words, f"ncpus={settings.cpus}", "seccomp=on"]
    return ["taskset", "-c", one_cpu(), *words]


def _symbols(kernel: Path) -> set[str]:
    return {line.split()[-1] for line in (kernel / "System.map").read_text().splitlines()}


def variables(kernel: Path) -> dict[str, str]:
    """Return the variables that older kernels need."""
    found, symbols = {}, _symbols(kernel)
    if OWN_PROGRAM not in symbols:
        found["GLIBC_TUNABLES"] = NO_RSEQ
    if HOSTS_STATE not in symbols:
        found[PRELOAD] = library.built("xstate")
    return found


def environment(kernel: Path) -> dict[str, str]:
    return {**os.environ, **variables(kernel), "TMPDIR": memory.directory()}


def consoles(channels: dict[str, int], interactive: bool) -> list[str]:
    """Return the options of consoles: the kernel's log is on tty0; stdout, stderr and status are on tty1 to tty3."""
    fds = [channels[name] for name in ("stdout", "stderr", "status")]
    words = ["con=null", f"con0=null,fd:{channels['log']}"]
    words += [f"con{n}=null,fd:{fd}" for n, fd in enumerate(fds, 1)]
    if interactive:
        words.append("con4=fd:0,fd:1")
    return words


def command(settings: Settings, kernel: Path, run: RunDirectory, channels: dict[str, int], interactive: bool) -> list[str]:
    words = [*processors(settings, kernel), f"uml_dir={run.path}", "umid=guest", f"ubda={run.disk}"]
    words += ["root=none", "rootfstype=hostfs", "rootflags=/", "ro"]
    words += consoles(channels, interactive)
    words += [f"init={run.path}/init", f"LSMPMON_RUN={run.path}"]
    return words + settings.kernel_arguments()
