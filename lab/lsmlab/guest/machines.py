# SPDX-License-Identifier: GPL-2.0-only
"""The machines of QEMU, one for each architecture: its processor, its clock and its serial lines."""

from __future__ import annotations

import ctypes
import platform
from abc import ABC, abstractmethod

from lsmlab.guest import library

# The processor that KVM gives.
KVM_CPU = "host"


class Machine(ABC):
    """One machine.

    `arch` is as for ARCH, and `host` what uname says on a machine that KVM runs it on. `words` are options for QEMU, `emulated`
    is the processor without KVM, `console` the device for the kernel's log, and `reboot` is what ends QEMU.
    """

    arch: str
    host: str
    binary: str
    words: tuple[str, ...]
    emulated: str
    console: str
    reboot: tuple[str, ...] = ()

    def native(self) -> bool:
        """Say whether this machine has the architecture, so that KVM may run such guests."""
        return platform.machine() == self.host

    @abstractmethod
    def cpu(self, wanted: str, kind: str) -> str:
        """Return the processor: the one that is wanted, or with an empty word the best."""

    @abstractmethod
    def clock(self, kind: str) -> list[str]:
        """Return the kernel's arguments about its clock."""

    @abstractmethod
    def second_line(self, name: str) -> list[str]:
        """Return the options of the line for the output of an initramfs: see lab/shell/make-initrd."""


class Microvm(Machine):
    """x86-64: no firmware's tables and no PCI.

    The kernel is told of its few devices, and starts in a fraction of the time.
    """

    arch, host, binary, emulated, console = "x86_64", "x86_64", "qemu-system-x86_64", "max", "ttyS0"
    words = ("-machine", "microvm,acpi=off,x-option-roms=off")
    reboot = ("reboot=t",)

    def cpu(self, wanted: str, kind: str) -> str:
        return wanted or (KVM_CPU if kind == "kvm" else self.emulated)

    def clock(self, kind: str) -> list[str]:
        """Return the options that set the rate of the time stamp counter.

        The guest has no other clock to measure the rate by; KVM provides it.
        """
        if kind == "icount":
            # To learn the rate of the local APIC, and to see that the other timer works, a kernel waits 0.24 s in the guest's
            # time. QEMU leaves its own loop at each PAUSE, so that it takes ten of the host's.
            return ["tsc=reliable", "tsc_early_khz=1000000", "nolapic_timer", "no_timer_check"]
        if kind == "kvm" or not self.native():
            return []
        khz = ctypes.CDLL(library.built("ticks")).ticks_khz
        khz.restype = ctypes.c_ulong
        # Where QEMU gets too little time, the guest sees no interrupt of its timer and would panic.
        return ["tsc=reliable", f"tsc_early_khz={khz()}", "no_timer_check"]

    def second_line(self, name: str) -> list[str]:
        """Return the options of /dev/ttyS1; this machine has one serial line of its own."""
        return ["-device", f"isa-serial,chardev={name},iobase=0x2f8,irq=3,index=1"]


class Virt(Machine):
    """arm64. QEMU hands a device tree to the kernel.

    Devices are told of their work at once, and not through the host's event loop, whose moments differ from boot to boot.
    QARMA, with which the processor would sign addresses, takes most of the time of an emulation.
    """

    arch, host, binary, console = "arm64", "aarch64", "qemu-system-aarch64", "ttyAMA0"
    emulated = "max,pauth-impdef=on"
    words = ("-machine", "virt,gic-version=max", "-global", "virtio-mmio.ioeventfd=off")

    def cpu(self, wanted: str, kind: str) -> str:
        """Return the processor, whose counter has a tick for each nanosecond: under icount, one for each instruction."""
        if kind == "kvm":
            return wanted or KVM_CPU
        return f"{wanted or self.emulated},cntfrq=1000000000"

    def clock(self, kind: str) -> list[str]:
        """Return nothing: the kernel reads the rate from the processor."""
        return []

    def second_line(self, name: str) -> list[str]:
        """Return the options of /dev/hvc0; this machine has only one serial line."""
        return ["-device", "virtio-serial-device", "-device", f"virtconsole,chardev={name}"]


MACHINES: dict[str, Machine] = {machine.arch: machine for machine in (Microvm(), Virt())}
