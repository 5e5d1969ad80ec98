# SPDX-License-Identifier: GPL-2.0-only
"""What goes into a kernel tree: our files and the patches for its version."""

import fnmatch
import re
from pathlib import Path

from kerneltree import Refused

REPO = Path(__file__).resolve().parents[2]
IGNORED = ("*~", "*.sw?", ".#*", "#*#", "*.o", "*.pyc")
DOCUMENTS = (
    "Documentation/admin-guide/LSM/lsmpmon.rst",
    "Documentation/admin-guide/LSM/tunable.rst",
    "Documentation/security/lsmpmon.rst",
    "Documentation/ABI/testing/securityfs-lsmpmon",
    "Documentation/ABI/testing/securityfs-tunable",
)
# The longest matching prefix determines where a file goes.
PLACES = {
    "lsmpmon/": "security/lsmpmon/",
    "lsmpmon/include/": "include/",
    "lsmpmon/selftests/": "tools/testing/selftests/lsmpmon/",
}


def _place(path):
    prefix = max((p for p in PLACES if path.startswith(p)), key=len)
    return PLACES[prefix] + path[len(prefix):]


def _wanted(path):
    return path.is_file() and not any(fnmatch.fnmatch(path.name, p) for p in IGNORED)


def files():
    """Path in the kernel tree -> file here."""
    found = {}
    for path in sorted((REPO / "lsmpmon").rglob("*")):
        if _wanted(path):
            found[_place(path.relative_to(REPO).as_posix())] = path
    for name in DOCUMENTS:
        if (REPO / name).is_file():
            found[name] = REPO / name
    return found


def _series(folder):
    series = folder / "series"
    if not series.is_file():
        return []
    lines = (line.split("#")[0].strip() for line in series.read_text().splitlines())
    return [folder / line for line in lines if line]


def patches(version):
    return _series(REPO / "patches" / "common") + _series(REPO / "patches" / version)


def supported():
    names = (p.name for p in (REPO / "patches").glob("*") if p.is_dir())
    versions = [name for name in names if re.fullmatch(r"\d+\.\d+", name)]
    return sorted(versions, key=lambda name: [int(part) for part in name.split(".")])


def version_of(tree):
    """`6.12` for a tree of Linux 6.12.y, if there are patches for it."""
    makefile = tree / "Makefile"
    text = makefile.read_text(errors="replace")[:4096] if makefile.is_file() else ""
    numbers = [re.search(rf"^{name} = (\d+)$", text, re.M) for name in ("VERSION", "PATCHLEVEL")]
    if not all(numbers) or not (tree / "security" / "Kconfig").is_file():
        raise Refused(f"{tree} is not a kernel tree")
    version = ".".join(number[1] for number in numbers)
    if version not in supported():
        raise Refused(f"{tree} is Linux {version}; supported: {' '.join(supported())}")
    return version
