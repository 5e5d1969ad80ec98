# SPDX-License-Identifier: GPL-2.0-only
"""KUnit inside each kernel on User-Mode Linux, inside those that check locks, of which one is the real-time kernel,
inside the one that LLVM builds with CFI, and on arm64.
"""

import functools
import re

import kunit
import pytest
from guests import ARM64, CLANG, DEBUG, REALTIME, VERSIONS, output

CHECK_LOCKS = [place for place in (DEBUG, REALTIME) if place[0] in VERSIONS]
PLACES = [(kver, "uml") for kver in VERSIONS] + CHECK_LOCKS + [place for place in (CLANG, ARM64) if place[0] in VERSIONS]
LOG = """\
[    0.100000] KTAP version 1
[    0.100000] 1..2
[    0.100000]     KTAP version 1
[    0.100000]     # Subtest: lsmpmon_one
[    0.100000]     1..3
[    0.100000]     ok 1 passes
[    0.110000]         KTAP version 1
[    0.110000]         # Subtest: has_parameters
[    0.110000]         ok 1 first
[    0.110000]         not ok 2 second
[    0.110000]     not ok 2 has_parameters
[    0.120000]     ok 3 not_here # SKIP one CPU
[    0.120000] # lsmpmon_one: pass:1 fail:1 skip:1 total:3
[    0.120000] not ok 1 lsmpmon_one
[    0.130000]     # Subtest: lsmpmon_two
[    0.130000]     1..1
[    0.130000]     ok 1 - as_6_1_prints_it
[    0.130000] ok 2 - lsmpmon_two
"""


@functools.cache
def log(kver, runner):
    """Boot once, with the module that waits, and return the log, which ends with the state of lock checking."""
    return output("dmesg; cat /proc/lockdep_stats 2>/dev/null; true", KVER=kver, RUNNER=runner, LSM="tunable",
                  KARGS=kunit.ARGUMENTS)


@pytest.mark.parametrize("suite, case", kunit.cases(), ids=map("-".join, kunit.cases()))
@pytest.mark.parametrize("kver, runner", PLACES)
def test_kunit(kver, runner, suite, case):
    kunit.judge(log(kver, runner), suite, case)


@pytest.mark.parametrize("kver, runner", PLACES)
def test_the_kernel_has_no_case_that_the_sources_have_not(kver, runner):
    assert set(kunit.results(log(kver, runner))) == set(kunit.cases())


@pytest.mark.parametrize("kver, runner", CHECK_LOCKS)
def test_locks_were_checked_to_the_end(kver, runner):
    """scripts/exec fails if the kernel complains; lock checking that has given up does not complain."""
    assert re.search(r"^ debug_locks: +1$", log(kver, runner), re.M)


def test_a_case_is_one_result():
    assert {key: words[:2] for key, words in kunit.results(LOG).items()} == {
        ("lsmpmon_one", "passes"): ("ok", ""), ("lsmpmon_one", "has_parameters"): ("not ok", ""),
        ("lsmpmon_one", "not_here"): ("ok", " # SKIP one CPU"), ("lsmpmon_two", "as_6_1_prints_it"): ("ok", "")}


@pytest.mark.parametrize("suite, case, message", [("lsmpmon_one", "has_parameters", "not ok 2 second"),
                                                  ("lsmpmon_one", "gone", "left no result")])
def test_failures_and_missing_cases_fail(suite, case, message):
    with pytest.raises(AssertionError, match=message):
        kunit.judge(LOG, suite, case)


def test_a_skipped_case_is_skipped():
    with pytest.raises(pytest.skip.Exception, match="one CPU"):
        kunit.judge(LOG, "lsmpmon_one", "not_here")
