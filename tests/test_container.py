# SPDX-License-Identifier: GPL-2.0-only
"""Guests start in a container, where /dev/shm is small and programs cannot be mapped from it."""

import shutil
import subprocess

import pytest
from guests import kernel_directory
from kernels import DEFAULT, REPO, environment

from lsmlab.guest import memory

# As Docker and Podman mount it.
DOCKERS = "size=64m,noexec,nosuid,nodev,mode=1777"
DIED = 125
# More than the 64 MiB of /dev/shm, and less than the guest's memory.
FILL = "head -c 150M /dev/zero >/tmp/zeroes && cksum </tmp/zeroes"


def mounted(mounts, command, **variables):
    """Run a command in a mount namespace with a tmpfs of these options on each directory."""
    script = "".join(f"mount -t tmpfs -o {options} tmpfs {place} && " for place, options in mounts.items())
    words = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec", f'{script} exec "$@"', "sh", *command]
    return subprocess.run(words, env=environment(**variables), capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="module", autouse=True)
def namespaces():
    if not shutil.which("unshare") or mounted({"/mnt": "size=1m"}, ["true"]).returncode:
        pytest.skip("this machine lets nobody make a mount namespace, as in a container")


@pytest.mark.parametrize("options", [DOCKERS, DOCKERS.replace("noexec,", ""), DOCKERS.replace("64m", "2g")])
def test_a_guest_has_its_memory_elsewhere(options):
    kernel_directory(DEFAULT, "uml")
    wanted = subprocess.run(["sh", "-c", "head -c 150M /dev/zero | cksum"], capture_output=True, text=True).stdout
    done = mounted({"/dev/shm": options}, [REPO / "scripts/exec"], RUNNER="uml", CMD=FILL)
    assert (done.returncode, done.stdout) == (0, wanted), done.stderr


def test_no_directory_takes_it():
    """The reason is told of each, and what to do."""
    kernel_directory(DEFAULT, "uml")
    places = {"/dev/shm": DOCKERS, "/var/tmp": DOCKERS.replace("noexec,", "")}
    done = mounted(places, ["env", "TMPDIR=/nonexistent", REPO / "scripts/exec"], RUNNER="uml", CMD="true")
    assert done.returncode == 0, done.stderr
    done = mounted({**places, "/tmp": "size=9m"}, ["env", "TMPDIR=/nonexistent", REPO / "scripts/exec"], RUNNER="uml", CMD="true")
    assert (done.returncode, done.stdout) == (DIED, "")
    for reason in ("/dev/shm is noexec", "/nonexistent cannot be written to", "/tmp has ", "/var/tmp has 64 MiB free", "TMPDIR=DIR"):
        assert reason in done.stderr, done.stderr


def test_a_directory_that_takes_it(tmp_path, monkeypatch):
    """TMPDIR comes after /dev/shm."""
    monkeypatch.setattr(memory, "PLACES", ("/nonexistent", str(tmp_path), "/"))
    monkeypatch.setattr(memory, "MIB", 1)
    assert memory.directory() == str(tmp_path)
