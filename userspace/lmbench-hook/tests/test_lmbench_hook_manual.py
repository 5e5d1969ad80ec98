# SPDX-License-Identifier: GPL-2.0-only
"""The manual page has each verb and each option of lmbench-hook and of its sweep, and man can read it."""

import pathlib
import re
import shutil
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = TOP / "build" / "bin" / "lmbench-hook"
PAGE = TOP / "userspace" / "man" / "lmbench-hook.1"
# Options of argp itself.
COMMON = {"--help", "--usage", "--version"}


def printed(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def page():
    return PAGE.read_text().replace("\\-", "-")


def test_each_option_is_in_the_manual():
    verbs = ("list", "run", "work", "openit", "exec")
    options = set.union(*(set(re.findall(r"--[a-z-]+[a-z]", printed(verb, "--help"))) for verb in verbs)) - COMMON
    assert len(options) > 8
    assert {option for option in options if option not in page()} == set()


def test_each_option_of_sweep_is_in_the_manual():
    options = re.findall(r"^ +(-[a-z]) ", printed("sweep", "-h"), re.M)
    assert len(options) == 7
    section = page().partition(".SS Of sweep")[2].partition(".SS")[0]
    assert [option for option in options if option not in section] == []


def test_each_verb_is_in_the_manual():
    verbs = re.findall(r"^  ([a-z]+)(?: [A-Z\[]|  )", printed("--help"), re.M)
    assert {"list", "run", "work", "openit", "exec", "sweep", "slopes", "spread"} <= set(verbs)
    for verb in verbs:
        assert f"\n.B {verb}\n" in page() or verb == "lmbench-hook", verb


def test_the_manual_is_clean():
    groff = shutil.which("groff") or pytest.skip("no groff to read the manual page with")
    done = subprocess.run([groff, "-man", "-ww", "-Tutf8", "-z", PAGE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
