# SPDX-License-Identifier: GPL-2.0-only
"""The table of system calls is the same with audit contexts and without.

A task has an audit context if it was made while audit was on, so one boot has
audit=1 and the other, that of all kselftests, has not.
"""

import functools
import re

import kselftests
import pytest
from guests import GUESTS, output
from test_kselftest import guest

PROGRAMS = ("syscalls_test", "uring_test", "compat_test")
CASES = [(program, case) for program in PROGRAMS for case in kselftests.cases(program)]
ROW = re.compile(r"^# row (\S+) (\S+) (\d+)$", re.M)


@functools.cache
def audited(kver, runner):
    return 0, output(kselftests.command(PROGRAMS, kver), KVER=kver, RUNNER=runner, KARGS="audit=1"), ""


def said(text, program):
    """All that a program printed."""
    return kselftests.results(text)[program][2]


def table(text, program):
    """Calls by system call and hook, one table for each case. What is freed is
    freed by the task that drops it last, a worker or its task: that varies.
    """
    cases = re.split(r"^#  RUN", said(text, program), flags=re.M)
    return [[row for row in ROW.findall(part) if not row[1].endswith("_free_security")]
            for part in cases]


@pytest.mark.parametrize("program, case", CASES, ids=[f"{p}-{c}" for p, c in CASES])
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_known_programs_under_audit(kver, runner, program, case):
    kselftests.judge(*audited(kver, runner), program, case)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_tables_are_the_same(kver, runner, program):
    """All hooks of the system calls and operations that the program knows."""
    plain, audit = guest(kver, runner)[1], audited(kver, runner)[1]
    without, under = table(plain, program), table(audit, program)
    if not any(without) and "# SKIP" in said(plain, program):
        pytest.skip(f"{program} was skipped")
    assert any(without)
    assert without == under
