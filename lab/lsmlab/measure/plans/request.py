# SPDX-License-Identifier: GPL-2.0-only
"""The user's request in the variables that every plan has, and the programs that its guests need."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from lsmlab.guest.settings import ARCHES, KVER, BadSetting, Settings, number
from lsmlab.kernel.objects.build import COMPILERS, compiler_version
from lsmlab.measure.pipeline import printed, processes, profile
from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.places import REPO

HOST = "host"


def on_host() -> bool:
    """Say whether RUNNER asks for this machine as it is booted."""
    return os.environ.get("RUNNER") == HOST


def measure_host(script: str, *words: str) -> NoReturn:
    """Become the script in lab/shell/ that measures on this machine."""
    os.execv(REPO / "lab/shell" / script, [script, *words])


def check_arch(arches: Sequence[str] = ARCHES[:1]) -> None:
    """Refuse an ARCH that is not among those of a plan."""
    if arch() not in arches:
        raise BadSetting(f"ARCH='{arch()}' is not accepted here; one of: {' '.join(arches)}")


def check(runner: str = "uml", arches: Sequence[str] = ARCHES[:1]) -> None:
    """Check the variables of guests and of PROFILE before any work, and have signals end the programs that are started.

    `runner` is the one that is meant without RUNNER; `arches` are those that the plan measures.
    """
    Settings.from_environment(runner)
    check_arch(arches)
    profile.wanted()
    processes.end_with_jobs()


def base() -> Path:
    """Return the folder that results go to: RESULTS, or build/."""
    return Path(os.environ.get("RESULTS") or REPO / "build").resolve()


def version() -> str:
    """Return the version of Linux that KVER asks for."""
    return os.environ.get("KVER") or KVER


def runner() -> str:
    """Return the runner that RUNNER asks for."""
    return os.environ.get("RUNNER") or "uml"


def kernel(runner: str, flavour: str, kver: str = "") -> dict[str, str]:
    """Return the variables of build-kernel for a version, or for the one that is asked for."""
    return {"KVER": kver or version(), "RUNNER": runner, "FLAVOUR": flavour}


def arch() -> str:
    """Return the architecture of guests that ARCH asks for."""
    return os.environ.get("ARCH") or ARCHES[0]


def on_x86() -> bool:
    """Say whether guests are for x86-64, as User-Mode Linux is."""
    return arch() == ARCHES[0]


def suffix() -> str:
    """Return what the names of results have if kernels are not as usual: the architecture, LLVM, a configuration."""
    kinds = [] if on_x86() else [arch()]
    return "".join(f"-{kind}" for kind in [*kinds, *(name.lower() for name in ("LLVM", "CONFIG") if os.environ.get(name))])


def tools() -> Path:
    """Return the folder with our tools, as they are compiled for guests."""
    return REPO / "build" / ("" if on_x86() else COMPILERS[arch()].removesuffix("-")) / "bin"


def compiler() -> str:
    """Return the compiler of kernels for QEMU, with its version, and how it compiles if LLVM asks for that."""
    llvm = os.environ.get("LLVM", "")
    return compiler_version(arch(), llvm) + (", ThinLTO and CFI" if llvm else "")


def configuration() -> dict[str, str]:
    """Return the name of the configuration that CONFIG asks for, if it does."""
    config = os.environ.get("CONFIG", "")
    return {"configuration": Path(config).name} if config else {}


def flavour() -> str:
    """Return the kernel that FLAVOUR asks for, of those that have the monitor."""
    return os.environ.get("FLAVOUR") or "patched"


def machine() -> dict[str, str]:
    """Return the variables of the guest's machine that the user has set."""
    return {name: os.environ[name] for name in ("ACCEL", "CPU", "CPUS") if os.environ.get(name)}


def some_of(variable: str, known: Sequence[str]) -> list[str]:
    """Return the names that a variable has, with blanks between; without it, all that are known."""
    names = os.environ.get(variable, "").split() or list(known)
    for name in names:
        if name not in known:
            raise BadSetting(f"{variable}='{name}' is not accepted; some of: {' '.join(known)}")
    return names


def kargs(*words: str) -> str:
    """Return words for a kernel's command line, those of the user last."""
    return " ".join(filter(None, [*words, os.environ.get("KARGS", "")]))


def programs(*targets: str) -> None:
    """Compile the tools that guests run. Those of this machine make results from what was measured."""
    cross: list[str | Path] = [REPO / "lab/shell/cross-tools", COMPILERS[arch()], *targets]
    if not on_x86() and subprocess.run(cross, stdout=subprocess.DEVNULL).returncode:
        raise Failed(f"the programs in userspace/ do not compile for {arch()}")
    if subprocess.run(["make", "-s", "-C", REPO / "userspace", *targets], stdout=subprocess.DEVNULL).returncode:
        raise Failed("the programs in userspace/ do not compile")


def measure(boots: Sequence[Boot], results: Path) -> None:
    """Measure the boots that are missing, all with FRESH=1. Raise Failed if one fails."""
    fresh = os.environ.get("FRESH", "")
    if fresh not in ("", "0", "1"):
        raise BadSetting(f"FRESH='{fresh}' is not accepted; 1, or 0")
    if fresh == "1":
        printed.forget(boots)
    printed.measure(boots, results / "graph")


@dataclass(frozen=True)
class Work:
    """The amount of work in each guest that counts instructions.

    Loops are short and samples many, so that the smallest sample has no timer interrupt and no new slab in it.
    """

    samples: int
    loop: int
    rounds: int

    @classmethod
    def from_environment(cls, samples: int) -> Work:
        """Return the work that SAMPLES, LOOP and ROUNDS ask for."""
        return cls(number("SAMPLES", samples, 1, 10**6), number("LOOP", 8, 1, 10**6), number("ROUNDS", 512, 1, 10**6))


def write_about(results: Path, about: Mapping[str, object]) -> None:
    """Write what was measured, a line for each fact."""
    (results / "about").write_text("".join(f"{name}: {value}\n" for name, value in about.items()))
