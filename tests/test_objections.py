# SPDX-License-Identifier: GPL-2.0-only
"""The page of objections names files, functions, tests and commits that exist."""

import re
import subprocess

import pytest
from kernels import REPO

PAGE = (REPO / "Documentation/explanation/objections.md").read_text()
ENTRY = re.compile(r"^\* \*\*(.+?)\*\*(.*?)(?=^\* |^## |\Z)", re.MULTILINE | re.DOTALL)
# `FILE`: `NAME`, where NAME is a function, a macro, a structure or a test in it.
PLACE = re.compile(r"`([\w./-]+)`:\s+`(\w+)(?:\(\))?`")
FILE = re.compile(r"`((?:lsmpmon|tests|scripts|kconfigs)/[\w./-]+)`")
COMMIT = re.compile(r"Commit: \*([^*]+)\*")


def entries(page):
    """Yield (objection, answer), each in one line."""
    for objection, answer in ENTRY.findall(page):
        yield " ".join(objection.split()), " ".join(answer.split())


def complaints(page):
    """Return what the page names and the repository lacks."""
    for objection, answer in entries(page):
        if not PLACE.match(answer.strip()):
            yield f"{objection}: no place at the beginning of the answer"
        for file in FILE.findall(answer):
            if not (REPO / file).is_file():
                yield f"{objection}: {file} does not exist"
        for file, name in PLACE.findall(answer):
            if (REPO / file).is_file() and not re.search(rf"\b{name}\b", (REPO / file).read_text()):
                yield f"{objection}: {name} is not in {file}"


def test_what_is_named_exists():
    assert len(list(entries(PAGE))) >= 30
    assert list(complaints(PAGE)) == []


@pytest.mark.parametrize("there, wrong, complaint", [
    ("lsmpmon_evict_work()", "lsmpmon_evict_many()", "lsmpmon_evict_many is not in lsmpmon/evict.c"),
    ("`tests/test_fault.py`", "`tests/test_faults.py`", "tests/test_faults.py does not exist"),
    ("`lsmpmon/cell.h`: ", "", "no place"),
])
def test_what_does_not_exist_is_noticed(there, wrong, complaint):
    assert there in PAGE
    assert any(complaint in line for line in complaints(PAGE.replace(there, wrong)))


def test_commits_exist():
    """Subjects are compared, since numbers change when commits are put elsewhere."""
    log = subprocess.run(["git", "-C", REPO, "log", "--format=%s"], stdout=subprocess.PIPE, text=True, check=False)
    if log.returncode:
        pytest.skip("no history")
    named = [" ".join(subject.split()) for subject in COMMIT.findall(PAGE)]
    assert named and set(named) - set(log.stdout.splitlines()) == set()


def test_each_objection_that_was_right_names_a_commit():
    right = [(objection, answer) for objection, answer in entries(PAGE) if "That was right" in answer]
    assert len(right) >= 10
    assert [objection for objection, answer in right if not COMMIT.search(answer)] == []
