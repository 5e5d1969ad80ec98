# SPDX-License-Identifier: GPL-2.0-only
"""The commit of a mailed patch, and its price as b4 reads it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lsmlab.guest.settings import BadSetting
from lsmlab.measure.pipeline.jobs import Json

# The number of commits before HEAD that are searched.
LOOK = 500
# Options for git patch-id, which override the user's configuration.
PLAIN = ("--pretty=medium", "--no-color", "--no-ext-diff")
# checkpatch's words; a line that has passed is not printed.
WORDS = {"warn": "WARNING", "fail": "ERROR"}


def _ids(tree: Path | str, text: bytes) -> list[list[str]]:
    """Return (patch, commit) of each patch in a text."""
    done = subprocess.run(["git", "-C", tree, "patch-id", "--stable"], input=text, stdout=subprocess.PIPE, check=True)
    return [line.split() for line in done.stdout.decode().splitlines()]


def commit_of(mail: bytes, tree: Path | str) -> str:
    """Return the commit of a mailed patch, or raise BadSetting."""
    ids = _ids(tree, mail)
    if len(ids) != 1:
        raise BadSetting(f"standard input has {len(ids)} patches; one is wanted, as git format-patch writes it")
    log = ["git", "-C", tree, "-c", "log.showRoot=false", "log", *PLAIN, "-p", "--no-merges", f"-{LOOK}", "HEAD"]
    commits = [commit for patch, commit in _ids(tree, subprocess.run(log, stdout=subprocess.PIPE, check=True).stdout)
               if patch == ids[0][0]]
    if not commits:
        raise BadSetting(f"none of the last {LOOK} commits of {tree} is the patch on standard input")
    return commits[0]


def line_of(row: Json) -> str | None:
    """Return a line as checkpatch writes them; None if nothing changed."""
    return f"{WORDS[row['status']]}: {row['summary']}" if row["status"] in WORDS else None
