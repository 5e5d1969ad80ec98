# SPDX-License-Identifier: GPL-2.0-only
"""Whichever source tells the system call, the table is the same: audit context or registers.

A task has an audit context if it was made while audit was on, so one boot has
audit=1 and the other, that of all kselftests, has not.
"""

import functools
import re

import kselftests
import pytest
from guests import GUESTS, output
from kernels import pristine
from test_kselftest import guest

PROGRAMS = ("syscalls_test", "uring_test", "compat_test")
CASES = [(program, case) for program in PROGRAMS for case in kselftests.cases(program)]
ROW = re.compile(r"^# row (\S+) (\S+) (\d+)$", re.M)
SOURCE = re.compile(r"^# source (\w+) fallbacks (\d+)$", re.M)


@functools.cache
def audited(kver, runner):
    return 0, output(kselftests.command(PROGRAMS, kver), KVER=kver, RUNNER=runner, KARGS="audit=1"), ""


def said(text, program):
    """All that a program printed, for a table or anything else in it."""
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


def fallbacks(text, source):
    """How often registers were asked, in each case that measured."""
    found = SOURCE.findall(said(text, "syscalls_test"))
    assert [name for name, _ in found] == [source] * 3
    return [int(number) for _, number in found]


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_source_is_what_was_asked(kver, runner):
    """Under audit, registers are asked for little: what a task has left to do
    on its way back to the program, like giving up a mount, is done after audit
    has closed its context. Before Linux 6.6, giving up a file is among that.
    """
    without = fallbacks(guest(kver, runner)[1], "ptregs")
    under = fallbacks(audited(kver, runner)[1], "audit")
    assert min(without) > 1000
    closes_at_once = "_sync(file)" in (pristine(kver) / "fs/open.c").read_text()
    assert under[0] == 0 or not closes_at_once
    assert all(asked * 5 < plain for asked, plain in zip(under, without))
