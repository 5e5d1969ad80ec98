# SPDX-License-Identifier: GPL-2.0-only
"""Tests of make release: one version everywhere, the files that are published, and the same bytes from the same
commit.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tarfile

import pytest
from guests import output
from kernels import DEFAULT, REPO, environment, pristine

# A release has what is committed, so the tests use a checkout of their own, with all files that are here.
IGNORED = shutil.ignore_patterns(".git", "build", "__pycache__", ".pytest_cache")
WHO = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
       for what, value in (("NAME", "a"), ("EMAIL", "a@example.com"), ("DATE", "2026-01-01T00:00:00+00:00"))}
VERSION = re.search(r'^#define LSMPMON_VERSION\s+"(.*)"$', (REPO / "lsmpmon/version.h").read_text(), re.M)[1]
NAME = f"lsmpmon-{VERSION}"
SLOPES = ("slopes/slopes.txt", "slopes/6.12-uml/slopes.json")


def git(folder, *words):
    return subprocess.run(["git", "-C", folder, *words], env=environment(**WHO), stdout=subprocess.PIPE, text=True,
                          check=True).stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    pristine(DEFAULT)
    folder = tmp_path_factory.mktemp("release") / "lsmpmon"
    shutil.copytree(REPO, folder, symlinks=True, ignore=IGNORED)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "all")
    return folder


def release(checkout, *words):
    return subprocess.run([checkout / "packaging/release", *words], env=environment(), capture_output=True, text=True)


def handed_out(checkout):
    """Return the bytes of the published files by name."""
    done = release(checkout, DEFAULT)
    assert done.returncode == 0, done.stderr
    folder = checkout / "build/release" / VERSION
    assert done.stdout.strip() == str(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def files(checkout):
    (checkout / "build/eval").mkdir(parents=True)
    (checkout / "build/eval/evaluation.tar.gz").write_bytes(b"results and report")
    (checkout / "build/slopes/6.12-uml").mkdir(parents=True)
    for name in SLOPES:
        (checkout / "build" / name).write_text("")
    return handed_out(checkout)


def test_what_is_handed_out(files):
    assert set(files) == {f"{NAME}.tar.gz", f"{NAME}-linux-{DEFAULT}.mbox", f"{NAME}-evaluation.tar.gz",
                          f"{NAME}-slopes.tar.gz", "SHA256SUMS"}


def test_checksums_are_those_of_all_files(files):
    listed = dict(reversed(line.split("  ")) for line in files["SHA256SUMS"].decode().splitlines())
    assert listed == {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "SHA256SUMS"}


def test_the_same_commit_gives_the_same_bytes(checkout, files):
    os.utime(checkout / "build/slopes/slopes.txt", (0, 1))
    assert handed_out(checkout) == files


def members(checkout, name):
    with tarfile.open(checkout / "build/release" / VERSION / name) as tar:
        return {member.name for member in tar if member.isfile()}


def test_the_sources_are_the_commit(checkout, files):
    tracked = git(checkout, "ls-files").splitlines()
    assert members(checkout, f"{NAME}.tar.gz") == {f"{NAME}/{name}" for name in tracked}


def test_the_evaluation_is_what_make_eval_made(files):
    assert files[f"{NAME}-evaluation.tar.gz"] == b"results and report"


def test_slopes_come_with_the_sweeps_that_they_are_of(checkout, files):
    assert members(checkout, f"{NAME}-slopes.tar.gz") == set(SLOPES)


def test_git_takes_the_series_as_one_file(checkout, files, tmp_path):
    """The file has a cover letter and the patches."""
    mbox = checkout / "build/release" / VERSION / f"{NAME}-linux-{DEFAULT}.mbox"
    count = int(git(checkout, "mailsplit", f"-o{tmp_path}", mbox))
    last = re.search(r"^Subject: \[PATCH 0*0/(\d+)\]", mbox.read_text(), re.M)[1]
    assert count == int(last) + 1 > 10


def refused(checkout, *words):
    done = release(checkout, *words)
    assert done.returncode == 2 and done.stdout == ""
    return done.stderr


def test_changes_that_are_not_committed_are_not_released(checkout, files):
    new = checkout / "new"
    new.write_text("")
    try:
        assert "not committed" in refused(checkout, DEFAULT)
    finally:
        new.unlink()


def test_a_version_without_changelog_is_not_released(checkout, files):
    git(checkout, "branch", "good")
    changelog = checkout / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace(f"## {VERSION}", "## 99.0"))
    git(checkout, "commit", "-q", "-am", "another")
    try:
        assert f"no section '## {VERSION}'" in refused(checkout, DEFAULT)
    finally:
        git(checkout, "reset", "-q", "--hard", "good")


def test_a_kernel_that_is_not_supported_is_not_released(checkout):
    assert "KVER='6.13' is not accepted" in refused(checkout, "6.13")


@pytest.mark.parametrize("program", ["lsmpmon", "lmbench-hook"])
def test_tools_say_the_version(program):
    done = subprocess.run([REPO / "build/bin" / program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"{program} {VERSION}\n"


def test_the_kernel_says_the_version():
    assert f"version: {VERSION}\n" in output("cat /sys/kernel/security/lsmmon/info")
