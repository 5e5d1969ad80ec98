# SPDX-License-Identifier: GPL-2.0-only
"""The built kernel's directory, from build-kernel."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lsmlab.places import REPO


class BuildFailed(Exception):
    """The kernel could not be built; build-kernel has printed why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def directory() -> Path:
    done = subprocess.run([REPO / "lab/shell/build-kernel"], stdout=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True)
    if done.returncode:
        raise BuildFailed(done.returncode)
    return Path(done.stdout.strip())
