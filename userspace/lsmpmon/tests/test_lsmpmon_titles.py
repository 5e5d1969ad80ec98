# SPDX-License-Identifier: GPL-2.0-only
"""Titles say what was measured, when, on which kernel and with which features; a diff says once what is the same."""

import json

import pytest
from recorded import HERE, Record

SELINUX = HERE / "data/6.12-uml-selinux.json"
CONTAINERS = HERE / "data/6.12-uml-containers.json"


def title(lsmpmon, *words):
    """Return the lines above the table, each of which fits into a wide terminal."""
    lines = lsmpmon(*words, "--width", "1000").stdout.splitlines()
    return lines[:next(number for number, line in enumerate(lines) if line.startswith("Times in ")) + 1]


@pytest.fixture
def record():
    """Return a record of three runs that a test changes."""
    record = Record(SELINUX)
    record.content.update(command=["ls", "-l", "a b"])
    record.content["about"].update(date="2026-11-28T09:58:31Z", kernel="6.12.117", runner="uml")
    record.edit("features", lambda text: "syscall 1\nmodule 1\nhistogram 1\nstack 0\ntimed 1\n")
    return record


def runs_of(record, count):
    record.content["runs"] = record.content["runs"][:count]
    return record


def several(folder, *records):
    folder.mkdir()
    for number, record in enumerate(records):
        record.write(folder / f"{number}.json")
    return folder


def test_a_report(lsmpmon, record, tmp_path):
    assert title(lsmpmon, "report", record.write(tmp_path / "r.json")) == [
        "ls -l 'a b'; totals of 3 runs; 2026-11-28 09:58 UTC",
        "Linux 6.12.117 on uml; capability,selinux,ima,evm; features syscall,module,histogram",
        "Times in ns; measuring adds 20 to each.",
    ]
    assert title(lsmpmon, "report", runs_of(record, 1).write(tmp_path / "r.json"))[0] == "ls -l 'a b'; 2026-11-28 09:58 UTC"


def test_a_clock_that_always_begins_at_the_same_moment_has_no_date(lsmpmon, record, tmp_path):
    record.content["about"].update(accelerator="icount", runner="qemu")
    first, second, _ = lsmpmon("report", record.write(tmp_path / "r.json")).stdout.splitlines()[:3]
    assert first == "ls -l 'a b'; totals of 3 runs" and second.startswith("Linux 6.12.117 on qemu (icount); ")


@pytest.mark.parametrize("words", [("hist", "capable"), ("syscalls",), ("show",)], ids=" ".join)
def test_other_views_have_the_same(lsmpmon, record, tmp_path, words):
    path = record.write(tmp_path / "r.json")
    first, *rest = title(lsmpmon, *words, path)
    assert first.removeprefix("capable; ") == title(lsmpmon, "report", path)[0] and rest == title(lsmpmon, "report", path)[1:]


@pytest.mark.parametrize("command, filters, first", [
    ([], "s\no\np 412\n", "process 412 and those it starts"), ([], "s\no\n", "the whole system"),
    (["tar"], "s\no\np 412 exec\n", "tar"), (["sh", "-c", "exit 1"], "s\no\n", "sh -c 'exit 1'"),
    (["x" * 300], "s\no\n", "x" * 197 + "..."), (["\xe4" * 150], "s\no\n", "\xe4" * 98 + "..."),
    (["\033[2J"], "s\no\n", "?[2J"),
    (["sh", "-c", "ls \n\t ls"], "s\no\n", "sh -c 'ls ls'"),
])
def test_what_was_measured(lsmpmon, record, tmp_path, command, filters, first):
    record.content["command"] = command
    record.edit("filter", lambda text: filters)
    assert title(lsmpmon, "report", record.write(tmp_path / "r.json"))[0].startswith(first + "; totals of 3 runs; ")


def test_the_filter_and_timed_are_named(lsmpmon, record, tmp_path):
    record.edit("filter", lambda text: "s cat\no /etc/passwd\np 412 exec\n")
    record.edit("features", lambda text: "syscall 0\nmodule 0\ntimed 64\n")
    second = title(lsmpmon, "report", record.write(tmp_path / "r.json"))[1]
    assert second.endswith("; features timed=64; only tasks 'cat'; only calls on '/etc/passwd'")
    record.edit("features", lambda text: "syscall 0\nmodule 0\ntimed 1\n")
    assert "; no features; only" in title(lsmpmon, "report", record.write(tmp_path / "r.json"))[1]
    record.edit("features", lambda text: "syscall 1\nmodule 1\ntimed 1\n")
    assert "; all features; only" in title(lsmpmon, "report", record.write(tmp_path / "r.json"))[1]


def test_records_of_several_boots(lsmpmon, record, tmp_path):
    other = record.copy()
    other.content["about"].update(date="2026-11-30T01:02:03Z", boot="another")
    boots = several(tmp_path / "boots", record, runs_of(other, 2))
    assert title(lsmpmon, "report", boots)[0] == \
        "ls -l 'a b'; totals of 5 runs of 2 boots; 2026-11-28 09:58 to 2026-11-30 01:02 UTC"
    other.content["command"] = ["ls"]
    other.content["about"]["date"] = "2026-11-28T19:02:03Z"
    other.write(boots / "1.json")
    assert title(lsmpmon, "report", boots)[0].endswith("; 2026-11-28 09:58 to 19:02 UTC")
    assert title(lsmpmon, "report", boots)[0].startswith("several commands; totals of 5 runs of 2 boots; ")


def test_the_monitor_as_it_is_now(lsmpmon, tmp_path):
    for name, text in Record(SELINUX).files.items():
        (tmp_path / name).write_text(text)
    first, second, _ = title(lsmpmon, "show", "-d", tmp_path)
    assert first == "all that was counted until now" and second.startswith("Linux ?; capability,selinux,ima,evm; all features")


def test_a_diff_says_once_what_is_the_same(lsmpmon, record, tmp_path):
    a = record.write(tmp_path / "a.json")
    other = runs_of(record.copy(), 1)
    other.content["about"].update(date="2026-11-30T01:02:03Z")
    b = other.write(tmp_path / "b.json")
    assert title(lsmpmon, "diff", a, b) == [
        "ls -l 'a b'", "Linux 6.12.117 on uml; capability,selinux,ima,evm; features syscall,module,histogram",
        f"A: {a}; 3 runs of 1 boot; 2026-11-28 09:58 UTC", f"B: {b}; 1 run of 1 boot; 2026-11-30 01:02 UTC",
        "Times in ns; counts and sums are of one run.",
    ]


def test_a_diff_says_of_each_side_what_differs(lsmpmon, record, tmp_path):
    a = record.write(tmp_path / "a.json")
    record.content["command"] = ["true"]
    record.content["about"]["kernel"] = "7.2.13"
    record.edit("info", lambda text: text.replace("capability,selinux,", "capability,apparmor,"))
    record.edit("features", lambda text: text.replace("module 1", "module 0"))
    b = record.write(tmp_path / "b.json")
    assert title(lsmpmon, "diff", a, b) == [
        f"A: {a}; 3 runs of 1 boot; 2026-11-28 09:58 UTC; ls -l 'a b'; Linux 6.12.117 on uml; capability,selinux,ima,evm; "
        "features syscall,module,histogram",
        f"B: {b}; 3 runs of 1 boot; 2026-11-28 09:58 UTC; true; Linux 7.2.13 on uml; capability,apparmor,ima,evm; "
        "features syscall,histogram",
        "Times in ns; counts and sums are of one run.",
    ]


def test_programs_get_the_same(view, lsmpmon, record, tmp_path):
    path = record.write(tmp_path / "r.json")
    source = view("report", path)["source"]
    assert (source["command"], source["date"], source["features"]) == \
        (["ls", "-l", "a b"], "2026-11-28T09:58:31Z", "syscall,module,histogram")
    assert lsmpmon("report", path, "--markdown").stdout.startswith("ls -l 'a b'; totals of 3 runs; 2026-11-28 09:58 UTC\n\nLinux ")
    lsmpmon("report", path, "--html", tmp_path / "page.html")
    assert json.dumps(title(lsmpmon, "report", path), separators=(",", ":")) in (tmp_path / "page.html").read_text()
