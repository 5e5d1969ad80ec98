# SPDX-License-Identifier: GPL-2.0-only
"""lsmpmon status says whether one can measure, who else does, and what was left on; of copies of the monitor's files."""

import os
import subprocess

import made
import pytest
from recorded import Record


@pytest.fixture
def monitor(tmp_path):
    """Make a directory of the monitor as it is after a boot: off, without a filter and features, held by nobody."""
    for name, text in Record(made.PATH).files.items():
        (tmp_path / name).write_text(text)
    for name, text in (("control", "0\n"), ("filter", "s\no\n"), ("session", "-\n"),
                       ("features", "syscall 0\nmodule 0\ntimed 1\n")):
        (tmp_path / name).write_text(text)
    return tmp_path


def status(view, directory):
    shown = view("status", "-d", directory)
    return {row["key"]: row["value"] for row in shown["rows"]}, shown["notes"]


@pytest.fixture
def ended():
    """Return the number of a process that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_ready(view, monitor):
    rows, notes = status(view, monitor)
    assert list(rows)[:2] == ["state", "next"]
    assert (rows["state"], rows["next"], rows["measuring"]) == ("ready", "lsmpmon record -- COMMAND", "no")
    assert (rows["filter"], rows["features"], notes) == ("none", "none", [])


def test_measuring(view, monitor):
    (monitor / "control").write_text("1\n")
    rows, _ = status(view, monitor)
    assert (rows["state"], rows["measuring"]) == ("measuring", "yes") and "lsmpmon off" in rows["next"]


@pytest.mark.parametrize("session, holder", [
    (f"{os.getpid()} python\n", f"process {os.getpid()} ("), ("0 lsmpmon\n", "another process"),
    (None, "process "),
], ids=["session", "elsewhere", "lock"])
def test_held(lsmpmon, monitor, session, holder):
    """The holder of the session is named, or where the kernel has no sessions, that of the lock."""
    locked = None
    if session is None:
        (monitor / "session").unlink()
        locked = subprocess.Popen(["flock", monitor / "control", "sh", "-c", "echo; exec sleep 1000"], stdout=subprocess.PIPE)
        locked.stdout.readline()
        holder += f"{locked.pid} (flock "
    else:
        (monitor / "session").write_text(session)
    (monitor / "features").write_text("module 1\n")
    done = lsmpmon("status", "-d", monitor, "--width", "300")
    if locked:
        subprocess.run(["pkill", "-P", str(locked.pid)], check=True)
        locked.wait()
    assert done.returncode == 1 and f"in use by {holder}" in done.stdout
    assert "left on" not in done.stdout, "what the holder has set ends with it"


@pytest.mark.parametrize("line, words", [
    ("s cat", "by tasks of that command name"), ("o /etc/passwd", "on that object"),
    (f"p {os.getpid()} exec", "by that process and those it starts"), ("q new", "that it selects"),
], ids=["subject", "object", "process", "newer"])
def test_a_filter_left_on(view, monitor, line, words):
    (monitor / "filter").write_text(f"{line}\no\n")
    rows, (note,) = status(view, monitor)
    assert rows["filter"] == line
    assert note == f"left on: filter '{line}': only calls {words} are counted. Clear it: echo {line[0]} >{monitor}/filter"


def test_a_filter_of_a_process_that_has_ended(view, monitor, ended):
    (monitor / "filter").write_text(f"s\no\np {ended}\n")
    _, (note,) = status(view, monitor)
    assert "are counted, and that process has ended. Clear it: echo p >" in note


def test_features_left_on(view, monitor):
    (monitor / "features").write_text("syscall 0\nmodule 1\nstack 1\ntimed 64\n")
    rows, notes = status(view, monitor)
    assert rows["features"] == "module,stack,timed=64"
    (note,) = [note for note in notes if note.startswith("left on")]
    assert note.startswith("left on: features module,stack,timed=64: ") and note.endswith("lsmpmon on -f none && lsmpmon off")


def test_nothing_is_changed(lsmpmon, monitor):
    """The monitor's files are only read."""
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in monitor.iterdir()}
    assert lsmpmon("status", "-d", monitor).returncode == 0
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in monitor.iterdir()} == before


@pytest.mark.parametrize("fact, value, words", [
    ("clocksource", "hpet", "a slow clock source"), ("cpu_governor", "powersave", "the frequency varies"),
    ("smt", "1", "processors share a core"), ("lockdep", "on", "a kernel for debugging"), ("load", "2.10 1.0", "something else"),
    ("build", "#1 SMP PREEMPT_RT Debian 6.12", "a real-time kernel"), ("hypervisor", "KVM", "a virtual machine"),
])
def test_what_disturbs_times(view, tmp_path, fact, value, words):
    record = Record(made.PATH)
    record.content["about"][fact] = value
    notes = view("status", "-i", record.write(tmp_path / "r.json"))["notes"]
    (note,) = [note for note in notes if note.startswith("disturbed by")]
    assert note.startswith(f"disturbed by {fact} {value}: ") and words in note


@pytest.mark.parametrize("fact, value", [
    ("clocksource", "tsc"), ("cpu_governor", "performance"), ("smt", "0"), ("load", "0.10 1.0"),
    ("build", "#1 SMP PREEMPT_DYNAMIC Debian 6.12"),
])
def test_what_does_not_disturb_times(view, tmp_path, fact, value):
    record = Record(made.PATH)
    record.content["about"][fact] = value
    shown = view("status", "-i", record.write(tmp_path / "r.json"))
    assert not [note for note in shown["notes"] if note.startswith("disturbed by")]
    (kernel,) = [row["value"] for row in shown["rows"] if row["key"] == "kernel"]
    assert kernel == "made by hand" + (" SMP PREEMPT_DYNAMIC" if fact == "build" else "")


def test_a_record_is_not_a_place_to_measure(view, record):
    keys = [row["key"] for row in view("status", "-i", record)["rows"]]
    assert "measuring" in keys and "state" not in keys and "next" not in keys
