# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how builds of lab/shell/build-kernel wait for each other, with a make that compiles nothing and ends on
request.
"""

import re
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
*" alldefconfig "*) exec cp "$FOLDER/made" "$out/.config" ;;
esac
for word; do target=$word; done
touch "$FOLDER/began-$target"
until [ -e "$FOLDER/ends-$target" ]; do sleep 0.1; done
mkdir -p "$out/security"
cd "$out" && cp /bin/true linux && cp /bin/true vmlinux && touch System.map
"""


@pytest.fixture
def folder(tmp_path):
    """Make a kernel tree without code, an empty cache, and that make."""
    for name in ("tree", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "tree/Makefile").write_text("VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 0\n")
    (tmp_path / "bin/make").write_text(MAKE)
    (tmp_path / "bin/make").chmod(0o755)
    return tmp_path


@pytest.fixture
def build(folder):
    """Yield a function that starts a build for a runner; at the end, all may end."""
    env = dict(CLEAN, KDIR=str(folder / "tree"), FLAVOUR="asis", FOLDER=str(folder),
               XDG_CACHE_HOME=str(folder / "cache"), PATH=f"{folder}/bin:{CLEAN['PATH']}")
    started = []

    def start(runner, **variables):
        started.append(subprocess.Popen([REPO / "lab/shell/build-kernel"], env=dict(env, RUNNER=runner, **variables), text=True,
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
    """Check that a build prints that it waits."""
    assert "waiting" in process.stderr.readline()


def test_who_waits_for_a_kernel_gets_it_when_it_is_there(folder, build):
    """The waiting build ends then, although one that has waited longer is being built."""
    first = build("uml")
    wait_for(folder / "began-linux")
    other = build("qemu")
    is_waiting(other)
    second = build("uml")
    is_waiting(second)
    (folder / "ends-linux").touch()
    wait_for(folder / "began-vmlinux")
    output, errors = second.communicate(timeout=PATIENCE)
    assert (second.returncode, output) == (0, first.stdout.read()), errors
    assert other.poll() is None


# The options of a fragment, and those that make gives them.
ASKED = """# A comment.
# CONFIG_DEBUG_INFO_NONE is not set
CONFIG_DEBUG_INFO_BTF=y
CONFIG_NR_CPUS=4
CONFIG_LOCALVERSION=""
# CONFIG_NOT_THERE is not set
"""
MADE = """CONFIG_DEBUG_INFO_NONE=y
# CONFIG_DEBUG_INFO_BTF is not set
CONFIG_NR_CPUS=16
CONFIG_LOCALVERSION=""
"""
# Each option that differs: asked for, made, and the file of ours that has it so.
LOST = [("DEBUG_INFO_NONE", "n", "y", "kconfigs/base"), ("DEBUG_INFO_BTF", "y", "n", ""), ("NR_CPUS", "4", "16", "kconfigs/qemu")]


def lost(lines):
    """Return what lines say of options that differ, as in LOST."""
    pattern = r"CONFIG_(\w+): (\S+) in CONFIG, (\S+) in [^:]*: (?:(kconfigs/\w+) )?.*"
    return [re.fullmatch(pattern, line).groups(default="") for line in lines]


def configured(folder, build, wanted, made):
    (folder / "asked").write_text(wanted)
    (folder / "made").write_text(made)
    for target in ("linux", "vmlinux"):
        (folder / f"ends-{target}").touch()
    process = build("qemu", CONFIG=str(folder / "asked"))
    _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, [line for line in errors.splitlines() if "CONFIG" in line]


def test_a_fragment_that_does_not_win_is_refused(folder, build):
    status, messages = configured(folder, build, ASKED, MADE)
    *options, last = messages
    assert status == 2 and lost(options) == LOST and last.startswith(f"lsmpmon: CONFIG='{folder}/asked': 3 ")
    assert not (folder / "began-vmlinux").exists()


def test_a_fragment_that_wins_is_built(folder, build):
    assert configured(folder, build, ASKED, ASKED) == (0, [])


def test_a_whole_configuration_is_told_what_guests_cannot_have(folder, build):
    """A distribution's configuration has hundreds of options that guests have otherwise."""
    status, messages = configured(folder, build, f"#\n# Automatically generated file; DO NOT EDIT.\n{ASKED}", MADE)
    listed, = (folder / "cache").glob("lsmpmon/objects/*/overridden")
    assert status == 0 and len(messages) == 1
    for word in ("lsmpmon: 3 ", f"CONFIG='{folder}/asked'", str(listed)):
        assert word in messages[0]
    assert lost(listed.read_text().splitlines()) == LOST
