# SPDX-License-Identifier: GPL-2.0-only
"""The Tunable Security Module: its kselftests alone and beside others, and what is
written of it.
"""

import functools
import re

import kselftests
import pytest
from guests import KERNELS, REPO, execute

TUNABLE = "/sys/kernel/security/tunable"
ABI = (REPO / "Documentation/ABI/testing/securityfs-tunable").read_text()
USE = (REPO / "Documentation/admin-guide/LSM/tunable.rst").read_text()
# First and last among modules that decide themselves.
STACKS = ("tunable", "tunable,selinux", "apparmor,tunable")
CASES = [(program, case) for program in kselftests.programs(kselftests.TUNABLE)
         for case in kselftests.cases(program)]


@functools.cache
def guest(kver, lsm):
    """One boot: all programs, then the files as they are shown."""
    show = f"cd {TUNABLE} && for file in *; do echo \"@@ $file\"; cat $file; done"
    done = execute(f"{kselftests.command(kselftests.programs(kselftests.TUNABLE), kver)}; {show}",
                   KVER=kver, LSM=lsm)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("program, case", CASES, ids=[f"{p}-{c}" for p, c in CASES])
@pytest.mark.parametrize("lsm", STACKS)
@pytest.mark.parametrize("kver", KERNELS)
def test_kselftest(kver, lsm, program, case):
    kselftests.judge(*guest(kver, lsm), program, case)


@pytest.mark.parametrize("lsm", STACKS)
@pytest.mark.parametrize("kver", KERNELS)
def test_guest_has_no_complaint(kver, lsm):
    status, _, errors = guest(kver, lsm)
    assert status == 0, errors


def shown(kver):
    """By file: what it says."""
    text = guest(kver, STACKS[0])[1].split("@@ delay_ns\n", 1)[1]
    parts = re.split(r"^@@ (\w+)\n", "@@ delay_ns\n" + text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


@pytest.mark.parametrize("kver", KERNELS)
def test_documents_have_every_file_hook_and_column(kver):
    """Hooks whose name is another in this kernel, too."""
    files = shown(kver)
    assert set(files) == {"delay_ns", "hooks", "scope", "stats"}
    hooks = [line.split()[0] for line in files["hooks"].splitlines()]
    assert len(hooks) == 8
    columns = files["stats"].splitlines()[0].split()
    letters = [line[0] for line in files["scope"].splitlines()]
    for text in (ABI, USE):
        said = set(re.findall(r"[\w/]+", text))
        assert set(files) - {name.rsplit("/", 1)[-1] for name in said} == set()
        assert {*hooks, *columns, *letters} - said == set()


def test_documents_have_no_file_that_is_gone():
    described = set(re.findall(r"/sys/kernel/security/tunable/(\w+)", ABI))
    titles = set(re.findall(r"^(\w+)\n-+$", USE, re.M))
    assert described == titles == set(shown(KERNELS[0]))


def test_use_warns():
    assert re.search(r"^\.\. warning::\n\n   \S", USE[:USE.index("\n===", 200)], re.M)
