# SPDX-License-Identifier: GPL-2.0-only
"""All that goes into a boot of a guest, as one hash: kernel, variables, command, files, our code, and the machine."""

import functools
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import reads
from kernels import REPO

from lsmlab.guest.machines import MACHINES
from lsmlab.kernel.objects import passed

# The code that runs guests. tests/test_boots.py compares it with the imports of scripts/exec.
CODE = ("scripts/exec", "scripts/lab", "lab/inside/init", "lab/inside/cover", "lab/shell/foreign-*", "lab/shell/cross-tools",
        "lab/__main__.py", "lab/lsmlab/*.py", "lab/lsmlab/commands/__init__.py", "lab/lsmlab/commands/exec.py", "lab/lsmlab/guest/*.[pc]*")
# A guest's files are those of the machine, so all packages go in; these may also be from elsewhere.
PROGRAMS = (*(machine.binary for machine in MACHINES.values()), "gcc", "busybox", "/usr/bin/python3")
PACKAGES = ("dpkg-query", "-W", "-f", "${db:Status-Abbrev}${Package} ${Version}\n")


def _said(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@functools.cache
def machine():
    """Return what guests depend on in this machine; None if its packages are not known, as without dpkg."""
    if not shutil.which(PACKAGES[0]):
        return None
    versions = [_said(program, "--help" if program == "busybox" else "--version") for program in PROGRAMS if shutil.which(program)]
    processors = set(re.findall(r"^(?:vendor_id|cpu family|model|model name|stepping|microcode|flags)\s*:.*",
                                Path("/proc/cpuinfo").read_text(), re.M))
    about = [*sorted(processors), len(os.sched_getaffinity(0)), platform.release(), os.getuid(), os.access("/dev/kvm", os.W_OK)]
    return passed.digest(*about, *versions, _said(*PACKAGES))


def code():
    """Return the files that run guests."""
    return sorted(path for pattern in CODE for path in REPO.glob(pattern))


def _content(files, top):
    """Return a hash of files: content, names below `top`, permissions, and where links lead."""
    about = [f"{path.relative_to(top)} {path.lstat().st_mode:o} {os.readlink(path) if path.is_symlink() else ''}" for path in files]
    return passed.digest(*about, files=filter(Path.is_file, files))


def _beneath(folder):
    """Return a folder's files in order, links among them."""
    return sorted(path for path in Path(folder).rglob("*") if path.is_symlink() or not path.is_dir())


def digest(kernel, variables):
    """Return a hash of all inputs of a boot; None if they are not known. `kernel` has a hash of its own in its name."""
    if machine() is None:
        return None
    share, initrd = variables.get("SHARE"), variables.get("INITRD")
    given = {name: str(value).replace(str(share), "$SHARE") if share else str(value)
             for name, value in variables.items() if name != "INITRD"}
    return passed.digest(
        machine(), REPO, Path(kernel).name, *(f"{name}={value}" for name, value in sorted(given.items())),
        _content(code(), REPO), _content(reads.files(given["CMD"]), REPO), _content(_beneath(share), share) if share else "",
        _content([Path(initrd)], Path(initrd).parent) if initrd else "")
