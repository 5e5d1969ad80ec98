# SPDX-License-Identifier: GPL-2.0-only
"""Recordings of trace-cmd as slices that Perfetto draws: of events that are known, and on a live kernel."""

import json
import re
import subprocess
from collections import Counter, defaultdict

import pytest
import tracedat
from guests import GUESTS, execute
from recorded import SOURCES
from tracedat import Call, page

COMMS = {93: "cat", 94: "mkdir"}
# A denied call; one around another two, of which the event of the first comes late; one whose own time is not known.
CALLS = (
    Call(1_000_000, 93, "capable", 3_000, rc=-1, verdict="deny", syscall="mkdir"),
    Call(1_010_000, 93, "inode_permission", 500, depth=1),
    Call(1_012_000, 93, "inode_permission", 700, depth=1, slept=100),
    Call(1_013_000, 93, "file_open", 9_000, own=7_000, slept=1_500, preempted=250, disturbed=3),
    Call(1_020_000, 93, "d_instantiate", 2_000, own=0, verdict="none", syscall="-", disturbed=6),
)


def write(path, form, packed, *cpus, flags=0):
    path.write_bytes(tracedat.recording([form], COMMS, *([page([(call.at, packed(call)) for call in calls], flags)]
                                                       for calls in cpus)))
    return path


def converted(lsmpmon, path):
    """Return the complete events of a recording and the names of tasks, after a check of their form."""
    done = lsmpmon("timeline", path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert set(document) == {"displayTimeUnit", "traceEvents"}
    slices = [event for event in document["traceEvents"] if event["ph"] == "X"]
    names = [event for event in document["traceEvents"] if event["ph"] != "X"]
    for event in slices:
        assert event["cat"] == "lsm" and event["ts"] >= 0 and event["dur"] >= 0 and isinstance(event["tid"], int)
        assert {"syscall", "verdict", "rc"} <= event["args"].keys()
    assert all(event["ph"] == "M" and event["name"] in {"process_name", "thread_name"} for event in names)
    return slices, {(event["pid"], event["tid"]): event["args"]["name"] for event in names}


def nested(slices):
    """Yield each slice with how many are around it; one that is partly inside another is a mistake."""
    tasks = defaultdict(list)
    for event in slices:
        begin = round(event["ts"] * 1000)
        tasks[event["pid"], event["tid"]].append((begin, -round(event["dur"] * 1000), event))
    for events in tasks.values():
        ends = []
        for begin, length, event in sorted(events, key=lambda row: row[:2]):
            while ends and ends[-1] <= begin:
                ends.pop()
            assert not ends or begin - length <= ends[-1], event
            yield event, len(ends)
            ends.append(begin - length)


def test_each_call_is_a_slice(lsmpmon, tmp_path):
    slices, names = converted(lsmpmon, write(tmp_path / "trace.dat", tracedat.NOW, Call.now, CALLS))
    assert [(event["name"], event["dur"], event["pid"]) for event in slices] == \
        [(call.hook, call.ns / 1000, call.pid) for call in CALLS]
    assert [depth for _, depth in nested(slices)] == [0, 0, 1, 1, 0]
    by_end = {round((event["ts"] + event["dur"]) * 1000): event["args"] for event in slices}
    assert by_end[1_000_000] == {"syscall": "mkdir", "verdict": "deny", "rc": -1, "own": 3_000, "slept": 0, "preempted": 0, "depth": 0}
    assert by_end[1_013_000] == {"syscall": "openat", "verdict": "allow", "rc": 0, "own": 7_000, "slept": 1_500, "preempted": 250,
                                 "depth": 0}
    assert by_end[1_020_000] == {"syscall": "-", "verdict": "none", "rc": 0, "depth": 0}
    assert names == {(93, 93): "cat"}


def test_calls_have_their_objects(lsmpmon, tmp_path):
    call, other = Call(1_000_000, 93, "file_open", 3_000), Call(1_010_000, 93, "file_open", 4_000)
    events = [(call.at, call.named("a\\040file")), (call.at, call.now()), (other.at, other.named("-")), (other.at, other.now())]
    path = tmp_path / "trace.dat"
    path.write_bytes(tracedat.recording([tracedat.NOW, tracedat.OBJECT], COMMS, [page(events)]))
    slices, _ = converted(lsmpmon, path)
    assert [event["args"].get("object") for event in slices] == ["a\\040file", None]


def test_recordings_of_before(lsmpmon, tmp_path):
    """Nothing but times tells what is inside."""
    slices, _ = converted(lsmpmon, write(tmp_path / "trace.dat", tracedat.BEFORE, Call.before, CALLS))
    assert [(event["name"], event["dur"]) for event in slices] == [(call.hook, call.ns / 1000) for call in CALLS]
    assert [depth for _, depth in nested(slices)] == [0, 0, 1, 1, 0]
    assert slices[0]["args"] == {"syscall": "mkdir", "verdict": "deny", "rc": -1}


@pytest.mark.parametrize("late", [0, 2_000, 8_900, 2_000_000])
def test_events_that_were_written_late(lsmpmon, tmp_path, late):
    """The call around another one is moved to where it fits, and as long as it was."""
    inner = Call(1_010_000, 93, "inode_permission", 4_000, depth=1)
    outer = Call(1_010_500 + late, 93, "file_open", 5_000)
    slices, _ = converted(lsmpmon, write(tmp_path / "trace.dat", tracedat.NOW, Call.now, (inner, outer)))
    assert [(event["name"], depth) for event, depth in nested(slices)] == [("file_open", 0), ("inode_permission", 1)]
    assert sorted(event["dur"] for event in slices) == [4, 5]


def test_siblings_that_hardly_fit(lsmpmon, tmp_path):
    calls = (Call(1_000_000, 93, "capable", 400, depth=2), Call(1_000_900, 93, "inode_permission", 500, depth=1),
             Call(1_003_000, 93, "inode_permission", 500, depth=1), Call(1_003_100, 93, "file_open", 1_001))
    slices, _ = converted(lsmpmon, write(tmp_path / "trace.dat", tracedat.NOW, Call.now, calls))
    assert [(event["name"], depth) for event, depth in nested(slices)] == [
        ("file_open", 0), ("inode_permission", 1), ("capable", 2), ("inode_permission", 1)]


@pytest.mark.parametrize("next_call", [
    Call(19_000_000, 93, "file_open", 1_000), Call(1_020_000, 93, "file_open", 1_000, syscall="mkdir"),
    Call(1_020_000, 93, "inode_permission", 1_000)])
def test_a_call_around_that_was_not_recorded(lsmpmon, tmp_path, next_call):
    calls = (Call(1_000_000, 93, "inode_permission", 500, depth=1), next_call)
    slices, _ = converted(lsmpmon, write(tmp_path / "trace.dat", tracedat.NOW, Call.now, calls))
    assert [depth for _, depth in nested(slices)] == [0, 0]


def test_a_clock_that_stands_still(lsmpmon, tmp_path):
    calls = tuple(Call(1_000_000, 93, "inode_permission", 100 + number) for number in range(20))
    slices, _ = converted(lsmpmon, write(tmp_path / "trace.dat", tracedat.NOW, Call.now, calls))
    assert [depth for _, depth in nested(slices)] == [0] * 20 and len({event["ts"] for event in slices}) == 20


def test_idle_processors_are_apart(lsmpmon, tmp_path):
    one, other = (Call(1_000_000 + 100 * cpu, 0, "d_instantiate", 900) for cpu in range(2))
    task = Call(1_000_050, 94, "capable", 2_000)
    slices, names = converted(lsmpmon, write(tmp_path / "trace.dat", tracedat.NOW, Call.now, (one, task), (other,)))
    assert {(event["pid"], event["tid"]) for event in slices} == names.keys() == {(0, 0), (0, 1), (94, 94)}
    assert names[0, 1] == "swapper/1" and names[94, 94] == "mkdir"


def test_what_a_recording_lacks_is_said(lsmpmon, tmp_path):
    done = lsmpmon("timeline", write(tmp_path / "trace.dat", tracedat.NOW, Call.now, CALLS, flags=tracedat.MISSED))
    assert done.returncode == 0 and "lacks events" in done.stderr and len(json.loads(done.stdout)["traceEvents"]) == 7


def test_into_a_file(lsmpmon, tmp_path):
    path, out = write(tmp_path / "trace.dat", tracedat.NOW, Call.now, CALLS), tmp_path / "out.json"
    assert lsmpmon("timeline", path, "-o", out).stdout == ""
    assert out.read_text() == lsmpmon("timeline", path).stdout
    done = lsmpmon("timeline", path, "-o", "/nonexistent/out.json")
    assert done.returncode == 2 and "/nonexistent/out.json" in done.stderr


@pytest.mark.parametrize("content, words", [
    (b"", "not a recording of trace-cmd"), (b"text\n", "not a recording of trace-cmd"),
    (tracedat.recording([tracedat.NOW], {}, [page([])]), "no hook calls"),
    (tracedat.recording([tracedat.NOW], {}, [page([])])[:200], "not a recording of trace-cmd, or is damaged"),
    (tracedat.recording([tracedat.NOW.replace("ns=%", "sn=%")], {}, [page([(1, CALLS[0].now())])]), "a form that is not known"),
])
def test_other_files_are_refused(lsmpmon, tmp_path, content, words):
    path, out = tmp_path / "x.dat", tmp_path / "out.json"
    path.write_bytes(content)
    done = lsmpmon("timeline", path, "-o", out)
    assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1 and not out.exists()


def test_built_without_the_library(plain, tmp_path):
    (tmp_path / "lsmpmon").write_bytes(plain.read_bytes())
    (tmp_path / "lsmpmon").chmod(0o755)
    done = subprocess.run([tmp_path / "lsmpmon", "timeline", "x"], capture_output=True, text=True)
    assert done.returncode == 2 and "built without libtracecmd" in done.stderr and done.stderr.count("\n") == 1
    made = subprocess.run(["make", "-n", "-C", SOURCES, f"O={tmp_path}", "PKG_CONFIG=false"], capture_output=True, text=True)
    assert made.returncode == 0 and "lsmpmon-timeline" not in made.stdout


SCRIPT = """
cd /tmp && trace-cmd record -q -C mono -b 8000 -o trace.dat -e lsmpmon:lsm_hook_exit -- sh $REPO/tests/guest/two-tasks.sh >&2 &&
trace-cmd report -q -t -i trace.dat >report && cp trace.dat report "$SHARE"
"""


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_a_recording_of_a_live_kernel(lsmpmon, tmp_path, kver, runner):
    """trace-cmd prints the same calls, and the depths are those of the slices, unless an event came very late."""
    done = execute(SCRIPT, KVER=kver, RUNNER=runner, LSM="tomoyo", SHARE=tmp_path)
    assert done.returncode == 0, done.stderr
    wanted = Counter(re.findall(r"-(\d+) .*hook=(\S+) .* ns=(\d+) .* rc=(\S+) verdict=(\S+) syscall=(\S+) depth=(\d+)",
                                (tmp_path / "report").read_text()))
    slices, names = converted(lsmpmon, tmp_path / "trace.dat")
    rows = [(event, {name: str(value) for name, value in event["args"].items()}, depth) for event, depth in nested(slices)]
    assert Counter((str(event["pid"]), event["name"], str(round(event["dur"] * 1000)), args["rc"], args["verdict"], args["syscall"],
                    args["depth"]) for event, args, _ in rows) == wanted
    assert len(slices) > 300 and {"cat", "tail"} <= set(names.values())
    assert sum(args["depth"] != str(depth) for _, args, depth in rows) < len(rows) / 100 and any(depth for *_, depth in rows)
