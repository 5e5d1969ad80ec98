# SPDX-License-Identifier: GPL-2.0-only
"""BPF programs on hooks, one by one: how they are joined with BPF's callbacks, and the names of hooks in BTF."""

import csv
import io
import json
import struct
import subprocess

import fastjsonschema
import made
import pytest
from built import CHECKS
from recorded import HERE, SOURCES, Record, header

SCHEMA = fastjsonschema.compile(json.loads((SOURCES / "lsmpmon/schema/view.json").read_text()))
RUNS = len(Record(made.PATH).content["runs"])
# Three programs that the record has in each run, of which two share a hook: count, nanoseconds, missed.
PROGRAMS = {"watch_open": (1000, 3_000_000, 0), "deny_open": (1000, 500_000, 2), "watch_exec": (20, 90_000, 0)}
TABLE = """hook program id uid owner count ns missed
file_open deny_open 8 0 /sys/fs/bpf/deny 1000 500000 2
file_open watch_open 7 1000 agent\\040one:90,systemd:1 1000 3000000 0
bprm_check_security watch_exec 9 0 - 20 90000 0
"""
# What the monitor has of BPF's callbacks, in ticks: count, cs_count, sum, irq_time, cs_sum, cs_own.
CALLBACKS = {"file_open": (999, 2, 7_800_000, 40_000, 20_000, 15_000), "bprm_check_security": (20, 0, 200_000, 0, 0, 0),
             "inode_permission": (3000, 0, 60_000, 0, 0, 0)}
# Ticks that a nanosecond has.
SPEED = 2


def callbacks(text):
    """Add BPF's callbacks to the table `modules`."""
    columns = text.split("\n", 1)[0].split()
    for hook, values in CALLBACKS.items():
        row = dict(zip(("count", "cs_count", "sum", "irq_time", "cs_sum", "cs_own"), values))
        row |= {"module": "bpf", "hook": hook}
        text += " ".join(str(row.get(column, 0)) for column in columns) + "\n"
    return text


def recorded(table=TABLE):
    """Return a record with BPF programs, of a clock of 2 GHz."""
    record = Record(made.PATH)
    for run in record.content["runs"]:
        run["files"]["bpf"] = table
    record.edit("modules", callbacks)
    record.edit("info", lambda text: text.replace(f"clock_khz: {made.KHZ}", f"clock_khz: {SPEED * 10 ** 6}"))
    return record


@pytest.fixture
def path(tmp_path):
    return recorded().write(tmp_path / "bpf.json")


def of(rows, hook):
    return {row["program"]: row for row in rows if row["hook"] == hook}


def test_each_program_has_its_own_calls_and_time(view, path):
    shown = view("bpf", path)
    SCHEMA(shown)
    programs = {row["program"]: row for row in shown["rows"] if row["id"] is not None}
    assert {name: (row["calls"] / RUNS, row["wall"] / RUNS, row["missed"] / RUNS) for name, row in programs.items()} == PROGRAMS
    for row in programs.values():
        assert row["ave"] == pytest.approx(row["wall"] / row["calls"], abs=0.001) and row["own"] is None
    assert {name: (row["id"], row["uid"], row["owner"]) for name, row in programs.items()} == {
        "watch_open": (7, 1000, "agent\\040one:90,systemd:1"), "deny_open": (8, 0, "/sys/fs/bpf/deny"), "watch_exec": (9, 0, None)}


def test_what_no_program_took_is_the_trampolines(view, path):
    rows = view("bpf", path)["rows"]
    for hook, names in (("file_open", ("watch_open", "deny_open")), ("bprm_check_security", ("watch_exec",))):
        count, cs_count, total, irq, cs_sum, cs_own = (RUNS * value for value in CALLBACKS[hook])
        mine, found = RUNS * sum(PROGRAMS[name][1] for name in names), of(rows, hook)
        callback, rest = found["(callback)"], found["(trampoline)"]
        assert callback["calls"] == rest["calls"] == count + cs_count
        assert callback["wall"] == (total + cs_sum) / SPEED and callback["own"] == (total - irq + cs_own) / SPEED
        assert rest["wall"] == callback["wall"] - mine and rest["own"] is None
        assert rest["ave"] == pytest.approx(rest["wall"] / rest["calls"], abs=0.001)
        assert sum(found[name]["share"] for name in names) + rest["share"] == pytest.approx(callback["share"]) == 100
        assert ("(programs)" in found) == (len(names) > 1)
    both = of(rows, "file_open")["(programs)"]
    assert (both["calls"], both["wall"]) == (RUNS * 2000, RUNS * 3_500_000)


def test_hooks_are_in_order_and_programs_by_time(view, path):
    assert [(row["hook"], row["program"]) for row in view("bpf", path)["rows"]] == [
        ("bprm_check_security", "watch_exec"), ("bprm_check_security", "(callback)"), ("bprm_check_security", "(trampoline)"),
        ("file_open", "watch_open"), ("file_open", "deny_open"), ("file_open", "(programs)"), ("file_open", "(callback)"),
        ("file_open", "(trampoline)")]
    assert view("bpf", path, "--sort", "wall", "--top", "1")["rows"][0]["program"] == "(callback)"


def test_one_hook(view, path):
    shown = view("bpf", "file_open", path)
    assert {row["hook"] for row in shown["rows"]} == {"file_open"} and len(shown["rows"]) == 5
    assert not any("Hooks without" in note for note in shown["notes"])
    nothing = view("bpf", "capable", path)
    assert (nothing["rows"], nothing["notes"][-1]) == ([], "No BPF program was on capable.")


def test_hooks_without_a_program_are_told(view, path):
    assert (f"Hooks without a program: 1; in these, BPF's callback was called {RUNS * 3000:,} times and took "
            f"{RUNS * 30_000:,} ns.") in view("bpf", path)["notes"]


def test_programs_for_people_and_tables(lsmpmon, path):
    lines = lsmpmon("bpf", path).stdout.splitlines()
    assert max(map(len, lines)) <= 80 and any("(trampoline)" in line for line in lines)
    assert "missed" in header(lsmpmon("bpf", path, "--width", "120").stdout, "hook")[0]
    none = recorded(TABLE.replace(" 2\n", " 0\n")).write(path.with_name("none.json"))
    assert "missed" not in lsmpmon("bpf", none, "--width", "120").stdout
    (first, *_) = csv.DictReader(io.StringIO(lsmpmon("bpf", path, "--csv").stdout))
    assert first.keys() == {"hook", "program", "id", "uid", "calls", "missed", "ave_ns", "wall_ns", "own_ns", "share_percent", "owner"}
    assert "| watch\\_open |" in lsmpmon("bpf", path, "--markdown").stdout
    assert lsmpmon("bpf", path, "--cycles", "--csv").stdout.count(str(SPEED * RUNS * 3_000_000)) == 1


def test_a_hook_whose_callback_was_not_called(view, tmp_path):
    record = recorded(TABLE + "task_free idle 10 0 - 0 0 0\n")
    shown = view("bpf", "task_free", record.write(tmp_path / "r.json"))
    (row,) = shown["rows"]
    assert (row["calls"], row["wall"], row["ave"], row["share"]) == (0, 0, None, None)


def test_no_program(view, tmp_path):
    shown = view("bpf", recorded(TABLE.split("\n", 1)[0] + "\n").write(tmp_path / "r.json"))
    assert shown["rows"] == [] and "No BPF program was on a hook." in shown["notes"]
    assert any(note.startswith("Hooks without a program: 3;") for note in shown["notes"])


def test_what_is_not_there_is_named(lsmpmon, tmp_path):
    def refused(record, *words):
        done = lsmpmon("bpf", record.write(tmp_path / "r.json"))
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert all(word in done.stderr for word in words), done.stderr

    refused(Record(made.PATH), "were not timed one by one", "lsmpmon record --bpf -- COMMAND")
    record = recorded()
    record.edit("features", lambda text: text.replace("module 1", "module 0"))
    refused(record, "lsmpmon record --bpf -- COMMAND")
    refused(recorded(TABLE.replace("owner", "owned", 1)), "bpf", "'owner'")
    refused(recorded(TABLE + "file_open x y 0 - 1 1 0\n"), "bpf", "whole number")
    record = recorded()
    record.edit("info", lambda text: text.replace("clock_khz", "khz"))
    refused(record, "clock_khz")


def test_numbers_that_overflow(lsmpmon, tmp_path):
    most = 2 ** 64 - 1
    record = recorded(TABLE + f"file_open x {most} {most} - {most} {most} {most}\nfile_open\n\n")
    for more in ((), ("--json",), ("--csv",), ("file_open",)):
        assert lsmpmon("bpf", record.write(tmp_path / "r.json"), *more).returncode == 0


@pytest.mark.parametrize("words, message", [
    (("-p", "1"), "--bpf: the kernel counts programs for all tasks and objects"),
    (("-s", "cat"), "without --pid, --subject and --object"),
    (("-O", "/etc/passwd"), "without --pid, --subject and --object"),
    (("-f", "module,timed=64"), "--bpf: every call has to be timed"),
])
def test_options_that_do_not_go_together(lsmpmon, words, message):
    done = lsmpmon("record", "--bpf", *words, "--", "true")
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr.splitlines()[0]


def kind(number, members=0):
    return number << 24 | members


# A type of each kind with what follows it, in the order of their numbers, and at the end two functions.
KINDS = [(1, 4), (2, 0), (3, 12), (4, 24), (5, 24), (6, 16), (7, 0), (8, 0), (9, 0), (10, 0), (11, 0), (12, 0), (13, 16), (14, 4),
         (15, 24), (16, 0), (17, 4), (18, 0), (19, 24), (12, 0), (12, 0)]
PAIRS = {4, 5, 6, 13, 15, 19}


def btf(kinds=KINDS):
    """Return a file of types: that with number N is called tN."""
    names, types = b"\0", b""
    for number, (one, more) in enumerate(kinds, 1):
        types += struct.pack("=III", len(names), kind(one, 2 if one in PAIRS else 0), 0) + b"\xff" * more
        names += b"t%d\0" % number
    return struct.pack("=HBBIIIII", 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(names)) + types + names


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """Return a function that returns what the program finds in a file, with the compiler's checks on."""
    folder = tmp_path_factory.mktemp("btf")
    library = (SOURCES / "lib" / name for name in ("alloc.c", "complain.c", "utf8.c"))
    sources = [HERE / "print_btf.c", HERE.parent / "btf.c", *library]
    subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-g", *CHECKS.split(), f"-I{HERE.parent}", f"-I{SOURCES / 'lib'}", "-o",
                    folder / "print_btf", *sources], check=True)

    def run(content, *ids):
        (folder / "types").write_bytes(content)
        done = subprocess.run([folder / "print_btf", folder / "types", *map(str, ids)], capture_output=True, text=True,
                              errors="replace")
        assert done.returncode in (0, 1) and "Sanitizer" not in done.stderr and "runtime error" not in done.stderr, done.stderr
        return done.stdout.split() if done.returncode == 0 else done.stderr
    return run


def test_types_of_every_kind_have_their_names(names):
    every = range(1, len(KINDS) + 1)
    assert names(btf(), *every) == [f"t{number}" for number in every]
    assert names(btf(), 0, len(KINDS) + 1, 2 ** 32 - 1) == ["-"] * 3


def test_what_is_behind_an_unknown_kind_has_no_name(names):
    assert names(btf([(12, 0), (20, 8), (12, 0)]), 1, 2, 3) == ["t1", "t2", "-"]
    assert names(btf([(12, 0), (0, 0), (12, 0)]), 3) == ["-"]


def test_damaged_types_are_refused_or_have_no_names(names):
    whole = btf()
    for size in (0, 3, 23, 24, len(whole) - 1):
        assert "does not have types in the format BTF" in names(whole[:size], 1)
    assert "format BTF" in names(b"\0" + whole[1:], 1)
    for place in range(4, len(whole), 3):
        names(whole[:place] + b"\xff" + whole[place + 1:], *range(1, len(KINDS) + 2))
