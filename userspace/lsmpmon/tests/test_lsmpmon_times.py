# SPDX-License-Identifier: GPL-2.0-only
"""Every view has all calls, whatever disturbed them: own time, wall time and what is between, of calls that are known."""

import json
import math
import re
import subprocess
from collections import Counter, defaultdict
from dataclasses import replace

import fastjsonschema
import made
import pytest
from made import Call, Syscall, Time
from prometheus_client.parser import text_string_to_metric_families
from recorded import HERE, Record, rows
from test_lsmpmon_page import Page, texts_of

OLDER = HERE / "data/6.12-uml-containers.json"
RUNS = [made.calls_of(1), made.calls_of(2)]
SYSCALLS = [call for calls, _ in RUNS for call in calls]
HOOKS = [(call.name, hook) for call in SYSCALLS for hook in call.hooks] + [("-", hook) for _, some in RUNS for hook in some]
OLD = "The kernel's lsmpmon is older: times are of the calls without a context switch inside, from begin to end."


def test_the_record_is_what_makes_it():
    """Run `python3 made.py` after a change of it."""
    assert json.loads(made.PATH.read_text()) == made.record()


def sums(times):
    """Return what the columns of a table have for these calls."""
    found = {"wall": sum(time.wall for time in times), "sum": sum(time.own for time in times),
             "slept": sum(time.slept for time in times), "preempted": sum(time.preempted for time in times)}
    return {**found, "interrupted": found["wall"] - found["sum"] - found["slept"] - found["preempted"],
            "unknown": sum(not time.known for time in times), "cs_count": sum(time.is_switched for time in times)}


def by(*keys):
    """Return the times of all hook calls by these keys; those of callbacks if one of the keys is the module."""
    groups = defaultdict(list)
    for syscall, call in HOOKS:
        for module, time in call.callbacks if "module" in keys else [("", call.time)]:
            names = {"syscall": syscall, "module": module, "hook": call.hook, "verdict": call.verdict, "comm": call.comm,
                     "cgroup": call.cgroup, "cpu": str(call.cpu), "pid": call.pid, "tid": call.tid}
            # A callback is counted as its hook call is.
            groups[tuple(names[key] for key in keys)].append(replace(time, switched=call.time.is_switched))
    return groups


@pytest.mark.parametrize("keys", ["hook", "hook,verdict", "module", "module,hook", "syscall", "syscall,hook", "cpu", "comm",
                                  "cgroup", "comm,hook", "syscall,hook,module", "pid", "tid", "comm,syscall", "pid,comm",
                                  "syscall,tid", "hook,pid", "pid,tid,comm,syscall,hook"])
def test_tables_leave_nothing_out(view, keys):
    shown, wanted = view("report", made.PATH, "--by", keys, "--cycles"), by(*keys.split(","))
    assert {tuple(row[key] for key in keys.split(",")) for row in shown["rows"]} == wanted.keys()
    for row in shown["rows"]:
        times = wanted[tuple(row[key] for key in keys.split(","))]
        assert {column: row[column] for column in sums(times)} == sums(times)
        assert row["count"] + row["cs_count"] == len(times) and row["max"] == max(time.wall for time in times)
        known = [time.own for time in times if time.known]
        assert row["ave"] == pytest.approx(sum(known) / len(known), abs=0.001)
    whole = sum(sums(times)["sum"] for times in wanted.values())
    assert sum(row["share"] for row in shown["rows"]) == pytest.approx(100, abs=0.1)
    assert shown["took"]["rows"] == whole


def test_wall_time_when_asked_for(view):
    """The columns change places: sum is from begin to end, and own beside it."""
    wanted = by("hook")
    shown = view("report", made.PATH, "--wall", "--cycles")
    for row in shown["rows"]:
        times = sums(wanted[row["hook"],])
        assert (row["sum"], row["own"]) == (times["wall"], times["sum"]) and "wall" not in row
        assert row["ave"] == pytest.approx(times["wall"] / len(wanted[row["hook"],]), abs=0.001)
    assert any("from begin to end" in note for note in shown["notes"])


def test_the_total_says_what_tasks_waited_for(lsmpmon, view):
    times = sums([call.time for _, call in HOOKS])
    output = " ".join(lsmpmon("report", made.PATH).stdout.split())
    assert re.search(r"Hooks took [\d.]+ s of 14.8 s in 2 runs: \d+ % of one CPU's time, \d+ % of that of 2 CPUs, and made "
                     r"tasks wait another [\d.]+ m?s; [\d,]+ calls\. Measured: own [\d.]+ s, interrupted \S+ \S+, slept \S+ \S+, "
                     r"preempted \S+ \S+; of own time, \S+ us is measuring itself: 20 ns in each of ", output), output
    assert "The own time of 4 calls is unknown: all of their time is in interrupted." in output
    took = view("report", made.PATH, "--cycles")["took"]
    assert took["measured"] == times["wall"] and took["unknown"] == times["unknown"] == 4
    assert {key: took[key] for key in ("slept", "preempted", "interrupted")} == \
           {key: times[key] for key in ("slept", "preempted", "interrupted")}
    assert took["own"] + took["measuring"] == times["sum"]
    assert took["hooks"] == took["own"] + took["interrupted"]


def test_the_total_says_what_interrupts_took(lsmpmon, tmp_path):
    """The own time is said where it is less than what processors spent in hooks."""
    struck = write(tmp_path / "struck.json", [Syscall("kill", Time(10_000), (Call("capable", Time(9_000, irq=5_000)),))])
    output = " ".join(lsmpmon("report", struck).stdout.split())
    assert "Hooks took 8.98 us (3.98 us without interrupts) of " in output
    assert "Measured: own 4 us, interrupted 5 us; of own time, 20 ns is measuring itself: 20 ns in each of 1 call." in output
    output = " ".join(lsmpmon("report", undisturbed(tmp_path)).stdout.split())
    assert "Hooks took 80 ns of " in output and "Measured: own 100 ns, of which 20 ns is measuring itself: " in output


def undisturbed(tmp_path, name="quiet.json", clocks=(100,), **words):
    """Write a record of calls that nothing disturbed."""
    calls = [Call("capable", Time(ticks), **words) for ticks in clocks]
    return write(tmp_path / name, [Syscall("kill", Time(1000), (call,)) for call in calls])


def write(path, syscalls, outside=(), **info):
    content = made.record()
    content["runs"] = [{"status": 0, "seconds": 1.0, "files": made.files(syscalls, list(outside))}]
    for key, value in info.items():
        files = content["runs"][0]["files"]
        files["info"] = re.sub(rf"^{key}: .*", f"{key}: {value}", files["info"], flags=re.M)
    path.write_text(json.dumps(content))
    return path


def test_what_is_zero_in_all_rows_is_not_shown_to_people(lsmpmon, view, tmp_path):
    path = undisturbed(tmp_path)
    output = lsmpmon("report", path, "--width", "200").stdout
    assert " wall " in output
    for word in ("slept", "preempted", "unknown", "interrupted "):
        assert word not in output
    assert {"slept", "preempted", "interrupted", "unknown"} <= view("report", path)["rows"][0].keys()
    assert "slept_ns,preempted_ns,interrupted_ns" in lsmpmon("report", path, "--csv").stdout
    header = lsmpmon("report", made.PATH, "--width", "200").stdout.splitlines()
    assert any({"slept", "preempted", "interrupted", "unknown", "wall"} <= set(line.split()) for line in header)


def quantile(ends, share):
    return sorted(ends)[math.ceil(share * len(ends)) - 1]


@pytest.mark.parametrize("words, what", [((), "the own time of all calls"), (("--wall",), "all calls, from begin to end")])
def test_quantiles_are_of_all_calls(view, words, what):
    shown = view("report", made.PATH, "-q", "--cycles", *words)
    assert f"Quantiles are of {what}." in shown["notes"]
    wanted = by("hook")
    for row in shown["rows"]:
        times = [time for time in wanted[row["hook"],] if time.known or words]
        ends = [made.bucket(time.wall if words else time.own) for time in times]
        for name, share in (("p50", .5), ("p90", .9), ("p99", .99), ("p99.9", .999)):
            assert row[name] == min(quantile(ends, share), row["max"])


@pytest.mark.parametrize("words, what", [((), "the own time of all calls"), (("--wall",), "all calls, from begin to end")])
def test_hist_has_all_calls(view, words, what):
    times = [time for time in by("hook")["file_post_open",] if time.known or words]
    shown = view("hist", "file_post_open", "-i", made.PATH, "--cycles", *words)
    assert shown["notes"][0] == f"This is the distribution of {what}."
    assert sum(row["count"] for row in shown["rows"]) == len(times)
    for row in shown["rows"]:
        ends = [made.bucket(time.wall if words else time.own) for time in times]
        assert row["count"] == sum(row["from"] <= end <= row["to"] for end in ends)


def preempted(path, after):
    """Write a record of calls with 100 ticks of their own, which are off the CPU for so long."""
    calls = [Call("capable", Time(100 + ticks, preempted=ticks)) for ticks in after]
    return write(path, [Syscall("kill", Time(2000 + call.time.preempted, preempted=call.time.preempted), (call,)) for call in calls])


def test_diff_compares_own_time(view, tmp_path):
    """A call that was preempted is not slower, unless somebody asks for wall time."""
    a, b = preempted(tmp_path / "a.json", [0] * 10), preempted(tmp_path / "b.json", [0] * 9 + [50_000])
    shown = view("diff", a, b)
    (row,) = shown["rows"]
    assert (row["ave A"], row["ave B"], row["change"], row["added"]) == (100, 100, 0, 0)
    assert (row["wall A"], row["wall B"], row["slept B"], row["preempted B"]) == (1000, 51_000, 0, 50_000)
    assert "Hooks made tasks wait in a run: 0 ns in A, 50,000 ns in B." in shown["notes"]
    (row,) = view("diff", a, b, "--wall")["rows"]
    assert (row["ave A"], row["ave B"], row["added"], row["own B"]) == (100, 5100, 50_000, 1000)


def older(path, tmp_path):
    """Write the same record as a kernel does that lacks the columns of disturbed calls."""
    record, dropped = Record(path), {*made.DISTURBED.split(), "own", "wall", "cs_hook_count", "cs_hook_sum", "hook_own",
                                     *made.SHARES}
    for run in record.content["runs"]:
        for name in ("slowest", "waits", "nested"):
            del run["files"][name]
        for name, text in run["files"].items():
            header, *lines = [line.split() for line in text.splitlines()]
            keep = [place for place, column in enumerate(header) if column not in dropped]
            if len(keep) < len(header) and name not in ("info", "features"):
                run["files"][name] = "".join(" ".join(line[place] for place in keep) + "\n" for line in [header, *lines])
    return record.write(tmp_path / f"older-{path.name}")


@pytest.mark.parametrize("turned", [False, True])
def test_diff_with_an_older_kernel_compares_what_both_have(view, tmp_path, turned):
    """The calls with a context switch inside are left out on both sides, and that is said."""
    new = preempted(tmp_path / "new.json", [0] * 9 + [50_000])
    sides = [new, older(preempted(tmp_path / "b.json", [0] * 10), tmp_path)]
    shown = view("diff", *(sides[::-1] if turned else sides))
    (row,) = shown["rows"]
    assert (row["ave A"], row["ave B"]) == (100, 100) and {row["sum A"], row["sum B"]} == {900, 1000}
    assert "wall A" not in row
    letter = "A" if turned else "B"
    assert f"The lsmpmon of {letter} is older: compared are the calls without a context switch inside, from begin to end." in \
        shown["notes"]


def test_a_directory_with_an_older_record_is_as_that(view, tmp_path):
    folder = tmp_path / "boots"
    folder.mkdir()
    (folder / "1.json").write_bytes(made.PATH.read_bytes())
    (folder / "2.json").write_bytes(older(made.PATH, tmp_path).read_bytes())
    shown, second = view("report", folder, "--cycles"), view("report", folder / "2.json", "--cycles")
    assert OLD in shown["notes"] and OLD in second["notes"]
    assert {row["hook"]: row["sum"] for row in shown["rows"]} == {row["hook"]: 2 * row["sum"] for row in second["rows"]}


@pytest.mark.parametrize("words", [("report",), ("report", "--by", "module"), ("report", "-q"), ("diff", OLDER), ("syscalls",),
                                   ("show",), ("report", "--wall")], ids=str)
def test_an_older_kernel_is_said_to_be_one(view, words):
    shown = view(*words, OLDER)
    assert shown["notes"].count(OLD) == 1
    assert not {"wall", "own", "slept", "wall A"} & {column["name"] for column in shown["columns"]}


def test_hist_of_an_older_kernel_says_what_it_has(view):
    shown = view("hist", "inode_permission", "-i", OLDER)
    assert shown["notes"] == ["This is the distribution of calls without a context switch inside, from begin to end."]


def test_folded_says_it_beside_the_lines(lsmpmon):
    assert lsmpmon("report", OLDER, "--folded").stderr == f"lsmpmon: {OLD}\n"
    assert lsmpmon("report", made.PATH, "--folded").stderr == ""


@pytest.mark.parametrize("words, time", [((), lambda time: time.own), (("--wall",), lambda time: time.wall)])
def test_folded_is_of_all_calls(lsmpmon, words, time):
    wanted, inside = Counter(), Counter()
    for syscall, call in HOOKS:
        for module, part in call.callbacks:
            wanted[syscall, call.hook, module] += time(part)
            inside[syscall, call.hook] += time(part)
        wanted[syscall, call.hook] += time(call.time)
    wanted.subtract(inside)
    lines = [line.rsplit(" ", 1) for line in lsmpmon("report", made.PATH, "--folded", *words).stdout.splitlines()]
    assert {tuple(names.split(";")): int(ticks) for names, ticks in lines} == +wanted


def metrics(text):
    return {(sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(text) for sample in family.samples}


@pytest.mark.parametrize("name, keys", [("lsmpmon_hook_seconds", ("hook", "verdict")), ("lsmpmon_callback_seconds", ("module", "hook")),
                                        ("lsmpmon_syscall_hook_seconds", ("syscall",)), ("lsmpmon_comm_hook_seconds", ("comm",)),
                                        ("lsmpmon_cgroup_hook_seconds", ("cgroup",))])
def test_states_add_up_to_wall_time(lsmpmon, name, keys):
    values = metrics(lsmpmon("export", made.PATH, "--label", "comm", "--label", "cgroup").stdout)
    wanted = by(*keys)
    for names, times in wanted.items():
        labels, columns = {*zip(keys, names)}, sums(times)
        shown = {state: values[f"{name}_sum", frozenset({*labels, ("state", state)})] * 1e9
                 for state in ("own", "slept", "preempted", "interrupted")}
        assert sum(shown.values()) == pytest.approx(columns["wall"])
        columns["own"] = columns["sum"]
        assert shown == {state: pytest.approx(columns[state]) for state in shown}
        assert values[f"{name}_count", frozenset({*labels, ("state", "own")})] == sum(time.known for time in times)
    assert len([key for key in values if key[0] == f"{name}_sum"]) == 4 * len(wanted)
    assert len([key for key in values if key[0] == f"{name}_count"]) == len(wanted)


def test_metrics_tell_how_many_calls_have_times(lsmpmon):
    values = metrics(lsmpmon("export", made.PATH).stdout)
    for (hook, verdict), times in by("hook", "verdict").items():
        labels = frozenset({("hook", hook), ("verdict", verdict)})
        assert values["lsmpmon_hook_timed_total", labels] == values["lsmpmon_hook_calls_total", labels] == len(times)
        assert values["lsmpmon_hook_switched_total", labels] == sum(time.is_switched for time in times)
    assert not [name for name, _ in metrics(lsmpmon("export", OLDER).stdout) if "timed_total" in name]


def test_metrics_of_an_older_kernel_have_no_state(lsmpmon):
    text = lsmpmon("export", OLDER).stdout
    assert "state=" not in text
    assert "# HELP lsmpmon_hook_seconds Time in each hook, by verdict, of calls without a context switch inside.\n" in text


def test_the_parts_of_system_calls(lsmpmon):
    values = metrics(lsmpmon("export", made.PATH).stdout)
    for name in {call.name for call in SYSCALLS}:
        times = sums([call.time for call in SYSCALLS if call.name == name])
        hooks = sums([hook.time for call in SYSCALLS if call.name == name for hook in call.hooks])
        for family, columns in (("lsmpmon_syscall_seconds", times), ("lsmpmon_syscall_part_seconds", hooks)):
            states = {dict(labels)["state"]: value * 1e9 for (sample, labels), value in values.items()
                      if sample == f"{family}_sum" and ("syscall", name) in labels}
            assert sum(states.values()) == pytest.approx(columns["wall"]) and states["own"] == pytest.approx(columns["sum"])


def test_syscalls_rank_by_their_whole_time(view):
    shown = view("syscalls", "-i", made.PATH, "--cycles")
    assert [row["wall"] for row in shown["rows"]] == sorted((row["wall"] for row in shown["rows"]), reverse=True)
    assert shown["rows"][0]["syscall"] == "openat" and shown["rows"][1]["syscall"] == "nanosleep"
    for row in shown["rows"]:
        calls = [call for call in SYSCALLS if call.name == row["syscall"]]
        times, hooks = sums([call.time for call in calls]), [hook for call in calls for hook in call.hooks]
        for column in ("wall", "slept", "preempted", "interrupted", "unknown", "cs_count"):
            assert row[column] == times[column], column
        own = sum(hook.time.own for hook in hooks)
        assert row["sum"] == own and row["hooks"] == pytest.approx(len(hooks) / len(calls), abs=0.001)
        assert row["share"] == pytest.approx(100 * own / times["sum"], abs=0.001)
        assert row["ave"] == pytest.approx(times["sum"] / sum(call.time.known for call in calls), abs=0.001)


def test_the_share_of_hooks_is_a_distribution(view, lsmpmon):
    shown = view("syscalls", "openat", made.PATH)
    calls = [call for call in SYSCALLS if call.name == "openat" and call.time.known]
    shares = [100 * sum(hook.time.own for hook in call.hooks) / call.time.own for call in calls]
    assert [(row["from"], row["to"]) for row in shown["rows"]] == [(low, low + 10) for low in range(0, 100, 10)]
    for row in shown["rows"]:
        wanted = [share for share in shares if row["from"] <= share < row["to"] or share == row["to"] == 100]
        assert row["count"] == len(wanted) and row["share"] == pytest.approx(100 * len(wanted) / len(calls), abs=0.001)
    assert shown["rows"][-1]["until"] == 100 and shown["view"] == "shares"
    assert "Of 2 more calls, the own time is unknown." in shown["notes"]
    for words in ((), ("--width", "60"), ("--width", "150")):
        text = lsmpmon("syscalls", "openat", made.PATH, *words).stdout
        assert re.search(r"^ 0\.0% +10\.0% +\d+ +[\d.]+% +[\d.]+%  #+$", text, re.M), text
        assert max(map(len, text.splitlines())) <= int((words or ("", 80))[1])


@pytest.mark.parametrize("words, message", [
    (("opennat", made.PATH), "no call of 'opennat' was counted; did you mean 'openat'?; lsmpmon syscalls lists those that were"),
    (("openat", OLDER), "this kernel cannot time whole system calls (no file lsmmon/calls)"),
    (("openat", HERE / "data/6.12-qemu-apparmor.json"), "the kernel's lsmpmon is older"),
    (("openat", made.PATH, "--top", "3"), "--sort and --top are for the table of all system calls"),
    (("openat", "read", made.PATH), "Too many arguments"),
    (("no-such.json",), "cannot open record 'no-such.json'"),
])
def test_no_distribution_of_shares_where_there_is_none(lsmpmon, words, message):
    done = lsmpmon("syscalls", *words)
    assert (done.returncode, done.stdout) == (2, "") and message.split("; did")[0] in done.stderr


def test_status_tells_the_last_reset(lsmpmon):
    assert re.search(r"^last reset +93\.000 s after boot$", lsmpmon("status", "-i", made.PATH).stdout, re.M)
    assert "last reset" not in lsmpmon("status", "-i", OLDER).stdout


def test_the_times_of_a_sample_stand_for_all(view, tmp_path):
    """One call in two was timed: of 10 calls without a switch and 2 with one, 6 have times."""
    calls = [Call("capable", Time(100)) for _ in range(4)] + [Call("capable", Time(1160, slept=1000)) for _ in range(2)]
    path = write(tmp_path / "r.json", [Syscall("kill", Time(5000), (call,)) for call in calls], timed=2)
    record = Record(path)

    def sparse(text):
        (row,) = rows(path, "verdicts")
        row = {**row, "count": 10, "timed": 4}
        return " ".join(row) + "\n" + " ".join(map(str, row.values())) + "\n"
    record.edit("verdicts", sparse)
    (row,) = view("report", record.write(path), "--cycles")["rows"]
    own, wall = 4 * 100 + 2 * 160, 4 * 100 + 2 * 1160
    assert (row["count"], row["cs_count"]) == (10, 2) and row["ave"] == pytest.approx(own / 6, abs=0.001)
    assert (row["sum"], row["wall"], row["slept"]) == (2 * own, 2 * wall, 2 * 2000)
    assert row["sum"] + row["slept"] == row["wall"]


def put(directory, syscalls):
    """Write the tables that top reads, each at once."""
    for name, text in made.files(syscalls, []).items():
        if name not in ("control", "features", "filter", "session"):
            (directory / "new").write_text(text)
            (directory / "new").rename(directory / name)


def test_top_has_the_times_of_what_was_added(checked, tmp_path):
    calls = RUNS[0][0]
    for name, text in Record(made.PATH).files.items():
        if name != "session":
            (tmp_path / name).write_text(text)
    put(tmp_path, calls[:10])
    words = [checked / "lsmpmon", "top", "-s", "0.2", "--json", "--cycles", "--by", "syscall", "-d", tmp_path]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as top:
        # The next table is the difference from one that was read before.
        assert json.loads(top.stdout.readline())["rows"] == []
        put(tmp_path, calls)
        # It may read one file before it is written and another after that: then these are in two tables.
        slept, shown = 0, None
        for table in map(json.loads, top.stdout):
            slept += table["took"]["slept"]
            shown = shown or (table if table["rows"] else None)
            if shown and slept:
                break
        top.terminate()
        top.communicate()
    seconds = shown["took"]["seconds"]
    for row in shown["rows"]:
        times = sums([hook.time for call in calls[10:] if call.name == row["syscall"] for hook in call.hooks])
        for column, wanted in (("time/s", "sum"), ("wall/s", "wall"), ("slept/s", "slept"), ("preempted/s", "preempted")):
            assert row[column] * seconds == pytest.approx(times[wanted], abs=1e-3 * seconds), column
    assert {row["syscall"] for row in shown["rows"]} >= {"openat", "read"}
    assert slept == sum(hook.time.slept for call in calls[10:] for hook in call.hooks)


def test_the_page_shows_what_is_not_zero(lsmpmon, tmp_path):
    """Columns that are 0 in all rows are in the data, and not in the tables that the script makes."""
    for path, shown in ((made.PATH, True), (undisturbed(tmp_path), False)):
        assert lsmpmon("report", path, "--html", tmp_path / "page.html").returncode == 0
        written = Page(tmp_path / "page.html")
        data = json.loads(written.text["data"])
        assert {"slept", "preempted", "wall"} <= data["hooks"]["rows"][0].keys()
        assert data["time"] == "own time" and data["distributions"] == "the own time of all calls"
        headers = texts_of(written, "th")
        assert "wall" in headers and ("slept" in headers) == ("unknown" in headers) == shown
        assert len(texts_of(written, "td")) == sum(
            len(view["rows"]) * len([column for column in view["columns"] if not column.get("spare") or
                                     any(row[column["name"]] for row in view["rows"])])
            for view in (data[name] for name in ("hooks", "modules", "syscalls", "comms", "cgroups")))
        assert "By own time; click to look closer, and again to come back." in texts_of(written, "p")


@pytest.mark.parametrize("words", [("syscalls", "openat", made.PATH), ("syscalls", made.PATH), ("report", made.PATH, "--wall", "-q"),
                                   ("hist", "file_post_open", made.PATH, "--wall"), ("diff", made.PATH, made.PATH, "--wall")],
                         ids=str)
def test_json_is_as_the_schema_says(view, words):
    validate = fastjsonschema.compile(json.loads((HERE.parent / "schema/view.json").read_text()))
    assert validate(view(*words))["rows"]
