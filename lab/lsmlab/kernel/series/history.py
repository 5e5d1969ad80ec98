# SPDX-License-Identifier: GPL-2.0-only
"""A git history of the steps, with only the kernel files that they touch."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from email.utils import parseaddr
from pathlib import Path

from lsmlab.kernel.series.growth import before
from lsmlab.kernel.series.plan import Step
from lsmlab.kernel.series.resolve import resolve
from lsmlab.kernel.tree import Refused
from lsmlab.kernel.tree.staging import touched


def touched_by(steps: list[Step]) -> list[str]:
    """Return the paths in the kernel tree that the steps write, sorted."""
    paths = {path for step in steps for path in step.files}
    return sorted(paths.union(*(touched(p) for step in steps for p in step.seams)))


class History:
    """A separate repository, without anyone's settings."""

    def __init__(self, folder: Path | str, date: str) -> None:
        self.folder = Path(folder)
        self.env = dict(os.environ, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1",
                        GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date, LC_ALL="C", TZ="UTC")
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"):
            self.env.pop(name, None)
        self.git("init", "-q", "-b", "series")

    def git(self, *words: str, text: str | None = None) -> str:
        done = subprocess.run(["git", *words], cwd=self.folder, env=self.env, input=text,
                              capture_output=True, text=True)
        if done.returncode:
            raise Refused(f"git {words[0]}: {(done.stderr or done.stdout).strip()}")
        return done.stdout

    def put(self, path: str, content: Path) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(content, target)

    def commit(self, author: str, message: str) -> None:
        name, address = parseaddr(author)
        for role in ("AUTHOR", "COMMITTER"):
            self.env.update({f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": address})
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-F", "-", text=message)

    def base(self, author: str, tree: Path, paths: Iterable[str]) -> None:
        """Commit the kernel before the first step."""
        for path in paths:
            if (tree / path).is_file():
                self.put(path, tree / path)
        self.commit(author, "base\n")

    def step(self, step: Step) -> None:
        for path, content in step.files.items():
            self.put(path, content)
            if path in step.grows:
                file = self.folder / path
                file.write_text(before(path, file.read_text(), step.grows[path]))
            if step.version:
                resolve(self.folder / path, step.version, step.known)
        for patch in step.seams:
            self.git("apply", "--whitespace=nowarn", str(patch))
        self.commit(step.author, f"{step.subject}\n\n{step.body}\n")

    def edits(self, base: str) -> tuple[int, int, int]:
        """Return (lines added, lines removed, files): in files that the kernel has."""
        rows = [line.split("\t") for line in
                self.git("diff", "--numstat", "--diff-filter=M", base).splitlines()]
        return sum(int(r[0]) for r in rows), sum(int(r[1]) for r in rows), len(rows)

    def mails(self, base: str, cover: str, revision: int, folder: Path) -> None:
        """Write one file per step after the base, and the cover letter."""
        self.git("config", "branch.series.description", cover)
        self.git("format-patch", "-q", "-o", str(folder), "--cover-letter",
                 "--cover-from-description=subject", "--no-signature", "--zero-commit",
                 "--no-renames", *([f"-v{revision}"] if revision > 1 else []), base)
