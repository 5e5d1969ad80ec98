# SPDX-License-Identifier: GPL-2.0-only
"""Time that hooks took by themselves, without that of hook calls inside."""

import made
import pytest
from guests import GUESTS, execute
from recorded import RECORDS, Record, rows, times

COLUMNS = "min max ave count cs_count sum irq_time cs_sum cs_own cs_max slept preempted unknown"


def nested(calls, own):
    """Return the columns of calls without a context switch inside."""
    return f"{own // calls} {own} {own // calls} {calls} 0 {own} 0 0 0 0 0 0 0\n"


def write(path, lines, timed=None):
    """Write the made record with a table of nested calls, and with another sample period if one is given."""
    record = Record(made.PATH)
    for run in record.content["runs"]:
        run["files"]["nested"] = f"hook outer module {COLUMNS}\n" + "".join(lines)
    record.edit("features", lambda text: text.replace("timed 1", f"timed {timed or 1}"))
    record.edit("info", lambda text: text.replace("timed: 1\n", f"timed: {timed or 1}\n"))
    return record.write(path)


INSIDE = [
    "inode_permission file_open apparmor " + nested(3, 60),
    "capable file_open - " + nested(1, 7),
    "capable file_post_open ima " + nested(2, 12),
    "file_open - - " + nested(9, 5000),
    "capable - - " + nested(1, 70),
]


def by(shown, *keys):
    return {tuple(row[key] for key in keys): row for row in shown["rows"]}


def test_self_is_own_time_without_the_calls_inside(view, tmp_path):
    path = write(tmp_path / "r.json", INSIDE)
    runs, own = len(Record(path).content["runs"]), times(path, "verdicts")
    shown = by(view("report", path, "--cycles"), "hook")
    assert shown["file_open",]["self"] == own["file_open"] - 67 * runs
    assert shown["file_post_open",]["self"] == own["file_post_open"] - 12 * runs
    assert shown["capable",]["self"] == shown["capable",]["sum"] == own["capable"]


def test_self_of_modules_is_that_of_their_callbacks(view, tmp_path):
    path = write(tmp_path / "r.json", INSIDE)
    runs, own = len(Record(path).content["runs"]), times(path, "modules", "module", "hook")
    for keys in ("module,hook", "hook,module"):
        shown = by(view("report", path, "--cycles", "--by", keys), "module", "hook")
        assert shown["apparmor", "file_open"]["self"] == own["apparmor", "file_open"] - 60 * runs
        assert shown["ima", "file_post_open"]["self"] == own["ima", "file_post_open"] - 12 * runs


def test_each_moment_is_counted_once(view, tmp_path):
    path = write(tmp_path / "r.json", INSIDE)
    runs = len(Record(path).content["runs"])
    notes = " ".join(view("report", path, "--cycles")["notes"])
    assert f"Each moment counted once: own {5070 * runs / 1000:.3g} us." in notes, notes


def test_calls_are_shown_by_what_they_are_in(view, tmp_path):
    path = write(tmp_path / "r.json", INSIDE)
    runs = len(Record(path).content["runs"])
    shown = by(view("report", path, "--cycles", "--by", "outer,module,hook"), "outer", "module", "hook")
    assert (shown["file_open", "apparmor", "inode_permission"]["sum"], len(shown)) == (60 * runs, len(INSIDE))
    assert by(view("report", path, "--cycles", "--by", "outer"), "outer")["file_open",]["count"] == 4 * runs


@pytest.mark.parametrize("timed, words", [(1, ["--by", "syscall"]), (64, []), (None, ["--by", "module"])])
def test_self_is_not_shown_where_it_is_unknown(view, tmp_path, timed, words):
    """System calls and whole modules have no rows in the table, and of calls that were not timed there is nothing."""
    shown = view("report", write(tmp_path / "r.json", INSIDE, timed), *words)
    assert shown["rows"] and all("self" not in row for row in shown["rows"])


def test_who_did_not_measure_it_is_told_how(lsmpmon):
    done = lsmpmon("report", RECORDS[0], "--by", "outer")
    assert done.returncode == 2 and "nested" in done.stderr


SCRIPT = """
cd /tmp && lsmpmon record -f nested,module -o nested.json -- \
    python3 -c 'import ctypes
for i in range(100): ctypes.CDLL(None).prctl(24, 1000)' && cp nested.json "$SHARE"
"""


@pytest.mark.parametrize("kver, runner", [where for where in GUESTS if where[1] == "uml"])
def test_sums_of_a_live_kernel(plain, view, tmp_path, kver, runner):
    """The module `capability` asks for a capability in each prctl(); what hooks took by themselves is all that they took."""
    done = execute(SCRIPT, KVER=kver, RUNNER=runner, LSM="apparmor", SHARE=tmp_path)
    assert done.returncode == 0, done.stderr
    path = tmp_path / "nested.json"
    shown = by(view("report", path, "--cycles"), "hook")
    (asked,) = [row for row in rows(path, "nested")
                if (row["hook"], row["outer"], row["module"]) == ("capable", "task_prctl", "capability")]
    assert asked["count"] + asked["cs_count"] == 100
    assert 0 < shown["task_prctl",]["self"] < shown["task_prctl",]["sum"]
    outermost = sum(row["sum"] - row["irq_time"] + row["cs_own"] for row in rows(path, "nested") if row["outer"] == "-")
    assert sum(row["self"] for row in shown.values()) == outermost
