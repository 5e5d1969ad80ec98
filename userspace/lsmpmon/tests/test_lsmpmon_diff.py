# SPDX-License-Identifier: GPL-2.0-only
"""What diff says of records whose difference is known."""

import json
import math
import statistics

import pytest
from recorded import HERE

HEADER = "hook verdict min max ave count cs_count sum\n"


def record(path, *runs, khz=1000000, runner="uml", **tables):
    """Each run: by hook, calls and ticks of a mean call. One tick is a nanosecond."""
    found = []
    for run in runs:
        lines = [f"{hook} allow 1 {2 * ave} {ave} {count} 0 {count * ave}\n"
                 for hook, (count, ave) in run.items()]
        found.append({"files": {"info": f"clock: tsc\nclock_khz: {khz}\nmodules: capability\n",
                                "verdicts": HEADER + "".join(lines), **tables}})
    path.write_text(json.dumps({"format": "lsmpmon-record", "version": 1, "runs": found,
                                "about": {"runner": runner}}))
    return path


@pytest.fixture
def rows(view):
    def run(*words):
        return {row["hook"]: row for row in view("diff", *words)["rows"]}
    return run


def test_counts_costs_and_changes(rows, tmp_path):
    a = record(tmp_path / "a", {"capable": (10, 100), "file_open": (5, 40), "gone": (1, 7)})
    b = record(tmp_path / "b", {"capable": (20, 150), "file_open": (5, 40), "new": (2, 9)})
    found = rows(a, b)
    row = found["capable"]
    assert (row["count A"], row["count B"], row["ave A"], row["ave B"]) == (10, 20, 100, 150)
    assert (row["change"], row["sum A"], row["sum B"], row["more"]) == (50, 1000, 3000, 2000)
    assert found["file_open"]["change"] == 0
    assert found["gone"]["count B"] is found["gone"]["change"] is found["new"]["ave A"] is None
    assert (found["gone"]["more"], found["new"]["more"]) == (-7, 18)
    assert found["(all)"]["sum A"] == 1207 and found["(all)"]["sum B"] == 3218


def test_different_clocks_are_one_unit(rows, tmp_path):
    a = record(tmp_path / "a", {"capable": (10, 100)}, khz=1000000)
    b = record(tmp_path / "b", {"capable": (10, 300)}, khz=3000000)
    assert rows(a, b)["capable"]["change"] == 0
    assert rows(a, b, "--cycles")["capable"]["change"] == 200


def interval(a, b, t):
    """Half of Welch's interval in percent of A's mean, with t looked up by hand."""
    error = math.sqrt(statistics.variance(a) / len(a) + statistics.variance(b) / len(b))
    return 100 * t * error / statistics.mean(a)


def test_confidence_of_repeated_runs(rows, tmp_path):
    a, b = [100, 104, 98, 102], [110, 115, 108, 111]
    ra = record(tmp_path / "a", *({"capable": (10, ave)} for ave in a))
    rb = record(tmp_path / "b", *({"capable": (10, ave)} for ave in b))
    row = rows(ra, rb)["capable"]
    assert row["change"] == pytest.approx(100 * (111 - 101) / 101, abs=0.001)
    # 5.86 degrees of freedom; 5 are the next fewer in a table of Student's t: 2.571.
    assert row["+-"] == pytest.approx(interval(a, b, 2.571), abs=0.001)
    assert row["sure"] == "yes"


def test_chance_is_not_sure(rows, tmp_path):
    ra = record(tmp_path / "a", *({"capable": (10, ave)} for ave in (100, 140, 90)))
    rb = record(tmp_path / "b", *({"capable": (10, ave)} for ave in (101, 150, 95)))
    assert rows(ra, rb)["capable"]["sure"] == "no"


def test_one_run_does_not_say_how_sure(rows, view, tmp_path):
    a, b = (record(tmp_path / name, {"capable": (10, 100)}) for name in "ab")
    assert rows(a, b)["capable"]["sure"] is None
    assert any("one run" in note for note in view("diff", a, b)["notes"])


def test_exact_runs_are_sure_of_the_least_change(rows, tmp_path):
    ra = record(tmp_path / "a", *[{"capable": (10, 1000)}] * 2)
    rb = record(tmp_path / "b", *[{"capable": (10, 1001)}] * 2)
    row = rows(ra, rb)["capable"]
    assert (row["+-"], row["sure"]) == (0, "yes")


@pytest.mark.parametrize("ave, limit, status", [(110, "9", 1), (110, "10", 0), (110, "11", 0), (90, "0", 0)])
def test_fail_above(lsmpmon, tmp_path, ave, limit, status):
    a = record(tmp_path / "a", {"capable": (10, 100)})
    b = record(tmp_path / "b", {"capable": (10, ave)})
    assert lsmpmon("diff", a, b, "--fail-above", limit).returncode == status


def test_chance_does_not_fail(lsmpmon, tmp_path):
    ra = record(tmp_path / "a", *({"capable": (10, ave)} for ave in (100, 140, 90)))
    rb = record(tmp_path / "b", *({"capable": (10, ave)} for ave in (120, 170, 95)))
    assert lsmpmon("diff", ra, rb, "--fail-above", "5").returncode == 0


def test_rows_of_few_calls_are_left_out(lsmpmon, rows, tmp_path):
    a = record(tmp_path / "a", {"capable": (1, 100), "file_open": (50, 10)})
    b = record(tmp_path / "b", {"capable": (1, 900), "file_open": (50, 10)})
    assert set(rows(a, b, "--min-count", "10")) == {"(all)", "file_open"}


def test_different_runners_are_named(view, tmp_path):
    a = record(tmp_path / "a", {"capable": (1, 100)})
    b = record(tmp_path / "b", {"capable": (1, 100)}, runner="qemu")
    assert any("different runners: uml and qemu" in note for note in view("diff", a, b)["notes"])


def test_real_records_of_two_modules(rows):
    found = rows(HERE / "data/6.12-uml-apparmor.json", HERE / "data/6.12-uml-selinux.json")
    assert found["inode_permission"]["ave B"] > found["inode_permission"]["ave A"]
    assert found["inode_permission"]["sure"] in ("yes", "no")
