# SPDX-License-Identifier: GPL-2.0-only
import pytest

from lsmpmon_report.kernelfiles import FormatError, parse_info, parse_table


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


def test_dash_is_a_name_not_a_number():
    assert parse_table("syscall hook count\n- bpf 1\n257 bpf 1\n") == [
        {"syscall": "-", "hook": "bpf", "count": 1},
        {"syscall": 257, "hook": "bpf", "count": 1},
    ]


def test_no_lines_below_the_header():
    assert parse_table("hook min\n") == []


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "result: empty"),
        ("\n  \n", "result: empty"),
        ("hook min\n", "no column count"),
        ("hook count\nbpf 1 2\n", "result:2: 3 values for 2 columns"),
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
