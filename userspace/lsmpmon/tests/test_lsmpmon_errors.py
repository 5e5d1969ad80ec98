# SPDX-License-Identifier: GPL-2.0-only
"""Every error is a sentence that names the cause, the place and the way out, with status 2, and never a crash."""

import json
import random
import re
import subprocess

import pytest
from recorded import HERE, RECORDS, SOURCES

CORPUS = HERE / "fuzz/corpus"
# What a terminal takes as a command, with or without an escape before it; a newline ends a line.
CONTROL = {chr(code) for code in (*range(0x20), 0x7f, *range(0x80, 0xa0))} - {"\n"}


def refused(done, *words):
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stderr.startswith("lsmpmon") and done.stdout == ""
    for word in words:
        assert word in done.stderr, done.stderr


@pytest.mark.parametrize("share", [0.001, 0.1, 0.5, 0.9, 0.9999])
def test_truncated(lsmpmon, record, tmp_path, share):
    text = record.read_text()
    path = tmp_path / "cut.json"
    path.write_text(text[:int(len(text) * share)])
    refused(lsmpmon("report", path), "cut.json", "cut off")


FOREIGN = {
    "empty": "", "text": "hook min max\ncapable 1 2\n", "array": "[]", "number": "1", "null": "null",
    "other": '{"format": "perf"}', "deep": "[" * 100000, "string": '"' + "x" * 100000 + '"',
    "no runs": '{"format": "lsmpmon-record", "version": 1}',
    "empty runs": '{"format": "lsmpmon-record", "version": 1, "runs": []}',
    "no files": '{"format": "lsmpmon-record", "version": 1, "runs": [{}]}',
    "run": '{"format": "lsmpmon-record", "version": 1, "runs": [1]}',
    "file": '{"format": "lsmpmon-record", "version": 1, "runs": [{"files": {"info": 1}}]}',
    "no version": '{"format": "lsmpmon-record", "runs": [{"files": {}}]}',
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign(lsmpmon, tmp_path, name):
    path = tmp_path / "foreign.json"
    path.write_text(FOREIGN[name])
    refused(lsmpmon("report", path), "foreign.json")
    refused(lsmpmon("diff", RECORDS[0], path), "foreign.json")


def test_binary(lsmpmon, tmp_path):
    path = tmp_path / "binary"
    path.write_bytes(bytes(range(256)) * 100)
    refused(lsmpmon("report", path), "binary", "zero bytes")


def test_of_a_newer_program(lsmpmon, apparmor, tmp_path):
    new = apparmor.write(tmp_path / "new.json")
    new.write_text(json.dumps({**json.loads(new.read_text()), "version": 3}))
    refused(lsmpmon("report", new), "version 3", "newer")


def test_of_an_older_kernel(lsmpmon, view, apparmor, tmp_path):
    """The views show what its tables have, and name what they lack."""
    for run in apparmor.content["runs"]:
        for file in ("modules", "syscalls", "histogram", "denials", "hooks"):
            del run["files"][file]
    apparmor.content["about"] = None
    path = apparmor.write(tmp_path / "old.json")
    assert view("report", path)["rows"]
    assert lsmpmon("export", "-i", path).returncode == 0
    refused(lsmpmon("report", path, "--by", "module"), "'modules'")
    refused(lsmpmon("hist", "capable", "-i", path), "'histogram'")


def test_a_missing_column_is_named(lsmpmon, apparmor, tmp_path):
    apparmor.edit("verdicts", lambda text: text.replace(" sum ", " suM ", 1))
    refused(lsmpmon("report", apparmor.write(tmp_path / "r.json")), "verdicts", "'sum'")


@pytest.mark.parametrize("change, words", [
    (lambda text: text + "capable allow 1 2 3 4 5 6 7 8 9 10\n", ("more values than",)),
    (lambda text: " ".join(f"c{n}" for n in range(65)) + "\n", ("more than 64 columns",)),
    (lambda text: "", ("empty",)),
    (lambda text: text + "capable\n", ("ends before its names",)),
])
def test_what_is_no_table_is_named(lsmpmon, apparmor, tmp_path, change, words):
    apparmor.edit("verdicts", change)
    refused(lsmpmon("report", apparmor.write(tmp_path / "r.json"), "--by", "hook,verdict"), "verdicts", *words)


@pytest.mark.parametrize("bad", ["-1", "1e3", "99999999999999999999999", "x", "0x10", "+1"])
def test_what_is_no_number_is_named(lsmpmon, apparmor, tmp_path, bad):
    apparmor.edit("verdicts", lambda text: text + f"capable allow {bad} 1 1 1 1 1\n")
    refused(lsmpmon("report", apparmor.write(tmp_path / "r.json")), "verdicts", "min", f"'{bad[:40]}'")


COMMANDS = {"escapes": "\033]0;owned\007\033[2J", "C1": "\x9b2J\x9d0;owned\x9c"}


@pytest.mark.parametrize("evil", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("words", [("--width", "200"), ("--markdown",), ("--folded",)], ids=["text", "markdown", "folded"])
def test_nothing_commands_the_terminal(lsmpmon, apparmor, tmp_path, evil, words):
    apparmor.edit("verdicts", lambda text: text + f"evil{evil} allow 1 1 1 1 1 999999999\n")
    apparmor.edit("syscalls", lambda text: text + f"evil{evil} evil 1 1 1 1 1 999999999\n")
    apparmor.content["command"] = [evil]
    path = apparmor.write(tmp_path / "evil.json")
    done = lsmpmon("report", path, *words)
    assert "evil?" in done.stdout and not CONTROL & set(done.stdout + done.stderr)


@pytest.mark.parametrize("evil", COMMANDS.values(), ids=COMMANDS)
def test_no_error_commands_the_terminal(lsmpmon, apparmor, tmp_path, evil):
    apparmor.edit("verdicts", lambda text: text + f"x allow {evil}\n")
    done = lsmpmon("report", apparmor.write(tmp_path / "evil.json"))
    assert done.returncode == 2 and "?" in done.stderr and not CONTROL & set(done.stderr)


def test_bytes_that_are_no_text_do_not_reach_the_terminal(lsmpmon, tmp_path):
    """The byte 9b by itself commands a terminal of eight bits; names in other languages stay."""
    refused(lsmpmon("report", "größe\udc9b2J", cwd=tmp_path), "größe?2J")


def test_numbers_that_overflow(lsmpmon, apparmor, tmp_path):
    most = 2 ** 64 - 1
    apparmor.edit("verdicts", lambda text: text + f"capable allow {most} {most} 1 {most} {most} {most}\n")
    apparmor.edit("histogram", lambda text: text + f"capable {most} {most}\n")
    apparmor.edit("info", lambda text: text.replace("clock_khz: ", "clock_khz: 1"))
    path = apparmor.write(tmp_path / "r.json")
    for words in (("report", path, "-q"), ("hist", "capable", "-i", path), ("export", "-i", path),
                  ("hist", "capable", "--linear", "-i", path), ("diff", path, path)):
        assert lsmpmon(*words).returncode == 0


def test_damaged_anywhere(lsmpmon, record, tmp_path):
    """Bytes are changed at random, the same ones each time: the record is refused or shown."""
    text, chance = record.read_bytes(), random.Random(23)
    path = tmp_path / "r.json"
    for _ in range(25):
        damaged = bytearray(text)
        for _ in range(chance.choice((1, 10, 1000))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(1, 256)
        path.write_bytes(damaged)
        lsmpmon("report", path, "-q")


def test_what_the_fuzzer_found(checked):
    """The corpus of the libFuzzer target reaches all that it reached, with the compiler's checks on."""
    inputs = sorted(CORPUS.iterdir())
    done = subprocess.run([checked / "record-replay", *inputs], capture_output=True, text=True,
                          errors="replace")
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == f"{len(inputs)} inputs\n" and len(inputs) >= 34


WRONG = {
    ("nonsense",): ("'nonsense' is not a command",),
    ("raport",): ("did you mean 'report'?",),
    ("report",): ("lsmpmon.json", "No such file"),
    ("diff",): ("lsmpmon.json.old", "No such file"),
    ("report", "R", "--by", "modul"): ("did you mean 'module'?",),
    ("report", "R", "--sort", "cuont"): ("did you mean 'count'?",),
    ("hist", "inode_permision", "R"): ("did you mean 'inode_permission'?",),
    ("hist", "xyzzy", "R"): ("'xyzzy' is not a hook of this kernel; lsmpmon show",),
    ("slowest", "R"): ("no file lsmmon/slowest",),
    ("waits", "capable", "R"): ("no file lsmmon/waits",),
    ("bpf", "R"): ("were not timed one by one", "lsmpmon record --bpf -- COMMAND"),
    ("slowest", "capable", "R", "S"): ("Too many arguments",),
    ("slower", "10"): ("'10'", "LIMIT", "10us"),
    ("slower", "1ms", "2ms"): ("'2ms'", "HOOK"),
    ("slower", "-n", "0", "1ms"): ("--number '0'",),
    ("slower", "-t", "soon"): ("--time 'soon'",),
    ("slower", "file_open", "1ms"): ("Too many arguments",),
    ("slower", "-d", "/nonexistent"): ("/nonexistent/events", "tracefs"),
    ("report", "/nonexistent"): ("/nonexistent", "No such file"),
    ("report", "R", "--by", "colour"): ("--by 'colour'", "hook, module"),
    ("report", "R", "--by", "comm,cgroup"): ("'comm,cgroup'", "comm or cgroup"),
    ("report", "R", "--by", "module,"): ("'module,'",),
    ("report", "R", "--by", ""): ("--by ''",),
    ("report", "R", "--by", "hook,module,syscall,hook"): ("'hook,module,syscall,hook'",),
    ("report", "R", "--by", "cgruop"): ("did you mean 'cgroup'?",),
    ("export", "-i", "R", "--label", "hook"): ("--label 'hook'", "comm or cgroup"),
    ("export", "-i", "R", "--label", "comm"): ("--label comm", "on -f comm"),
    ("report", "R", "--by", "hook,hook"): ("'hook,hook'",),
    ("report", "R", "--by", "module", "-q"): ("--quantiles",),
    ("report", "R", "--sort", "price"): ("--sort 'price'", "hook, count"),
    ("report", "R", "--top", "0"): ("--top '0'",),
    ("report", "R", "--width", "3"): ("--width '3'", "40"),
    ("report", "R", "--color", "red"): ("--color 'red'",),
    ("report", "R", "S"): ("Too many arguments",),
    ("diff", "R"): ("lsmpmon.json", "No such file"),
    ("record", "-p", "1", "true"): ("--pid",),
    ("record", "-t", "1", "true"): ("--time",),
    ("record", "-a", "-t", "soon"): ("--time 'soon'", "0.5"),
    ("record", "-a", "-r", "2"): ("--repeat",),
    ("record", "-a", "-w", "2"): ("--warmup",),
    ("report", "R", "--by", "pid"): ("no table 'tasks'", "by pid", "give hook, module, syscall, verdict, cpu, comm or cgroup"),
    ("report", "R", "--by", "tid"): ("no table 'tasks'", "by tid", "the record is of an older one"),
    ("report", "R", "--by", "comm,syscall"): ("no table 'tasks'", "give hook"),
    ("report", "R", "--by", "pid,cgroup"): ("--by 'pid,cgroup'", "one or more of pid, tid, comm, syscall and hook"),
    ("report", "R", "--by", "pid,pid"): ("--by 'pid,pid'",),
    ("report", "R", "--by", "rapid"): ("--by 'rapid'", "hook, module, syscall"),
    ("record", "-a", "--prepare", "true"): ("--prepare",),
    ("record", "--until", "0", "true"): ("--until '0'", "above 0"),
    ("record", "--until", "-1", "true"): ("--until '-1'",),
    ("diff", "R", "R", "--fail-above", "much"): ("--fail-above 'much'",),
    ("diff", "R", "R", "--fail-above", "nan"): ("--fail-above 'nan'",),
    ("hist", "-i", "R"): ("HOOK",),
    ("hist", "R"): ("is a file: give a HOOK before it", "hist inode_permission"),
    ("hist", "lsmpmon.json"): ("'lsmpmon.json' is a file: give a HOOK before it",),
    ("record", "-O", "/proc/self/status", "true"): ("'/proc/self/status'", "for each process", "'status'"),
    ("record", "-O", "/proc/thread-self/comm", "true"): ("for each process", "'comm'"),
    ("record", "-O", "/proc/mounts", "true"): ("'/proc/mounts'", "for each process", "'mounts'"),
    ("record", "-O", "etc/passwd", "true"): ("'etc/passwd'", "absolute path"),
    ("record", "-O", "etc/pass*", "true"): ("'etc/pass*'", "absolute path"),
    ("record", "-O", "", "true"): ("--object ''", "absolute path"),
    ("record", "-O", "/no//such", "true"): ("--object '/no//such'",),
    ("record", "-s", "sixteen-letters!", "true"): ("--subject 'sixteen-letters!'", "15 characters"),
    ("record", "-s", "", "true"): ("--subject ''",),
    ("hist", "capable", "R", "-i", "R"): ("Too many arguments",),
    ("top", "-p", "1", "-a"): ("--pid and --all",),
    ("export", "-i", "R", "--mode", "999"): ("--mode '999'",),
    ("export", "-i", "R", "-o", "/nonexistent/x.prom"): ("/nonexistent/x.prom",),
    ("record",): ("COMMAND",),
    ("record", "-r", "0", "true"): ("--repeat '0'",),
    ("status", "-d", "/nonexistent"): ("/nonexistent",),
    ("status", "-d", "/etc/passwd"): ("/etc/passwd",),
    ("top", "-s", "0"): ("--seconds '0'",),
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_wrong_words(lsmpmon, tmp_path, words):
    done = lsmpmon(*[str(RECORDS[0]) if word == "R" else word for word in words], cwd=tmp_path)
    refused(done, *WRONG[words])
    assert done.stderr.count("\n") == 1 or "Too many arguments" in done.stderr


VIEWS = {
    "show": ("-i", "R"), "report": ("R",), "diff": ("R", "R"), "top": (), "syscalls": ("R",), "slowest": ("R",), "waits": ("R",),
    "bpf": ("R",),
}
GROUPED = ("show", "report", "diff", "top")


@pytest.mark.parametrize("option, value, accepted", [
    ("--by", "colour", "give hook, module, syscall, verdict, cpu, comm or cgroup; or "),
    ("--top", "0", "give a whole number from 1 to 1000000000"),
    ("--top", "ten", "give a whole number from 1 to 1000000000"),
])
def test_rows_are_chosen_alike_everywhere(lsmpmon, option, value, accepted):
    """All commands that have an option refuse a value of it with the same line, which says what they accept."""
    said = set()
    for command in GROUPED if option == "--by" else VIEWS:
        done = lsmpmon(command, *[RECORDS[0] if word == "R" else word for word in VIEWS[command]], option, value)
        refused(done, f"{option} '{value}': {accepted}")
        said.add(done.stderr)
    (line,) = said
    assert line.startswith("lsmpmon: ") and line.count("\n") == 1


def test_help_says_how_tables_are_sorted(lsmpmon):
    for command in VIEWS:
        helped = " ".join(lsmpmon(command, "--help").stdout.split())
        assert ("--by=WHAT Group calls by (default: hook): " in helped) == (command in GROUPED)
        assert "--top=N Only the first N rows" in helped and re.search(r"--sort=COLUMN Sort by any column \(default: \w", helped)


def test_a_relative_object_is_completed(lsmpmon, tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here/it").touch()
    refused(lsmpmon("record", "-O", "here/it", "true", cwd=tmp_path), f"'{tmp_path.resolve()}/here/it'", "'it'")


def test_a_link_is_told_where_it_leads(lsmpmon, tmp_path):
    (tmp_path / "it").touch()
    (tmp_path / "link").symlink_to("it")
    errors = lsmpmon("record", "-d", tmp_path, "-O", tmp_path / "link", "true").stderr
    assert f"'{tmp_path}/link' is '{tmp_path.resolve()}/it', and calls on that are measured" in errors
    assert "are measured" not in lsmpmon("record", "-d", tmp_path, "-O", tmp_path.resolve() / "it", "true").stderr


def test_no_command_is_told_the_commands(lsmpmon):
    refused_with_help = lsmpmon()
    assert refused_with_help.returncode == 2 and "record" in refused_with_help.stderr


def test_an_empty_directory_of_records(lsmpmon, tmp_path):
    refused(lsmpmon("diff", RECORDS[0], tmp_path), "no record in directory", str(tmp_path))


def test_what_is_not_there_can_be_made(lsmpmon, tmp_path):
    refused(lsmpmon("report", cwd=tmp_path), "'lsmpmon.json'", "lsmpmon record -- COMMAND")
    refused(lsmpmon("show", "-d", tmp_path), f"'{tmp_path}'", "info", "lsmmon/ or a copy of one")
    refused(lsmpmon("show", "-d", tmp_path / "none"), f"'{tmp_path}/none'", "lsmmon/ or a copy of one")


def test_where_nobody_can_write(lsmpmon, record):
    """The shell of a guest starts where it cannot write."""
    refused(lsmpmon("report", record, "--html", "/sys/page.html"), "'/sys/page.html'", "as in /tmp")


def test_units_that_cannot_be_compared(lsmpmon, apparmor, tmp_path):
    apparmor.content["about"].update(runner="qemu", accelerator="icount")
    path = apparmor.write(tmp_path / "icount.json")
    refused(lsmpmon("diff", RECORDS[1], path), "instructions", "cannot be compared")


def test_without_a_clock_there_are_ticks(lsmpmon, apparmor, tmp_path):
    apparmor.edit("info", lambda text: text.replace("clock_khz", "clock_kHz"))
    path = apparmor.write(tmp_path / "r.json")
    assert json.loads(lsmpmon("report", path, "--json").stdout)["unit"] == "cycles"
    refused(lsmpmon("report", path, "--ns"), "clock_khz", "--cycles")


def test_a_c_library_without_argp_is_told_in_one_line(tmp_path):
    """The compiler finds no headers at all here, so there is no argp.h."""
    done = subprocess.run(["make", "-s", "-C", SOURCES, f"O={tmp_path}", "CFLAGS=-nostdinc"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "argp-standalone" in done.stderr and "howto/small.md" in done.stderr
    clean = subprocess.run(["make", "-s", "-C", SOURCES, f"O={tmp_path}", "CFLAGS=-nostdinc", "clean"], capture_output=True, text=True)
    assert (clean.returncode, clean.stderr) == (0, "")
