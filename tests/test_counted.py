# SPDX-License-Identifier: GPL-2.0-only
"""User-Mode Linux in QEMU, which counts its instructions."""

import subprocess
from types import SimpleNamespace

import pytest
from kernels import REPO, VERSIONS, environment

from lsmlab.guest import counted, uml


@pytest.mark.parametrize("variables, words", [
    ({"ACCEL": "icount"}, ["ACCEL='icount'", "INITRD=FILE"]),
    ({"ACCEL": "tcg"}, ["ACCEL='tcg'", "RUNNER=qemu"]),
    ({"INITRD": str(REPO / "README.md")}, ["INITRD=", "RUNNER=qemu"]),
    ({"ACCEL": "icount", "INITRD": str(REPO / "README.md"), "LLVM": "-19"}, ["LLVM='-19'", "RUNNER=qemu"]),
])
def test_what_is_not_accepted_of_user_mode_linux(variables, words):
    done = subprocess.run([REPO / "scripts/exec"], env=environment(CMD="true", **variables), capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == "" and all(word in done.stderr for word in words), done.stderr


def script(monkeypatch, variables, *words):
    monkeypatch.setattr(uml, "variables", lambda kernel: variables)
    return counted._script(SimpleNamespace(kernel_arguments=lambda: list(words)), None)


def test_the_script_around_a_guest_passes_on_its_arguments(monkeypatch, tmp_path):
    """The shell must not change a word, and what an older kernel needs is in its environment only."""
    text = script(monkeypatch, {"GLIBC_TUNABLES": "a=0"}, "lsm=selinux", "cell_patterns=*,*/*", "x=$y z")
    program = tmp_path / "kernel"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@" "$GLIBC_TUNABLES" >&3\n')
    program.chmod(0o755)
    (tmp_path / "script").write_text(text.replace(counted.KERNEL, str(program)).replace("reboot -f", "echo end"))
    done = subprocess.run(["sh", tmp_path / "script"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-5:] == ["lsm=selinux", "cell_patterns=*,*/*", "x=$y z", "a=0", "end"]


COUNT = """lsmmon=/sys/kernel/security/lsmmon
mkdir /tmp/work
lmbench-hook work stat -n 50 -d /tmp/work --monitor=$lsmmon >/dev/null || exit 1
grep -E '^(clock|overhead_min):' $lsmmon/info
awk 'NR > 1 && $5 > 0 { print $1, $2, $5 }' $lsmmon/result
exit 3
"""


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.parametrize("guest", [(VERSIONS[-1], "uml")], ids="-".join)
def test_instructions_of_user_mode_linux_are_the_same_in_two_boots(guest, tmp_path):
    """Each stat asks inode_getattr once and inode_permission for each folder on its way; the status is the guest's."""
    (tmp_path / "script").write_text(COUNT)
    files = [tmp_path / "script", REPO / "build/bin/lmbench-hook"]
    subprocess.run([REPO / "lab/shell/make-initrd", tmp_path / "initrd", *files], check=True)
    env = environment(KVER=guest[0], RUNNER="uml", ACCEL="icount", INITRD=tmp_path / "initrd")
    one, other = (subprocess.run([REPO / "scripts/exec"], env=env, capture_output=True, text=True) for _ in range(2))
    assert one.returncode == other.returncode == 3, one.stderr
    assert one.stdout == other.stdout and "clock: tsc" in one.stdout
    counts = {hook: int(calls) for hook, _, calls in (line.split() for line in one.stdout.splitlines()[2:])}
    assert counts["inode_getattr"] == 50 and counts["inode_permission"] >= 50
