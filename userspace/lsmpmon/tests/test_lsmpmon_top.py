# SPDX-License-Identifier: GPL-2.0-only
"""Tests of lsmpmon top on a terminal: its keys, and how it leaves the terminal and the monitor."""

import csv
import json
import os
import pty
import re
import select
import signal
import subprocess
import termios
import threading
import time

import fastjsonschema
import pytest
from recorded import HERE, Record, as_text

from lsmpmon_report.kernelfiles import read_table

# Seconds after which the program will not answer any more, however busy the machine is.
PATIENCE = 900


def grow_in(directory, ticks=1000):
    for name in ("verdicts", "cpus"):
        rows = read_table(directory / name)
        for row in rows:
            row["count"], row["sum"] = row["count"] + 10, row["sum"] + ticks
        # At once, as the kernel's tables are.
        new = directory.with_suffix(".new")
        new.write_text(as_text(rows))
        new.rename(directory / name)


class Terminal:
    """The program on a terminal of its own, over a copy of the monitor whose counters grow."""

    def __init__(self, program, directory, *words, size=(60, 80)):
        self.directory, self.seen = directory, ""
        self.ours, theirs = pty.openpty()
        termios.tcsetwinsize(self.ours, size)
        self.before = termios.tcgetattr(theirs)
        self.theirs = theirs
        # A shell that runs the tests in the background has them ignore what Ctrl-C sends.
        words = ["env", "--default-signal=INT", program, "top", "-s", "1", "-d", directory, *words]
        self.process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, text=True)

    def grow(self):
        grow_in(self.directory)

    def wait_for(self, pattern):
        """Return the output after what was read already; the counters go on meanwhile."""
        self.seen = ""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.seen):
            assert time.monotonic() < end, f"no '{pattern}' in {self.seen[-2000:]!r}"
            self.grow()
            if select.select([self.ours], [], [], 0.1)[0]:
                self.seen += os.read(self.ours, 65536).decode()
        return self.seen

    def press(self, keys):
        os.write(self.ours, keys.encode())

    def end(self):
        """Wait until the program ends. Its output is read meanwhile, or it may wait for room."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            if select.select([self.ours], [], [], 0.1)[0]:
                self.seen += os.read(self.ours, 65536).decode()
        assert self.process.wait(1) == 0, self.process.stderr.read()
        assert re.fullmatch("lsmpmon: this kernel has no '.*/session': .*\n", self.process.stderr.read())
        after = termios.tcgetattr(self.theirs)
        os.close(self.ours)
        os.close(self.theirs)
        return after


def screen(seen):
    """Return the last screen as text, without codes but the one that begins the marked row."""
    last = seen[seen.rindex("\033[H"):].replace("\r", "")
    return re.sub(r"\x1b\[(?!7m)[\d;]*[A-Za-z]", "", last)


def marked(seen):
    """Return the first word of the marked row of the last screen."""
    return re.search(r"\x1b\[7m(\S+)", screen(seen))[1]


UP, DOWN, RIGHT, LEFT, END = "\033[A", "\033OB", "\033[C", "\033[D", "\033[F"
KEYS = r"q quit\x1b\[K"


@pytest.fixture
def directory(tmp_path):
    """Make a directory of the monitor, off, as the kernel would have left it."""
    for name, text in Record(HERE / "data/7.2-uml-apparmor.json").files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "control").write_text("0\n")
    return tmp_path


def test_keys(checked, directory):
    top = Terminal(checked / "lsmpmon", directory)
    assert "inode_permission" in top.wait_for(r"inode_permission[^\n]*\n(.*\n)*.*q quit")
    assert (directory / "control").read_text().strip() == "1"
    top.press("v")
    top.wait_for(r"hook +verdict(.*\n)*.*q quit")
    top.press("p")
    seen = top.wait_for(r"cpu +calls/s[^\n]*\n(\x1b\[0m)?\x1b\[7m0 +[\d.,]+ ")
    assert "inode_permission" not in screen(seen)
    top.press("h")
    top.wait_for(r"hook +calls/s")
    top.press("f")
    top.wait_for("only names with")
    top.press("rename\n")
    seen = top.wait_for(r"filter: rename")
    assert "inode_permission" not in screen(seen)
    top.press("q")
    assert top.end() == top.before
    assert (directory / "control").read_text().strip() == "0"


def test_a_key_shows_tasks(checked, directory):
    (directory / "tasks").write_text(f"{PAYERS['tasks']} {COUNTERS}70 71 tar openat inode_permission 10 10 10 5 0 50\n")
    top = Terminal(checked / "lsmpmon", directory)
    top.wait_for(KEYS)
    top.press("i")
    top.wait_for(r"pid +tid +comm +calls/s")
    top.press("q")
    assert top.end() == top.before


def grow_syscalls(directory):
    """Let two system calls gain calls of one hook, and a third of another hook."""
    rows = read_table(directory / "syscalls")
    for row in rows:
        if row["hook"] == "inode_permission" and row["syscall"] in ("openat", "execve"):
            row["count"] += 10 if row["syscall"] == "openat" else 5
            row["sum"] += 5000
    new = directory.with_suffix(".new")
    new.write_text(as_text(rows))
    new.rename(directory / "syscalls")


def test_arrows_and_enter_go_down_and_back(checked, directory):
    """The way goes from a hook to its system calls, its callbacks and its distribution, and back to its row."""
    top = Terminal(checked / "lsmpmon", directory, size=(24, 80))
    first = marked(top.wait_for(KEYS))
    top.press(DOWN)
    second = marked(top.wait_for(KEYS))
    assert second != first
    top.press(UP + "n")
    top.wait_for(KEYS)
    # The mark stays with its row when others come before it.
    top.press("f")
    top.wait_for("only names with")
    top.press("inode_permission\n")
    assert marked(top.wait_for("filter: inode_permission")) == "inode_permission"
    top.press("\n")
    top.wait_for(r"inode_permission: by syscall(.*\n)*.*" + KEYS)
    top.press("f\n")
    top.wait_for(r"f filter  \?")
    grow_syscalls(directory)
    seen = top.wait_for(r"\bopenat +(.*\n)*.*" + KEYS)
    assert re.search(r"^(\x1b\[7m)?execve ", screen(seen), re.M) and not re.search(r"^statx? ", screen(seen), re.M)
    top.press(RIGHT)
    top.wait_for(r"inode_permission > \w+: by module(.*\n)*.*" + KEYS)
    # This kernel had no table of commands: it is left out.
    top.press(RIGHT)
    seen = top.wait_for(r": how long calls took(.*\n)*.*" + KEYS)
    assert "Not only of" in screen(seen)
    top.press(LEFT + LEFT)
    seen = top.wait_for(r"inode_permission: by syscall(.*\n)*.*" + KEYS)
    top.press("\033")
    assert marked(top.wait_for(r"\x1b\[Khook +calls|hook +calls(.*\n)*.*" + KEYS)) == "inode_permission"
    top.press("q")
    assert top.end() == top.before


def test_the_last_row_can_be_reached(checked, directory):
    """A table that is longer than the screen moves with the mark."""
    top = Terminal(checked / "lsmpmon", directory, size=(14, 80))
    top.wait_for(KEYS)
    top.press("n")
    before = screen(top.wait_for(KEYS))
    top.press(END)
    seen = top.wait_for(r"\x1b\[7m[^\n]*\n(\x1b\[0m)?Hooks took(.*\n)*.*" + KEYS)
    hooks = {row["hook"] for row in read_table(directory / "verdicts")}
    assert marked(seen) == max(hooks) and marked(seen) not in before
    top.press("q")
    top.end()


def test_help_says_what_keys_do(checked, directory):
    top = Terminal(checked / "lsmpmon", directory, size=(24, 80))
    top.wait_for(KEYS)
    top.press("?")
    seen = top.wait_for("Any key shows the table again")
    for key in ("Enter", "Left", "busy", "Hooks took"):
        assert key in screen(seen)
    assert screen(seen).count("\n") < 24 and all(len(line) <= 80 for line in screen(seen).split("\n"))
    top.press("x")
    top.wait_for(KEYS)
    top.press("q")
    top.end()


def test_a_feature_that_there_is_not_is_named(lsmpmon, directory):
    wrong = lsmpmon("top", "-f", "nonsense", "-n", "1", "-s", "0.1", "-d", directory)
    assert wrong.returncode == 2 and "feature 'nonsense'" in wrong.stderr and not wrong.stdout


def test_a_stream_has_its_header_once(lsmpmon, directory):
    """A log can be read by a program, and by people without the same lines again and again."""
    ended = threading.Event()

    def grow():
        while not ended.wait(0.05):
            grow_in(directory)
    grower = threading.Thread(target=grow)
    grower.start()
    words = ("top", "-b", "-s", "0.5", "-n", "3", "-d", directory)
    table, text = lsmpmon(*words, "--csv"), lsmpmon(*words)
    ended.set()
    grower.join()
    rows = list(csv.DictReader(table.stdout.splitlines()))
    times = sorted({float(row["seconds"]) for row in rows})
    assert table.stdout.count("seconds,") == 1 and len(times) == 3 and times[0] < PATIENCE
    assert text.stdout.count("Times in") == 1 and text.stdout.count("\nHooks took") == 3
    assert len(re.findall(r"^seconds +hook", text.stdout, re.M)) == 3


@pytest.mark.parametrize("height", [24, 30])
def test_a_table_fills_the_screen(checked, directory, height):
    """No line is above the screen, and none is left where there are more rows."""
    top = Terminal(checked / "lsmpmon", directory, size=(height, 80))
    seen = top.wait_for(r"q quit")
    assert screen(seen).count("\n") == height - 1, seen
    top.press("q")
    top.end()


def test_a_key_switches_its_feature_on(checked, directory):
    """The first press shows that it is off, and what switching it on does; the second switches it on."""
    (directory / "features").write_text("syscall 1\nmodule 0\n")
    (directory / "modules").write_text((directory / "modules").read_text().splitlines()[0] + "\n")
    top = Terminal(checked / "lsmpmon", directory)
    top.wait_for("q quit")
    top.press("m")
    assert "sets all counters to zero" in " ".join(top.wait_for("press m again(.*\n)*.*q quit").split())
    assert "module 0" in (directory / "features").read_text()
    top.press("m")
    top.wait_for("q quit")
    assert (directory / "features").read_text().strip() == "module 1"
    top.press("q")
    top.end()


def test_each_table_is_a_line_of_json(lsmpmon, directory):
    done = lsmpmon("top", "-s", "0.1", "-n", "3", "--json", "-d", directory)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 3
    assert all(json.loads(line)["view"] == "top" for line in lines)


@pytest.mark.parametrize("by", ["hook", "cpu"])
def test_busy_adds_up_to_what_is_said(lsmpmon, directory, by):
    """The column is of the time of one CPU in all tables, however many CPUs there are."""
    (directory / "info").write_text((directory / "info").read_text().replace("cpus: 1\n", "cpus: 2\n"))
    ended = threading.Event()

    def grow():
        while not ended.wait(0.05):
            grow_in(directory, 10 ** 6)
    grower = threading.Thread(target=grow)
    grower.start()
    done = lsmpmon("top", "-s", "1", "-n", "1", "--json", "--by", by, "-d", directory)
    ended.set()
    grower.join()
    shown = json.loads(done.stdout)
    took, busy = shown["took"], sum(row["busy"] for row in shown["rows"])
    assert busy == pytest.approx(100 * took["rows"] / 1e9 / took["seconds"], rel=0.01, abs=0.01) and busy > 0
    assert took["percent_of_all_cpus"] == pytest.approx(took["percent_of_one_cpu"] / 2)
    (note,) = [note for note in shown["notes"] if note.startswith("busy: ")]
    assert "of the time of one CPU" in note
    assert float(re.search(r"in all rows ([\d.e-]+) %", note)[1]) == pytest.approx(busy, rel=0.06)


COUNTERS = "hook min max ave count cs_count sum\n"
PAYERS = {"comms": "comm", "cgroups": "cgroup", "tasks": "pid tid comm syscall"}
# Calls of one hook before, and after: `gone` lost its line, `again` too, and came back; both are in `other` now.
BEFORE = {"stays": (100, 1000), "gone": (70, 700), "again": (50, 500), "other": (10, 100)}
AFTER = {"stays": (105, 1050), "again": (4, 40), "other": (10 + 70 + 50 + 3, 100 + 700 + 500 + 30)}


@pytest.mark.parametrize("by, file", [("comm", "comms"), ("cgroup", "cgroups"), ("hook,comm", "comms"), ("tid", "tasks"),
                                      ("comm,syscall", "tasks"), ("pid,hook", "tasks")])
def test_calls_that_become_those_of_others_are_not_new(checked, directory, by, file):
    """The 3 calls of `other` since the first table are new, and so are 4 of a payer that began again."""
    table, payers = directory / file, PAYERS[file]

    def write(calls):
        lines = [f"{' '.join([name] * len(payers.split()))} inode_permission 10 10 10 {count} 0 {ticks}\n"
                 for name, (count, ticks) in calls.items()]
        new = table.with_suffix(".new")
        new.write_text(f"{payers} {COUNTERS}" + "".join(lines))
        new.rename(table)
    write(BEFORE)
    words = [checked / "lsmpmon", "top", "-s", "0.2", "--json", "--by", by, "-d", directory]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as top:
        # The next table is the difference from one that was read before.
        assert json.loads(top.stdout.readline())["rows"] == []
        write(AFTER)
        shown = next(shown for shown in map(json.loads, top.stdout) if shown["rows"])
        top.terminate()
        top.communicate(timeout=PATIENCE)
    key, seconds = by.replace(",hook", "").split(",")[-1], shown["took"]["seconds"]
    calls = {row[key]: round(row["calls/s"] * seconds) for row in shown["rows"]}
    assert calls == {"stays": 5, "again": 4, "other": 3}
    (note,) = [note for note in shown["notes"] if "in 'other'" in note]
    assert note.startswith("25 % of these calls and 25 % of their time")


def test_it_ends_in_time(lsmpmon, directory):
    before = time.monotonic()
    done = lsmpmon("top", "-s", "0.1", "-t", "0.5", "--csv", "-d", directory)
    assert done.returncode == 0 and done.stdout and time.monotonic() - before >= 0.5


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_leave_the_terminal_as_it_was(checked, directory, number):
    top = Terminal(checked / "lsmpmon", directory)
    top.wait_for("q quit")
    top.process.send_signal(number)
    assert top.end() == top.before
    assert (directory / "control").read_text().strip() == "0"


def test_a_reader_that_leaves_ends_it(checked, directory):
    """head is such a reader. The monitor is switched off again."""
    words = [checked / "lsmpmon", "top", "-s", "0.05", "-t", "20", "-p", str(os.getpid()), "-d", directory]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as top:
        top.stdout.readline()
        top.stdout.close()
        assert top.wait(PATIENCE) == 2 and "cannot write the output" in top.stderr.read()
    assert (directory / "control").read_text().strip() == "0"


def test_json_is_as_the_schema_says(lsmpmon, directory):
    done = lsmpmon("top", "-s", "1", "-n", "1", "--json", "-d", directory)
    validate = fastjsonschema.compile(json.loads((HERE.parent / "schema/view.json").read_text()))
    assert validate(json.loads(done.stdout))["view"] == "top"
