# SPDX-License-Identifier: GPL-2.0-only
"""Files of one run on the host, while it lasts: its init and the programs for it, command, disk."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from lsmlab.guest.settings import Settings
from lsmlab.places import REPO

DISK_BYTES = 256 << 20

# Programs that lab/inside/init calls. Under emulation, busybox starts several times faster than dynamic programs.
APPLETS = ("cat", "ip", "ln", "mkdir", "mkfifo", "mount", "mountpoint", "sed", "sleep", "stty", "sync")


class RunDirectory:
    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="lsmpmon."))
        self.disk = self.path / "ext4.img"

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def fill(self, settings: Settings, command: bytes, terminal_size: str) -> None:
        """Write the files of a run. `command` is bytes and is passed on unchanged."""
        (self.path / "cmd").write_bytes(command)
        (self.path / "env").write_text(_environment(settings, terminal_size))
        # A copy, since the path on the kernel's command line must not contain blanks.
        shutil.copy(REPO / "lab/inside/init", self.path / "init")
        _link_applets(self.path / "bin")
        _make_disk(self.disk)


def _environment(settings: Settings, terminal_size: str) -> str:
    values = {
        "REPO": str(REPO),
        "KVER": settings.kver,
        "RUNNER": settings.runner,
        "ACCEL": settings.accel,
        "FLAVOUR": settings.flavour,
        "LSM": settings.lsm,
        "SHARE": str(settings.share or ""),
        "TTY_SIZE": terminal_size,
    }
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in values.items())


def _link_applets(folder: Path) -> None:
    """Link the applets of busybox; without it, the host's own programs are used."""
    folder.mkdir()
    busybox = shutil.which("busybox")
    if busybox:
        for name in APPLETS:
            (folder / name).symlink_to(busybox)


def _make_disk(path: Path) -> None:
    """Make a sparse file system, fully initialised, so that the guest has nothing to do later."""
    with open(path, "wb") as image:
        image.truncate(DISK_BYTES)
    words = ["mke2fs", "-q", "-F", "-t", "ext4", "-E", "root_owner=0:0", str(path)]
    env = dict(os.environ, PATH=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    subprocess.run(words, check=True, env=env, stdin=subprocess.DEVNULL)
