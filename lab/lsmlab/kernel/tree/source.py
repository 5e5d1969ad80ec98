# SPDX-License-Identifier: GPL-2.0-only
"""The files for a kernel tree: our own, and the patches that the rules make of tested versions."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from pathlib import Path
from typing import Optional

from lsmlab.kernel.tree import Refused
from lsmlab.places import REPO

Reader = Callable[[str], Optional[bytes]]
OLDEST = "5.14"
IGNORED = ("*~", "*.sw?", ".#*", "#*#", "*.o", "*.pyc")
DOCUMENTS = (
    "Documentation/admin-guide/LSM/lids.rst",
    "Documentation/admin-guide/LSM/lsmpmon.rst",
    "Documentation/admin-guide/LSM/tunable.rst",
    "Documentation/security/lsmpmon.rst",
    "Documentation/ABI/testing/securityfs-lids",
    "Documentation/ABI/testing/securityfs-lsmpmon",
    "Documentation/ABI/testing/securityfs-tunable",
)
# The folders of kernel code.
CODE = ("lsmpmon", "modules")
# The longest matching prefix determines where a file goes.
PLACES = {
    "lsmpmon/": "security/lsmpmon/",
    "lsmpmon/include/": "include/",
    "lsmpmon/selftests/": "tools/testing/selftests/lsmpmon/",
    "modules/": "security/",
    "modules/lids/selftests/": "tools/testing/selftests/lids/",
    "modules/tunable/selftests/": "tools/testing/selftests/tunable/",
}


def _place(path: str) -> str:
    prefix = max((p for p in PLACES if path.startswith(p)), key=len)
    return PLACES[prefix] + path[len(prefix):]


def _wanted(path: Path) -> bool:
    return path.is_file() and not any(fnmatch.fnmatch(path.name, p) for p in IGNORED)


def files() -> dict[str, Path]:
    """Return {path in the kernel tree: file here}."""
    paths = {}
    for folder in CODE:
        for path in sorted((REPO / folder).rglob("*")):
            if _wanted(path):
                paths[_place(path.relative_to(REPO).as_posix())] = path
    for name in DOCUMENTS:
        if (REPO / name).is_file():
            paths[name] = REPO / name
    return paths


def _series(folder: Path) -> list[Path]:
    series = folder / "series"
    if not series.is_file():
        return []
    lines = (line.split("#")[0].strip() for line in series.read_text().splitlines())
    return [folder / line for line in lines if line]


def patches(version: str) -> list[Path]:
    return _series(REPO / "patches" / "common") + _series(REPO / "patches" / version)


def number(version: str) -> list[int]:
    """Return the numbers by which versions are compared."""
    return [int(part) for part in version.split(".")]


def supported() -> list[str]:
    """Return the versions that are tested."""
    names = (p.name for p in (REPO / "patches").glob("*") if p.is_dir())
    return sorted((name for name in names if re.fullmatch(r"\d+\.\d+", name)), key=number)


def _makefile(tree: Path) -> str:
    makefile = tree / "Makefile"
    return makefile.read_text(errors="replace")[:4096] if makefile.is_file() else ""


def _numbers(tree: Path, *names: str) -> str:
    text = _makefile(tree)
    matches = [re.search(rf"^{name} = (\d+)$", text, re.M) for name in names]
    numbers = [match[1] for match in matches if match]
    if len(numbers) < len(names) or not (tree / "security" / "Kconfig").is_file():
        raise Refused(f"{tree} is not a kernel tree")
    return ".".join(numbers)


def release_of(tree: Path) -> str:
    """Return a release as `make kernelversion` prints it: `6.12.117`, or `7.3.0-rc7`."""
    extra = re.search(r"^EXTRAVERSION = *(\S*)$", _makefile(tree), re.M)
    return _numbers(tree, "VERSION", "PATCHLEVEL", "SUBLEVEL") + (extra[1] if extra else "")


def reader(tree: Path) -> Reader:
    """Return a function that returns the bytes of a file of the tree, or None."""
    def read(path: str) -> bytes | None:
        file = tree / path
        return file.read_bytes() if file.is_file() else None
    return read


def version_of(tree: Path) -> str:
    """Return the version of a tree: `6.12` for Linux 6.12.y."""
    version = _numbers(tree, "VERSION", "PATCHLEVEL")
    if number(version) < number(OLDEST):
        raise Refused(f"{tree} is Linux {version}; accepted: {OLDEST} and later")
    return version
