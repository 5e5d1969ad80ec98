# SPDX-License-Identifier: GPL-2.0-only
"""Keep the times of what lsmpmon is in a kernel tree.

A copy of a user's tree gets all of lsmpmon again for each build, and sched.h with it, which every file includes.
What has the content that it had when FILE was written gets the time of then, so that make compiles only what differs.
Then FILE is written again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from pathlib import Path
from typing import TypedDict

from lsmlab.kernel.change import RECORD
from lsmlab.kernel.tree.staging import touched


class Stamp(TypedDict):
    """The content of a file, and its time in nanoseconds."""

    digest: str
    time: int


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tree", type=Path, metavar="TREE")
    parser.add_argument("file", type=Path, metavar="FILE")


def main(options: argparse.Namespace) -> None:
    tree, file = options.tree, options.file
    before: dict[str, Stamp] = json.loads(file.read_text()) if file.exists() else {}
    now: dict[str, Stamp] = {}
    for name in touched(tree / RECORD):
        digest = hashlib.sha256((tree / name).read_bytes()).hexdigest()
        then = before.get(name)
        if then and then["digest"] == digest:
            os.utime(tree / name, ns=(then["time"], then["time"]))
        now[name] = {"digest": digest, "time": (tree / name).stat().st_mtime_ns}
    file.write_text(json.dumps(now))
