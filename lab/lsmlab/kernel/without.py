# SPDX-License-Identifier: GPL-2.0-only
"""A copy of a kernel's source in which some modules cannot be built in, whatever a configuration asks for."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

# The option of each module.
OPTIONS = {
    "selinux": "SECURITY_SELINUX", "apparmor": "SECURITY_APPARMOR", "smack": "SECURITY_SMACK", "tomoyo": "SECURITY_TOMOYO",
    "landlock": "SECURITY_LANDLOCK", "yama": "SECURITY_YAMA", "lockdown": "SECURITY_LOCKDOWN_LSM",
    "loadpin": "SECURITY_LOADPIN", "safesetid": "SECURITY_SAFESETID", "ipe": "SECURITY_IPE", "bpf": "BPF_LSM",
}
NEVER = "\tdepends on n\n"
DEFINED = r"^(?:menu)?config ({names})\n"


def _kconfigs(source: Path) -> Iterable[Path]:
    """Return the files that define these options, from the top of the tree."""
    return sorted(path.relative_to(source) for path in (*source.glob("security/*/Kconfig"), source / "kernel/bpf/Kconfig"))


def forbid(text: str, options: Iterable[str]) -> str:
    """Return the text of a Kconfig file in which these of its options are always off."""
    names = "|".join(options)
    return re.sub(DEFINED.format(names=names), lambda match: match[0] + NEVER, text, flags=re.M) if names else text


def modules(source: Path) -> list[str]:
    """Return the modules that a kernel's source has."""
    text = "".join((source / name).read_text() for name in _kconfigs(source))
    found = re.findall(DEFINED.format(names=r"\w+"), text, re.M)
    return [module for module, option in OPTIONS.items() if option in found]


def _replace(path: Path, text: str) -> None:
    """Replace a file, which may be a link to that of the source. A file that has the text stays, with its time."""
    if path.read_text() != text:
        part = path.with_name(path.name + ".part")
        part.write_text(text)
        os.replace(part, path)


def put(tree: Path, source: Path, lacks: Iterable[str]) -> None:
    """Make the tree a copy of the source without some modules. Only files that differ are written, so little is built again."""
    options = [OPTIONS[module] for module in lacks]
    if not tree.exists():
        tree.parent.mkdir(parents=True, exist_ok=True)
        part = tree.with_name(tree.name + ".part")
        subprocess.run(["rm", "-rf", "--", part], check=True)
        subprocess.run(["cp", "-al", "--", source, part], check=True)
        os.replace(part, tree)
    for name in _kconfigs(source):
        _replace(tree / name, forbid((source / name).read_text(), options))
