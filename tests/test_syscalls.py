# SPDX-License-Identifier: GPL-2.0-only
"""The table of system calls is the same with audit contexts and without.

A task has an audit context if it was made while audit was on, so one of two boots has audit=1.
"""

import functools
import re

import kselftests
import pytest
from guests import GUESTS, output

PROGRAMS = ("syscalls_test", "uring_test", "compat_test")
CHOSEN = [(*place, program) for place in GUESTS for program in kselftests.chosen(PROGRAMS, place[1])]
CASES = [(*chosen, case) for chosen in CHOSEN for case in kselftests.cases(chosen[-1])]
ROW = re.compile(r"^# row (\S+) (\S+) (\d+)$", re.M)


@functools.cache
def boot(kver, runner, kargs=""):
    return output(kselftests.command(kselftests.chosen(PROGRAMS, runner), kver), KVER=kver, RUNNER=runner, KARGS=kargs)


def audited(kver, runner):
    return boot(kver, runner, "audit=1")


def printed(text, program):
    """Return all lines that a program printed."""
    return kselftests.results(text)[program][2]


def table(text, program):
    """Return calls by system call and hook, one table for each case.

    The last task that drops a thing frees it, a worker or its task: that varies.
    """
    cases = re.split(r"^#  RUN", printed(text, program), flags=re.M)
    return [[row for row in ROW.findall(part) if not row[1].endswith("_free_security")]
            for part in cases]


@pytest.mark.parametrize("kver, runner, program, case", CASES, ids=map("-".join, CASES))
def test_known_programs_under_audit(kver, runner, program, case):
    kselftests.judge(0, audited(kver, runner), "", program, case)


@pytest.mark.parametrize("kver, runner, program", CHOSEN, ids=map("-".join, CHOSEN))
def test_tables_are_the_same(kver, runner, program):
    """The tables have all hooks of the system calls and operations that the program knows."""
    plain, audit = boot(kver, runner), audited(kver, runner)
    without, under = table(plain, program), table(audit, program)
    if not any(without) and "# SKIP" in printed(plain, program):
        pytest.skip(f"{program} was skipped")
    assert any(without)
    assert without == under
