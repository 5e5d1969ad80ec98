# SPDX-License-Identifier: GPL-2.0-only
"""The session of Documentation/trace-cmd.md: recorded, reported, filtered, counted and seen.

Events are compared with the monitor's tables in test_recorded.py.
"""

import functools
import re
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest
from guests import LSMMON, output
from kernels import REPO

from lsmpmon_report.kernelfiles import calls, parse_info, parse_table

EXIT = "/sys/kernel/tracing/events/lsmpmon/lsm_hook_exit"
DOCUMENT = (REPO / "Documentation/trace-cmd.md").read_text()
TRIGGERS = re.findall(r"'(hist:\S+ if syscall [^']+)'|^\| `(hist:[^`]+)`", DOCUMENT, re.M)
FIRST, *OTHERS = [quoted or listed for quoted, listed in TRIGGERS]
ROUNDS = 101
SESSION = f"""
cd /tmp && trace-cmd record -q -b 20000 -o trace.dat -e lsmpmon -e syscalls -- \
	taskset 1 sh $REPO/tests/guest/two-tasks.sh >&2 || exit
cp trace.dat $SHARE/ || exit
cd {LSMMON} && echo syscall 1 >features && exec 9>control && echo 1 >&9
echo '{FIRST}' >{EXIT}/trigger
echo 'hist:keys=ns.log2 if syscall == 83' >>{EXIT}/trigger
lmbench-hook work mkdir -n {ROUNDS} -d /tmp >&2 || exit
echo 0 >&9
cat {EXIT}/hist; echo @@; cat syscalls; echo @@; cat info; echo @@
for trigger in {" ".join(f"'{other}'" for other in OTHERS)}; do
	echo "$trigger" >>{EXIT}/trigger && echo "$trigger"
done
"""
# The colours of lsm_spans.cpp.
ALLOWED, DENIED = bytes((0, 90, 200)), bytes((220, 0, 0))


class Event(NamedTuple):
    task: int
    when: float
    name: str
    fields: str


@functools.cache
def session():
    """Return a folder with the records, and the output of the guest."""
    folder = tempfile.TemporaryDirectory()
    text = output(SESSION, RUNNER="qemu", LSM="apparmor,tomoyo", SHARE=folder.name)
    return folder, *text.split("@@\n")


def trace():
    return Path(session()[0].name) / "trace.dat"


def report(*words):
    done = subprocess.run(["trace-cmd", "report", "-q", *words, "-i", trace()],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = re.findall(r"^ *\S.*?-(\d+) +\[\d+\] +(\d+\.\d+): (\w+): +(.*)$", done.stdout, re.M)
    return [Event(int(task), float(when), name, fields) for task, when, name, fields in lines]


@functools.cache
def events():
    return report()


def by_task():
    tasks = defaultdict(list)
    for event in events():
        tasks[event.task].append(event)
    return tasks


def test_spans_are_inside_the_system_call_that_they_name():
    """Each task has, in order, sys_enter_X, spans with syscall=X, and sys_exit_X.

    Interrupts come in between, and their hook calls belong to no system call.
    """
    seen = 0
    for task in by_task().values():
        inside = None
        for event in task:
            if event.name.startswith("sys_enter_"):
                inside = event.name.removeprefix("sys_enter_")
            elif event.name.startswith("sys_exit_"):
                inside = None
            elif event.name == "lsm_hook_exit" and inside and " syscall=- " not in event.fields:
                assert f" syscall={inside} " in event.fields, event
                seen += 1
    assert seen > 500


def test_each_kind_of_event_is_reported():
    names = [event.name for event in events()]
    assert names.count("lsm_hook_enter") > 500
    assert {"sys_enter_renameat2", "sys_exit_renameat2", "sys_exit_mkdir"} <= set(names)


def test_report_filters_denials():
    chosen = "lsm_hook_exit: verdict == 1 && syscall == 83"
    assert f"$ trace-cmd report -F '{chosen}' -i trace.dat" in DOCUMENT
    denied = report("-F", chosen)
    assert denied == [event for event in events() if event.name == "lsm_hook_exit"
                      and " verdict=deny syscall=mkdir " in event.fields]
    assert any("hook=capable " in event.fields and "rc=-1 " in event.fields for event in denied)


def test_hist_triggers_count_what_the_monitor_does():
    """Both know only the mkdir() of the one program. Each time in the events is rounded down."""
    _, hist, table, info, _ = session()
    ns = 1e6 / parse_info(info).number("clock_khz")
    counted = {hook: (int(hits), int(total)) for hook, hits, total in re.findall(
        r"^\{ func: \[\w+\] lsmpmon_call_(\w+) +\} hitcount: +(\d+) +ns: +(\d+)$", hist, re.M)}
    rows = {row["hook"]: row for row in parse_table(table) if row["syscall"] == "mkdir"}
    assert {hook: calls(row) for hook, row in rows.items()} == {hook: hits for hook, (hits, _) in counted.items()}
    for hook, (hits, total) in counted.items():
        expected = ns * (rows[hook]["sum"] + rows[hook].get("cs_sum", 0))
        assert expected * (1 - 2 ** -20) - hits - 1 <= total <= expected + 1, hook
    assert counted["inode_mkdir"][0] > ROUNDS - 1
    buckets = re.findall(r"^\{ ns: ~ 2\^\d+ *\} hitcount: +(\d+)$", hist, re.M)
    assert sum(map(int, buckets)) == sum(hits for hits, _ in counted.values())


def test_the_document_has_triggers_that_the_kernel_takes():
    assert FIRST == "hist:keys=func.sym:vals=ns if syscall == 83"
    assert len(OTHERS) >= 4
    assert session()[4].splitlines() == OTHERS


def picture(begin, end, task):
    """Return the width of a picture and its pixels, from left to right and downwards."""
    shown = trace().with_name("shown.ppm")
    subprocess.run([REPO / "scripts/lab", "kernelshark-picture", trace(), shown, str(begin), str(end),
                    str(task)], check=True)
    head = re.match(rb"P6\n(?:#.*\n)*(\d+) (\d+)\n255\n", shown.read_bytes())
    return int(head[1]), shown.read_bytes()[head.end():]


def columns(width, pixels, colour):
    """Return the columns in which a colour is seen."""
    return {at % width for at in range(len(pixels) // 3) if pixels[3 * at:3 * at + 3] == colour}


def test_kernelshark_shows_spans():
    """A mkdir() that is denied has red for `capable`, and blue for the hooks before it."""
    last = next(event for event in reversed(events()) if event.name == "sys_exit_mkdir")
    first = next(event for event in reversed(events())
                 if event.name == "sys_enter_mkdir" and event.task == last.task)
    width, pixels = picture(first.when, last.when, last.task)
    allowed, denied = (columns(width, pixels, colour) for colour in (ALLOWED, DENIED))
    assert allowed and denied
    assert min(allowed) < min(denied)
    # A picture without a span of its task shows no colour.
    idle = next(task for task in by_task() if task != last.task and not any(
        first.when <= event.when <= last.when for event in by_task()[task]))
    width, pixels = picture(first.when, last.when, idle)
    assert not columns(width, pixels, ALLOWED) and not columns(width, pixels, DENIED)


@pytest.mark.parametrize("words, message", [
    (("no-such-file", "x.png", "1", "2", "3"), "no such file: no-such-file"),
    ((__file__, "x.png", "2", "1", "3"), "the end must be later"),
    ((__file__, "x.png", "1", "2", "sh"), "invalid int value: 'sh'")])
def test_picture_refuses(words, message):
    done = subprocess.run([REPO / "scripts/lab", "kernelshark-picture", *words], capture_output=True,
                          text=True)
    assert done.returncode == 2 and message in done.stderr
