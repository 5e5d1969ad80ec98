# SPDX-License-Identifier: GPL-2.0-only
"""The states of a kernel's source that are compared: commits of a git tree, or two directories."""

from __future__ import annotations

import hashlib
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from lsmlab.guest.settings import BadSetting

RANGE = "BASE..HEAD, two commits of the git tree KDIR"


@dataclass(frozen=True)
class State:
    """A state.

    `ident` is the same for the same content; `files` are those that differ from the state before; `planted` says that it has
    the change of plant.py.
    """

    ident: str
    name: str
    subject: str
    files: tuple[str, ...]
    origin: Path
    commit: str = ""
    planted: bool = False

    @property
    def wide(self) -> bool:
        """Say whether most of the kernel is compiled again after it."""
        return any("include/" in name for name in self.files)


def git(tree: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", tree, *words], capture_output=True, text=True)
    if done.returncode:
        raise BadSetting(f"KDIR='{tree}': git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def _commit(tree: Path, name: str, text: str) -> str:
    words = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
    done = subprocess.run(["git", "-C", tree, *words], capture_output=True, text=True)
    if done.returncode:
        raise BadSetting(f"RANGE='{text}' is not accepted: '{name}' is not a commit of {tree}; give {RANGE}")
    return done.stdout.strip()


def _of_git(tree: Path, commit: str, before: str | None) -> State:
    content, subject = git(tree, "show", "-s", "--format=%T%n%s", commit).split("\n", 1)
    files = git(tree, "diff-tree", "-r", "--name-only", before, commit).splitlines() if before else ()
    return State(content, commit[:12], subject, tuple(files), tree, commit)


def head(tree: Path) -> State:
    """Return the state that a git tree is at."""
    return _of_git(tree, git(tree, "rev-parse", "HEAD"), None)


def of_range(tree: Path, text: str) -> list[State]:
    """Return BASE and each commit after it. A merge is compared with its first parent."""
    match = re.fullmatch(r"(.*[^.])\.\.([^.].*)", text)
    if not match:
        raise BadSetting(f"RANGE='{text}' is not accepted; {RANGE}")
    base, last = (_commit(tree, name, text) for name in match.groups())
    commits = git(tree, "rev-list", "--reverse", "--first-parent", f"{base}..{last}").split()
    if not commits:
        raise BadSetting(f"RANGE='{text}' is empty: no commit is in {match[2]} and not in {match[1]}")
    return [_of_git(tree, commit, before) for before, commit in zip([None, base, *commits], [base, *commits])]


def _digest(folder: Path) -> str:
    """Return a digest of the times of a folder's files, as build-kernel has it."""
    rows = (f"{path.relative_to(folder)} {path.lstat().st_size} {path.lstat().st_mtime_ns}"
            for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return hashlib.sha256("\n".join(sorted(rows)).encode()).hexdigest()[:40]


def of_folders(before: Path, after: Path) -> list[State]:
    words = ["rsync", "-rlcn", "--delete", "--exclude=/.git", "--out-format=%n", f"{after}/", f"{before}/"]
    changed = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    files = tuple(name.removeprefix("deleting ") for name in changed if not name.endswith("/"))
    return [State(_digest(before), "before", str(before), (), before),
            State(_digest(after), "after", str(after), files, after)]
