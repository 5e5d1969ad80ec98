# SPDX-License-Identifier: GPL-2.0-only
"""Reduces a file of ours to one version of the kernel.

Our files are for all versions. A mail is for one, and nobody there wants to
read what another needs: unifdef removes conditionals that have one answer.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from lsmlab.kernel.tree import Refused

CONDITION = re.compile(r"^(#(?:el)?if .*)$", re.M)
RELEASE = re.compile(r"KERNEL_VERSION\((\d+), (\d+), (\d+)\)")
HEADER = "#include <linux/version.h>\n"
CODE = "LINUX_VERSION_CODE"


def at_least(version: str, first: str) -> bool:
    """Say whether Linux `version` is `first` or newer."""
    return numbers(version) >= numbers(first)


def numbers(version: str) -> list[int]:
    return [int(n) for n in version.split(".")]


def code(major: int | str, minor: int | str, patch: int | str = 0) -> int:
    """Return what KERNEL_VERSION() makes of a version."""
    return int(major) << 16 | int(minor) << 8 | min(int(patch), 255)


def options(version: str, known: dict[str, str]) -> list[str]:
    """Return unifdef's options: which of the names in `known`, {name: first version}, the kernel has."""
    names = [f"-{'D' if at_least(version, first) else 'U'}{name}" for name, first in known.items()]
    return [f"-D{CODE}={code(*numbers(version))}", *names]


def resolve(file: Path, version: str, known: dict[str, str]) -> None:
    """Rewrite a source file for one version; others stay as they are."""
    if file.suffix not in (".c", ".h"):
        return
    text = CONDITION.sub(lambda line: RELEASE.sub(lambda m: str(code(*m.groups())), line[1]),
                         file.read_text())
    done = subprocess.run(["unifdef", "-B", *options(version, known)], input=text,
                          capture_output=True, text=True)
    if done.returncode > 1:
        raise Refused(f"{file.name}: {done.stderr.strip()}")
    text = done.stdout
    if CODE not in text:
        text = text.replace(HEADER, "")
    file.write_text(text)
