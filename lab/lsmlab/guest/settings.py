# SPDX-License-Identifier: GPL-2.0-only
"""The make variables, checked: what to run, and where."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from lsmlab.console import CommandError
from lsmlab.guest.machines import MACHINES

KVER = "6.12"
FLAVOURS = ("patched", "lids", "monitor", "unpatched", "lsm", "btf", "bpf", "dac", "debug", "kcsan", "rt", "asis")
ARCHES = ("x86_64", "arm64")
# Kernels that are built for other architectures than x86-64, too.
FLAVOURS_ELSEWHERE = ("patched", "lids", "monitor", "unpatched", "lsm", "dac", "asis")


class BadSetting(CommandError):
    """A value is not accepted; the message names it and the accepted values."""

    status = 2


def _one_of(name: str, default: str, accepted: tuple[str, ...]) -> str:
    value = os.environ.get(name) or default
    if value not in accepted:
        raise BadSetting(f"{name}='{value}' is not accepted; one of: {' '.join(accepted)}")
    return value


def number(name: str, default: int, least: int, most: int) -> int:
    """Return the whole number that a variable has, or the default."""
    text = os.environ.get(name) or str(default)
    if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
        raise BadSetting(f"{name}='{text}' is not accepted; a number from {least} to {most}")
    return int(text)


def _lsm() -> str:
    """Return the value of LSM. Without a name, only capability, IMA and EVM are on, as always."""
    value = os.environ.get("LSM", "")
    if not re.fullmatch(r"[a-z0-9_,]*", value):
        raise BadSetting(f"LSM='{value}' is not accepted; names as in lsm=, with commas between")
    return value


def _cpu() -> str:
    value = os.environ.get("CPU", "")
    if not re.fullmatch(r"[A-Za-z0-9_.,=+-]*", value):
        raise BadSetting(f"CPU='{value}' is not accepted; a processor as for QEMU's -cpu, such as max,-erms")
    return value


def llvm() -> str:
    """Return the value of LLVM, which is as the kernel's own Makefile takes it; without it, the compiler is gcc."""
    value = os.environ.get("LLVM", "")
    if not re.fullmatch(r"(1|-[0-9]+)?", value):
        raise BadSetting(f"LLVM='{value}' is not accepted; 1, or the suffix of LLVM's programs, such as -19")
    return value


def _path(name: str, want_dir: bool) -> Path | None:
    value = os.environ.get(name)
    if not value:
        return None
    path = Path(value).resolve()
    if not (path.is_dir() if want_dir else path.is_file()):
        raise BadSetting(f"{name}='{value}' is not a {'directory' if want_dir else 'file'}")
    return path


def _version() -> str:
    """Return the version of the kernel, which is in the Makefile of a user's tree."""
    makefile = Path(os.environ.get("KDIR") or "/nonexistent") / "Makefile"
    if not makefile.is_file():
        return os.environ.get("KVER") or KVER
    return ".".join(re.findall(r"^(?:VERSION|PATCHLEVEL) = (\d+)$", makefile.read_text(), re.M))


@dataclass
class Settings:
    kver: str
    runner: str
    arch: str
    flavour: str
    llvm: str
    accel: str
    cpu: str
    lsm: str
    kargs: list[str]
    cpus: int
    timeout: int
    share: Path | None
    initrd: Path | None
    spans: str

    @classmethod
    def from_environment(cls, runner: str = "uml") -> Settings:
        """Return the settings that variables ask for. `runner` is the one that is meant without RUNNER."""
        runner = _one_of("RUNNER", runner, ("uml", "qemu"))
        settings = cls(
            kver=_version(),
            runner=runner,
            arch=_one_of("ARCH", ARCHES[0], ARCHES),
            flavour=_one_of("FLAVOUR", "patched", FLAVOURS),
            llvm=llvm(),
            accel=_one_of("ACCEL", "auto", ("auto", "kvm", "tcg", "icount")),
            cpu=_cpu(),
            lsm=_lsm(),
            kargs=os.environ.get("KARGS", "").split(),
            cpus=number("CPUS", 2, 1, 255),
            timeout=number("TIMEOUT", 600, 1, 10**6),
            share=_path("SHARE", want_dir=True),
            initrd=_path("INITRD", want_dir=False),
            spans=os.environ.get("SPANS", ""),
        )
        if runner == "uml":
            settings.only_for_qemu()
        if settings.arch != ARCHES[0]:
            settings.only_for_x86()
        return settings

    def only_for_qemu(self) -> None:
        """Refuse settings that User-Mode Linux does not have: an accelerator, an initramfs, a processor, LLVM.

        It has an initramfs and a processor where QEMU counts its instructions.
        """
        if self.accel not in ("auto", "icount"):
            raise BadSetting(f"ACCEL='{self.accel}' needs RUNNER=qemu")
        arch = self.arch if self.arch != ARCHES[0] else ""
        own = {} if self.accel == "icount" else {"INITRD": self.initrd, "CPU": self.cpu}
        for name, value in {"ARCH": arch, **own, "LLVM": self.llvm}.items():
            if value:
                raise BadSetting(f"{name}='{value}' needs RUNNER=qemu")
        if self.accel == "icount" and not self.initrd:
            raise BadSetting("ACCEL='icount' with RUNNER='uml' needs INITRD=FILE")
        self.accel = "none" if self.accel == "auto" else self.accel

    def only_for_x86(self) -> None:
        """Refuse settings that guests of other architectures do not have: LLVM, KVM elsewhere, and some flavours."""
        if self.llvm:
            raise BadSetting(f"LLVM='{self.llvm}' needs ARCH={ARCHES[0]}")
        if self.spans:
            raise BadSetting(f"SPANS='{self.spans}' needs ARCH={ARCHES[0]}")
        if self.flavour not in FLAVOURS_ELSEWHERE:
            raise BadSetting(f"FLAVOUR='{self.flavour}' needs ARCH={ARCHES[0]}; with ARCH='{self.arch}', "
                             f"one of: {' '.join(FLAVOURS_ELSEWHERE)}")
        if self.accel == "kvm" and not MACHINES[self.arch].native():
            raise BadSetting(f"ACCEL='kvm' with ARCH='{self.arch}' needs an {self.arch} machine")

    def modules(self) -> str:
        """Return the value for lsm=. Before 6.4, IMA and EVM are on only if it also names `integrity`, which they
        share.
        """
        return f"{self.lsm},integrity" if re.match(r"5\.|6\.[0-3](?!\d)", self.kver) else self.lsm

    def kernel_arguments(self) -> list[str]:
        """Return the kernel's arguments; the user's come last, so that they take precedence."""
        words = ["panic_on_warn=1", "panic=-1", "oops=panic", f"lsm={self.modules()}"]
        return words + self.kargs
