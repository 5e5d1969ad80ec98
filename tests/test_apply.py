# SPDX-License-Identifier: GPL-2.0-only
"""make apply and unapply on a user's tree: strict, idempotent, all or nothing.

The tree here has the files of the real one that our patches concern.
"""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from kernels import REPO, VERSIONS, copy_files

from lsmlab.kernel import change
from lsmlab.kernel.tree import commit, source
from lsmlab.measure.pipeline import kernel

REFUSED = 2


@pytest.fixture(scope="session", params=VERSIONS)
def kver(request):
    return request.param


@pytest.fixture(scope="session")
def pristine(kver, tmp_path_factory):
    return copy_files(kver, tmp_path_factory.mktemp("pristine"), "security/lsm_audit.c")


@pytest.fixture
def tree(pristine, tmp_path):
    return Path(shutil.copytree(pristine, tmp_path / "a kernel"))


def run(verb, tree, repo=REPO):
    return subprocess.run([repo / "scripts/tree", verb, tree], capture_output=True, text=True)


def snapshot(tree):
    """Return every name, kind, mode and byte, except those of .git."""
    entries = {}
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if name.split("/")[0] == ".git":
            continue
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "dir"
        entries[name] = (content, path.stat().st_mode)
    return entries


def refused(done, *words):
    assert done.returncode == REFUSED, done.stderr
    assert done.stderr.startswith("lsmpmon: refused"), done.stderr
    # The laboratory shows what comes after these words where a kernel cannot be built.
    assert re.search(kernel.REASONS[0], done.stderr, re.M), done.stderr
    for word in words:
        assert word in done.stderr


# A file that a rule edits, and what stands next to the edit.
NAME, CONTEXT, OTHER = "io_uring/io_uring.c", "def->issue(req, issue_flags);", "def->issue(req);"


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new))


def append(path, text):
    with open(path, "a") as file:
        file.write(text)


def test_unapply_restores_byte_for_byte(tree):
    before = snapshot(tree)
    assert run("apply", tree).returncode == 0
    assert snapshot(tree) != before
    assert (tree / "security/lsmpmon/Kconfig").is_file()
    assert run("unapply", tree).returncode == 0
    assert snapshot(tree) == before


def test_all_files_go_to_their_places(tree):
    assert run("apply", tree).returncode == 0
    for name, content in source.files().items():
        assert (tree / name).read_bytes() == content.read_bytes()
    assert all((tree / f"security/{name}/Kconfig").is_file() for name in ("lsmpmon", "tunable", "lids"))
    assert not (tree / "security/lsmpmon/include").exists()
    assert list((tree / "security").rglob("selftests")) == []


def test_apply_twice_touches_nothing(tree):
    run("apply", tree)
    times = {p: p.stat().st_mtime_ns for p in tree.rglob("*")}
    again = run("apply", tree)
    assert again.returncode == 0 and "already applied" in again.stdout
    assert {p: p.stat().st_mtime_ns for p in tree.rglob("*")} == times


def test_unapply_of_an_untouched_tree(tree):
    before = snapshot(tree)
    done = run("unapply", tree)
    assert done.returncode == 0 and "not applied" in done.stdout
    assert snapshot(tree) == before


def test_version_that_is_too_old_is_named(tree):
    text = (tree / "Makefile").read_text()
    text = re.sub(r"^VERSION = .*", "VERSION = 5", text, flags=re.M)
    (tree / "Makefile").write_text(re.sub(r"^PATCHLEVEL = .*", "PATCHLEVEL = 10", text, flags=re.M))
    before = snapshot(tree)
    refused(run("apply", tree), "Linux 5.10", "5.14 and later")
    assert snapshot(tree) == before


def test_release_candidate_is_named_as_one(tree):
    text = (tree / "Makefile").read_text()
    (tree / "Makefile").write_text(re.sub(r"^EXTRAVERSION =.*", "EXTRAVERSION = -rc7", text, flags=re.M))
    done = run("apply", tree)
    assert re.search(r"Linux [\d.]+-rc7: \d+ rules", done.stdout + done.stderr), done


@pytest.mark.parametrize("where", ["", "/nonexistent", "/proc"])
def test_no_kernel_tree(where):
    refused(run("apply", where), where)


def test_conflict_is_named_and_nothing_changes(tree):
    edit(tree / NAME, CONTEXT, OTHER)
    before = snapshot(tree)
    refused(run("apply", tree), NAME)
    assert snapshot(tree) == before


def test_missing_file_is_named(tree):
    (tree / NAME).unlink()
    before = snapshot(tree)
    refused(run("apply", tree), NAME)
    assert snapshot(tree) == before


def test_foreign_file_in_our_place(tree):
    (tree / "security/lsmpmon").mkdir()
    (tree / "security/lsmpmon/Kconfig").write_text("not ours\n")
    before = snapshot(tree)
    refused(run("apply", tree), "security/lsmpmon/Kconfig")
    assert snapshot(tree) == before


def test_symbolic_link_in_our_place(tree):
    (tree / NAME).rename(tree / "elsewhere")
    (tree / NAME).symlink_to(tree / "elsewhere")
    refused(run("apply", tree), NAME)


def test_other_edits_stay(tree):
    original = (tree / NAME).read_text()
    run("apply", tree)
    append(tree / NAME, "/* mine */\n")
    append(tree / "security/lsm_audit.c", "/* mine */\n")
    (tree / "security/lsmpmon/notes").write_text("mine\n")
    assert run("unapply", tree).returncode == 0
    assert (tree / NAME).read_text() == original + "/* mine */\n"
    assert (tree / "security/lsm_audit.c").read_text().endswith("/* mine */\n")
    assert (tree / "security/lsmpmon/notes").read_text() == "mine\n"
    assert not (tree / "security/lsmpmon/Kconfig").exists()


def test_edit_of_our_file_is_not_lost(tree):
    run("apply", tree)
    append(tree / "security/lsmpmon/Kconfig", "# mine\n")
    before = snapshot(tree)
    refused(run("unapply", tree), "security/lsmpmon/Kconfig")
    refused(run("apply", tree), "security/lsmpmon/Kconfig")
    assert snapshot(tree) == before


def test_edit_in_the_same_place_is_not_lost(tree):
    run("apply", tree)
    edit(tree / NAME, CONTEXT, OTHER)
    before = snapshot(tree)
    refused(run("unapply", tree), NAME)
    assert snapshot(tree) == before


def a_later_repository(folder):
    """Make a repository whose sources have changed: one file added, one removed, one edited."""
    for name in ("lab", "scripts", "lsmpmon", "patches"):
        shutil.copytree(REPO / name, folder / name, ignore=shutil.ignore_patterns("*.md"))
    append(folder / "lsmpmon/Kconfig", "# later\n")
    (folder / "lsmpmon/new.c").write_text("/* new */\n")
    next(iter(sorted((folder / "lsmpmon").glob("*.h")))).unlink()
    return folder


def test_apply_over_an_older_application(tree, tmp_path):
    before = snapshot(tree)
    later = a_later_repository(tmp_path / "later")
    assert run("apply", tree).returncode == 0
    assert run("apply", tree, later).returncode == 0
    assert (tree / "security/lsmpmon/new.c").exists()
    assert (tree / "security/lsmpmon/Kconfig").read_text().endswith("# later\n")
    ours = {p.name for p in (later / "lsmpmon").glob("*.h")}
    assert {p.name for p in (tree / "security/lsmpmon").glob("*.h")} == ours
    assert run("unapply", tree).returncode == 0
    assert snapshot(tree) == before


def test_a_conflict_leaves_the_older_application(tree, tmp_path):
    later = a_later_repository(tmp_path / "later")
    run("apply", tree)
    (tree / "security/lsmpmon/new.c").write_text("a user's\n")
    before = snapshot(tree)
    refused(run("apply", tree, later), "security/lsmpmon/new.c")
    assert snapshot(tree) == before


def test_old_record_is_undone_by_new_sources(tree, tmp_path):
    before = snapshot(tree)
    run("apply", tree)
    assert run("unapply", tree, a_later_repository(tmp_path / "later")).returncode == 0
    assert snapshot(tree) == before


@pytest.mark.parametrize("where", ["tree", "parent"])
def test_git_checkouts(tree, where):
    """The state of git does not matter and is not changed."""
    top = tree if where == "tree" else tree.parent
    git = ["git", "-C", top, "-c", "user.name=a", "-c", "user.email=a@example.com"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "base"], check=True)
    assert run("apply", tree).returncode == 0
    assert (tree / "security/lsmpmon/Kconfig").is_file()
    assert run("unapply", tree).returncode == 0
    status = subprocess.run([*git, "status", "--porcelain"], stdout=subprocess.PIPE, check=True)
    assert status.stdout == b""


@pytest.mark.parametrize("verb", ["apply", "unapply"])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_interruption_is_made_good(tree, monkeypatch, verb, after):
    """If it is stopped after some files, the next command on the tree finishes it."""
    start = snapshot(tree)
    change.apply(tree)
    applied = snapshot(tree)
    if verb == "apply":
        change.unapply(tree)
    real, left = os.replace, [after]

    def stop(old, new):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        real(old, new)

    monkeypatch.setattr(commit.os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        getattr(change, verb)(tree)
    monkeypatch.undo()
    assert run(verb, tree).returncode == 0
    assert snapshot(tree) == (applied if verb == "apply" else start)


def test_interrupted_draft_is_nothing(tree):
    before = snapshot(tree)
    (tree / commit.DRAFT / "files").mkdir(parents=True)
    (tree / commit.DRAFT / "files/Makefile").write_text("half a")
    assert run("unapply", tree).returncode == 0
    assert snapshot(tree) == before
