# SPDX-License-Identifier: GPL-2.0-only
"""Guests start in a container, where /dev/shm is small and programs cannot be mapped from it."""

import shutil
import subprocess
import tempfile
import textwrap
from pathlib import Path

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


@pytest.fixture(scope="module")
def namespaces():
    if not shutil.which("unshare") or mounted({"/mnt": "size=1m"}, ["true"]).returncode:
        pytest.skip("this machine lets nobody make a mount namespace, as in a container")


@pytest.mark.usefixtures("namespaces")
@pytest.mark.parametrize("options", [DOCKERS, DOCKERS.replace("noexec,", ""), DOCKERS.replace("64m", "2g")])
def test_a_guest_has_its_memory_elsewhere(options):
    kernel_directory(DEFAULT, "uml")
    wanted = subprocess.run(["sh", "-c", "head -c 150M /dev/zero | cksum"], capture_output=True, text=True).stdout
    done = mounted({"/dev/shm": options}, [REPO / "scripts/exec"], RUNNER="uml", CMD=FILL)
    assert (done.returncode, done.stdout) == (0, wanted), done.stderr


@pytest.mark.usefixtures("namespaces")
def test_no_directory_takes_it():
    """The message says why, of each."""
    kernel_directory(DEFAULT, "uml")
    places = {"/dev/shm": DOCKERS, "/var/tmp": DOCKERS.replace("noexec,", "")}
    done = mounted(places, ["env", "TMPDIR=/nonexistent", REPO / "scripts/exec"], RUNNER="uml", CMD="true")
    assert done.returncode == 0, done.stderr
    done = mounted({**places, "/tmp": "size=9m"}, ["env", "TMPDIR=/nonexistent", REPO / "scripts/exec"], RUNNER="uml", CMD="true")
    assert (done.returncode, done.stdout) == (DIED, "")
    for reason in ("/dev/shm is noexec", "/nonexistent cannot be written to", "/tmp has ", "/var/tmp has 64 MiB free", "TMPDIR=DIR"):
        assert reason in done.stderr, done.stderr


def test_a_directory_that_takes_it(tmp_path, monkeypatch):
    """The first that fits is taken."""
    monkeypatch.setattr(memory, "PLACES", ("/nonexistent", str(tmp_path), "/"))
    monkeypatch.setattr(memory, "MIB", 1)
    assert memory.directory() == str(tmp_path)


def step():
    """Return the script of the job in the document."""
    text = (REPO / "Documentation/howto/containers.md").read_text()
    job = textwrap.dedent(text[text.index("    name: hooks"):text.index("\nThe files of the container")])
    return textwrap.dedent(job[job.index("run: |\n") + len("run: |\n"):])


@pytest.mark.parametrize("after, status", [("true", 0), ("for n in 1 2 3; do mkdir d && rmdir d; done", 1)])
def test_the_job_of_the_document(after, status):
    """The status is 1 where the second side calls hooks that the first does not: two boots of each side are sure of that.

    Calls that are new are above any limit. Here it is a million percent, since times of the same calls differ by chance:
    a gate on these is wrong once in twenty runs. The guest does not see what is in /tmp of this machine.
    """
    kernel_directory(DEFAULT, "uml")
    (REPO / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=REPO / "build") as name:
        for side, work in (("before", "true"), ("after", after)):
            Path(name, side).mkdir()
            Path(name, side, "work").write_text(f"{work}\n")
        script = step().replace("1 2 3 4 5", "1 2").replace("above=10", "above=1000000").replace("/opt/lsmpmon", str(REPO))
        done = subprocess.run(["bash", "-ec", script], cwd=name, env=environment(WORK="sh work"), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        assert done.returncode == status, done.stdout + done.stderr
        assert [path.name for path in sorted(Path(name).glob("records/*/*"))] == ["1.json", "2.json"] * 2
