# SPDX-License-Identifier: GPL-2.0-only
"""Files of one run on the host, while it lasts: its init and the programs for it, command, disk."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from lsmlab.console import CommandError
from lsmlab.guest.settings import ARCHES, Settings
from lsmlab.places import REPO

DISK_BYTES = 256 << 20

# Programs that lab/inside/init calls. Under emulation, busybox starts several times faster than dynamic programs.
APPLETS = ("cat", "ip", "ln", "mkdir", "mkfifo", "mount", "mountpoint", "sed", "sleep", "stty", "sync")


class NoPrograms(CommandError):
    """There are no programs for the guest; a message has said why."""

    status = 125


class RunDirectory:
    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="lsmpmon."))
        self.disk = self.path / "ext4.img"
        self.first = self.path / "init"

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def fill(self, settings: Settings, command: bytes, terminal_size: str) -> None:
        """Write the files of a run. `command` is bytes and is passed on unchanged."""
        programs = _programs(settings)
        (self.path / "cmd").write_bytes(command)
        (self.path / "env").write_text(_environment(settings, terminal_size, programs))
        # Copies, since the path on the kernel's command line must not contain blanks.
        shutil.copy(REPO / "lab/inside/init", self.path / "init")
        if programs:
            self.first = _first_program(self.path / "cover", programs)
        _link_applets(self.path / "bin", str(programs / "bin/busybox") if programs else shutil.which("busybox"))
        _make_disk(self.disk)


def _programs(settings: Settings) -> Path | None:
    """Return the folder with the programs of a guest of another architecture than usual. An initramfs has its own."""
    if settings.arch == ARCHES[0] or settings.initrd:
        return None
    done = subprocess.run([REPO / "lab/shell/foreign-programs"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise NoPrograms(f"there are no programs for ARCH='{settings.arch}'")
    return Path(done.stdout.strip())


def _first_program(path: Path, programs: Path) -> Path:
    """Write what such a guest begins with. The kernel starts its shell before any program of the host is covered."""
    text = (REPO / "lab/inside/cover").read_text()
    path.write_text(text.replace("#!/bin/sh", f"#!{programs}/bin/busybox sh", 1))
    path.chmod(0o755)
    return path


def _environment(settings: Settings, terminal_size: str, programs: Path | None) -> str:
    values = {
        "REPO": str(REPO),
        "KVER": settings.kver,
        "RUNNER": settings.runner,
        "ARCH": settings.arch,
        "PROGRAMS": str(programs or ""),
        "ACCEL": settings.accel,
        "FLAVOUR": settings.flavour,
        "LSM": settings.lsm,
        "SHARE": str(settings.share or ""),
        "TTY_SIZE": terminal_size,
    }
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in values.items())


def _link_applets(folder: Path, busybox: str | None) -> None:
    """Link the applets of busybox; without it, the host's own programs are used."""
    folder.mkdir()
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
