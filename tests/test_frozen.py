# SPDX-License-Identifier: GPL-2.0-only
"""The frozen input of everyday work: the same bytes by any Python, sources that compile, and a repository that Git
accepts.
"""

import re
import resource
import shutil
import subprocess
import tarfile

import pytest
from kernels import REPO, environment

from lsmlab.measure.evaluation import frozen, work

FLAGS = ("-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only")


def make(folder):
    return subprocess.run([REPO / "scripts/lab", "work-input", folder], capture_output=True, text=True, env=environment())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Make a folder with both archives, unpacked beside them. The system's Python makes them."""
    folder = tmp_path_factory.mktemp("frozen")
    done = make(folder)
    assert done.returncode == 0, done.stderr
    for name in (f"{frozen.VERSION}.tar", f"{frozen.VERSION}-git.tar"):
        with tarfile.open(folder / name) as packed:
            packed.extractall(folder)
    return folder


def test_the_archive_is_that_of_every_machine(made):
    assert (made / f"{frozen.VERSION}.tar").read_bytes() == frozen.archive(), "by the Python of the tests, too"
    assert {path.name for path in made.iterdir()} == {
        f"{frozen.VERSION}.tar", f"{frozen.VERSION}-git.tar", frozen.VERSION, "repository"}


def test_a_repository_of_the_same_files(made):
    git = ("git", "-C", made / "repository")
    assert subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True).stdout == ""
    assert subprocess.run([*git, "fsck", "--strict"]).returncode == 0
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    assert head == frozen.COMMIT
    assert subprocess.run(["diff", "-r", "--exclude=.git", made / "repository", made / frozen.VERSION]).returncode == 0


def test_a_repository_is_made_again_as_the_same_bytes(made, tmp_path):
    shutil.copy(made / f"{frozen.VERSION}.tar", tmp_path)
    assert make(tmp_path).returncode == 0
    name = f"{frozen.VERSION}-git.tar"
    assert (tmp_path / name).read_bytes() == (made / name).read_bytes()


def test_sources_compile(made):
    """Some sources of each folder are enough, since the archive is known to the bit, and all take 14 s to compile."""
    sources = sorted((made / frozen.VERSION).rglob("*.c"))
    assert len(sources) == sum(frozen.FOLDERS.values())
    assert subprocess.run(["gcc", *FLAGS, *sources[::8]]).returncode == 0


def test_works_name_the_same_version_and_find_their_files(made):
    script = work.SCRIPT.read_text()
    assert re.search(r"^INPUT=(.*)$", script, re.M)[1] == frozen.VERSION
    (pattern,) = re.findall(r'"\$dir"/(repository/\S+\.c);', script)
    assert len(list(made.glob(pattern))) == 4, "as the report says"


def test_other_files_are_refused(made, tmp_path):
    (tmp_path / f"{frozen.VERSION}.tar").write_bytes(b"other")
    done = make(tmp_path)
    assert done.returncode == 1 and frozen.DIGEST in done.stderr and frozen.VERSION in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [f"{frozen.VERSION}.tar"]


def test_a_full_disk_leaves_nothing_behind(made, tmp_path):
    """Files of 4 KiB at most are a full disk for the archive. The next time, there is room."""
    def fill():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    command = [REPO / "scripts/lab", "work-input", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), preexec_fn=fill)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and list(tmp_path.iterdir()) == [], done.stderr
    assert make(tmp_path).returncode == 0
    assert (tmp_path / f"{frozen.VERSION}.tar").read_bytes() == (made / f"{frozen.VERSION}.tar").read_bytes()


def test_another_commit_is_refused(made, tmp_path, monkeypatch):
    shutil.copy(made / f"{frozen.VERSION}.tar", tmp_path)
    monkeypatch.setattr(frozen, "COMMIT", "other")
    with pytest.raises(frozen.Differs, match=r"\bother\b"):
        frozen.make(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_is_not_there_is_named(tmp_path):
    done = make(tmp_path / "gone")
    assert done.returncode == 2 and f"'{tmp_path}/gone'" in done.stderr
