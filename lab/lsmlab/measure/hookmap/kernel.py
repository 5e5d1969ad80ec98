# SPDX-License-Identifier: GPL-2.0-only
"""A built kernel, and the places of the files that its build left."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from lsmlab.guest.settings import ARCHES
from lsmlab.kernel.hooks import defs, modules
from lsmlab.kernel.tree import source
from lsmlab.measure.hookmap import Failed
from lsmlab.places import CACHE, REPO

# lsmpmon in the kernel makes no difference to the map.
RUNNER = "qemu"
KEY = re.compile(r"-[0-9a-f]{16}$")


def with_arch(name: str, arch: str, between: str) -> str:
    """Return a name with the architecture behind it, unless that is the usual one."""
    return name if arch == ARCHES[0] else f"{name}{between}{arch}"


def folder(version: str, arch: str) -> str:
    """Return the name of the folder that has a map and what was counted."""
    return with_arch(version, arch, "-")


@dataclass
class Kernel:
    version: str        # as 6.12
    release: str        # as 6.12.117
    arch: str           # as x86_64
    objects: Path
    tree: Path

    @property
    def facts(self) -> Path:
        return CACHE / "facts" / self.objects.name

    def name(self) -> str:
        """Return the release, and the architecture unless that is the usual one."""
        return with_arch(self.release, self.arch, ", ")

    def hooks(self) -> list[str]:
        return list(defs.read((self.tree / defs.PATH).read_text()))

    def modules(self) -> dict[str, list[str]]:
        """Return {hook: modules that implement it}, by the source."""
        hooks = defs.read((self.tree / defs.PATH).read_text())
        by_hook: dict[str, list[str]] = {}
        for name, module in modules.find(self.tree, hooks).items():
            for hook in dict.fromkeys(module.callbacks()):
                by_hook.setdefault(hook, []).append(name)
        return by_hook


def _build(environment: dict[str, str]) -> Path:
    done = subprocess.run([REPO / "lab/shell/build-kernel"], env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise Failed(f"no kernel: lab/shell/build-kernel ended with status {done.returncode}")
    return Path(done.stdout.strip())


def build(kver: str, kdir: str, arch: str) -> Kernel:
    """Return the kernel that KVER or KDIR name, built for an architecture if need be."""
    environment = {**os.environ, "KVER": kver, "KDIR": kdir, "RUNNER": RUNNER, "ARCH": arch}
    out = _build(environment)
    objects = CACHE / "objects" / KEY.sub("", out.name)
    if not (objects / "vmlinux").is_file():
        # The kernel is kept, while the objects that it was made of are not.
        out.rename(out.with_name(f"{out.name}.old"))
        _build(environment)
        subprocess.run(["rm", "-rf", out.with_name(f"{out.name}.old")], check=True)
    tree = (objects / "source").resolve()
    return Kernel(source.version_of(tree), source.release_of(tree), arch, objects, tree)
