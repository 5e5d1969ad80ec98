# SPDX-License-Identifier: GPL-2.0-only
"""The KUnit suites of lsmpmon/ and modules/: their cases, and their results in a kernel's log."""

import re

import pytest
from kernels import REPO

from lsmlab.kernel.tree import source

# The glob finds all of our suites, and the log may be longer than the usual buffer.
ARGUMENTS = "kunit.enable=1 kunit.filter_glob=lsmpmon* log_buf_len=4M"
CASE = re.compile(r"^\tKUNIT_CASE(?:_PARAM|_SLOW|_ATTR)?\((\w+)", re.M)
NAME = re.compile(r'^static struct kunit_suite \w+ = \{\n\t\.name = "(\w+)"', re.M)
STAMP = re.compile(r"^\[ *[0-9.]+\] ?(\[ *[TC][0-9]+\] ?)?")
RESULT = re.compile(r"^    (not ok|ok) \d+ (?:- )?(\S+)(.*)")
SUITE = re.compile(r"^    # Subtest: (\S+)")


def cases(lids=False):
    """Return (suite, case) from the sources: those of FLAVOUR=patched, or those that only FLAVOUR=lids has."""
    pairs = []
    for path in sorted(path for folder in source.CODE for path in (REPO / folder).rglob("tests/*_test.c")):
        if ("lids" in path.relative_to(REPO).parts) != lids:
            continue
        text = path.read_text()
        pairs += [(name, case) for name in NAME.findall(text) for case in CASE.findall(text)]
    return pairs


def results(log):
    """Return {(suite, case): (`ok` or `not ok`, the rest of its line, the lines about it)}.

    The line of a case is indented once; those of its parameters are indented further.
    """
    outcomes, about, suite = {}, [], ""
    for line in (STAMP.sub("", line) for line in log.splitlines()):
        result = RESULT.match(line)
        if SUITE.match(line):
            suite, about = SUITE.match(line)[1], []
        elif result:
            outcomes[suite, result[2]] = (result[1], result[3], "\n".join(about))
            about = []
        else:
            about.append(line)
    return outcomes


def judge(log, suite, case):
    """Check the result of one case."""
    outcomes = results(log)
    assert (suite, case) in outcomes, f"{suite}.{case} left no result"
    outcome, more, about = outcomes[suite, case]
    if "# SKIP" in more:
        pytest.skip(more.partition("# SKIP")[2].strip() or "the kernel skips it")
    assert outcome == "ok", about
