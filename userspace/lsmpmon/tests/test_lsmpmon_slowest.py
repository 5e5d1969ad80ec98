# SPDX-License-Identifier: GPL-2.0-only
"""The slowest calls, and what hooks waited for: of calls that are known, and on a live kernel."""

import csv
import io
import json
from collections import Counter

import fastjsonschema
import made
import pytest
from guests import GUESTS, execute
from recorded import SOURCES, Record, header
from test_lsmpmon_times import HOOKS, RUNS, older, undisturbed

SCHEMA = fastjsonschema.compile(json.loads((SOURCES / "lsmpmon/schema/view.json").read_text()))
SOME = {"0": None, "-": None}


def wanted(hook):
    """Return the times of the 16 slowest calls of a hook, from begin to end."""
    return sorted((call.time.wall for _, call in HOOKS if call.hook == hook), reverse=True)[:16]


@pytest.mark.parametrize("hook", sorted({call.hook for _, call in HOOKS}))
def test_the_slowest_of_a_hook_are_those_of_all_runs(view, hook):
    shown = view("slowest", hook, made.PATH, "--cycles")
    SCHEMA(shown)
    assert [row["wall"] for row in shown["rows"]] == wanted(hook)
    for row in shown["rows"]:
        calls = [(syscall, call) for syscall, call in HOOKS if (call.hook, call.time.wall) == (hook, row["wall"])]
        assert (row["syscall"], row["comm"], row["error"], row["object"]) in {
            (syscall, call.comm, call.errno or None, SOME.get(call.object, call.object)) for syscall, call in calls}
        known = [call.time for _, call in calls if call.time.known]
        assert (row["own"], row["slept"], row["preempted"], row["interrupted"]) in {
            *((time.own, time.slept, time.preempted, time.irq) for time in known), *([] if known else [(None,) * 4])}


def test_the_slowest_of_all_hooks(view):
    """Among the first 16, none is missing."""
    shown = view("slowest", made.PATH, "--cycles")
    assert [row["wall"] for row in shown["rows"]] == sorted((call.time.wall for _, call in HOOKS), reverse=True)[:16]
    assert any("16 of 88 calls, up to 16 of each hook" in note for note in shown["notes"])
    every = view("slowest", made.PATH, "--top", "1000", "--cycles")
    assert Counter(row["hook"] for row in every["rows"]) == \
        {hook: len(wanted(hook)) for hook in {call.hook for _, call in HOOKS}}
    assert not any("of 88" in note for note in every["notes"])
    assert [row["wall"] for row in view("slowest", made.PATH, "--top", "3", "--cycles")["rows"]] == \
        [row["wall"] for row in shown["rows"][:3]]


def test_when_is_since_the_reset(view):
    """Each call of a run is a microsecond after the one before it."""
    (calls, outside), shown = RUNS[0], view("slowest", "capable", made.PATH)["rows"]
    hooks = [hook for call in calls for hook in call.hooks] + outside
    ends = {place for place, hook in enumerate(hooks, 1) if hook.hook == "capable"}
    assert {round(row["when"] * 1e6) for row in shown} >= ends
    assert all(row["end"] == pytest.approx(93 + row["when"], abs=1e-9) for row in shown)


def test_the_slowest_for_people_and_tables(lsmpmon):
    output = lsmpmon("slowest", made.PATH).stdout
    assert max(map(len, output.splitlines())) <= 80 and "file_post_open" in output and "file170" in output
    assert "slept" in header(lsmpmon("slowest", made.PATH, "--width", "100").stdout, "hook")[0] and " error" not in output
    assert "EPERM" in lsmpmon("slowest", "capable", made.PATH).stdout
    (first, *rest) = csv.DictReader(io.StringIO(lsmpmon("slowest", "file_post_open", made.PATH, "--csv").stdout))
    assert {"wall_ns", "own_ns", "slept_ns", "when_s", "end_s", "pid", "comm", "object"} <= first.keys() and len(rest) == 15
    assert "| file\\_post\\_open |" in lsmpmon("slowest", "file_post_open", made.PATH, "--markdown").stdout


def test_a_long_name_is_cut_before_columns_go(lsmpmon, tmp_path):
    name = "n" * 63 + "\\..."
    path = undisturbed(tmp_path, object=name)
    output = lsmpmon("slowest", "capable", path).stdout
    first = header(output, "wall")[1][0]
    assert "nnn~" in first and "kill" in first and max(map(len, output.splitlines())) <= 80
    assert name in lsmpmon("slowest", "capable", path, "--width", "200").stdout


def test_waits_are_added_up(view):
    waits = [(call.hook, *wait) for _, call in HOOKS for wait in call.waits]
    walls = Counter()
    for _, call in HOOKS:
        walls[call.hook] += call.time.wall
    shown = view("waits", made.PATH, "--cycles")
    SCHEMA(shown)
    assert len(shown["rows"]) == len({wait[:3] for wait in waits}) == 4
    for row in shown["rows"]:
        ticks = [wait[3] for wait in waits if wait[:3] == (row["hook"], row["module"] or "-", row["kind"])]
        assert (row["count"], row["sum"], row["max"]) == (len(ticks), sum(ticks), max(ticks))
        assert row["ave"] == pytest.approx(sum(ticks) / len(ticks), abs=0.001)
        assert row["share"] == pytest.approx(100 * sum(ticks) / walls[row["hook"]], abs=0.001)
    assert [row["sum"] for row in shown["rows"]] == sorted((row["sum"] for row in shown["rows"]), reverse=True)
    assert {row["hook"] for row in view("waits", "file_post_open", made.PATH)["rows"]} == {"file_post_open"}


def test_waits_for_people_and_tables(lsmpmon):
    output = lsmpmon("waits", made.PATH).stdout
    assert "reclaim" in output and "share is of the wall time of the hook's calls." in output
    assert lsmpmon("waits", made.PATH, "--csv").stdout.splitlines()[0] == \
        "hook,module,kind,count,ave_ns,max_ns,sum_ns,share_percent"
    assert "No call of capable waited for a lock or for memory." in lsmpmon("waits", "capable", made.PATH).stdout


def test_what_modules_need_is_said(lsmpmon, tmp_path):
    record = Record(made.PATH)
    for feature in ("module", "stack"):
        record.edit("features", lambda text, feature=feature: text.replace(f"{feature} 1", f"{feature} 0"))
    path = record.write(tmp_path / "r.json")
    assert "lsmpmon record -f slowest,module" in " ".join(lsmpmon("slowest", path).stdout.split())
    assert "lsmpmon record -f waits,module" in " ".join(lsmpmon("waits", path).stdout.split())


@pytest.mark.parametrize("command", ["slowest", "waits"])
def test_what_is_not_there_is_named(lsmpmon, tmp_path, command):
    def refused(path, *words):
        done = lsmpmon(command, path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert all(word in done.stderr for word in words), done.stderr

    refused(older(made.PATH, tmp_path), "older", f"no file lsmmon/{command}")
    record = Record(made.PATH)
    record.edit("features", lambda text: text.replace(f"{command} 1", f"{command} 0"))
    refused(record.write(tmp_path / "off.json"), f"lsmpmon record -f {command}", f"lsmpmon on -f {command}")
    record = Record(made.PATH)
    record.edit(command, lambda text: text.replace("hook", "hoop", 1))
    refused(record.write(tmp_path / "damaged.json"), command, "'hook'")
    record = Record(made.PATH)
    record.edit(command, lambda text: text + "capable x y z\n")
    refused(record.write(tmp_path / "damaged.json"), command, "whole number")


def test_hooks_that_were_not_called(lsmpmon):
    done = lsmpmon("slowest", "file_opn", made.PATH)
    assert done.returncode == 2 and "did you mean 'file_open'?" in done.stderr
    assert lsmpmon("waits", "file_opn", made.PATH).returncode == 2
    assert lsmpmon("slowest", made.PATH, "--sort", "wal").stderr.count("\n") == 1


def test_numbers_that_overflow(lsmpmon, tmp_path):
    most, record = 2 ** 64 - 1, Record(made.PATH)
    record.edit("slowest", lambda text: text + f"capable {most} {most} {most} {most} {most} {most} x y z 0 -\n")
    record.edit("slowest", lambda text: text + "capable 1 2 3 4 5\n")
    record.edit("waits", lambda text: text + f"capable - lock {most} {most} {most}\ncapable - lock 1 1 1\ncapable\n")
    path = record.write(tmp_path / "r.json")
    for words in (("slowest", path), ("slowest", "capable", path), ("waits", path), ("slowest", path, "--json")):
        assert lsmpmon(*words).returncode == 0


def test_a_record_without_calls(lsmpmon, tmp_path):
    record = Record(made.PATH)
    for name in ("slowest", "waits"):
        record.edit(name, lambda text: text.split("\n", 1)[0] + "\n")
    path = record.write(tmp_path / "r.json")
    assert "No call was counted" in lsmpmon("slowest", path).stdout
    assert "No call waited" in lsmpmon("waits", path).stdout
    done = lsmpmon("slowest", "capable", path)
    assert done.returncode == 2 and "no call of 'capable' was counted" in done.stderr


SCRIPT = """
cd /tmp && mkdir one two && tunable=/sys/kernel/security/tunable
echo 's slow' >$tunable/scope
echo 'inode_permission 30000000' >$tunable/sleep_ns
echo 'inode_permission 20000000' >$tunable/lock_ns
cat >work <<'X'
ls /usr/include >/dev/null
for where in one two; do
    (printf slow >/proc/self/comm; cd $where)
done
X
lsmpmon record -f all -o both.json -- sh work || exit
lsmpmon record -f none -o neither.json -- true || exit
cp both.json neither.json "$SHARE"
"""


@pytest.fixture(scope="module", params=[where for where in GUESTS if where[1] == "uml"], ids="-".join)
def live(request, plain, tmp_path_factory):
    """Return where a guest left records of calls that slept and waited for a lock."""
    where = tmp_path_factory.mktemp("slow")
    kver, runner = request.param
    done = execute(SCRIPT, KVER=kver, RUNNER=runner, LSM="tunable", SHARE=where)
    assert done.returncode == 0, done.stderr
    return where


def test_the_slowest_calls_of_a_live_kernel(live, view):
    """Each `cd` looks up a directory that makes it sleep for 30 ms and wait for a lock for 20 ms."""
    rows = view("slowest", "inode_permission", live / "both.json")["rows"]
    slow = {row["object"]: row for row in rows if row["comm"] == "slow"}
    assert {"one", "two"} <= slow.keys()
    for name in ("one", "two"):
        row = slow[name]
        # Each has three decimals.
        assert row["slept"] >= 50e6 and row["own"] + row["slept"] < row["wall"] + 0.002 and row["module"] == "tunable"
        assert row["pid"] > 1 and 0 < row["when"] < row["end"] and row["error"] is None and row["syscall"] == "chdir"


def test_what_a_live_kernel_waited_for(live, view):
    rows = view("waits", "inode_permission", live / "both.json")["rows"]
    (lock,) = [row for row in rows if (row["module"], row["kind"]) == ("tunable", "lock")]
    assert lock["count"] >= 2 and lock["max"] >= 20e6 and lock["sum"] >= 40e6 and 0 < lock["share"] < 100


def test_features_that_were_off_are_named(live, lsmpmon):
    for command in ("slowest", "waits"):
        done = lsmpmon(command, live / "neither.json")
        assert done.returncode == 2 and f"lsmpmon record -f {command}" in done.stderr
