# SPDX-License-Identifier: GPL-2.0-only
"""Tests of lsmpmon bench on a live kernel: its output, and the monitor left as it was. No test is about a time."""

import json

import pytest
from guests import GUESTS, execute
from recorded import HERE, TOP, features


@pytest.fixture(scope="module", params=[where for where in GUESTS if where[1] == "uml"], ids="-".join)
def files(request, plain, tmp_path_factory):
    """Return all files that one guest left."""
    kver, runner = request.param
    where = tmp_path_factory.mktemp("guest")
    done = execute(f"sh $REPO/{(HERE / 'bench.sh').relative_to(TOP)}", KVER=kver, RUNNER=runner, LSM="selinux",
                   SHARE=where)
    assert done.returncode == 0, done.stderr
    return where


def read(path):
    return path.read_text().strip()


def test_each_state_has_a_row(files):
    assert read(files / "bench.status") == "0", read(files / "bench.stderr")
    names = [name.replace("timed", "timed=64") for name in features(files / "before")]
    view = json.loads(read(files / "bench.json"))
    assert view["view"] == "bench" and view["unit"] == "ns"
    assert [row["state"] for row in view["rows"]] == ["off", "on", *names]
    off, *others = view["rows"]
    assert off["added"] is None and off["hook call"] > 0
    numbers = ("hook call", "added", "clocks", "load")
    assert all(isinstance(row[name], (int, float)) for row in others for name in numbers)


def test_it_says_what_disturbs(files):
    notes = json.loads(read(files / "bench.json"))["notes"]
    assert any(note.startswith("disturbed by runner uml") for note in notes)
    assert any("two ordered clock readings" in note for note in notes)


@pytest.mark.parametrize("name", ["after", "after.interrupted", "after.killed", "after.lost"])
def test_the_monitor_is_left_as_it_was(files, name):
    """The monitor was on, with a filter and a feature."""
    assert read(files / name) == read(files / "before")


def test_a_signal_ends_it(files):
    assert read(files / "interrupted.status") == read(files / "killed.status") == "130"
    assert "interrupted; the monitor is as it was" in read(files / "interrupted.stderr")
    assert read(files / "interrupted.txt") == ""


def test_one_program_at_a_time(files):
    assert read(files / "second.status") == "2" and "lsmpmon bench" in read(files / "second.stderr")


def test_who_measures_a_process_is_left_alone(files):
    assert read(files / "process.status") == "2" and "somebody is measuring process" in read(files / "process.stderr")
    assert read(files / "extra.status") == "2" and "Too many arguments" in read(files / "extra.stderr")
