# SPDX-License-Identifier: GPL-2.0-only
"""The model of LIDS, in the kernel that has it: its tests, its hooks, and its documents."""

import functools
import re

import kselftests
import kunit
import pytest
from guests import LIDS, LSMMON, VERSIONS, execute, output
from kernels import REPO

from lsmpmon_report.kernelfiles import parse_table

# Each kernel of this flavour is built in addition to the others.
pytestmark = pytest.mark.full

FOLDER = "/sys/kernel/security/lids"
ABI = (REPO / "Documentation/ABI/testing/securityfs-lids").read_text()
USE = (REPO / "Documentation/admin-guide/LSM/lids.rst").read_text()
PLACES = [(kver, LIDS) for kver in VERSIONS]
IDS = ["-".join(place) for place in PLACES]
# By itself, and before a module that decides, too.
STACKS = ("lids", "lids,selinux")
CASES = [(program, case) for program in kselftests.programs(kselftests.LIDS) for case in kselftests.cases(program)]


@functools.cache
def guest(kver, lsm):
    """Boot once: run all programs, then print what the kernel shows."""
    show = f"ls {FOLDER}; echo 'READONLY /etc' >{FOLDER}/rules; cat {FOLDER}/rules; echo '@@ hooks'; cat {LSMMON}/hooks"
    done = execute(f"{kselftests.command(kselftests.programs(kselftests.LIDS), kver)}\n{show}",
                   KVER=kver, RUNNER=LIDS, LSM=lsm)
    return done.returncode, done.stdout, done.stderr


@functools.cache
def log(kver):
    return output("dmesg", KVER=kver, RUNNER=LIDS, LSM="lids", KARGS=kunit.ARGUMENTS)


@pytest.mark.parametrize("suite, case", kunit.cases(lids=True), ids=map("-".join, kunit.cases(lids=True)))
@pytest.mark.parametrize("kver, runner", PLACES, ids=IDS)
def test_kunit(kver, runner, suite, case):
    kunit.judge(log(kver), suite, case)


@pytest.mark.parametrize("program, case", CASES, ids=[case for _, case in CASES])
@pytest.mark.parametrize("lsm", STACKS)
@pytest.mark.parametrize("kver, runner", PLACES, ids=IDS)
def test_kselftest(kver, runner, lsm, program, case):
    kselftests.judge(*guest(kver, lsm), program, case)


@pytest.mark.parametrize("lsm", STACKS)
@pytest.mark.parametrize("kver, runner", PLACES, ids=IDS)
def test_guest_has_no_complaint(kver, runner, lsm):
    status, _, errors = guest(kver, lsm)
    assert status == 0, errors


@pytest.mark.parametrize("kver, runner", PLACES, ids=IDS)
def test_its_hooks_are_those_that_are_documented(kver, runner):
    """The model has no hook of paths, of opening or of the creation of files, as in 2010."""
    table = parse_table(guest(kver, "lids")[1].partition("@@ hooks\n")[2])
    hooks = {row["hook"] for row in table if "lids" in row["modules"].split(",")}
    listed = USE.partition("\nHooks\n")[2].partition("\n\n.. end\n")[0]
    assert hooks == set(re.findall(r"``(\w+)``", listed))
    assert not [hook for hook in hooks if hook.startswith("path_")]
    assert not hooks & {"inode_create", "inode_init_security", "file_open"}


@pytest.mark.parametrize("kver, runner", PLACES, ids=IDS)
def test_documents_have_every_file_and_column(kver, runner):
    text = guest(kver, "lids")[1].rpartition("@@ end")[2]
    files, columns = text.splitlines()[1], text.splitlines()[2].split()
    assert files == "rules" and re.findall(rf"^What:\t+{FOLDER}/(\w+)$", ABI, re.M) == ["rules"]
    for column in columns:
        assert re.search(rf"^\t+{column}  ", ABI, re.M), column
        assert re.search(rf"\b{column}\b", USE), column
    assert re.fullmatch(r"READONLY \d+:\d+:\d+ - -", text.splitlines()[3])
