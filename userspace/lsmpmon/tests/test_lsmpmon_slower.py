# SPDX-License-Identifier: GPL-2.0-only
"""Hook calls that take longer than a limit: how they are printed, and that a live kernel's are, and no others."""

import errno
import json
import re
import subprocess

import fastjsonschema
import pytest
from guests import GUESTS, execute
from recorded import HERE, SOURCES

from lsmpmon_report.kernelfiles import parse_info, parse_table

SCHEMA = fastjsonschema.compile(json.loads((SOURCES / "lsmpmon/schema/seen.json").read_text()))
NOW = ("hook=file_open modules=2 ns=30123456 own=23456 slept=30000000 preempted=100000 rc=-13 verdict=deny syscall=openat "
       "depth=1 disturbed=interrupted|switched")
QUIET = "hook=d_instantiate modules=0 ns=40 own=40 slept=0 preempted=0 rc=0 verdict=none syscall=mkdir depth=0 disturbed="
UNKNOWN = ("hook=capable modules=1 ns=5000 own=0 slept=0 preempted=0 rc=0 verdict=allow syscall=- depth=0 "
           "disturbed=switched|unknown")
# The kernel does not save a name while somebody reads the others; then the task may end.
UNNAMED = "<...>"
BEFORE = "hook=capable modules=2 ns=200 ticks=520 rc=-1 verdict=deny syscall=mkdir switched=0 interrupted=0"


@pytest.fixture(scope="module")
def print_seen(tmp_path_factory):
    """Return a function that runs the functions of slower by themselves, with the compiler's checks on."""
    path = tmp_path_factory.mktemp("seen") / "print_seen"
    ours = [HERE / "print_seen.c", HERE.parent / "seen.c", HERE.parent / "pending.c"]
    lib = [SOURCES / f"lib/{name}.c" for name in ("alloc", "complain", "duration", "errno_name", "json", "traced", "traced_objects",
                                                "utf8")]
    subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined",
                    f"-I{HERE.parent}", f"-I{SOURCES / 'lib'}", "-o", path, *ours, *lib, "-ljson-c"], check=True)

    def run(*words, lines=()):
        done = subprocess.run([path, *words], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()
    return run


def test_limits_and_how_times_are_shown(print_seen):
    limits = {"10us": "10000 10 us", "0.5ms": "500000 500 us", "2s": "2000000000 2 s", "1ns": "1 1 ns", "0us": "0 0 ns",
              "999.4us": "999400 999 us", "999.9us": "999900 1 ms", "12.345ms": "12345000 12.3 ms", "1234s": "1234000000000 1234 s"}
    assert print_seen("duration", *limits) == list(limits.values())
    wrong = ("10", "us", "", "10 us", "10US", "-1us", "+1us", "0x1us", "1e3us", "nanms", "1.2.3us", "1min", "2000000000s", "10us ")
    assert print_seen("duration", *wrong) == ["refused"] * len(wrong)


def test_a_call_is_a_line(print_seen):
    (line,) = print_seen("lines", lines=[f"1.2345 cat 4321 {NOW}"])
    assert line.split() == ["1.234", "cat", "4321", "openat", "file_open", "30.1", "ms", "23.5", "us", "30", "ms", "100", "us",
                            "EACCES", "-"]
    lines = print_seen("lines", lines=[f"0 sh 1 {QUIET}", f"0 sh 1 {UNKNOWN}", f"0 sh 1 {BEFORE}"])
    assert [line.split()[4:] for line in lines] == [
        ["d_instantiate", "40", "ns", "40", "ns", "0", "0", "none", "-"], ["capable", "5", "us", "-", "-", "-", "allow", "-"],
        ["capable", "200", "ns", "-", "-", "-", "EPERM", "-"]]
    assert len({line.index(" ns") for line in (lines[0], lines[2])}) == 1, "times are below each other"


@pytest.mark.parametrize("rc, shown", [(-512, "-512"), (-2147483648, "-2147483648"), (7, "allow"), (-95, "EOPNOTSUPP"), (-134, "-134")])
def test_results(print_seen, rc, shown):
    (line,) = print_seen("lines", lines=["0 sh 1 " + NOW.replace("rc=-13 verdict=deny", f"rc={rc} verdict=allow")])
    assert line.split()[-2] == shown


def test_every_error_has_its_name(print_seen):
    """The table is our own: not every C library has one."""
    wrong = [NOW.replace("rc=-13", f"rc=-{number}") for number in errno.errorcode]
    shown = [line.split()[-2] for line in print_seen("lines", lines=[f"0 sh 1 {line}" for line in wrong])]
    assert [getattr(errno, name) for name in shown] == list(errno.errorcode)


def test_a_call_is_an_object(print_seen):
    lines = print_seen("json", lines=[f"1.234567891 cat 4321 {NOW}", f"0 sh 1 {UNKNOWN}", f"0 \x1b[2J\xff 1 {BEFORE}"])
    objects = [json.loads(line) for line in lines]
    for shown in objects:
        SCHEMA(shown)
    assert objects[0] == {"seconds": 1.234567891, "comm": "cat", "pid": 4321, "syscall": "openat", "hook": "file_open",
                          "wall": 30123456, "own": 23456, "slept": 30000000, "preempted": 100000, "rc": -13, "verdict": "deny",
                          "depth": 1, "object": None}
    assert [objects[1][name] for name in ("own", "slept", "preempted", "depth")] == [None, None, None, 0]
    assert (objects[2]["depth"], objects[2]["own"], "\x1b" in lines[2]) == (None, None, False)


def test_nothing_commands_the_terminal(print_seen):
    (line,) = print_seen("lines", lines=[f"0 \x1b[2J\x9b2J 1 {NOW}"])
    assert "\x1b" not in line and "\x9b" not in line


@pytest.mark.parametrize("text", ["", "hook=capable", NOW.replace("ns=", "sn="), NOW.replace("hook=", "hook"), "x" * 300,
                                  NOW.replace("file_open", "f" * 64)])
def test_other_events_are_refused(print_seen, text):
    assert print_seen("lines", lines=[f"0 sh 1 {text}"]) == ["refused"]


def test_calls_wait_for_their_stacks(print_seen):
    """An interrupt between a call and its stack has a call and a stack of its own."""
    steps = {"call 0 a": "", "call 1 b": "", "call 0 irq": "", "stack 1 B": "", "stack 0 I": "", "stack 0 A": " a=A b=B irq=I",
             "stack 0 X": "", "call 0 c": "", "round": "", "call 1 d": "", "round ": " c", "round  ": " d", "call 0 e": "",
             "lost": " e"}
    assert print_seen("pending", lines=steps) == list(steps.values())


def test_calls_have_the_object_that_was_written_before_them(print_seen):
    """The object is of the same CPU, hook and time: where an event was lost, a call has none, and never that of another."""
    steps = {"object 0 hook=file_open ns=5 object=a\\040b": "", "object 1 hook=file_open ns=5 object=other": "",
             "call 0 file_open 5": "a\\040b", "call 0 file_open 5 ": "-", "object 0 hook=file_open ns=5 object=-": "",
             "call 0 file_open 5  ": "-", "object 0 hook=file_open ns=6 object=c": "", "call 0 file_open 5   ": "-",
             "object 0 hook=capable ns=5 object=d": "", "call 0 file_open 5    ": "-", "call 1 file_open 5": "other",
             "object 0 hook=capable ns=5": "refused", "call 300 capable 5": "-"}
    assert print_seen("objects", lines=steps) == list(steps.values())


def test_built_without_the_library(tmp_path):
    """Everything else is there, and slower says what is missing."""
    subprocess.run(["make", "-s", "-j2", "-C", SOURCES, f"O={tmp_path}", "PKG_CONFIG=false", "STATIC=", "CFLAGS=-O0",
                    f"{tmp_path}/bin/lsmpmon"], check=True)
    done = subprocess.run([tmp_path / "bin/lsmpmon", "slower", "1ms"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "") and "built without libtracefs" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_kernel_without_the_event(lsmpmon, tmp_path):
    (tmp_path / "events/sched").mkdir(parents=True)
    done = lsmpmon("slower", "-d", tmp_path)
    assert done.returncode == 2 and "has no lsmpmon/lsm_hook_exit" in done.stderr and done.stderr.count("\n") == 1


# The monitor measures meanwhile: it keeps the slowest calls, too, so both must have the same.
SCRIPT = """
cd /tmp && mkdir one two && tunable=/sys/kernel/security/tunable lsmmon=/sys/kernel/security/lsmmon tracing=/sys/kernel/tracing
echo 's slow' >$tunable/scope
echo 'inode_permission 30000000' >$tunable/sleep_ns
ends() { until [ -s $1 ]; do sleep 0.1; done; }
work() {
    ls /usr/include >/dev/null
    for where in one two; do
        (printf slow >/proc/self/comm; cd $where)
    done
}

# One that was killed leaves its instance to the next.
lsmpmon slower >killed & pid=$!
ends killed
kill -KILL $pid
ls $tracing/instances >instances.killed
wait

lsmpmon on -f slowest
lsmpmon slower --json 20ms inode_permission >calls.json 2>calls.stderr & pid=$!
lsmpmon slower 20ms --stack inode_permission >calls.txt & lines=$!
lsmpmon slower -t 1 1h 2>hour.stderr; echo $? >hour.status
lsmpmon slower -t 1 0.1s >none.txt; echo $? >none.status
ends calls.txt
ls $tracing/instances >instances.while
# Calls before both print are kept by the monitor only.
until [ "$(cat $tracing/instances/*/events/lsmpmon/lsm_hook_exit/enable | grep -c 1)" -eq 2 ]; do sleep 0.1; done
echo 1 >$lsmmon/reset
work
cat $lsmmon/slowest >slowest
cat $lsmmon/info >info
lsmpmon off
ends calls.json
kill $pid $lines
wait $pid; echo $? >calls.status
wait
timeout --preserve-status -s INT 1 lsmpmon slower 1s >/dev/null; echo $? >interrupted.status
ls $tracing/instances >instances.after

# The loop that waits for the file makes the hook calls; nothing else in the guest does.
ends first.json & lsmpmon slower -n 3 --json 0ns >first.json; echo $? >first.status
lsmpmon slower -n 1 0ns capble 2>wrong.stderr; echo $? >wrong.status

# Nobody reads for a while.
lsmpmon slower --json 0ns inode_getattr >lossy.json 2>lossy.stderr & pid=$!
lsmpmon slower -t 1 1s >/dev/null
kill -STOP $pid
lmbench-hook work stat -n 30000 -d /tmp
kill -CONT $pid
lsmpmon slower -t 2 1s >/dev/null
kill $pid
wait $pid; echo $? >lossy.status
wc -l <lossy.json >lossy.count
ls $tracing/instances >instances.end
rm lossy.json
setpriv --reuid nobody --bounding-set=-all lsmpmon slower 2>nobody.stderr; echo $? >nobody.status
umount -a -t tracefs,debugfs
lsmpmon slower -t 1 2>unmounted.stderr; echo $? >unmounted.status
cp calls* none* first* lossy* hour* wrong* nobody* unmounted* interrupted* instances* slowest info "$SHARE"
"""


@pytest.fixture(scope="module", params=GUESTS, ids="-".join)
def live(request, plain, tmp_path_factory):
    """Return where a guest left what was printed of calls that slept, and what the monitor has of them."""
    where = tmp_path_factory.mktemp("slower")
    kver, runner = request.param
    done = execute(SCRIPT, KVER=kver, RUNNER=runner, LSM="tunable", SHARE=where)
    assert done.returncode == 0, done.stderr
    return where


def calls(path):
    found = [json.loads(line) for line in path.read_text().splitlines()]
    for call in found:
        SCHEMA(call)
    return found


def test_the_delayed_calls_are_printed_and_no_others(live):
    """The monitor has ticks, which the kernel converts by a factor of 32 bits and rounds."""
    khz = parse_info((live / "info").read_text()).number("clock_khz")
    monitor = [row for row in parse_table((live / "slowest").read_text())
               if row["hook"] == "inode_permission" and row["wall"] / khz > 20]
    printed = sorted(calls(live / "calls.json"), key=lambda call: -call["wall"])
    assert [(call["pid"], call["syscall"]) for call in printed] == [(row["pid"], row["syscall"]) for row in monitor]
    assert {row["comm"] for row in monitor} == {"slow"} <= {call["comm"] for call in printed} <= {"slow", UNNAMED}
    for call, row in zip(printed, monitor, strict=True):
        for name in ("wall", "own", "slept", "preempted"):
            assert call[name] == pytest.approx(row[name] * 1e6 / khz, rel=1e-6, abs=2), name
    assert 2 <= len(printed) < 16
    assert all(call["own"] + call["slept"] >= 30e6 - 2 and call["verdict"] == "allow" and call["depth"] == 0 for call in printed)
    assert [call["object"] or "-" for call in printed] == [row["object"] for row in monitor]
    assert {"one", "two"} <= {call["object"] for call in printed}
    assert [call["seconds"] for call in calls(live / "calls.json")] == sorted(call["seconds"] for call in printed)


def test_lines_are_the_same_calls(live):
    heading, *lines = [line for line in (live / "calls.txt").read_text().splitlines() if not line.startswith(" " * 12)]
    assert heading.split()[:5] == ["seconds", "comm", "pid", "syscall", "hook"]
    assert [(int(line.split()[2]), line.split()[3]) for line in lines] == \
        [(call["pid"], call["syscall"]) for call in calls(live / "calls.json")]
    assert {"slow"} <= {line.split()[1] for line in lines} <= {"slow", UNNAMED}


def test_stacks(live, request):
    """User-Mode Linux has none."""
    stacks = re.findall(r"^ {12}(\S+)$", (live / "calls.txt").read_text(), re.M)
    if "uml" in request.node.callspec.id:
        assert not stacks
        return
    assert stacks[0].startswith("lsmpmon_dispatch_inode_permission+0x")
    assert sum(name.startswith("__x64_sys_chdir+0x") for name in stacks) == len(calls(live / "calls.json"))
    assert not any(name.startswith(("trace_event", "__traceiter")) for name in stacks)


def test_each_run_has_an_instance_of_its_own_and_removes_it(live):
    assert len((live / "instances.killed").read_text().split()) == 1
    assert len((live / "instances.while").read_text().split()) == 2, "and not that of the killed one"
    assert (live / "instances.after").read_text() == (live / "instances.end").read_text() == ""


@pytest.mark.parametrize("name", ["calls", "none", "interrupted", "first", "lossy"])
def test_it_ends_when_it_is_told(live, name):
    assert (live / f"{name}.status").read_text() == "0\n"


def test_nothing_is_lost_unless_it_is_said(live):
    assert (live / "calls.stderr").read_text() == ""
    first, last = (live / "lossy.stderr").read_text().splitlines()
    lost = int(re.search(r"(\d+) events of hook calls were lost", last)[1])
    printed = int((live / "lossy.count").read_text())
    # A call is two events, of which the first may be lost without the other.
    assert "events are being lost" in first and 59990 <= lost + 2 * printed < 62000


def test_so_many_and_no_more(live):
    assert len(calls(live / "first.json")) == 3
    assert len((live / "none.txt").read_text().splitlines()) == 1, "only the heading"


@pytest.mark.parametrize("name, words", [
    ("hour", ("'1h'", "10us")), ("wrong", ("'capble' is not a hook", "did you mean 'capable'?")),
    ("nobody", ("not allowed", "be root")), ("unmounted", ("tracefs is not mounted", "mount -t tracefs")),
])
def test_the_way_out(live, name, words):
    errors = (live / f"{name}.stderr").read_text()
    assert (live / f"{name}.status").read_text() == "2\n" and all(word in errors for word in words), errors
