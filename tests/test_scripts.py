# SPDX-License-Identifier: GPL-2.0-only
"""The scripts themselves: what they count, what they refuse, how they read."""

import os
import subprocess
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]

KERNEL_LOG = """\
[    0.100000] KTAP version 1
[    0.100000] 1..2
[    0.100000]     KTAP version 1
[    0.100000]     # Subtest: lsmpmon_one
[    0.100000]     1..{planned}
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
JUNIT = '<testsuites><testsuite tests="7" failures="1" errors="1" skipped="2"/></testsuites>'


def count(kind, text):
    done = subprocess.run([REPO / "scripts/count-tests", kind], input=text, text=True,
                          capture_output=True, check=True)
    return done.stdout.strip(), done.stderr


def test_kunit_cases_are_counted_once():
    counts, said = count("kunit", KERNEL_LOG.format(planned=3))
    assert counts == "2 1 1" and "lsmpmon_one.has_parameters" in said


def test_cases_without_result_are_failures():
    assert count("kunit", KERNEL_LOG.format(planned=5))[0] == "2 3 1"


def test_no_kunit_at_all_is_a_failure():
    assert count("kunit", "[    0.1] Linux version\n")[0] == "0 1 0"


def test_junit_totals():
    assert count("junit", JUNIT)[0] == "3 2 2"


def shell_scripts():
    folders = REPO / "scripts", REPO / "scripts/inside"
    files = [REPO / ".ci/run", *(path for folder in folders for path in folder.iterdir() if path.is_file())]
    first = {path: path.read_bytes()[:20] for path in files}
    programs = [path for path in files if first[path].startswith((b"#!/bin/bash", b"#!/bin/sh"))]
    return programs + list((REPO / "userspace/policy").glob("*.sh"))


@pytest.mark.parametrize("script", shell_scripts(), ids=lambda path: str(path.relative_to(REPO)))
def test_shellcheck(script):
    done = subprocess.run(["shellcheck", "-x", "-P", "SCRIPTDIR", script],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_check_of_a_kernel_that_is_not_supported():
    done = subprocess.run([REPO / "scripts/check", "6.12", "6.13"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    assert "KVER='6.13' is not accepted; one of: 6.1 6.12 7.2" in done.stderr


def test_check_of_some_kernels_leaves_out_the_others():
    """What make hands on: nothing unless KVER is given, by either way."""
    def last(*words, **env):
        done = subprocess.run(["make", "-n", "check", *words], cwd=REPO, capture_output=True, text=True, check=True,
                              env={"PATH": os.environ["PATH"], **env})
        return done.stdout.splitlines()[-1].split()
    assert last() == ["scripts/check"]
    assert last("KVER=6.1 7.2") == last(KVER="6.1 7.2") == ["scripts/check", "6.1", "7.2"]


@pytest.mark.parametrize("words", [["apply"], ["unapply"], ["apply", "KDIR=/nonexistent"]])
def test_apply_without_a_tree(words):
    done = subprocess.run(["make", *words], cwd=REPO, env={"PATH": os.environ["PATH"]},
                          capture_output=True, text=True)
    assert done.returncode == 2 and "KDIR" in done.stderr
