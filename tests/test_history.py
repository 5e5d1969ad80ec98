# SPDX-License-Identifier: GPL-2.0-only
"""The commits that CONTRIBUTING asks for: area and imperative, why, and who signs for it."""

import re
import subprocess

import pytest
from kernels import REPO

# Each commit after this one is looked at; older ones stay as they are.
SINCE = "78c627001407"
SUBJECT = re.compile(r"[\w./{}, -]+: \S")
TRAILER = re.compile(r"[A-Z][\w-]+: ")


def git(*words):
    return subprocess.run(["git", *words], cwd=REPO, capture_output=True, text=True)


def faults(message):
    """Return what a commit's message lacks."""
    subject, _, rest = message.partition("\n")
    lines = [line for line in rest.splitlines() if line]
    body = [line for line in lines if not TRAILER.match(line)]
    return [fault for fault, found in {
        "an area before the subject": not SUBJECT.match(subject) or subject.startswith(("fixup!", "squash!")),
        "a body that says why": not body,
        "a Signed-off-by": not any(line.startswith("Signed-off-by: ") for line in lines),
        "at most 80 characters in each line": max(map(len, [subject, *body])) > 80,
    }.items() if found]


@pytest.mark.parametrize("message, found", [
    ("area: do it\n\nIt is needed.\n\nSigned-off-by: A <a@b>\n", []),
    ("area: do it\n\nSigned-off-by: A <a@b>\n", ["a body that says why"]),
    ("area: do it\n\nIt is needed.\n", ["a Signed-off-by"]),
    ("do it\n\nIt is needed.\n\nSigned-off-by: A <a@b>\n", ["an area before the subject"]),
    ("fixup! area: do it\n\nNo.\n\nSigned-off-by: A <a@b>\n", ["an area before the subject"]),
    ("area: do it\n\n" + "x" * 81 + "\n\nSigned-off-by: A <a@b>\n", ["at most 80 characters in each line"]),
])
def test_faults(message, found):
    assert faults(message) == found


def test_each_new_commit_is_whole():
    if git("merge-base", "--is-ancestor", SINCE, "HEAD").returncode:
        pytest.skip("the history does not reach back that far, or there is none")
    log = git("log", "--no-merges", "--format=%H%n%B%x00", f"{SINCE}..HEAD").stdout
    commits = (entry.strip().partition("\n") for entry in log.split("\0") if entry.strip())
    assert {f"{name[:12]} {message.splitlines()[0]}": lacks for name, _, message in commits if (lacks := faults(message))} == {}
