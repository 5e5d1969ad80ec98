# SPDX-License-Identifier: GPL-2.0-only
import json
import pathlib

import pytest

from lsmpmon_report.kernelfiles import (
    DISTURBED,
    NAMES,
    FormatError,
    add_up,
    calls,
    known,
    own,
    parse_features,
    parse_info,
    parse_table,
    read_info,
    read_table,
    timed,
    wall,
)

RECORDS = sorted((pathlib.Path(__file__).parents[2] / "lsmpmon/tests/data").glob("*.json"))


def test_values_by_column_name_however_wide():
    rows = parse_table("hook   min  max\ninode_create      97   67103\n")
    assert rows == [{"hook": "inode_create", "min": 97, "max": 67103}]


def test_a_hook_never_called_has_its_name_alone():
    assert parse_table("hook min\ninode_link\ninode_unlink 3\n") == [
        {"hook": "inode_link"},
        {"hook": "inode_unlink", "min": 3},
    ]


def test_columns_of_a_later_kernel_are_passed_on():
    assert parse_table("hook min colour\nbpf 1 red\n", needs=("hook", "min")) == [
        {"hook": "bpf", "min": 1, "colour": "red"}
    ]


def test_columns_in_another_order():
    assert parse_table("count hook\n7 bpf\n") == [{"count": 7, "hook": "bpf"}]


@pytest.mark.parametrize("column", ["syscall", "comm", "cgroup"])
@pytest.mark.parametrize("name", ["-", "257", "a\\040b", "\\055", "\\157ther", "/web/1"])
def test_a_name_is_as_the_kernel_shows_it(column, name):
    """One of digits, too: somebody's command may be called so."""
    assert parse_table(f"{column} hook count\n{name} bpf 1\n") == [{column: name, "hook": "bpf", "count": 1}]


def test_a_process_is_a_name_where_there_are_threads():
    rows = parse_table("pid tid comm count\n70 71 7 1\nother other other 2\n", needs=("pid", "tid", "count"))
    assert [(row["pid"], row["tid"]) for row in rows] == [("70", "71"), ("other", "other")]
    assert parse_table("hook end pid\nbpf 5 70\n")[0]["pid"] == 70


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_tables_of_a_kernel_add_up(path):
    """Each hook has as many calls in all of them."""
    for run in json.loads(path.read_text())["runs"]:
        names = run["files"].keys() & {"result", "verdicts", "syscalls", "comms", "cgroups", "tasks"}
        found = [add_up(parse_table(run["files"][name], needs=("hook", "min", "count", "cs_count"))) for name in names]
        assert len(found) >= 3 and found[0].total() > 1000 and all(table == found[0] for table in found)
        assert parse_info(run["files"]["info"]).number("lost") == 0
        assert parse_features(run["files"]["features"])["syscall"] == 1


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_columns_of_names_are_known(path):
    files = json.loads(path.read_text())["runs"][0]["files"]
    rows = [row for name in files.keys() - {"control", "features", "filter", "info"} for row in parse_table(files[name])]
    # In `slowest`, a time that is not known is "-".
    times = {"own", "slept", "preempted"}
    named = {column for row in rows for column, value in row.items()
             if isinstance(value, str) and not (column in times and value == "-")}
    # A process is a name in `tasks` only.
    assert NAMES - {"benchmark"} | {"pid"} >= named >= {"hook", "module", "modules", "objects", "syscall", "verdict", "errno"}


def test_calls_are_those_with_a_switch_and_those_without():
    rows = parse_table("hook count cs_count\nbpf 3 4\ncapable\n")
    assert [calls(row) for row in rows] == [7, 0] and [*add_up(rows).items()] == [("bpf", 7), ("capable", 0)]


HEADER = "hook count cs_count sum irq_time cs_sum cs_own cs_max slept preempted unknown"


def test_times_are_of_all_calls():
    (row,) = parse_table(f"{HEADER}\nbpf 10 3 1000 40 9000 300 7000 8000 600 2\n", needs=DISTURBED)
    assert (own(row), wall(row), timed(row), known(row)) == (1000 - 40 + 300, 10000, 13, 11)
    sampled = {**row, "timed": 4}
    assert (timed(sampled), known(sampled)) == (7, 5)


def test_of_an_older_kernel_times_are_of_undisturbed_calls():
    (row, none) = parse_table("hook count cs_count sum\nbpf 10 3 1000\ncapable\n")
    assert (own(row), wall(row), timed(row), known(row)) == (1000, 1000, 10, 10)
    assert (own(none), wall(none), timed(none), known(none)) == (0, 0, 0, 0)


def test_other_columns_add_up_by_others():
    rows = parse_table("module hook sum\nsmack bpf 3\nsmack capable 4\nevm bpf 5\nsmack bpf\nsmack bpf 6\n")
    assert add_up(rows, of=["sum"]) == {"bpf": 14, "capable": 4}
    assert add_up(rows, "module", "hook", of=["sum"]) == {("smack", "bpf"): 9, ("smack", "capable"): 4, ("evm", "bpf"): 5}


def test_no_lines_below_the_header():
    assert parse_table("hook min\n") == []


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "result: empty"),
        ("\n  \n", "result: empty"),
        ("hook min\n", "no column count"),
        ("hook count\nbpf 1 2\n", "result:2: 3 .* 2 "),
        ("\nhook count\n\nbpf -1\n", "result:4: count .*'-1'"),
        ("hook count\nbpf \u0663\n", "result:2: count is '\u0663'"),
    ],
)
def test_a_bad_table_names_file_and_fault(text, says):
    with pytest.raises(FormatError, match=says):
        parse_table(text, name="result", needs=("hook", "count"))


def test_info_keeps_colons_in_values_and_unknown_keys():
    assert parse_info("clock: tsc\nfuture: a: b\n\nempty:\n") == {"clock": "tsc", "future": "a: b", "empty": ""}


def test_info_without_a_colon_is_named():
    with pytest.raises(FormatError, match="info:2: 'nonsense'"):
        parse_info("clock: tsc\nnonsense\n")


def test_numbers_of_info_and_what_they_are_if_missing():
    info = parse_info("clock_khz: 2000\nclock: tsc\n", name="x/info")
    assert (info.number("clock_khz"), info.number("clock_step", "0")) == (2000, 0)
    for key, says in (("clock", "clock: tsc"), ("overhead", "overhead: None")):
        with pytest.raises(FormatError, match=f"x/info: '{says}'"):
            info.number(key)


def test_features_are_on_or_have_a_number():
    assert parse_features("syscall 1\nmodule 0\ntimed 64\n") == {"syscall": 1, "module": 0, "timed": 64}
    for line in ("syscall", "syscall on", "syscall 1 0"):
        with pytest.raises(FormatError, match=f"features:2: '{line}' .*'NAME NUMBER'"):
            parse_features(f"module 1\n{line}\n")


def test_a_saved_file_is_named(tmp_path):
    (tmp_path / "result").write_bytes(b"hook count\nbpf \xff\n")
    with pytest.raises(FormatError, match=f"{tmp_path}/result:2: count is"):
        read_table(tmp_path / "result", "hook", "count")
    for read in (read_table, read_info):
        with pytest.raises(FormatError, match=f"{tmp_path}/none: No such file"):
            read(tmp_path / "none")
