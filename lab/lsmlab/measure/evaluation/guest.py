# SPDX-License-Identifier: GPL-2.0-only
"""The guest of a cell: its files, and its boot."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from lsmlab.measure.evaluation import atomics
from lsmlab.measure.evaluation.cell import Cell
from lsmlab.measure.pipeline import errors, kernel, processes
from lsmlab.measure.pipeline.errors import LeftOut
from lsmlab.places import REPO

# What lab/shell/lsm-tools makes for a module, from packages that not every machine has.
MADE = {
    "selinux-debian": REPO / "build/policy/selinux-debian.policy",
    "apparmor-debian": REPO / "build/policy/apparmor-debian.profiles",
    "bpf": REPO / "build/policy/bpf-deny.bpf.o",
    "seccomp": REPO / "build/bin/contain",
}
# Policies that use the file of another one.
SAME = {"selinux-misses": "selinux-debian", "apparmor-unconfined": "apparmor-debian", "container": "apparmor-debian",
        "userns": "seccomp", "userns-root": "seccomp"}


class Failed(errors.Failed):
    """A cell that could not be measured, and why."""


def brief(error: object) -> str:
    """Return the error and the last words of the guest about it, in one line."""
    first, *more = str(error).strip().splitlines() or ["no reason was given"]
    return ": ".join([first, *more[-1:]])


def require_modules(cell: Cell, directory: Path) -> None:
    """Raise LeftOut if the kernel lacks a module. For example, User-Mode Linux 6.1 has no Landlock."""
    options = kernel.options(directory)
    for module in filter(None, cell.lsm.split(",")):
        names = (f"CONFIG_SECURITY_{module.upper()}=y", f"CONFIG_SECURITY_{module.upper()}_LSM=y",
                 f"CONFIG_{module.upper()}_LSM=y")
        if not any(f"{name}\n" in options for name in names):
            raise LeftOut(f"Linux {cell.kver} on {cell.runner} has no {module}")


def require_policy(cell: Cell) -> None:
    for policy in cell.policies:
        made = MADE.get(SAME.get(policy, policy))
        if made and not made.exists():
            raise LeftOut(f"the policy of {policy} could not be built here")


def arguments(cell: Cell, samples: int, patterns: Iterable[str]) -> str:
    """Return the words of the kernel's command line that say what to measure."""
    inside = [measure for measure in cell.measures if measure != atomics.MEASURE]
    words = [*cell.kargs.split(), f"cell_measures={','.join(inside)}", f"cell_samples={samples}",
             f"cell_patterns={','.join(patterns)}"]
    if cell.rules:
        words.append(f"cell_rules={cell.rules}")
    if cell.fs == "ext4":
        words += ["cell_dir=/run/ext4/work", f"cell_inode={cell.inode}"]
    if cell.fs == "overlayfs":
        words += ["cell_dir=/run/overlay/work", "cell_layers=tmpfs"]
    return " ".join(words + (_policy_arguments(cell) if cell.policies else []))


def _policy_arguments(cell: Cell) -> list[str]:
    """Return the words about policies. Whether enforcement is on is the same for all policies of a cell."""
    modules, (mode,) = ",".join(cell.policies), set(cell.policies.values())
    words = [str(REPO / "lab/inside/lsm-setup"), "arguments", modules, mode]
    needed = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return [f"cell_policies={modules}", f"cell_mode={mode}", *needed]


def boot(cell: Cell, directory: Path, initrd: Path | str | None, samples: int, patterns: Iterable[str]) -> str:
    """Return the output of the guest, and behind it the counts from outside. `directory` has its kernel."""
    if atomics.MEASURE not in cell.measures:
        return _boot(cell, initrd, samples, patterns)
    with tempfile.NamedTemporaryFile("r") as counted:
        output = _boot(cell, initrd, samples, atomics.PATTERNS, SPANS=counted.name)
        try:
            return output + atomics.file_of(output, counted.read(), directory)
        except atomics.NotSeen as error:
            raise Failed(str(error)) from error


def _boot(cell: Cell, initrd: Path | str | None, samples: int, patterns: Iterable[str], **more: str) -> str:
    env = kernel.environment(**cell.kernel(), LSM=cell.lsm, KARGS=arguments(cell, samples, patterns), TIMEOUT="1800")
    env |= more
    if cell.runner == "qemu" or cell.exact:
        env |= {"ACCEL": cell.accel, "CPU": cell.cpu}
    env |= {"CMD": "lab/inside/eval"} if cell.of_host else {"INITRD": str(initrd)}
    done = processes.run([REPO / "scripts/exec"], env)
    if done.returncode:
        errors = re.findall(r"^stderr: (.*)$", done.stdout, re.M) or [done.stderr[-2000:]]
        raise Failed("\n".join([f"status {done.returncode} in the guest", *errors]))
    return done.stdout
