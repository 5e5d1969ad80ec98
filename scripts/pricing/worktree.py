# SPDX-License-Identifier: GPL-2.0-only
"""The one tree that all states are built in, so that each build compiles what changed and nothing else.

Nothing is written to the user's repository: the tree and git's index of it are in the cache.
"""

import fcntl
import hashlib
import os
import subprocess
from contextlib import contextmanager

from guest.settings import CACHE, REPO


class Worktree:
    def __init__(self, origin):
        self.folder = CACHE / "cost" / hashlib.sha256(str(origin).encode()).hexdigest()[:12]
        self.tree = self.folder / "tree"
        self.tree.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def locked(self, say):
        with open(self.folder / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("waiting for another make cost on this tree")
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _git(self, state, *words):
        git = subprocess.run(["git", "-C", state.origin, "rev-parse", "--absolute-git-dir"],
                             stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        env = dict(os.environ, GIT_DIR=git, GIT_WORK_TREE=str(self.tree), GIT_INDEX_FILE=str(self.folder / "index"))
        subprocess.run(["git", *words], cwd=self.tree, env=env, check=True, stdout=subprocess.DEVNULL)

    def put(self, state):
        """Change only files that differ, to keep the times of the others."""
        if not state.commit:
            subprocess.run([REPO / "scripts/tree", "mirror", state.origin, self.tree], check=True)
            return
        (self.folder / "index.lock").unlink(missing_ok=True)
        self._git(state, "read-tree", "--reset", "-u", state.commit)
        # After an interruption, files may be ahead of the index.
        self._git(state, "checkout-index", "--force", "--all", "--index", "--quiet")
        self._git(state, "clean", "-xfdq")
