# SPDX-License-Identifier: GPL-2.0-only
"""lmbench-hook as its users call it, on this machine, in a directory of its own."""

import collections
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = TOP / "build" / "bin" / "lmbench-hook"


@pytest.fixture(scope="session", autouse=True)
def built():
    """The program, as the sources beside this test make it."""
    subprocess.run(["make", "-s", "-C", TOP / "userspace"], check=True)


def lmbench_hook(*args, cwd=None):
    return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, cwd=cwd, check=False)


def names():
    lines = lmbench_hook("list").stdout.splitlines()[1:]
    return [line.split()[0] for line in lines]


def test_list_has_the_file_operations_of_the_paper():
    wanted = "stat fstatat open openat read write creat unlink rename mkdir rmdir chmod symlink".split()
    assert set(wanted) <= set(names())


def test_each_round_has_one_timed_call():
    for line in lmbench_hook("list").stdout.splitlines()[1:]:
        assert line.count("[") == 1, line


def test_run_json_has_ordered_statistics_for_each_benchmark(tmp_path):
    done = lmbench_hook("run", "-n", 40, "-w", 5, "-d", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [row["name"] for row in result["benchmarks"]] == names()
    for row in result["benchmarks"] + [result["empty"]]:
        assert row["count"] == 40
        assert 0 < row["min"] <= row["median"]
        assert row["low"] <= row["mean"] <= row["high"]


def test_run_csv_has_the_same_columns_in_each_row(tmp_path):
    done = lmbench_hook("run", "stat", "open*", "-n", 10, "-d", tmp_path, "--csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["name"] for row in rows] == ["(empty)", "stat", "open", "openat"]
    assert all(float(row["min"]) > 0 and None not in row for row in rows)


def test_a_call_costs_more_than_the_empty_span(tmp_path):
    result = json.loads(lmbench_hook("run", "creat", "-n", 100, "-d", tmp_path, "--json").stdout)
    assert result["benchmarks"][0]["min"] > result["empty"]["min"]


def test_a_loop_is_whole_rounds(tmp_path):
    done = lmbench_hook("run", "rename", "mkdir", "-n", 10, "--loop", 7, "-d", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["loop"] == 7


@pytest.mark.parametrize("rounds", [1, 2, 101])
def test_work_of_any_number_runs_every_benchmark_and_leaves_nothing(tmp_path, rounds):
    done = lmbench_hook("work", "-n", rounds, "-d", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{rounds} rounds of each")
    assert os.listdir(tmp_path) == []


def test_work_says_how_deep_its_paths_are(tmp_path):
    done = lmbench_hook("work", "stat", "-n", 1, "-d", tmp_path)
    depth = len(tmp_path.resolve().parts) - 1 + 2
    assert f"paths have {depth} components" in done.stdout


def test_monitor_is_started_reset_and_stopped(tmp_path):
    """In this order: control 1, reset, work, control 0; plain files stand for the kernel's."""
    monitor = tmp_path / "lsmmon"
    monitor.mkdir()
    (monitor / "control").write_text("")
    (monitor / "reset").write_text("")
    done = lmbench_hook("work", "stat", "-n", 3, "-d", tmp_path, f"--monitor={monitor}")
    assert done.returncode == 0, done.stderr
    assert (monitor / "control").read_text() == "10"
    assert (monitor / "reset").read_text() == "1"


def test_a_missing_monitor_is_named(tmp_path):
    done = lmbench_hook("work", "-d", tmp_path, f"--monitor={tmp_path}/none")
    assert done.returncode == 1
    assert f"{tmp_path}/none/control" in done.stderr


@pytest.mark.parametrize(
    "args, named, accepted",
    [
        ([], "no verb", "list, run or work"),
        (["walk"], "'walk'", "list, run or work"),
        (["run", "-n", "0"], "'0'", "1 to 100000000"),
        (["run", "-n", "-3"], "'-3'", "1 to 100000000"),
        (["run", "-n", "12x"], "'12x'", "1 to 100000000"),
        (["run", "-n", "99999999999999999999"], "'99999999999999999999'", "1 to 100000000"),
        (["run", "--loop", "none"], "'none'", "1 to 100000000"),
        (["run", "nothing*"], "'nothing*'", "list"),
        (["run", "stat", "bogus"], "'bogus'", "list"),
        (["list", "--json"], "--json", "run"),
        (["run", "--monitor=x"], "--monitor", "work"),
        (["run", "--bogus"], "--bogus", "--help"),
    ],
)
def test_bad_input_is_named_and_ends_with_2(args, named, accepted):
    done = lmbench_hook(*args)
    assert done.returncode == 2
    assert named in done.stderr and accepted in done.stderr
    assert done.stdout == ""


def test_a_directory_that_is_not_there_is_named(tmp_path):
    done = lmbench_hook("run", "-d", tmp_path / "none")
    assert done.returncode == 1
    assert f"'{tmp_path}/none'" in done.stderr


def counted_by_strace(tmp_path, name, rounds):
    log = tmp_path / "strace.log"
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    words = ["strace", "-f", "-o", log, PROGRAM, "work", name, "-n", str(rounds), "-d", work]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"strace does not work here: {done.stderr.strip()}")
    calls = [line.split(None, 1)[1].split("(")[0] for line in log.read_text().splitlines() if "(" in line]
    return collections.Counter(calls)


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_a_round_is_the_calls_that_list_names(tmp_path):
    """Twenty rounds more are twenty times these calls more, and not one other."""
    for line in lmbench_hook("list").stdout.splitlines()[1:]:
        name, calls = line[:12].strip(), line[13:35].replace("[", "").replace("]", "").split()
        few, many = (counted_by_strace(tmp_path, name, rounds) for rounds in (3, 23))
        assert many - few == collections.Counter({call: 20 * calls.count(call) for call in calls}), name
