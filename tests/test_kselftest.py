# SPDX-License-Identifier: GPL-2.0-only
"""The kselftests in every guest, one boot for all of them.

One of the guests checks locks and memory, one looks for races, one is the real-time kernel, one is built by LLVM with CFI,
and one is of arm64.
"""

import functools
import re

import kselftests
import pytest
from guests import ARM64, CLANG, DEBUG, GUESTS, LSMMON, RACES, REALTIME, VERSIONS, available, counts, execute, output
from kernels import SHORT

from lsmpmon_report.kernelfiles import parse_table

PLACES = GUESTS + [place for place in (RACES, REALTIME, CLANG, ARM64) if place[0] in VERSIONS]
CHECK_LOCKS = [place for place in (DEBUG, REALTIME) if place[0] in VERSIONS]
CASES = [(*place, program, case) for place in PLACES for program in kselftests.programs(runner=place[1])
         for case in kselftests.cases(program)]
# The stack of distributions: it has a callback in every hook, and two in some.
LSM = ("bpf",)
TABLES = f"cat {LSMMON}/control {LSMMON}/result"
# exact_test makes 100,003 calls of each kind, hostile_test has 70,000 tasks killed: hours of DEBUG's time. The full tier
# has them on every other kernel. In the short tier, the kills on User-Mode Linux are more than the monitor has room for.
CALLS, KILLS, KILLS_TOO_MANY = 10007, 2000, 14000


def fewer(kver, runner):
    """Return shell code that sets how much less work a guest does."""
    if SHORT and runner == "uml":
        return f"export LSMMON_CALLS={CALLS} KILLS={KILLS_TOO_MANY}"
    return f"export LSMMON_CALLS={CALLS} KILLS={KILLS}" if SHORT or (kver, runner) in CHECK_LOCKS else "true"


@functools.cache
def guest(kver, runner):
    """Boot once: read the tables as they are at first, run all programs, and read what lockdep checked."""
    cmd = f"{fewer(kver, runner)}; {TABLES}; {kselftests.command(kselftests.programs(runner=runner), kver, runner)}"
    if (kver, runner) in CHECK_LOCKS:
        cmd = f"{cmd}; cat /proc/lockdep_stats"
    done = execute(cmd, KVER=kver, RUNNER=runner, LSM=",".join(available(LSM, kver, runner)))
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("kver, runner, program, case", CASES, ids=map("-".join, CASES))
def test_kselftest(kver, runner, program, case):
    kselftests.judge(*guest(kver, runner), program, case)


@pytest.mark.parametrize("kver, runner", PLACES)
def test_guest_has_no_complaint(kver, runner):
    status, _, errors = guest(kver, runner)
    assert status == 0, errors


def test_every_program_has_cases():
    assert {program for _, _, program, _ in CASES} == set(kselftests.programs())
    assert set(kselftests.QEMU) <= set(kselftests.programs())
    assert len(CASES) >= 15


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_nothing_is_measured_without_boot_parameter(kver, runner):
    control, table = guest(kver, runner)[1].partition(kselftests.BEGIN)[0].split("\n", 1)
    assert control == "0"
    assert len(counts(table)) > 200 and not any(counts(table).values())


@functools.cache
def measured_boot(kver, runner):
    return output(TABLES, KVER=kver, RUNNER=runner, KARGS="lsmmon=1").split("\n", 1)


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_boot_parameter_measures_the_boot(kver, runner):
    """The monitor counts the kernel's threads and the first programs, long before any of ours."""
    control, table = measured_boot(kver, runner)
    assert control == "1"
    called = counts(table)
    for hook in ("task_alloc", "cred_prepare", "inode_alloc_security", "sb_alloc_security",
                 "bprm_check_security"):
        assert called[hook] > 0, hook
    # The hook came with Linux 6.11.
    assert called.get("initramfs_populated", 1) == 1


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_boot_measurements_are_sane(kver, runner):
    for row in parse_table(measured_boot(kver, runner)[1]):
        if row.get("count"):
            assert [*row] == ["hook", "min", "max", "ave", "count", "cs_count"]
            assert 0 < row["min"] <= row["ave"] <= row["max"], row


@pytest.mark.parametrize("kver, runner", CHECK_LOCKS)
def test_locks_were_checked_to_the_end(kver, runner):
    """scripts/exec fails if the kernel complains; lock checking that has given up does not complain."""
    assert re.search(r"^ debug_locks: +1$", guest(kver, runner)[1], re.M)
