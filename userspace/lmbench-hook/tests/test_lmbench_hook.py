# SPDX-License-Identifier: GPL-2.0-only
"""lmbench-hook as its users call it, on this machine, in a directory of its own."""

import collections
import csv
import errno
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import numpy
import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = TOP / "build" / "bin" / "lmbench-hook"


def lmbench_hook(*args, cwd=None):
    return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, cwd=cwd, check=False)


def listed(*patterns):
    """Return {name: [system calls of one round]}, with the timed ones still in brackets."""
    lines = lmbench_hook("list", *patterns).stdout.splitlines()[1:]
    columns = (re.split(r"\s{2,}", line) for line in lines)
    return {name: calls.split() for name, calls, _ in columns}


def names(*patterns):
    return list(listed(*patterns))


# Sub-benchmarks that run only if they are named.
ASKED = ("net/*", "task/*", "mm/*", "mount/*", "key/*", "denied/*")
ALL = ("*", "*/*")


def files():
    """Return the file operations and their variations, which run if no pattern is given."""
    return [name for name in names() if name not in names(*ASKED)]


def test_list_has_the_file_operations_of_the_paper():
    wanted = "stat fstatat open openat read write creat unlink rename mkdir rmdir chmod symlink".split()
    assert set(wanted) <= set(names())


def test_the_variations_are_those_of_the_paper():
    wanted = {f"{call}/depth-{n}" for call in ("open", "stat") for n in range(1, 9)}
    wanted |= {f"{call}/depth-{n}" for call in ("rename", "chmod") for n in range(1, 6)}
    wanted |= {f"{call}/{kind}" for call in ("open", "stat") for kind in ("hard-link", "symlink", "missing", "lmbench")}
    wanted |= {f"{call}/{kib}k" for call in ("read", "write", "copy") for kib in (0, 1, 2, 4)}
    wanted |= {"mkdir/many", "rmdir/many", "rename/back"}
    assert wanted <= set(names("*/*"))
    assert len(names()) == len(set(names())) >= 59


def test_the_others_are_there_and_have_a_slash():
    wanted = {f"net/{kind}" for kind in (
        "socket", "socketpair", "connect", "accept", "unix-connect", "tcp-rr", "udp-rr", "unix-rr", "unix-dgram",
        "tcp-64k", "udp-32k", "unix-64k")}
    wanted |= {"task/fork", "task/exec", "task/kill", "mm/mmap", "mm/mprotect", "mount/tmpfs", "mount/umount"}
    wanted |= {"key/add", "key/update", "key/search", "denied/open"}
    assert set(names(*ASKED)) == wanted
    assert set(names(*ALL)) == set(names())


def test_without_a_pattern_run_and_work_take_the_file_operations(tmp_path):
    assert len(names("*")) == 16 and len(files()) == 16 + 68
    done = lmbench_hook("work", "-n", 1, "--directories", 1, "-d", tmp_path)
    assert [line.split()[0] for line in done.stdout.splitlines()[2:]] == files()
    done = lmbench_hook("run", "-n", 1, "-w", 0, "--directories", 1, "-d", tmp_path, "--json")
    result = json.loads(done.stdout)
    assert {row["name"] for row in result["benchmarks"]} | set(result["left_out"]) == set(files())


def test_the_list_is_in_columns():
    for patterns in (["*"], ["net/*"], []):
        heading, *rows = lmbench_hook("list", *patterns).stdout.splitlines()
        at = heading.index("what the call")
        assert all(row[at - 2:at] == "  " and row[at] != " " for row in rows)


def test_a_star_matches_no_slash():
    assert names("*") == [name for name in names() if "/" not in name]
    assert names("open*") == ["open", "openat"]
    assert len(names("open/depth-*")) == 8


def test_each_round_has_one_timed_part():
    for name, calls in listed().items():
        text = " ".join(calls)
        assert text.count("[") == text.count("]") == 1 and text.index("[") < text.index("]"), name


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """Run all sub-benchmarks, and return all their samples."""
    where = tmp_path_factory.mktemp("everything")
    done = lmbench_hook("run", "-n", 20, "-w", 5, "--directories", 7, "-d", where, "--json", "--samples", *ALL)
    assert done.returncode == 0, done.stderr
    assert os.listdir(where) == []
    return json.loads(done.stdout)


def test_run_json_has_each_benchmark_or_says_why_not(everything):
    measured = [row["name"] for row in everything["benchmarks"]]
    assert measured == [name for name in names() if name not in everything["left_out"]]
    files_left = [name for name in everything["left_out"] if name in files()]
    assert all(name.endswith("/lmbench") for name in files_left)


# Sub-benchmarks for which a machine may lack the kernel, the network or the privileges; any Linux can run the others.
MAY_LACK = {"mount/tmpfs", "mount/umount", "key/add", "key/update", "key/search", "denied/open"} | {
    f"net/{kind}" for kind in ("connect", "accept", "tcp-rr", "udp-rr", "tcp-64k", "udp-32k")}


def test_what_is_left_out_has_a_reason(everything):
    others = {name: why for name, why in everything["left_out"].items() if name not in files()}
    assert set(others) <= MAY_LACK
    assert all(why in REASONS for why in others.values())


# No complaint is about this program's own mistakes.
REASONS = {os.strerror(number) for number in (
    errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.ETIMEDOUT, errno.EDQUOT,
    errno.ENOENT)}


NETWORK = ["--net"] if os.getuid() == 0 else ["--net", "--map-root-user"]


def unshare(flags, *words):
    program = shutil.which("unshare") or pytest.skip("no unshare(1)")
    done = subprocess.run([program, *flags, *map(str, words)], capture_output=True, text=True, check=False)
    if "unshare failed" in done.stderr or "unshare: " in done.stderr:
        pytest.skip(f"no namespaces here: {done.stderr.strip()}")
    return done


def test_exec_gives_a_program_its_words_and_is_replaced_by_it():
    done = lmbench_hook("exec", "echo", "-n", "--landlock=x")
    assert (done.returncode, done.stdout) == (0, "--landlock=x")
    done = lmbench_hook("exec", "/no/program")
    assert (done.returncode, done.stdout) == (1, "") and "cannot execute '/no/program': No such file" in done.stderr
    done = lmbench_hook("exec", "--landlock=/no/directory", "echo")
    assert (done.returncode, done.stdout) == (1, "") and "--landlock '/no/directory'" in done.stderr


@pytest.mark.parametrize("verb", ["run", "work"])
def test_without_a_loopback_the_reason_is_that_of_the_kernel(tmp_path, verb):
    """The loopback of a network of its own is down. Unix sockets need none."""
    done = unshare(NETWORK, PROGRAM, verb, "net/*", "-n", 3, "-d", tmp_path)
    assert done.returncode == 0, done.stderr
    left = dict(re.findall(r"left out: (\S+),.*: (.*)$", done.stderr, re.M))
    assert left == {name: "Network is unreachable" for name in MAY_LACK if name.startswith("net/")}
    assert os.listdir(tmp_path) == []


def test_without_privileges_nothing_is_mounted(nobodys):
    words = [nobodys / "lmbench-hook", "run", *ASKED, "-n", "250", "--json", "-d", nobodys]
    done = run_as_nobody(words)
    result = json.loads(done.stdout)
    left = {name: why for name, why in result["left_out"].items() if name.startswith("mount/")}
    assert left == {"mount/tmpfs": os.strerror(errno.EPERM), "mount/umount": os.strerror(errno.EPERM)}
    assert os.listdir(nobodys) == ["lmbench-hook"]


def test_a_program_that_may_not_be_executed_is_left_out(tmp_path):
    """The kernel's error occurs in the child, which has to pass it on."""
    where = tmp_path / "work"
    where.mkdir()
    done = lmbench_hook("run", "task/*", "-n", 3, "-d", where, f"--landlock={where}")
    if "--landlock" in done.stderr:
        pytest.skip("no Landlock here")
    assert done.returncode == 0, done.stderr
    assert re.search(r"left out: task/exec,.*: Permission denied", done.stderr) and "task/fork" in done.stdout


def test_an_open_that_is_denied_is_timed(tmp_path):
    """Landlock denies files outside its directory. An open that it does not deny is named, before any sample."""
    where, secret = tmp_path / "work", tmp_path / "secret"
    where.mkdir()
    secret.write_text("")
    words = ["run", "denied/*", "-n", 3, "-d", where, f"--denied={secret}"]
    done = lmbench_hook(*words)
    assert done.returncode == 1 and f"'{secret}' was opened" in done.stderr
    done = lmbench_hook(*words, f"--landlock={where}")
    if "--landlock" in done.stderr:
        pytest.skip("no Landlock here")
    assert done.returncode == 0 and "denied/open" in done.stdout, done.stderr
    assert "left out: denied/open" in lmbench_hook("run", "denied/open", "-n", 3, "-d", where).stderr


def test_it_stops_before_each_call_that_is_timed(tmp_path):
    """The program stops three times, and not before warming up or before an empty sample."""
    words = [PROGRAM, "run", "stat", "-n", "3", "-w", "2", "--stop", "--json", "--samples", "-d", tmp_path]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as run:
        stops = 0
        while os.WIFSTOPPED(os.waitpid(run.pid, os.WUNTRACED)[1]):
            stops += 1
            run.send_signal(signal.SIGCONT)
        [bench] = json.load(run.stdout)["benchmarks"]
    assert stops == 3 == len(bench["samples"])


def test_a_fork_takes_no_longer_after_other_sub_benchmarks(tmp_path):
    """Children do not get what other sub-benchmarks keep on the heap. The first pages are libc's."""
    words = [PROGRAM, "run", "chmod/depth-*", "task/fork", "-n", "1000", "-w", "0", "--stop", "--json", "--samples", "-d", tmp_path]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as run:
        for _ in range(5 * 1000 + 1):
            assert os.WIFSTOPPED(os.waitpid(run.pid, os.WUNTRACED)[1])
            shown = pathlib.Path(f"/proc/{run.pid}/smaps").read_text()
            run.send_signal(signal.SIGCONT)
        run.kill()
    heaps = re.findall(r"\[heap\]\n(?:.*\n)*?Rss: *(\d+) kB\n(?:.*\n)*?VmFlags: (.*)\n", shown)
    kept = sum(int(size) for size, flags in heaps if " dc " not in flags)
    assert kept <= 8 < 400 < sum(int(size) for size, _ in heaps), heaps


def test_connections_leave_no_port_behind(tmp_path):
    """A port that waits to be free again would make the next connections search longer.

    The test has a network of its own, since other programs leave such ports on this machine, too.
    """
    shell = 'ip link set lo up && "$@" >&2 && cat /proc/net/tcp'
    done = unshare(NETWORK, "sh", "-c", shell, "sh", PROGRAM, "work", "net/*", "-n", 500, "-d", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "left out" not in done.stderr
    waiting = [line for line in done.stdout.splitlines()[1:] if line.split()[3] == "06"]
    assert len(waiting) <= 20


def test_the_table_fits_a_terminal(tmp_path):
    done = lmbench_hook("run", "open", "read-4k", "-n", 5, "-d", tmp_path)
    lines = [line for line in done.stdout.splitlines() if str(tmp_path) not in line]
    assert done.returncode == 0 and lines[-1].startswith("read-4k") and len(lines) == 7
    assert max(map(len, lines)) <= 80, done.stdout


def test_run_json_has_ordered_statistics(everything):
    for row in everything["benchmarks"] + [everything["empty"]]:
        assert row["count"] == 20
        assert 0 < row["min"] <= row["q1"] <= row["median"] <= row["q3"] <= row["max"]
        assert row["low"] <= row["mean"] <= row["high"]


def test_statistics_are_of_the_samples(everything):
    """Other tests judge the arithmetic; this one checks that it is done with these numbers, all of them."""
    for row in everything["benchmarks"]:
        samples = row["samples"]
        assert len(samples) == 20
        wanted = [min(samples), max(samples), numpy.median(samples), numpy.mean(samples), numpy.var(samples, ddof=1)]
        assert [row[key] for key in ("min", "max", "median", "mean", "variance")] == pytest.approx(wanted, rel=1e-6)
        assert set(row["outliers"]) <= set(samples)


def test_throughput_is_of_the_bytes_of_a_call(everything):
    rows = {row["name"]: row for row in everything["benchmarks"]}
    for name in ("net/tcp-64k", "net/udp-32k", "net/unix-64k"):
        if name not in everything["left_out"]:
            assert rows[name]["bytes"] == int(name[-3:-1]) * 1024
    for call in ("read", "write", "copy"):
        assert "bytes" not in rows[f"{call}/0k"]
        for kib in (1, 2, 4):
            row = rows[f"{call}/{kib}k"]
            assert row["bytes"] == kib * 1024
            seconds = row["median"] / everything["ticks_per_ns"] / 1e9
            assert row["bytes_per_s"] == pytest.approx(row["bytes"] / seconds, rel=1e-3)


def test_the_file_system_is_named(tmp_path):
    wanted = subprocess.run(["stat", "-f", "-c", "%T", tmp_path], capture_output=True, text=True, check=True).stdout
    name = json.loads(lmbench_hook("run", "stat", "-n", 1, "-d", tmp_path, "--json").stdout)["filesystem"]
    assert name in (wanted.strip(), "ext4") and (name == "ext4") == wanted.startswith("ext")


def test_nothing_but_results_is_written_when_nobody_watches(tmp_path):
    assert lmbench_hook("run", "stat", "-n", 3, "-d", tmp_path).stderr == ""


@pytest.mark.parametrize("words, pattern", [
    ((), r"84 sub-benchmarks, 2 samples of each: about \d+ s here$"),
    (("mkdir/many", "-n", "100000000"), r"1 sub-benchmark, 100000000 samples of each: about \d+ minutes here; mkdir/many"),
])
def test_who_waits_is_told_how_long(tmp_path, words, pattern):
    """The time is printed always without a pattern, and otherwise if it is long."""
    command = [PROGRAM, "run", "-n", "2", "-w", "1", "--directories", "3", "-d", tmp_path, *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        line = process.stderr.readline()
        process.terminate()
    assert re.search(pattern, line), line


def test_a_terminal_sees_what_is_measured(tmp_path):
    script = shutil.which("script") or pytest.skip("no script(1) to make a terminal")
    command = f"{PROGRAM} run stat open -n 3 -d {tmp_path} >/dev/null"
    done = subprocess.run([script, "-qec", command, "/dev/null"], capture_output=True, text=True, check=True)
    assert "measuring stat (1 of 2)" in done.stdout and "measuring open (2 of 2)" in done.stdout


@pytest.fixture
def nobodys():
    """Make a directory of nobody's with the program in it. It is not one of pytest's: its next session closes
    those to others.
    """
    if os.getuid():
        pytest.skip("not root: the other tests are what this one is for")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(PROGRAM, folder)
        os.chown(folder, 65534, 65534)
        yield pathlib.Path(folder)


def run_as_nobody(words):
    done = subprocess.run(words, capture_output=True, text=True, user=65534, group=65534, extra_groups=[], check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_work_as_nobody(nobodys):
    """Everybody may run all but the monitor and what mounts."""
    run_as_nobody([nobodys / "lmbench-hook", "work", *ALL, "-n", "3", "--directories", "2", "-d", nobodys])


def test_interrupting_leaves_nothing(tmp_path):
    words = [PROGRAM, "run", "stat", "-n", "100000000", "-d", tmp_path]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.iterdir()):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
    assert process.returncode == 1
    assert "Interrupted" in errors
    assert os.listdir(tmp_path) == []


def test_openit_walks_through_the_tree_that_was_asked_for(tmp_path):
    done = lmbench_hook("openit", "--directories", 6, "--files", 17, "-d", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "openit: 9 walks through 6 directories and 17 files: mean " in done.stdout
    assert os.listdir(tmp_path) == []






def test_run_csv_has_the_same_columns_in_each_row(tmp_path):
    done = lmbench_hook("run", "stat", "open*", "-n", 10, "-d", tmp_path, "--csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["name"] for row in rows] == ["(empty)", "stat", "open", "openat"]
    assert all(float(row["min"]) > 0 and None not in row for row in rows)


def test_a_call_costs_more_than_the_empty_span(tmp_path):
    result = json.loads(lmbench_hook("run", "creat", "-n", 100, "-d", tmp_path, "--json").stdout)
    assert result["benchmarks"][0]["min"] > result["empty"]["min"]


def test_a_loop_is_whole_rounds(tmp_path):
    done = lmbench_hook("run", "rename", "mkdir", "-n", 10, "--loop", 7, "-d", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["loop"] == 7


@pytest.mark.parametrize("rounds", [1, 2, 101])
def test_work_of_any_number_runs_every_benchmark_and_leaves_nothing(tmp_path, rounds):
    done = lmbench_hook("work", *ALL, "-n", rounds, "-d", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{rounds} rounds of each")
    assert os.listdir(tmp_path) == []


def test_work_says_how_deep_its_paths_are(tmp_path):
    done = lmbench_hook("work", "stat", "-n", 1, "-d", tmp_path)
    depth = len(tmp_path.resolve().parts) - 1 + 2
    assert f"paths have {depth} components" in done.stdout


@pytest.fixture
def monitor(tmp_path):
    """Make plain files in place of the kernel's; one has no sessions, so that the program itself restores."""
    files = {"control": "", "reset": "", "info": "", "features": "syscall 0\n", "filter": "s\no\n"}
    (tmp_path / "lsmmon").mkdir()
    for name, text in files.items():
        (tmp_path / "lsmmon" / name).write_text(text)
    return tmp_path / "lsmmon"


def test_monitor_is_started_reset_and_stopped(tmp_path, monitor):
    """The order is: control 1, reset, work, control 0."""
    done = lmbench_hook("work", "stat", "-n", 3, "-d", tmp_path, f"--monitor={monitor}")
    assert done.returncode == 0 and "lsmmon/session'" in done.stderr, done.stderr
    assert (monitor / "control").read_text() == "10"
    assert (monitor / "reset").read_text() == "1"
    assert (monitor / "features").read_text() == "syscall 0\n"


def test_monitor_is_stopped_while_variations_are_prepared(tmp_path, monitor):
    """There is one reset; each variation is a start and a stop, and plain calls share theirs."""
    words = ("stat", "fstatat", "stat/depth-1", "stat/depth-2", "open")
    done = lmbench_hook("work", *words, "-n", 3, "-d", tmp_path, f"--monitor={monitor}")
    assert done.returncode == 0, done.stderr
    assert (monitor / "control").read_text() == "10" * 4
    assert (monitor / "reset").read_text() == "1"


def test_monitor_is_on_again_if_it_was(tmp_path, monitor):
    (monitor / "control").write_text("1\n")
    done = lmbench_hook("work", "stat", "-n", 3, "-d", tmp_path, f"--monitor={monitor}")
    assert done.returncode == 0 and (monitor / "control").read_text() == "1", done.stderr


def test_counts_by_system_call_are_saved(tmp_path, monitor):
    (monitor / "syscalls").write_text("syscall hook min\nstat inode_getattr 7\n")
    done = lmbench_hook("work", "stat", "-n", 3, "-d", tmp_path, f"--monitor={monitor}", f"--syscalls={tmp_path}/counts")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "counts").read_text() == (monitor / "syscalls").read_text()
    (monitor / "syscalls").unlink()
    done = lmbench_hook("work", "stat", "-n", 3, "-d", tmp_path, f"--monitor={monitor}", f"--syscalls={tmp_path}/none")
    assert done.returncode == 1 and "lsmmon/syscalls" in done.stderr and not (tmp_path / "none").exists()


def test_a_missing_monitor_is_named(tmp_path):
    done = lmbench_hook("work", "-d", tmp_path, f"--monitor={tmp_path}/none")
    assert done.returncode == 1
    assert f"'{tmp_path}/none'" in done.stderr


@pytest.mark.parametrize(
    "args, named, accepted",
    [
        ([], "no verb", "list, run, work, openit, exec"),
        (["exec"], "0 arguments", "PROGRAM [ARG...]"),
        (["walk"], "'walk'", "list, run, work, openit"),
        (["run", "-n", "0"], "'0'", "1 to 100000000"),
        (["run", "-n", "-3"], "'-3'", "1 to 100000000"),
        (["run", "-n", "12x"], "'12x'", "1 to 100000000"),
        (["run", "-n", "99999999999999999999"], "'99999999999999999999'", "1 to 100000000"),
        (["run", "--loop", "none"], "'none'", "1 to 100000000"),
        (["run", "nothing*"], "'nothing*'", "list"),
        (["run", "stat", "bogus"], "'bogus'", "list"),
        (["list", "--json"], "--json", "list --help"),
        (["run", "--monitor=x"], "--monitor", "run --help"),
        (["work", "--syscalls=x"], "--syscalls", "--monitor"),
        (["run", "--bogus"], "--bogus", "--help"),
        (["run", "open/depth-9"], "'open/depth-9'", "list"),
        (["run", "--directories", "0"], "'0'", "1 to 1000000"),
        (["run", "--files", "7"], "--files", "run --help"),
        (["run", "--samples"], "--samples", "--json"),
        (["work", "--warmup", "7"], "--warmup", "work --help"),
        (["openit", "--files", "1e3"], "'1e3'", "0 to 1000000"),
        (["openit", "stat"], "Too many arguments", "openit --help"),
        (["openit", "--loop", "3"], "--loop", "openit --help"),
        (["compare", "a", "b"], "'compare'", "spread"),
        (["list", "--directories", "7"], "--directories", "list --help"),
        (["run", "--denied=secret"], "'secret'", "an absolute path"),
        (["run", "--stop", "-l", "3"], "--stop", "without --loop"),
        (["run", "--landlock-rules=7"], "--landlock-rules", "--landlock only"),
        (["run", "--landlock=x", "--landlock-rules=1e3"], "'1e3'", "0 to 100000"),
    ],
)
def test_bad_input_is_named_and_ends_with_2(args, named, accepted):
    done = lmbench_hook(*args)
    assert done.returncode == 2
    assert named in done.stderr and accepted in done.stderr
    assert done.stdout == ""


def test_a_directory_that_is_not_there_is_named(tmp_path):
    done = lmbench_hook("run", "-d", tmp_path / "none")
    assert done.returncode == 1
    assert f"'{tmp_path}/none'" in done.stderr


def counted_by_strace(tmp_path, *args):
    log = tmp_path / "strace.log"
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    words = ["strace", "-f", "-o", log, PROGRAM, *map(str, args), "-d", work]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"strace does not work here: {done.stderr.strip()}")
    begun = [line for line in log.read_text().splitlines() if "(" in line and "<... " not in line]
    calls = [line.split(None, 1)[1].split("(")[0] for line in begun]
    return collections.Counter(calls)


def possible(tmp_path, *patterns):
    """Return the sub-benchmarks of listed() that this machine does not leave out."""
    done = lmbench_hook("work", *patterns, "-n", 1, "--directories", 1, "-d", tmp_path)
    left = re.findall(r"left out: (\S+),", done.stderr)
    return {name: calls for name, calls in listed(*patterns).items() if name not in left}


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_a_round_of_exec_is_the_calls_that_list_names(tmp_path):
    """The calls with which every program begins are there, too: their number is the C library's."""
    few, many = (counted_by_strace(tmp_path, "work", "task/exec", "-n", rounds) for rounds in (3, 23))
    more = many - few
    assert [more[call.strip("[]")] for call in listed("task/exec")["task/exec"]] == [20] * 4
    assert all(count % 20 == 0 for count in more.values())


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_a_round_is_the_calls_that_list_names(tmp_path):
    """Twenty rounds more are twenty times these calls more, and not one other."""
    for name, calls in possible(tmp_path, *(name for name in names() if name != "task/exec")).items():
        few, many = (counted_by_strace(tmp_path, "work", name, "-n", rounds) for rounds in (3, 23))
        once = collections.Counter(call.strip("[]") for call in calls)
        assert many - few == collections.Counter({call: 20 * number for call, number in once.items()}), name
        assert few - many == collections.Counter(), name


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_a_walk_asks_for_each_entry_and_opens_each_file(tmp_path):
    """Two walks more are attributes of 5 directories and 13 files more, and openings of the same."""
    tree = ("--directories", 5, "--files", 13, "-w", 0)
    one, three = (counted_by_strace(tmp_path, "openit", *tree, "-n", walks) for walks in (1, 3))
    more = three - one
    assert more["openat"] == 2 * (5 + 13)
    # The directories below the root count; fdopendir() asks for a directory's attributes once more when it has opened it.
    assert more["newfstatat"] + more["fstat"] == 2 * (4 + 13 + 5)




def test_output_that_is_lost_is_an_error():
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "No space left" in done.stderr


def test_what_is_installed_runs(tmp_path):
    """The verbs that are programs of their own are run from another place than the sources."""
    subprocess.run(["make", "-s", "-C", TOP / "userspace", f"O={TOP / 'build'}", f"DESTDIR={tmp_path}", "PREFIX=/usr",
                    "install"], check=True)
    installed = tmp_path / "usr/bin/lmbench-hook"
    text = (tmp_path / "usr/bin/lmbench-hook-spread").read_text()
    assert "/usr/share/lsmpmon/report" in text and str(TOP) not in text
    # The path is as it would be without DESTDIR.
    for verb in ("slopes", "spread"):
        script = tmp_path / f"usr/bin/lmbench-hook-{verb}"
        script.write_text(script.read_text().replace("=/usr/", f"={tmp_path}/usr/"))
        done = subprocess.run([installed, verb, "--help"], capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout.startswith("usage:"), done.stderr
    done = subprocess.run([installed, "sweep", "-h"], capture_output=True, text=True)
    assert done.returncode == 0 and "Usage: lmbench-hook sweep" in done.stdout
    schemas = {path.name for path in (tmp_path / "usr/share/lsmpmon/schema").iterdir()}
    assert schemas == {"view.json", "record.json", "seen.json"}
