# SPDX-License-Identifier: GPL-2.0-only
"""Tests of scripts/lab times: files of lsmpmon in a tree keep their time as long as their content, so that make need not
compile them.
"""

import os
import subprocess

import pytest
from kernels import REPO

RECORD = """diff --git a/new.h b/new.h
new file mode 100644
--- /dev/null
+++ b/new.h
@@ -0,0 +1 @@
+int a;
diff --git a/sched.h b/sched.h
--- a/sched.h
+++ b/sched.h
@@ -1 +1,2 @@
 struct task;
+int b;
"""
THEN, NOW = 10**9, 2 * 10**9


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / ".lsmpmon.patch").write_text(RECORD)
    for name in ("new.h", "sched.h", "other.h"):
        (folder / name).write_text("int a;\n")
    return folder


def keep(tree, time):
    """Keep times as after an apply at that time, and return the times that the files have then."""
    for name in ("new.h", "sched.h", "other.h"):
        os.utime(tree / name, (time, time))
    subprocess.run([REPO / "scripts/lab", "times", tree, tree.parent / "times"], check=True)
    return {path.name: path.stat().st_mtime for path in tree.glob("*.h")}


def test_what_is_as_it_was_keeps_its_time(tree):
    keep(tree, THEN)
    assert keep(tree, NOW) == {"new.h": THEN, "sched.h": THEN, "other.h": NOW}


def test_what_has_changed_has_a_new_time(tree):
    keep(tree, THEN)
    (tree / "sched.h").write_text("int c;\n")
    assert keep(tree, NOW) == {"new.h": THEN, "sched.h": NOW, "other.h": NOW}


def test_only_the_last_build_counts(tree):
    """A file that returns to an older content is newer than its object."""
    keep(tree, THEN)
    (tree / "sched.h").write_text("int c;\n")
    keep(tree, THEN + 1)
    (tree / "sched.h").write_text("int a;\n")
    assert keep(tree, NOW)["sched.h"] == NOW
