# SPDX-License-Identifier: GPL-2.0-only
"""The files of the repository that a command in a guest reads: those that it names, those that they name, and so on.

A guest sees the whole repository, so this goes by names, and takes too many rather than too few.
"""

import functools
import os
import re
from pathlib import Path

from kernels import REPO

# Folders with files for guests: no documents, no results, no objects.
ROOMS = ("build/bin", "build/bpf-hooks", "build/lsmpmon", "build/policy", "build/selftests", "build/tools", "build/work", "lab", "lsmpmon",
         "scripts", "tests/guest", "userspace")
PROGRAMS, SELFTESTS = REPO / "build/bin", REPO / "build/selftests"
# Folders of programs that run on the machine.
ON_MACHINE = ("scripts", "lab/shell")
# Programs with modules beside them; others in Python are in packages, which are named as a whole.
MODULES = REPO / "tests/guest"
# Files of pytest, those that Python makes, and documents beside the files of a folder.
LEFT_OUT = re.compile(r"^(test_.*\.py|conftest\.py|.*\.pyc|.*\.md)$")
COMMENT = re.compile(r"^\s*#.*$", re.M)
VARIABLE = re.compile(r"\$(\w+|\{[^}]*\})")
# A path has ~ and +, which are in the names of packages, and so of the folders of objects for a kernel.
WORD = re.compile(r"[\w./+~$-]+")


def _paths(text):
    """Return the paths in a text, as (whether a folder stands before it, the rest up to its first variable)."""
    paths = set()
    for word in WORD.findall(VARIABLE.sub("$", COMMENT.sub("", text.replace(str(REPO), "$")))):
        parts = [part for part in word.split("/") if part not in ("", ".", "..")]
        rooted = word[0] in "/.$"
        while parts[:1] == ["$"]:
            del parts[0]
        length = next((number for number, part in enumerate(parts) if "$" in part), len(parts))
        if length:
            paths.add((rooted or len(parts) > 1, "/".join(parts[:length])))
    return paths


def _from_the_top(path, folder):
    """Return a path from the top of the repository. Files that guests run name a program of the machine only in
    messages.
    """
    top, machine = REPO / path, [REPO / name for name in ON_MACHINE]
    return [] if folder and folder not in machine and top.parent in machine else [top]


def _candidates(rooted, path, folder):
    """Return where a path may lead: from the top, from the folder of the file that names it, or to a program or
    module.
    """
    if rooted:
        return [*_from_the_top(path, folder), *([folder / path] if folder else [])]
    modules = [folder / f"{path}.py"] if folder else []
    # Some verbs of lmbench-hook are programs of their own.
    return [*modules, PROGRAMS / path, PROGRAMS / f"lmbench-hook-{path}"]


def _is_read(path):
    return any(path.is_relative_to(REPO / room) for room in ROOMS) and not LEFT_OUT.match(path.name)


def _files(path):
    """Return a file, or all files of a folder. A selftest may start a program that is built beside it."""
    if path.is_file() and SELFTESTS in path.parents:
        path = path.parent
    files = [path] if path.is_file() else [Path(folder, name) for folder, _, names in os.walk(path) for name in names]
    return [file for file in files if file.is_file() and _is_read(file)]


def _named(text, folder=None):
    return {file for word in _paths(text) for path in _candidates(*word, folder) for file in _files(path)}


def _is_script(path):
    with open(path, "rb") as file:
        shell = path.suffix == ".sh" or re.match(rb"#!.*sh$", file.readline())
    return shell or (path.suffix == ".py" and path.parent == MODULES)


@functools.cache
def _named_by(path, _changed):
    """Return the files that a script names."""
    return frozenset(_named(path.read_text(errors="replace"), path.parent) if _is_script(path) else ())


def files(command):
    """Return all files of the repository that a shell command may read, in order."""
    seen, new = set(), _named(command)
    while new:
        seen |= new
        new = set().union(*(_named_by(path, path.stat().st_mtime_ns) for path in new)) - seen
    return sorted(seen)
