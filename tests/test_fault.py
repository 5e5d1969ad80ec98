# SPDX-License-Identifier: GPL-2.0-only
"""A hook call that faults: its task dies, and the monitor goes on.

User-Mode Linux dies of any fault, so this test needs QEMU.
"""

import functools
import re
import signal

import pytest
from guests import VERSIONS, execute

PLACES = [(kver, "qemu") for kver in VERSIONS]
DIED = 128 + signal.SIGSEGV
# The status of scripts/exec if the kernel has complained.
COMPLAINED = 125


@functools.cache
def guest(kver, runner):
    done = execute("sh tests/guest/faults.sh", COMPLAINED, KVER=kver, RUNNER=runner, LSM="tunable")
    return done.returncode, done.stdout, done.stderr


def value(kver, runner, key):
    status, text, errors = guest(kver, runner)
    match = re.search(rf"^{key}: (.*)$", text, re.M)
    assert match, f"no {key}, status {status}\n{text}\n{errors}"
    return match[1]


@pytest.mark.parametrize("kver, runner", PLACES)
def test_tasks_died_of_it(kver, runner):
    assert [value(kver, runner, what) for what in ("call", "record")] == [str(DIED)] * 2
    assert guest(kver, runner)[0] == COMPLAINED


@pytest.mark.parametrize("kver, runner", PLACES)
def test_no_task_ends_with_a_call_under_way(kver, runner):
    """The frame of such a call would be in a stack that is used again."""
    assert value(kver, runner, "fault") == "none 0"


@pytest.mark.parametrize("file", ["result", "verdicts", "cpus"])
@pytest.mark.parametrize("kver, runner", PLACES)
def test_readers_do_not_wait_for_the_dead(kver, runner, file):
    assert value(kver, runner, file) == "0"


@pytest.mark.parametrize("kver, runner", PLACES)
def test_what_was_not_written_is_lost(kver, runner):
    assert value(kver, runner, "lost") == "1"


@pytest.mark.parametrize("kver, runner", PLACES)
def test_counts_are_exact_afterwards(kver, runner):
    assert value(kver, runner, "counted") == "7"
