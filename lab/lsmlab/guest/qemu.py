# SPDX-License-Identifier: GPL-2.0-only
"""QEMU with the host's files by 9p, output on virtio ports.

With an initramfs it has two lines for output and nothing else: no device that the
host's own timing could reach.
"""

from __future__ import annotations

from pathlib import Path

from lsmlab.guest import library
from lsmlab.guest.machines import MACHINES
from lsmlab.guest.rundir import RunDirectory
from lsmlab.guest.settings import Settings

# One host thread for all virtual CPUs. With one thread per CPU, QEMU 7.2 sometimes
# executes an int3 that the kernel has already patched away, which kills any kernel
# that switches static keys under load, even an unpatched one with tracepoints.
EMULATED = "tcg,thread=single"


def machine(settings: Settings, kind: str) -> list[str]:
    it = MACHINES[settings.arch]
    words = [it.binary, *it.words, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
             "-m", "1024", "-accel", "kvm" if kind == "kvm" else EMULATED, "-cpu", it.cpu(settings.cpu, kind)]
    if kind == "icount":
        return words + ["-smp", "1", "-icount", "shift=0,sleep=off", "-seed", "1",
                        "-rtc", "base=2020-01-01T00:00:00,clock=vm"]
    return words + ["-smp", str(settings.cpus)]


def plugin(settings: Settings) -> list[str]:
    """Return the options for spans.c, whose output goes to the file that SPANS names."""
    return ["-plugin", f"{library.built('spans')},out={settings.spans}"] if settings.spans else []


def descriptor(name: str, number: int, fd: int) -> list[str]:
    """Return the options of a character device that writes to one of our descriptors."""
    return ["-add-fd", f"fd={fd},set={number}",
            "-chardev", f"file,id={name},path=/dev/fdset/{number},append=on"]


def ports(channels: dict[str, int], interactive: bool) -> list[str]:
    words = ["-device", "virtio-serial-device"]
    for number, name in enumerate(("stdout", "stderr", "status"), 2):
        words += descriptor(name, number, channels[name])
        words += ["-device", f"virtserialport,chardev={name},name={name}"]
    if interactive:
        words += ["-chardev", "stdio,id=terminal,signal=off",
                  "-device", "virtconsole,chardev=terminal"]
    return words


def shared(tag: str, path: Path | str, how: str) -> list[str]:
    quoted = str(path).replace(",", ",,")
    return ["-fsdev", f"local,id={tag},path={quoted},security_model=none,multidevs=remap{how}",
            "-device", f"virtio-9p-device,fsdev={tag},mount_tag={tag}"]


def devices(settings: Settings, run: RunDirectory, channels: dict[str, int], interactive: bool) -> list[str]:
    words = ports(channels, interactive) + shared("root", "/", ",readonly=on")
    if settings.share:
        words += shared("share", settings.share, "")
    disk = f"id=disk,file={run.disk},format=raw,if=none,cache=unsafe"
    return words + ["-drive", disk, "-device", "virtio-blk-device,drive=disk"]


ROOT = ["root=root", "rootfstype=9p", "ro",
        "rootflags=trans=virtio,version=9p2000.L,msize=262144,cache=loose"]


def command(settings: Settings, kernel: Path, run: RunDirectory, channels: dict[str, int], interactive: bool) -> list[str]:
    kind, it = settings.accel, MACHINES[settings.arch]
    words = machine(settings, kind) + ["-kernel", str(kernel / "kernel")] + plugin(settings)
    words += descriptor("log", 1, channels["log"]) + ["-serial", "chardev:log"]
    arguments = [f"console={it.console}", *it.reboot, *it.clock(kind)]
    if settings.initrd:
        words += descriptor("stdout", 2, channels["stdout"]) + it.second_line("stdout")
        words += ["-initrd", str(settings.initrd)]
        arguments.append("rdinit=/init")
    else:
        words += devices(settings, run, channels, interactive)
        arguments += ROOT + [f"init={run.first}", f"LSMPMON_RUN={run.path}"]
    return words + ["-append", " ".join(arguments + settings.kernel_arguments())]
