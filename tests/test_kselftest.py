# SPDX-License-Identifier: GPL-2.0-only
"""The kselftests in every guest, one boot for all of them, and the debug kernel."""

import functools
import re
import subprocess

import kselftests
import pytest
from guests import DEBUG, GUESTS, LSMMON, counts, execute, output
from kernels import REPO

CASES = [(program, case) for program in kselftests.programs()
         for case in kselftests.cases(program)]
TABLES = f"cat {LSMMON}/control {LSMMON}/result"


@functools.cache
def guest(kver, runner):
    """One boot: the tables as they are at first, then all programs."""
    done = execute(f"{TABLES}; {kselftests.command(kselftests.programs(), kver)}", KVER=kver,
                   RUNNER=runner, TIMEOUT=1200)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("program, case", CASES, ids=[f"{p}-{c}" for p, c in CASES])
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_kselftest(kver, runner, program, case):
    kselftests.judge(*guest(kver, runner), program, case)


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_guest_has_no_complaint(kver, runner):
    status, _, errors = guest(kver, runner)
    assert status == 0, errors


def test_every_program_has_cases():
    assert {program for program, _ in CASES} == set(kselftests.programs())
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
    """The kernel's threads and the first programs, long before any of ours."""
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
    for line in measured_boot(kver, runner)[1].splitlines()[1:]:
        words = line.split()
        if len(words) > 1 and int(words[4]):
            shortest, longest, average = map(int, words[1:4])
            assert 0 < shortest <= average <= longest, line


# What takes locks, sleeps or switches the kernel's code.
DEBUG_PROGRAMS = ("stress_test", "filter_test", "features_test", "calls_test")
DEBUG_CASES = [(program, case) for program, case in CASES if program in DEBUG_PROGRAMS]


@functools.cache
def debug_guest():
    """Locks, preemption and sleeping checked: KUnit at boot, then stress."""
    kver, runner = DEBUG
    cmd = (f"{kselftests.command(DEBUG_PROGRAMS, kver)}; echo '@@ log'; dmesg; "
           "cat /proc/lockdep_stats")
    done = execute(cmd, KVER=kver, RUNNER=runner, TIMEOUT=1200,
                   KARGS="kunit.enable=1 kunit.filter_glob=lsmpmon* log_buf_len=4M")
    return done.returncode, done.stdout, done.stderr


@pytest.mark.debug
@pytest.mark.parametrize("program, case", DEBUG_CASES, ids=[f"{p}-{c}" for p, c in DEBUG_CASES])
def test_debug_kernel_under_stress(program, case):
    kselftests.judge(*debug_guest(), program, case)


@pytest.mark.debug
def test_debug_kernel_has_no_complaint():
    """scripts/exec fails for one; lock checking that gave up has none."""
    status, text, errors = debug_guest()
    assert status == 0, errors
    assert re.search(r"^ debug_locks: +1$", text, re.M)


@pytest.mark.debug
def test_debug_kernel_passes_kunit():
    log = debug_guest()[1].partition("@@ log\n")[2]
    done = subprocess.run([REPO / "scripts/count-tests", "kunit"], input=log, text=True,
                          capture_output=True, check=True)
    passed, failed, skipped = map(int, done.stdout.split())
    assert failed == 0, done.stderr
    print(f"KUnit: {passed} passed")
    assert passed >= 20 and skipped == 0
