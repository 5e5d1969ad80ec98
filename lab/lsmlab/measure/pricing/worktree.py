# SPDX-License-Identifier: GPL-2.0-only
"""The one tree that all states are built in, so that each build compiles what changed and nothing else.

Nothing is written to the user's repository: the tree and git's index of it are in the cache.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TextIO

from lsmlab.measure.pipeline import lock
from lsmlab.measure.pricing import plant
from lsmlab.measure.pricing.states import State
from lsmlab.places import CACHE

# Settings of the user's repository that would leave files out of our tree, or report changes in another.
PLAIN = ("-c", "core.sparseCheckout=false", "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false")


class Worktree:
    def __init__(self, origin: Path) -> None:
        self.folder = CACHE / "cost" / hashlib.sha256(str(origin).encode()).hexdigest()[:12]
        self.tree = self.folder / "tree"
        self.tree.mkdir(parents=True, exist_ok=True)

    def locked(self, say: Callable[[str], object]) -> AbstractContextManager[TextIO]:
        return lock.held(self.folder, lambda: say("waiting for another make cost on this tree"))

    def _git(self, state: State, *words: str) -> None:
        git = subprocess.run(["git", "-C", state.origin, "rev-parse", "--absolute-git-dir"],
                             stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        env = dict(os.environ, GIT_DIR=git, GIT_WORK_TREE=str(self.tree), GIT_INDEX_FILE=str(self.folder / "index"))
        subprocess.run(["git", *PLAIN, *words], cwd=self.tree, env=env, check=True, stdout=subprocess.DEVNULL)

    def _check_out(self, state: State) -> None:
        (self.folder / "index.lock").unlink(missing_ok=True)
        self._git(state, "read-tree", "--reset", "-u", state.commit)
        # After an interruption, files may be ahead of the index.
        self._git(state, "checkout-index", "--force", "--all", "--index", "--quiet")
        self._git(state, "clean", "-xfdq")

    def _copy(self, state: State) -> None:
        """Copy files by content, and with the present time: make compiles nothing that is older than its object."""
        words = ["rsync", "-rlpc", "--delete", "--exclude=/.git", f"{state.origin}/", f"{self.tree}/"]
        subprocess.run(words, check=True)

    def put(self, state: State) -> None:
        """Change only files that differ, to keep the times of the others."""
        if state.commit:
            self._check_out(state)
        else:
            self._copy(state)
        if state.planted:
            plant.plant(self.tree)
