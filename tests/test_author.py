# SPDX-License-Identifier: GPL-2.0-only
"""The loop of Documentation/howto/module-author.md: kunit.py with a built kernel, and syzkaller's description of lsmmon/."""

import re
import shutil
import subprocess

import kunit
import pytest
from guests import LSMMON, kernel_directory
from kernels import DEFAULT, REPO, environment, pristine

DOCUMENT = (REPO / "Documentation/howto/module-author.md").read_text()
DESCRIPTION = (REPO / "tests/syzkaller/security_lsmpmon.txt").read_text()


@pytest.mark.full
def test_kunit_py_runs_all_suites(tmp_path):
    kernel = kernel_directory(DEFAULT, "uml")
    shutil.copy(kernel / "kernel", tmp_path / "linux")
    shutil.copy(kernel / "config", tmp_path / ".config")
    (words,) = re.findall(r"kunit\.py (exec .*) 'lsmpmon\*'$", DOCUMENT, re.M)
    done = subprocess.run([pristine() / "tools/testing/kunit/kunit.py", *words.replace("/tmp/kunit", str(tmp_path)).split(), "lsmpmon*"],
                          cwd=pristine(), env=environment(TMPDIR="/tmp"), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout
    suites = set(re.findall(r"\[PASSED\] (lsmpmon\w*) =", done.stdout))
    assert suites == {suite for suite, _ in kunit.cases()}


def test_the_kunit_configuration_is_where_the_document_says():
    (folder,) = re.findall(r"--kunitconfig security/(\S+)", DOCUMENT)
    assert (REPO / folder / ".kunitconfig").exists()


def test_the_description_has_each_file_and_feature():
    """The description names the files and features of the kernel's source; `session` has system calls of its own."""
    files = set(re.findall(r'^\t\{ "(\w+)",\s+0\d{3},', (REPO / "lsmpmon/fs.c").read_text(), re.M))
    assert set(re.findall(rf'"{LSMMON}/(\w+)"', DESCRIPTION)) == files
    features = set(re.findall(r'^\t\t"(\w+)", LSMPMON_USER_', (REPO / "lsmpmon/feature.c").read_text(), re.M))
    (listed,) = re.findall(r"^lsmpmon_features = (.*)$", DESCRIPTION, re.M)
    assert set(re.findall(r'"(\w+)"', listed)) == features and len(features) > 8


def test_the_document_has_the_number_of_calls():
    calls = re.findall(r"^\w+\$lsmpmon_\w+\(", DESCRIPTION, re.M)
    assert f"makes {len(calls)} calls of it" in DOCUMENT.replace("\n", " ")
