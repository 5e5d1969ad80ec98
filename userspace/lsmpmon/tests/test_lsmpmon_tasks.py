# SPDX-License-Identifier: GPL-2.0-only
"""Calls by process, thread, name and system call."""

import made
import pytest
from guests import GUESTS, execute
from recorded import Record, counts, rows, times

KEYS = ["pid", "tid", "comm,syscall", "pid,tid,comm", "hook,tid"]


def of_one(text):
    """Return the table with the calls of one thread in openat as those of the others."""
    assert "\n70 70 tar openat " in text
    return text.replace("\n70 70 tar openat ", "\nother other other other ")


@pytest.mark.parametrize("by", KEYS)
def test_the_share_of_others_is_told(lsmpmon, tmp_path, by):
    record = Record(made.PATH)
    record.edit("tasks", of_one)
    path = record.write(tmp_path / "r.json")
    calls, ticks = counts(path, "tasks", "pid"), times(path, "tasks", "pid")
    output = " ".join(lsmpmon("report", path, "--by", by).stdout.split())
    assert (f"{100 * calls['other'] / calls.total():.3g} % of these calls and {100 * ticks['other'] / ticks.total():.3g} % of "
            "their time are in 'other': of tasks that others crowd out.") in output
    assert "in 'other'" not in lsmpmon("report", made.PATH, "--by", by).stdout


@pytest.mark.parametrize("by", KEYS)
def test_what_was_not_measured_is_told(lsmpmon, tmp_path, by):
    record = Record(made.PATH)
    record.edit("features", lambda text: text.replace("task 1", "task 0"))
    record.edit("tasks", lambda text: text.splitlines()[0] + "\n")
    output = " ".join(lsmpmon("report", record.write(tmp_path / "r.json"), "--by", by).stdout.split())
    assert "lsmpmon record -f task, or lsmpmon on -f task." in output


@pytest.mark.parametrize("command", ["report", "diff"])
@pytest.mark.parametrize("by", KEYS)
def test_without_the_table_what_is_accepted_is_said(lsmpmon, tmp_path, command, by):
    """The record is of a kernel that does not count by task."""
    record = Record(made.PATH)
    for run in record.content["runs"]:
        del run["files"]["tasks"]
    path = record.write(tmp_path / "r.json")
    done = lsmpmon(command, *[path] * (1 + (command == "diff")), "--by", by)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no table 'tasks'" in done.stderr and "give hook, module, syscall, verdict, cpu, comm or cgroup; " in done.stderr
    assert "pid, tid" not in done.stderr.replace(f"by {by}", "")


SCRIPT = """
cd /tmp && lsmpmon record -f +task -o tasks.json -- python3 -c 'import ctypes, os, threading
def work(number):
    for i in range(number): ctypes.CDLL(None).sethostname(b"x", 1000)
threads = [threading.Thread(target=work, args=[101 * (1 + i)]) for i in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
work(50)
print(os.getpid())' >pid && cp tasks.json pid "$SHARE"
"""


@pytest.mark.parametrize("kver, runner", [where for where in GUESTS if where[1] == "uml"])
def test_threads_of_a_live_kernel(plain, view, tmp_path, kver, runner):
    """Each thread has its own calls of `capable` in sethostname(), and all of them have the number of the process."""
    done = execute(SCRIPT, KVER=kver, RUNNER=runner, LSM="apparmor", SHARE=tmp_path)
    assert done.returncode == 0, done.stderr
    path, pid = tmp_path / "tasks.json", (tmp_path / "pid").read_text().strip()
    asked = [row for row in view("report", path, "--by", "pid,tid,syscall,hook")["rows"]
             if (row["pid"], row["syscall"], row["hook"]) == (pid, "sethostname", "capable")]
    calls = {row["tid"]: row["count"] + row["cs_count"] for row in asked}
    assert sorted(calls.values()) == [50, 101, 202, 303] and calls[pid] == 50
    (row,) = [row for row in view("report", path, "--by", "comm,syscall")["rows"]
              if (row["comm"], row["syscall"]) == ("python3", "sethostname")]
    assert row["count"] + row["cs_count"] >= 656
    assert all(row["missed"] == 0 for row in rows(path, "tasks"))
