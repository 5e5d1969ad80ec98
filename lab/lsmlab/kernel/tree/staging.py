# SPDX-License-Identifier: GPL-2.0-only
"""Copies of the files that change, patched outside the tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from lsmlab.kernel.tree import Refused


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run git as a patch tool, without a repository or anyone's settings."""
    env = dict(os.environ, GIT_CEILING_DIRECTORIES=str(folder.resolve().parent),
               GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", LC_ALL="C")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"):
        env.pop(name, None)
    return subprocess.run(["git", *words], cwd=folder, env=env, capture_output=True)


def touched(patch: Path) -> list[str]:
    """Return the paths in a kernel tree that a patch file changes."""
    done = _git(patch.parent, "apply", "--numstat", "-z", patch.name)
    if done.returncode:
        raise Refused(f"{patch} is not a patch: {os.fsdecode(done.stderr).strip()}")
    return [os.fsdecode(line.split(b"\t", 2)[2]) for line in done.stdout.split(b"\0") if line]


class Staging:
    """A folder `a` with the files as they are, and later states next to it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="lsmpmon-tree."))

    def __enter__(self) -> Staging:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def state(self, name: str) -> Path:
        folder = self.path / name
        folder.mkdir(exist_ok=True)
        return folder

    def fetch(self, name: str, tree: Path, paths: Iterable[str]) -> None:
        """Copy those of `paths` that the tree has."""
        for path in paths:
            if (tree / path).is_symlink():
                raise Refused(f"{path} is a symbolic link")
            if (tree / path).is_file():
                self.put(name, path, tree / path)

    def put(self, name: str, path: str, content: Path) -> None:
        target = self.state(name) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(content, target)

    def copy(self, old: str, new: str) -> None:
        shutil.copytree(self.state(old), self.state(new), dirs_exist_ok=True)

    def patch(self, name: str, patch: Path, reverse: bool = False) -> None:
        """Apply without fuzz: every line of context must match."""
        words = ["apply", "--whitespace=nowarn", *(["-R"] if reverse else []), str(patch)]
        done = _git(self.state(name), *words)
        if done.returncode:
            raise Refused(_failure(patch, os.fsdecode(done.stderr)))

    def diff(self, old: str, new: str) -> bytes:
        """Return the diff between two states, including modes and binary files."""
        done = _git(self.path, "diff", "--no-index", "--no-prefix", "--no-renames",
                    "--no-color", "--no-ext-diff", "--binary", old, new)
        if done.returncode not in (0, 1):
            raise RuntimeError(os.fsdecode(done.stderr))
        return _renamed(done.stdout, old.encode(), new.encode())

    def paths(self, name: str) -> set[str]:
        folder = self.state(name)
        return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}

    def same(self, one: str, two: str) -> bool:
        return not self.diff(one, two)


def _renamed(diff: bytes, old: bytes, new: bytes) -> bytes:
    """Replace the names of the states in headers by a/ and b/, as in any patch."""
    header = rb"^diff --git (?:%s|%s)/(.*) (?:%s|%s)/\1$" % (old, new, old, new)
    diff = re.sub(header, rb"diff --git a/\1 b/\1", diff, flags=re.M)
    diff = re.sub(rb"^--- %s/(.*)\n\+\+\+ " % old, rb"--- a/\1\n+++ ", diff, flags=re.M)
    return re.sub(rb"^(--- .*\n\+\+\+ )%s/" % new, rb"\1b/", diff, flags=re.M)


def _failure(patch: Path, errors: str) -> str:
    files = sorted(set(re.findall(r"^error: ([^:\n]+): ", errors, re.M)) - {"patch failed"})
    return f"{patch.name} does not fit {', '.join(files) or errors.strip()}"
