# SPDX-License-Identifier: GPL-2.0-only
"""scripts/build-kernel: who waits for whom, with a make that compiles nothing and ends when it may."""

import subprocess
import time

import pytest
from kernels import CLEAN, REPO

# Seconds after which something will not happen any more, however busy the machine is.
PATIENCE = 20
MAKE = """#!/bin/sh
for word; do case $word in O=*) out=${word#O=} ;; esac; done
case " $* " in
*" allnoconfig "*) exec touch "$out/.config" ;;
esac
for word; do target=$word; done
touch "$FOLDER/began-$target"
until [ -e "$FOLDER/ends-$target" ]; do sleep 0.1; done
mkdir -p "$out/security"
cd "$out" && cp /bin/true linux && cp /bin/true vmlinux && touch System.map
"""


@pytest.fixture
def folder(tmp_path):
    """A kernel tree without code, an empty cache, and that make."""
    for name in ("tree", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "tree/Makefile").write_text("VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 0\n")
    (tmp_path / "bin/make").write_text(MAKE)
    (tmp_path / "bin/make").chmod(0o755)
    return tmp_path


@pytest.fixture
def build(folder):
    """Starts one, for a runner; in the end, all may end."""
    env = dict(CLEAN, KDIR=str(folder / "tree"), FLAVOUR="asis", FOLDER=str(folder),
               XDG_CACHE_HOME=str(folder / "cache"), PATH=f"{folder}/bin:{CLEAN['PATH']}")
    started = []

    def start(runner):
        started.append(subprocess.Popen([REPO / "scripts/build-kernel"], env=dict(env, RUNNER=runner), text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        return started[-1]

    yield start
    for target in ("linux", "vmlinux"):
        (folder / f"ends-{target}").touch()
    for process in started:
        process.communicate()


def wait_for(path):
    until = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.1)


def is_waiting(process):
    """It says so."""
    assert "waiting for another build" in process.stderr.readline()


def test_who_waits_for_a_kernel_gets_it_when_it_is_there(folder, build):
    """Though another one, which has waited longer, is built then."""
    first = build("uml")
    wait_for(folder / "began-linux")
    other = build("qemu")
    is_waiting(other)
    second = build("uml")
    is_waiting(second)
    (folder / "ends-linux").touch()
    wait_for(folder / "began-vmlinux")
    said, errors = second.communicate(timeout=PATIENCE)
    assert (second.returncode, said) == (0, first.stdout.read()), errors
    assert other.poll() is None
