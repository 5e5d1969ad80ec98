# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the file of -o: devices, pipes, links and stdout are not replaced, and a file is there whole or not at
all.
"""

import os
import pty
import stat
import subprocess
import tempfile

import pytest
from recorded import RECORDS, TOP


def node(path, major, minor):
    os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(major, minor))
    return path


@pytest.mark.skipif(os.geteuid() != 0, reason="makes device nodes")
def test_output_spares_what_is_no_regular_file(lsmpmon, record, tmp_path):
    null, full = node(tmp_path / "null", 1, 3), node(tmp_path / "full", 1, 7)
    os.mkfifo(tmp_path / "pipe")
    before = null.stat()
    assert lsmpmon("export", record, "-o", null).returncode == 0
    assert stat.S_ISCHR(null.lstat().st_mode) and (null.stat().st_mode, null.stat().st_gid) == \
        (before.st_mode, before.st_gid)
    done = lsmpmon("export", record, "-o", full)
    assert done.returncode == 2 and "No space left" in done.stderr and stat.S_ISCHR(full.lstat().st_mode)
    with tempfile.TemporaryFile("w+") as read:
        with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=read):
            assert lsmpmon("export", record, "-o", tmp_path / "pipe").returncode == 0
        read.seek(0)
        assert read.read() == lsmpmon("export", record).stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", "null", "pipe"]


def test_output_follows_links(lsmpmon, record, tmp_path):
    wanted = lsmpmon("export", record).stdout
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/file")
    for _ in range(2):
        assert lsmpmon("export", record, "-o", tmp_path / "link").returncode == 0
        assert (tmp_path / "link").is_symlink() and (tmp_path / "there/file").read_text() == wanted
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["file"]
    (tmp_path / "dangling").symlink_to("there/other")
    assert lsmpmon("export", "/nonexistent", "-o", tmp_path / "dangling").returncode == 2
    assert not (tmp_path / "there/other").exists()


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_stdout_is_stdout(lsmpmon, record, tmp_path, name):
    wanted = lsmpmon("export", record).stdout
    assert lsmpmon("export", record, "-o", name, cwd=tmp_path).stdout == wanted
    with open(tmp_path / "file", "w") as file:
        file.write("before\n")
        file.flush()
        subprocess.run([TOP / "build/checked/bin/lsmpmon", "export", record, "-o", name], stdout=file, check=True)
    assert (tmp_path / "file").read_text() == "before\n" + wanted
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("environment, colours", [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": ""}, True),
                                                  ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colours_are_for_terminals_that_want_them(checked, environment, colours):
    ours, theirs = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name not in ("TERM", "NO_COLOR")}
    subprocess.run([checked / "lsmpmon", "report", RECORDS[0], "--top", "1"], stdout=theirs, env={**plain, **environment}, check=True)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert ("\033[" in shown) == colours and "Hooks took" in shown
