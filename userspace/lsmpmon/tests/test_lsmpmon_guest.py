# SPDX-License-Identifier: GPL-2.0-only
"""Tests on a live kernel, while another program is busy: who is counted, and how the monitor is left."""

import csv
import io
import json
import re
from collections import Counter

import pytest
from guests import GUESTS, available, execute
from recorded import HERE, TOP, Record, counts, features, rows
from scipy import stats as scipy_stats

from lsmpmon_report.kernelfiles import add_up, calls, own, parse_features, parse_table, read_table


@pytest.fixture(scope="module", params=[where for where in GUESTS if where[1] == "uml"], ids="-".join)
def files(request, plain, tmp_path_factory):
    """Return all files that one guest left."""
    where = tmp_path_factory.mktemp("guest")
    kver, runner = request.param
    done = execute(f"sh $REPO/{(HERE / 'guest.sh').relative_to(TOP)}", KVER=kver, RUNNER=runner,
                   LSM=",".join(available(("apparmor", "landlock"), kver, runner)), KARGS="audit=1", SHARE=where)
    assert done.returncode == 0, done.stderr
    return where


def test_all_children_are_counted_and_nobody_else(files):
    """The command has 1,000 subshells, one in a session of its own, and two sleeps; the noise runs /bin/true
    meanwhile.
    """
    calls = counts(files / "forks.json")
    assert calls["task_alloc"] == 1001 + 1
    assert calls["bprm_check_security"] == 3, "setsid, sh and sleep; sh itself began with its first instruction"


def test_ten_milliseconds(files):
    calls = counts(files / "short.json")
    assert calls["bprm_check_security"] == 0 and calls["task_alloc"] == 0
    assert json.loads((files / "short.json").read_text())["runs"][0]["seconds"] >= 0.01


def test_everybody_is_counted_when_asked(files):
    calls = counts(files / "all.json")
    assert calls["task_alloc"] > 10 and calls["bprm_check_security"] > 10


def test_runs_are_apart(files):
    runs = Record(files / "repeated.json").content["runs"]
    assert len(runs) == 3
    first, *others = ([row["hook"] for row in parse_table(run["files"]["result"])] for run in runs)
    assert all(hooks == first for hooks in others)
    ends = [calls(row) for row in rows(files / "repeated.json", "result") if row["hook"] == "file_open"]
    assert len(ends) == 3 and min(ends) == max(ends) > 0


def test_warm_up_and_preparation_are_not_measured(files):
    """Five runs are prepared, three of them are measured, and cat is in none of these."""
    assert (files / "prepared.txt").read_text() == (files / "ran.txt").read_text() == 5 * "\n"
    record = json.loads((files / "warmed.json").read_text())
    assert len(record["runs"]) == 3 and record["about"]["warmup"] == "2" and "cat" in record["about"]["prepare"]
    assert counts(files / "warmed.json")["bprm_check_security"] == 0
    assert (files / "unprepared.status").read_text() == "2\n" and not (files / "unprepared.json").exists()
    assert "--prepare: 'exit 3' ended with status 3" in (files / "unprepared.stderr").read_text()


def test_the_spread_of_runs_is_told(files):
    """The interval is Student's, of own time without what measuring added; nothing is for a terminal here."""
    hooks = []
    for run in Record(files / "warmed.json").content["runs"]:
        table = parse_table(run["files"]["verdicts"])
        added = int(re.search(r"^overhead: (\d+)$", run["files"]["info"], re.M)[1]) * sum(map(calls, table))
        hooks.append(sum(map(own, table)) - added)
    low, high = scipy_stats.t.interval(0.95, 2, scipy_stats.tmean(hooks), scipy_stats.sem(hooks))
    said = (files / "warmed.stderr").read_text()
    shown = float(re.search(r"A run: hooks took [\d.]+ [mun]?s \+- ([\d.e+]+) %", said)[1])
    assert shown == pytest.approx(50 * (high - low) / scipy_stats.tmean(hooks), rel=0.06) and "\r" not in said


def test_runs_until_the_interval_is_small(files):
    """There are as many runs as an interval needs, with a bound that any interval meets."""
    assert len(json.loads((files / "until.json").read_text())["runs"]) == 3


def test_a_shell_is_enough_to_collect(files):
    """The command has made three directories, the noise beside it is not counted, and the monitor is as it was."""
    rows = json.loads((files / "collected.json").read_text())["rows"]
    assert [row["count"] for row in rows if (row["syscall"], row["hook"]) == ("mkdir", "inode_mkdir")] == [3]
    assert sum(row["count"] for row in rows if row["hook"] == "bprm_check_security") == 1, "mkdir, and not sh, which began before"
    assert (files / "before.collected").read_text() == (files / "after.collected").read_text()
    assert (files / "collected.status").read_text().split() == ["5", "2", "2", "2", "2"]
    said = [line for line in (files / "collected.stderr").read_text().splitlines() if line.startswith("lsmpmon-collect: ")]
    wanted = ("feature 'nonsense'", "'collected' exists", "usage: ", "the monitor is in use: wait for ")
    assert len(said) == 4 and all(what in line for what, line in zip(wanted, said))


def test_features_of_the_record_alone(files):
    def on(name):
        return {feature for feature, value in parse_features(Record(files / name).files["features"]).items() if value} - {"timed"}
    assert on("repeated.json") == {"module"} and on("all.json") == set()
    assert on("short.json") == {"syscall", "histogram"}
    assert on("added.json") == {"syscall", "histogram", "module"}
    assert on("forks.json") == features(files / "state.before").keys() - {"timed"} >= {"syscall", "histogram", "module"}


def test_a_name_and_an_object_within_the_tree(files):
    named = counts(files / "named.json")
    assert named["file_open"] > 0 and named["inode_getattr"] < 10 and named["task_alloc"] == 0
    # It is opened once; no other file is that one.
    assert counts(files / "object.json")["file_open"] == 1
    assert counts(files / "linked-object.json")["file_open"] == 1, "where the link leads"


@pytest.mark.parametrize("name, status", [("forks", 7), ("crash", 139), ("killed", 143), ("interrupted", 130)])
def test_the_status_is_the_commands(files, name, status):
    assert int((files / f"{name}.status").read_text()) == status
    assert json.loads((files / f"{name}.json").read_text())["runs"][0]["status"] == status


def test_one_record_at_a_time(files):
    assert int((files / "second.status").read_text()) == 2
    errors = (files / "second.stderr").read_text()
    assert f"in use by process {(files / 'busy.pid').read_text().strip()} (lsmpmon record -o killed.json" in errors
    assert not (files / "second.json").exists()


def test_nobody_switches_off_what_is_being_measured(files):
    """The tries are off, reset, on and lmbench-hook's --monitor beside a record."""
    lines = (files / "busy.stderr").read_text().splitlines()
    assert [int(word) for word in (files / "busy.status").read_text().split()] == [2, 2, 2, 1]
    assert len(lines) == 4 and all("in use by process" in line for line in lines)
    assert (files / "busy.control").read_text() == "1\n"
    assert "disturbed" not in json.loads((files / "killed.json").read_text())["runs"][0]


def test_nobody_else_writes_during_a_session(files):
    assert int((files / "refused.status").read_text()) == 6
    assert (files / "refused.stderr").read_text().count("I/O error") == 4
    assert "disturbed" not in json.loads((files / "refused.json").read_text())["runs"][0]


@pytest.mark.parametrize("signal, number", [
    ("KILL", 9), ("USR1", 10), ("USR2", 12), ("ALRM", 14), ("SEGV", 11), ("XCPU", 24), ("RTMAX", 64),
])
def test_whatever_ends_a_record_ends_what_it_has_switched_on(files, signal, number):
    before, meanwhile, after = ((files / f"{name}.{signal}").read_text() for name in ("before", "while", "after"))
    assert int((files / f"lost.{signal}.status").read_text()) == 128 + number
    assert meanwhile.startswith("1\n") and " 0\n" not in meanwhile and before.startswith("0\n")
    assert after == before and ("\np " in before) == (signal == "KILL")
    assert (files / f"session.{signal}").read_text().split()[1] == "lsmpmon"
    assert (files / "session.after").read_text() == "-\n"


def test_a_benchmark_that_is_killed_leaves_the_monitor_as_it_was(files):
    before, meanwhile, after = ((files / f"{name}.work").read_text() for name in ("before", "while", "after"))
    assert (files / "lost.work.status").read_text() == "137\n"
    assert meanwhile.startswith("1\ns lmbench-hook\no\nsyscall 1\n") and "histogram 0" in meanwhile
    assert (files / "session.work").read_text().split()[1] == "lmbench-hook"
    assert after == before and before.startswith("0\ns nobody-at-all\n") and "histogram 1" in before
    assert not (files / "killed.counts").exists()


def saves_its_counts(path, rounds):
    calls = add_up(read_table(path), "syscall", "hook")
    (stats,) = (count for (syscall, hook), count in calls.items() if hook == "inode_getattr")
    assert stats == rounds and calls["write", "file_permission"] == 1


def test_a_benchmark_saves_its_counts_and_leaves_the_monitor_as_it_was(files):
    saves_its_counts(files / "work.counts.txt", 101)
    assert (files / "after.worked").read_text() == (files / "before.work").read_text()


def test_a_benchmark_saves_its_counts_from_a_domain_of_landlock(files):
    if "landlock" not in (files / "confined.lsm.txt").read_text():
        pytest.skip("no Landlock on User-Mode Linux of this kernel")
    assert (files / "confined.stderr").read_text() == "" and (files / "confined.status").read_text() == "0\n"
    saves_its_counts(files / "confined.counts.txt", 11)
    assert (files / "after.confined").read_text() == (files / "before.work").read_text()


@pytest.mark.parametrize("name, words", [
    ("measured", "somebody is measuring process"), ("ended", "which has ended: somebody was killed who measured it"),
])
def test_older_kernels_leave_who_is_measured_alone(files, name, words):
    errors = (files / f"{name}.stderr").read_text()
    assert int((files / f"{name}.status").read_text()) == 2 and words in errors
    assert "has no 'older/session': if something kills this program" in errors


@pytest.mark.parametrize("name, words", [
    ("meddled", "switched or reset"), ("zeroed", "switched or reset"), ("widened", "changed the monitor's filter"),
])
def test_what_was_meddled_with_is_not_exact(files, lsmpmon, name, words):
    assert int((files / f"{name}.status").read_text()) == 2
    assert words in (files / f"{name}.stderr").read_text()
    assert words in json.loads((files / f"{name}.json").read_text())["runs"][0]["disturbed"]
    assert "Not exact, run 1" in lsmpmon("report", files / f"{name}.json").stdout


@pytest.mark.parametrize("name", ["forks", "short", "all", "repeated", "named", "object", "pid", "while"])
def test_what_nobody_meddled_with_is_exact(files, name):
    assert all("disturbed" not in run for run in json.loads((files / f"{name}.json").read_text())["runs"])


@pytest.mark.parametrize("name, status, words", [
    ("never", 127, "'/nonexistent'"), ("denied", 126, "'/etc/passwd'"),
])
def test_what_cannot_run_is_not_recorded(files, name, status, words):
    assert int((files / f"{name}.status").read_text()) == status
    assert words in (files / f"{name}.stderr").read_text()
    assert not (files / "never.json").exists()


def test_output_spares_devices_and_follows_links(files):
    assert (files / "device.status").read_text().split() == ["0", "0"], "it is a device still"
    assert int((files / "link.status").read_text()) == 0
    for name in ("stdout", "piped"):
        assert json.loads((files / f"{name}.json").read_text())["format"] == "lsmpmon-record"
    first, rest = (files / "appended.json").read_text().split("\n", 1)
    assert first == "first" and json.loads(rest)["format"] == "lsmpmon-record"


@pytest.mark.parametrize("name, status, words", [
    ("full", 2, "No space left"), ("readonly", 2, "Read-only file system"), ("directory", 2, "Is a directory"),
    ("list", 1, "No space left"),
])
def test_output_that_cannot_be_written(files, name, status, words):
    assert (files / f"{name}.status").read_text().split() == [str(status)], "and nothing is left behind"
    assert words in (files / f"{name}.stderr").read_text()


def test_a_process_that_runs_already(files):
    assert counts(files / "pid.json")["bprm_check_security"] == 0
    assert counts(files / "pid.json")["task_free"] <= 1
    assert 0 not in parse_features(Record(files / "pid.json").files["features"]).values()


def test_the_system_for_a_while(files):
    seconds = json.loads((files / "while.json").read_text())["runs"][0]["seconds"]
    assert 0.3 <= seconds < 900 and counts(files / "while.json")["bprm_check_security"] > 0


def test_a_record_says_what_it_cost_and_what_to_type_next(files):
    errors = (files / "meddled.stderr").read_text()
    took, last = [line for line in errors.splitlines() if "has no" not in line and "not exact" not in line]
    assert re.fullmatch(r"lsmpmon: Hooks took \S+ [mun]?s( \(\S+ [mun]?s without interrupts\))? of .* % of one CPU's time.*; [\d,]+ calls\.", took)
    assert last == "lsmpmon: 1 run, status 0; see: lsmpmon report meddled.json"


def test_the_monitor_is_left_as_it_was(files):
    before = (files / "state.before").read_text()
    assert before.startswith("0\ns nobody-at-all\no\n") and "histogram 1" in before
    assert (files / "state.after").read_text() == before


@pytest.mark.guest("6.12", "qemu")
def test_emulation_is_told_by_the_processor(plain):
    """The processor is the only sign in a guest of the user's own."""
    done = execute("env -u RUNNER -u ACCEL sh -c 'lsmpmon record -o /tmp/r.json -- true && cat /tmp/r.json'",
                   RUNNER="qemu", KVER="6.12", ACCEL="tcg")
    about = json.loads(done.stdout)["about"]
    assert (about["accelerator"], about["hypervisor"], about.get("runner")) == ("tcg", "TCG", None)
    assert "times mean nothing here" in done.stderr


def test_top_tells_what_happens_now(files):
    lines = list(csv.DictReader(io.StringIO((files / "top.csv").read_text())))
    lines = [line for line in lines if line["seconds"] != "seconds"]
    execs = [float(line["calls/s"]) for line in lines if line["hook"] == "bprm_check_security"]
    assert len({line["seconds"] for line in lines}) == len(execs) == 2 and min(execs) > 0
    modules = json.loads((files / "top.json").read_text())["rows"]
    assert {"apparmor", "capability"} <= {row["module"] for row in modules}
    assert sum(row["share"] for row in modules) == pytest.approx(100, abs=0.1)


def test_top_leaves_out_its_own_calls(files):
    """An idle machine has nothing else to show: they would be hundreds of calls for each table."""
    tables = [json.loads(line) for line in (files / "idle.json").read_text().splitlines()]
    for table in tables:
        (own,) = [int(found[1]) for note in table["notes"] if (found := re.match(r"Left out: the (\d+) hook calls", note))]
        assert own > 100 and table["took"]["calls"] < own / 5
        shown = sum(row["calls/s"] for row in table["rows"]) * table["took"]["seconds"]
        assert shown == pytest.approx(table["took"]["calls"], abs=20)
    assert len(tables) == 2


def test_features_of_top_are_its_own(files):
    """Features that top switches on are as before when it has ended."""
    table = json.loads((files / "featured.json").read_text())
    assert {"syscall", "module"} <= set(table["source"]["features"].split(","))
    before = json.loads((files / "status.json").read_text())
    after = json.loads((files / "featured-after.json").read_text())
    assert after["source"]["features"] == before["source"]["features"] != table["source"]["features"]


def test_a_kernel_that_has_no_bpf_lsm(files):
    said = (files / "programs.stderr").read_text()
    assert (files / "programs.status").read_text() == "2\n" and said.count("\n") == 1
    assert "--bpf: no BPF program can be on a hook: 'bpf' is not in '/sys/kernel/security/lsm'" in said
    assert not (files / "lsmpmon.json").exists()


def test_top_tells_how_busy_each_cpu_is(files):
    (row,) = json.loads((files / "cpus.json").read_text())["rows"]
    assert row["cpu"] == "0" and 0 < row["busy"] < 100 and row["share"] == 100


def test_show_is_what_the_kernel_has(files):
    wanted = Counter()
    for row in read_table(files / "verdicts"):
        wanted[row["hook"]] += own(row)
    shown = {row["hook"]: row["sum"] for row in json.loads((files / "show.json").read_text())["rows"]}
    # The show and the read are hook calls, but the monitor is off.
    assert shown == wanted and sum(wanted.values()) > 0


def test_export_of_a_live_monitor(files):
    text = (files / "export.prom").read_text()
    assert "lsmpmon_measuring 0\n" in text and 'lsmpmon_callback_seconds_count{module="apparmor"' in text


def status_of(files, name):
    """Return the exit status, the rows and the notes of a status."""
    shown = json.loads((files / f"{name}.json").read_text())
    return int((files / f"{name}.status").read_text()), {row["key"]: row["value"] for row in shown["rows"]}, shown["notes"]


def test_status(files):
    code, status, notes = status_of(files, "status")
    assert code == 0 and (status["state"], status["next"]) == ("ready", "lsmpmon record -- COMMAND")
    assert status["measuring"] == "no" and status["runner"] == "uml" and status["lost"] == "0"
    assert status["modules, in order"].startswith("capability,apparmor")
    assert "module" in status["features"].split(",") and status["filter"] == "none"
    assert [note.split()[:3] for note in notes if "left on" in note] == [["left", "on:", "features"]]


def test_status_names_what_was_left_on_and_changes_nothing(files):
    code, status, notes = status_of(files, "left")
    assert code == 0 and status["filter"] == "s cat"
    left = [note.removeprefix("left on: ") for note in notes if note.startswith("left on: ")]
    assert [line.split()[0] for line in left] == ["filter", "features", "trace", "trace"]
    assert left[0].endswith("echo s >/sys/kernel/security/lsmmon/filter")
    assert left[2].endswith("echo 0 >/sys/kernel/tracing/events/lsmpmon/enable") and "/instances/theirs/" in left[3]
    assert (files / "settings.after").read_text() == (files / "settings.before").read_text()


def test_status_names_the_holder(files):
    code, status, notes = status_of(files, "held")
    pid = int((files / "busy.pid").read_text())
    assert code == 1 and status["state"] == f"in use by process {pid} (lsmpmon record -o killed.json -- sleep 10000)"
    assert status["measuring"] == "yes" and not any("left on" in note for note in notes)
    code, status, _ = status_of(files, "unseen")
    assert code == 1 and status["state"] == "in use by another process"


def test_reset(files):
    assert "No call was counted" in (files / "reset.txt").read_text()


@pytest.mark.parametrize("name, words", [
    ("nobody", "be root, for example with sudo"), ("unmounted", "mount -t securityfs securityfs /sys/kernel/security"),
    ("powerless", "has no CAP_SYS_ADMIN"), ("inside", "root of a container is not enough"),
    ("blind", "this container does not see the kernel's lsmpmon: run it on the machine itself"),
])
def test_the_way_out(files, name, words):
    """One line says what is wrong and what to do."""
    assert int((files / f"{name}.status").read_text()) == 2
    (line,) = (files / f"{name}.stderr").read_text().splitlines()
    assert words in line
