# SPDX-License-Identifier: GPL-2.0-only
"""The views show of recorded guests what the kernel had, in every format."""

import csv
import io
import json
import math
import os
import pathlib
import re
import subprocess
from collections import defaultdict

import fastjsonschema
import pytest
from recorded import HERE, RECORDS, TOP, Record, as_text, counts, has_times, info, rows, times

from lsmpmon_report.kernelfiles import known, own, parse_info, parse_table, timed, wall

SCHEMA = HERE.parent / "schema"
GROUPINGS = {
    "hook": "verdicts", "verdict": "verdicts", "hook,verdict": "verdicts", "verdict,hook": "verdicts",
    "module": "modules", "module,hook": "modules", "hook,module": "modules",
    "syscall": "syscalls", "syscall,hook": "syscalls",
    "cpu": "cpus", "comm": "comms", "hook,comm": "comms", "cgroup": "cgroups", "cgroup,hook": "cgroups",
    "module,syscall": "stacks", "syscall,module": "stacks", "syscall,hook,module": "stacks",
    "module,hook,syscall": "stacks",
}
CONTAINERS = HERE / "data/6.12-uml-containers.json"
ESCAPE = "\033"


def views(record):
    """Yield every view of a record."""
    yield "report", record
    yield "report", record, "--quantiles"
    yield "report", record, "--by", "syscall,hook"
    yield "status", "-i", record
    yield "hist", "inode_permission", "-i", record
    yield "hist", "inode_permission", "--linear", "-i", record
    yield "syscalls", "-i", record
    yield "diff", record, RECORDS[0]
    yield "diff", record, RECORDS[0], "--by", "module,hook"
    yield "diff", CONTAINERS, CONTAINERS, "--by", "syscall,hook,module"
    yield "report", CONTAINERS, "--by", "cgroup,hook"


def added_up(record, table, keys):
    total = defaultdict(lambda: {**dict.fromkeys(("count", "cs_count", "sum", "wall", "known", "timed"), 0), "min": math.inf, "max": 0})
    for row in rows(record, table):
        group = total[tuple(str(row[key]) for key in keys)]
        for column in ("count", "cs_count"):
            group[column] += row[column]
        for column, of in (("sum", own), ("wall", wall), ("known", known), ("timed", timed)):
            group[column] += of(row)
        if row["count"]:
            group["min"] = min(group["min"], row["min"])
        group["max"] = max(group["max"], row["max"], row.get("cs_max", 0))
    return total


@pytest.mark.parametrize("by", GROUPINGS)
def test_report_adds_up_what_the_kernel_counted(view, record, by):
    if GROUPINGS[by] not in Record(record).files:
        pytest.skip(f"a record of a kernel that had no {GROUPINGS[by]} yet")
    keys = by.split(",")
    shown = view("report", record, "--by", by, "--cycles")
    wanted = added_up(record, GROUPINGS[by], keys)
    assert len(shown["rows"]) == len(wanted) > 0
    total = sum(group["sum"] for group in wanted.values())
    for row in shown["rows"]:
        group = wanted[tuple(row[key] for key in keys)]
        assert {column: row[column] for column in ("count", "cs_count", "sum")} == \
               {column: group[column] for column in ("count", "cs_count", "sum")}
        assert row["min"] == (group["min"] if group["count"] else None)
        assert row["max"] == (group["max"] if group["timed"] else None)
        assert row["ave"] == (pytest.approx(group["sum"] / group["known"], abs=0.001) if group["known"] else None)
        assert row.get("wall", group["sum"]) == group["wall"]
        assert row["share"] == pytest.approx(100 * group["sum"] / total, abs=0.001)


@pytest.mark.parametrize("by", ["comm", "cgroup", "hook,comm", "hook,cgroup"])
def test_who_pays_pays_for_all(view, by):
    """Every call is counted for a payer."""
    shown = view("report", CONTAINERS, "--by", by, "--cycles")["rows"]
    hooks = view("report", CONTAINERS, "--cycles")["rows"]
    for column in ("count", "cs_count", "sum"):
        assert sum(row[column] for row in shown) == sum(row[column] for row in hooks)
    assert sum(row["count"] for row in shown) > 1000


def test_containers_have_their_names(view):
    shown = {row["cgroup"]: row["count"] for row in view("report", CONTAINERS, "--by", "cgroup")["rows"]}
    assert shown["/web"] > 0 and shown["/batch\\040job"] > 0 and "/" in shown


@pytest.mark.parametrize("by", ["comm", "cgroup", "hook,comm", "cgroup,hook"])
def test_the_share_of_others_is_told(lsmpmon, tmp_path, by):
    """The others are those who have no lines of their own."""
    record, table = Record(CONTAINERS), GROUPINGS[by]
    key = table.removesuffix("s")
    name = rows(CONTAINERS, table)[0][key]
    record.edit(table, lambda text: re.sub(rf"^{re.escape(name)} ", "other ", text, flags=re.M))
    path = record.write(tmp_path / "r.json")
    calls, ticks = counts(path, table, key), times(path, table, key)
    output = " ".join(lsmpmon("report", path, "--by", by).stdout.split())
    shares = re.search(r"(\S+) % of these calls and (\S+) % of their time are in 'other': of ", output)
    assert float(shares[1]) == pytest.approx(100 * calls["other"] / calls.total(), rel=0.01)
    assert float(shares[2]) == pytest.approx(100 * ticks["other"] / ticks.total(), rel=0.01)
    assert "in 'other'" not in lsmpmon("report", CONTAINERS, "--by", by).stdout


@pytest.mark.parametrize("by, feature", [("comm", "comm"), ("cgroup", "cgroup"), ("module,syscall", "stack")])
def test_what_was_not_measured_is_told(lsmpmon, tmp_path, by, feature):
    record = Record(CONTAINERS)
    table = GROUPINGS[by]
    record.edit("features", lambda text: text.replace(f"{feature} 1", f"{feature} 0"))
    record.edit(table, lambda text: text.splitlines()[0] + "\n")
    output = " ".join(lsmpmon("report", record.write(tmp_path / "r.json"), "--by", by).stdout.split())
    assert f"lsmpmon record -f {feature}, or lsmpmon on -f {feature}." in output


def test_sums_of_modules_equal_those_of_result_hooks(view, record):
    """Another file of the kernel has the same sums."""
    shown = view("report", record)["rows"]
    assert {row["hook"]: row["count"] + row["cs_count"] for row in shown} == +counts(record)


@pytest.mark.parametrize("unit, factor", [("--ns", 1e6), ("--us", 1e3)])
def test_units(view, record, unit, factor):
    ticks = {row["hook"]: row["sum"] for row in view("report", record, "--cycles")["rows"]}
    times = {row["hook"]: row["sum"] for row in view("report", record, unit)["rows"]}
    khz = info(record).number("clock_khz")
    assert ticks.keys() == times.keys()
    for hook, count in ticks.items():
        assert times[hook] == pytest.approx(count * factor / khz, abs=0.001)


def calls_column(record):
    """Return the column of the histogram that has the calls by the time that is shown: own time, of all calls."""
    return "own" if has_times(record) else "count"


def quantile(buckets, share):
    wanted = math.ceil(share * sum(buckets.values()))
    below = 0
    for le, count in sorted(buckets.items()):
        below += count
        if below >= wanted:
            return le
    raise AssertionError("no bucket")


def test_quantiles(view, record):
    buckets = defaultdict(lambda: defaultdict(int))
    for row in rows(record, "histogram"):
        if calls := row[calls_column(record)]:
            buckets[row["hook"]][row["le"]] += calls
    seen = 0
    for row in view("report", record, "-q", "--cycles")["rows"]:
        for name, share in (("p50", .5), ("p90", .9), ("p99", .99), ("p99.9", .999)):
            if row["hook"] in buckets:
                assert row[name] == min(quantile(buckets[row["hook"]], share), row["max"])
                seen += 1
            else:
                assert row[name] is None and row["count"] == 0
    assert seen


def test_sort_and_top(view, record):
    every = view("report", record, "--sort", "hook")["rows"]
    assert [row["hook"] for row in every] == sorted(row["hook"] for row in every)
    longest = view("report", record, "--sort", "max", "--top", "5")["rows"]
    assert [row["max"] for row in longest] == sorted((row["max"] or 0 for row in every), reverse=True)[:5]


@pytest.mark.parametrize("linear", [(), ("--linear",)])
def test_hist_has_every_call_once(view, record, linear):
    shown = view("hist", "inode_permission", "--cycles", "-i", record, *linear)["rows"]
    calls = calls_column(record)
    buckets = [row for row in rows(record, "histogram") if row["hook"] == "inode_permission" and row[calls]]
    assert sum(row["count"] for row in shown) == sum(row[calls] for row in buckets) > 0
    for before, row in zip(shown, shown[1:]):
        assert row["from"] == before["to"] + 1
    for row in shown:
        inside = [b[calls] for b in buckets
                  if row["from"] <= b["le"] and (row["to"] is None or b["le"] <= row["to"])]
        assert row["count"] == sum(inside)
    assert shown[-1]["until"] == 100
    assert len(shown) <= 26


def test_hist_refuses_what_is_no_hook(lsmpmon, record):
    done = lsmpmon("hist", "inode_permision", "-i", record)
    assert done.returncode == 2 and "'inode_permision' is not a hook" in done.stderr


def test_syscalls_tell_the_share_where_there_are_whole_calls(view):
    record = HERE / "data/6.12-qemu-apparmor.json"
    calls = {row["syscall"]: row for row in rows(record, "calls")}
    shown = view("syscalls", "--cycles", "-i", record)["rows"]
    assert {row["syscall"] for row in shown} == set(calls)
    for row in shown:
        call = calls[row["syscall"]]
        assert row["sum"] == call["hook_sum"]
        if call["count"]:
            assert row["share"] == pytest.approx(100 * call["hook_sum"] / call["sum"], abs=0.001)
            assert row["hooks"] == pytest.approx(call["hook_count"] / call["count"], abs=0.001)
            assert row["ave"] == pytest.approx(call["sum"] / call["count"], abs=0.001)


def test_syscalls_are_plain_about_what_the_runner_lacks(view):
    shown = view("syscalls", "-i", HERE / "data/6.12-uml-apparmor.json")
    assert "as on User-Mode Linux" in shown["notes"][0]
    assert "share" not in {column["name"] for column in shown["columns"]} and shown["rows"]


def test_emulation_is_named(view):
    shown = view("report", HERE / "data/6.12-qemu-apparmor.json")
    assert shown["source"]["accelerator"] == "tcg" and "mean nothing" in shown["notes"][0]


def test_instructions_are_no_nanoseconds(view, apparmor, tmp_path):
    apparmor.content["about"].update(runner="qemu", accelerator="icount")
    assert view("report", apparmor.write(tmp_path / "icount.json"))["unit"] == "instructions"


@pytest.mark.parametrize("number", range(len(list(views("")))))
def test_json_is_as_the_schema_says(view, record, number):
    command = list(views(record))[number]
    validate = fastjsonschema.compile(json.loads((SCHEMA / "view.json").read_text()))
    shown = validate(view(*command))
    assert shown["rows"]
    names = [column["name"] for column in shown["columns"]]
    assert all(list(row) == names for row in shown["rows"])


def test_records_are_as_the_schema_says(record):
    fastjsonschema.compile(json.loads((SCHEMA / "record.json").read_text()))(
        json.loads(record.read_text()))


@pytest.mark.parametrize("number", range(len(list(views("")))))
def test_csv_has_the_numbers_of_json(view, lsmpmon, record, number):
    command = list(views(record))[number]
    lines = list(csv.reader(io.StringIO(lsmpmon(*command, "--csv").stdout)))
    shown = view(*command)
    assert len(lines) == len(shown["rows"]) + 1
    for line, row in zip(lines[1:], shown["rows"]):
        for text, value in zip(line, row.values(), strict=True):
            if isinstance(value, (int, float)):
                assert float(text) == value
            else:
                assert text == (value or "")


@pytest.mark.parametrize("width", [(), ("--width", "60"), ("--width", "150")])
@pytest.mark.parametrize("number", range(len(list(views("")))))
def test_text_is_plain_and_fits(lsmpmon, record, number, width):
    done = lsmpmon(*list(views(record))[number], *width)
    room = int(width[1]) if width else 80
    assert done.returncode == 0 and ESCAPE not in done.stdout
    for line in done.stdout.splitlines():
        assert len(line) <= room and line == line.rstrip(), line


def test_colour_when_asked_for(lsmpmon, record):
    done = lsmpmon("report", record, "--color", "always")
    assert ESCAPE in done.stdout
    assert re.sub("\033\\[[0-9]+m", "", done.stdout) == lsmpmon("report", record).stdout


def test_what_is_left_out_is_named(lsmpmon, record):
    text = lsmpmon("report", record, "-q", "--width", "80").stdout
    assert re.search(r"^No room for: .*min", text, re.M)
    assert "No room" not in lsmpmon("report", record, "-q", "--width", "200").stdout


def add_column(text):
    """Add a column in the middle, and one at the end."""
    rows = [[*row.items()] for row in parse_table(text)]
    return as_text([dict([*row[:1], ("extra", 7), *row[1:], ("later", "x")] if row[1:] else row) for row in rows])


def test_unknown_columns_and_keys_are_skipped(view, record, tmp_path):
    changed = Record(record)
    tables = {"result", "verdicts", "modules", "syscalls", "cpus", "histogram", "hooks"} & set(changed.files)
    for table in tables:
        changed.edit(table, add_column)
    changed.edit("info", lambda text: "novel: 1\n" + text + "later: 2\n")
    changed.files["novel"] = "something else\n"
    changed.content["novel"] = [1]
    other = changed.write(tmp_path / "changed.json")
    for by in (by for by, table in GROUPINGS.items() if table in tables):
        assert view("report", other, "--by", by)["rows"] == view("report", record, "--by", by)["rows"]
    assert view("hist", "inode_permission", "-i", other)["rows"] == \
           view("hist", "inode_permission", "-i", record)["rows"]


def test_a_copy_of_the_directory_serves_as_well(view, apparmor, tmp_path):
    for name, text in apparmor.content["runs"][0]["files"].items():
        (tmp_path / name).write_text(text)
    apparmor.content["runs"] = apparmor.content["runs"][:1]
    record = apparmor.write(tmp_path.with_suffix(".json"))
    assert view("show", "-d", tmp_path)["rows"] == view("report", record)["rows"]


def test_runs_of_a_directory_of_records_are_added_up(view, apparmor, tmp_path):
    path = apparmor.write(tmp_path / "one.json")
    several = tmp_path / "several"
    several.mkdir()
    for name in "ab":
        apparmor.write(several / f"{name}.json")
    shown = view("diff", path, several)
    assert (shown["source"]["a"]["runs"], shown["source"]["b"]["runs"]) == (3, 6)
    assert {row["change"] for row in shown["rows"] if row["change"] is not None} == {0}


def test_the_program_is_small_and_needs_no_library(plain):
    assert plain.stat().st_size < 13 << 17
    headers = subprocess.run(["readelf", "-l", plain], capture_output=True, text=True, check=True).stdout
    assert "LOAD" in headers and "INTERP" not in headers


def test_commands_are_all_in_the_help(lsmpmon):
    names = re.findall(r"^  (\w+) +\S", lsmpmon("--help").stdout, re.M)
    assert {"on", "off", "reset", "status", "show", "record", "report", "diff", "top", "hist", "syscalls",
            "export"} <= set(names)
    for name in names:
        if name != "lsmpmon":
            assert lsmpmon(name, "--help").stdout.startswith(f"Usage: lsmpmon {name}"), TOP


def test_one_way_to_name_a_record(lsmpmon, record, tmp_path):
    """A record may be named as an argument, with -i, and as record writes it."""
    (tmp_path / "lsmpmon.json").write_bytes(record.read_bytes())
    for words in (("report",), ("hist", "inode_permission"), ("syscalls",)):
        named, given = lsmpmon(*words, record, "--csv"), lsmpmon(*words, "-i", record, "--csv")
        assert named.returncode == 0 and named.stdout == given.stdout
    assert lsmpmon("report", cwd=tmp_path).stdout == lsmpmon("report", "lsmpmon.json", cwd=tmp_path).stdout
    assert lsmpmon("export", record).stdout == lsmpmon("export", "-i", record).stdout
    (tmp_path / "lsmpmon.json.old").write_bytes(record.read_bytes())
    named = lsmpmon("diff", "lsmpmon.json.old", "lsmpmon.json", cwd=tmp_path)
    assert named.returncode == 0 and lsmpmon("diff", cwd=tmp_path).stdout == named.stdout


UNPATCHED = pytest.mark.skipif(pathlib.Path("/sys/kernel/security/lsmmon").exists(), reason="has the monitor")
LIVE = (("show",), ("status",), ("export",), ("syscalls",), ("hist", "inode_permission"))


@pytest.mark.parametrize("words", LIVE, ids=" ".join)
def test_without_a_file_views_are_of_the_monitor(lsmpmon, record, tmp_path, words):
    """The files are those of the directory, whatever records lie around; only report and diff are about records."""
    (tmp_path / "lsmpmon.json").write_text("not this\n")
    copy = tmp_path / "copy"
    copy.mkdir()
    for name, text in Record(record).files.items():
        (copy / name).write_text(text)
    done = lsmpmon(*words, "-d", copy, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout


@UNPATCHED
@pytest.mark.parametrize("words", [*LIVE, ("on",), ("top", "-n", "1"), ("record", "--", "true"), ("bench",)], ids=" ".join)
def test_a_kernel_without_the_monitor_says_so(lsmpmon, record, tmp_path, words):
    """One line comes at once, whether securityfs is mounted or not."""
    (tmp_path / "lsmpmon.json").write_bytes(record.read_bytes())
    done = lsmpmon(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    if int(subprocess.run(["grep", "-c", "", "/proc/kallsyms"], capture_output=True, check=False).stdout or 0):
        (line,) = done.stderr.splitlines()
        assert f"this kernel, {os.uname().release}, has no lsmpmon: boot one that has it" in line
        assert "in lsmpmon's source" in line, "there is no make in a package"


def several(path, *records):
    path.mkdir()
    for number, one in enumerate(records):
        (path / f"{number}.json").write_bytes(one.read_bytes())
    return path


@pytest.mark.parametrize("words", [("report",), ("report", "--by", "module"), ("syscalls",), ("hist", "inode_permission"),
                                   ("show",)], ids=" ".join)
def test_a_directory_of_records_is_one(view, tmp_path, record, words):
    """The records are boots, as for diff: all runs together."""
    one, two = view(*words, record), view(*words, several(tmp_path / "boots", record, record))
    assert two["source"]["runs"] == 2 * one["source"]["runs"]
    key = one["columns"][0]["name"]
    before = {row[key]: row for row in one["rows"]}
    assert before.keys() == {row[key] for row in two["rows"]}
    for row in two["rows"]:
        for column in {"count", "hook_calls"} & row.keys():
            assert row[column] == 2 * before[row[key]][column]


def test_clocks_of_different_speed_are_not_added_up(lsmpmon, apparmor, tmp_path):
    boots = several(tmp_path / "boots", apparmor.write(tmp_path / "one.json"))
    apparmor.edit("info", lambda text: text.replace("clock_khz: 2596128", "clock_khz: 3100000"))
    apparmor.write(boots / "other.json")
    done = lsmpmon("report", boots)
    assert (done.returncode, done.stdout) == (2, "") and "other.json' is of another machine" in done.stderr


@pytest.mark.parametrize("width", [(), ("--width", "40"), ("--width", "200")])
def test_status_is_not_cut(lsmpmon, view, apparmor, tmp_path, width):
    apparmor.edit("features", lambda text: text + "".join(f"feature{n} 1\n" for n in range(9)))
    path = apparmor.write(tmp_path / "r.json")
    text = lsmpmon("status", "-i", path, *width).stdout
    assert "~" not in text and all(len(line) <= int((width or (0, 80))[1]) for line in text.splitlines())
    for row in view("status", "-i", path)["rows"]:
        assert (row["value"] or "-").replace(" ", "") in text.replace(" ", "").replace("\n", "")


@pytest.mark.parametrize("online, expected", [("0-3", "4 online, 16 possible"), ("0-15", "16"), (None, "16")])
def test_status_tells_processors_apart(view, apparmor, tmp_path, online, expected):
    apparmor.edit("info", lambda text: text.replace("cpus: 1\n", "cpus: 16\n"))
    apparmor.content["about"]["cpus_online"] = online
    shown = {row["key"]: row["value"] for row in view("status", "-i", apparmor.write(tmp_path / "r.json"))["rows"]}
    assert shown["CPUs"] == expected


UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def time_in(text, pattern):
    match = re.search(pattern.replace("TIME", r"([\d.e+]+) (s|ms|us|ns)"), text)
    assert match, text
    return float(match[1]) * UNITS[match[2]]


def off_cpu(row):
    return row.get("slept", 0) + row.get("preempted", 0)


def measured(record):
    """Return calls with times, callbacks, and seconds from the kernel's own tables: of all calls, own, off the CPU."""
    khz = info(record).number("clock_khz")
    calls, callbacks = times(record, "verdicts", of=timed).total(), times(record, "modules", of=timed).total()
    return calls, callbacks, *(times(record, "verdicts", of=of).total() / khz / 1000 for of in (wall, own, off_cpu))


def test_the_total_without_what_measuring_added(lsmpmon, view, record):
    """Each percentage names its total; the raw sum, which rows add up to, stands beside."""
    calls, callbacks, raw, own_time, waited = measured(record)
    khz, empty, cpus = (info(record).number(key) for key in ("clock_khz", "overhead", "cpus"))
    seconds = sum(parse_info(run["files"]["info"]).number("enabled_ns") for run in Record(record).content["runs"]) / 1e9
    measuring = (calls + callbacks) * empty / khz / 1000
    hooks, output = raw - waited - measuring, " ".join(lsmpmon("report", record, "--width", "1000").stdout.split())
    if has_times(record):
        assert time_in(output, "Hooks took TIME (?:of|\\()") == pytest.approx(hooks, rel=0.006)
        without = r"\(TIME without interrupts\) of " if "without interrupts)" in output else "Hooks took TIME of"
        assert time_in(output, without) == pytest.approx(own_time - measuring, rel=0.006)
        assert time_in(output, ", and made tasks wait another TIME; ") == pytest.approx(waited, rel=0.006)
        assert time_in(output, "Measured: own TIME[,;]") == pytest.approx(own_time, rel=0.006)
    else:
        assert time_in(output, "Hooks took TIME in ") == pytest.approx(hooks, rel=0.006)
        assert time_in(output, "Measured: TIME, of which ") == pytest.approx(raw, rel=0.006)
    assert time_in(output, "TIME is measuring itself:") == pytest.approx(measuring, rel=0.006)
    assert time_in(output, "itself: TIME in each of") == pytest.approx(empty / khz / 1000, rel=0.006)
    assert f" in each of {calls:,} calls and {callbacks:,} callbacks." in output
    share = 100 * hooks / seconds
    match = re.search(r": ([\d.e-]+) % of one CPU's time(?:, ([\d.e-]+) % of that of (\d+) CPUs)?[;,] ", output)
    assert float(match[1]) == pytest.approx(share, rel=0.06)
    assert (match[3] or "1") == str(cpus) and (cpus == 1 or float(match[2]) == pytest.approx(share / cpus, rel=0.06))
    took = view("report", record)["took"]
    assert took["measured"] == pytest.approx(raw * 1e9) and took["measuring"] == pytest.approx(measuring * 1e9)
    assert took["hooks"] == pytest.approx(hooks * 1e9) and took["callbacks"] == callbacks
    assert took["percent_of_one_cpu"] == pytest.approx(share)
    assert took["percent_of_all_cpus"] == pytest.approx(share / cpus)


def test_without_callbacks_measured_there_are_none(lsmpmon, view, apparmor, tmp_path):
    """The callbacks that --full adds are in no other total."""
    path = apparmor.write(tmp_path / "full.json")
    full = view("report", path)["took"]
    apparmor.edit("modules", lambda text: text.splitlines()[0] + "\n")
    bare = view("report", apparmor.write(tmp_path / "bare.json"))["took"]
    assert bare["measured"] == full["measured"] and bare["callbacks"] == 0 < full["callbacks"]
    assert bare["measuring"] == pytest.approx(full["measuring"] * bare["calls"] / (full["calls"] + full["callbacks"]))
    assert "callbacks" not in lsmpmon("report", path.with_name("bare.json")).stdout


@pytest.mark.parametrize("by", ["hook", "hook,verdict", "module", "module,hook", "syscall", "cpu"])
def test_rows_and_the_total_fit_together(lsmpmon, view, record, by):
    if GROUPINGS[by] not in Record(record).files:
        pytest.skip(f"a record of a kernel that had no {GROUPINGS[by]} yet")
    shown = view("report", record, "--by", by)
    took, total = shown["took"], sum(row["sum"] for row in shown["rows"])
    assert took["rows"] == pytest.approx(total, abs=len(shown["rows"]))
    for row in shown["rows"]:
        assert row["share"] == pytest.approx(100 * row["sum"] / took["rows"], abs=0.01)
    note = [note for note in shown["notes"] if note.startswith("The rows add up to ")]
    if took["rows"] == pytest.approx(measured(record)[3] * 1e9, rel=1e-9):
        assert not note
    else:
        assert "module" in by and "the modules' own callbacks" in note[0]
        assert time_in(note[0], "add up to TIME of") == pytest.approx(total / 1e9, rel=0.006)


def test_a_call_inside_another_is_told(lsmpmon, record):
    output = " ".join(lsmpmon("report", record).stdout.split())
    assert "A call inside another is in both." in output
    calls = rows(record, "calls") if "calls" in Record(record).files else []
    if "nested" in Record(record).files:
        once = sum(own(row) for row in rows(record, "nested") if row["outer"] == "-") / info(record).number("clock_khz") / 1000
        assert time_in(output, "Each moment counted once: own TIME") == pytest.approx(once, rel=0.006)
    elif any(row["hook_sum"] for row in calls):
        once = sum(row.get("hook_own", row["hook_sum"]) for row in calls) / info(record).number("clock_khz") / 1000
        assert time_in(output, "it is in one only, measured: (?:own )?TIME") == pytest.approx(once, rel=0.006)


@pytest.mark.parametrize("online, cpus", [("0-1", 2), ("0,2-3", 3), ("0", 1), ("rubbish", 16), ("3-1", 16)])
def test_processors_are_those_that_are_online(view, lsmpmon, apparmor, tmp_path, online, cpus):
    apparmor.edit("info", lambda text: text.replace("cpus: 1\n", "cpus: 16\n"))
    apparmor.content["about"]["cpus_online"] = online
    path = apparmor.write(tmp_path / "r.json")
    assert view("report", path)["took"]["cpus"] == cpus
    output = " ".join(lsmpmon("report", path).stdout.split())
    assert (f"of that of {cpus} CPUs" in output) == (cpus > 1)


def test_what_let_nothing_pass_is_named(lsmpmon, apparmor, tmp_path):
    apparmor.edit("verdicts", lambda text: text.splitlines()[0] + "\n")
    apparmor.edit("filter", lambda text: "s nobody\no /etc/x\n")
    output = lsmpmon("report", apparmor.write(tmp_path / "r.json"), "--width", "200").stdout
    assert "No call passed the filter: 's nobody', 'o /etc/x'." in output


def test_less_than_a_step_of_the_clock_is_said_so(lsmpmon, coarse):
    shown = lsmpmon("report", coarse, "--width", "200", "--quantiles").stdout
    assert "Times in ns; measuring adds <52 to each." in " ".join(shown.split())
    assert "The clock moves in steps of 52 ns: times of single calls are no more exact than that." in shown
    header, *lines = [line.split() for line in shown.splitlines() if len(line.split()) == 11]
    by_hook = {line[0]: dict(zip(header, line)) for line in lines}
    shortest = {}
    for row in rows(coarse, "result"):
        if row.get("count"):
            shortest[row["hook"]] = min(row["min"], shortest.get(row["hook"], math.inf))
    assert 0 in shortest.values() and any(shortest.values())
    for hook, ticks in shortest.items():
        assert by_hook[hook]["min"] == (f"{ticks / 0.0192:,.0f}" if ticks else "<52"), hook
    assert not [line for line in by_hook.values() if "<" in line["ave"] + line["sum"]]


def test_what_measuring_adds_is_no_zero(lsmpmon, coarse, apparmor, tmp_path):
    """An empty span that reads 0 takes up to a step of the clock; for an older kernel, its length is unknown."""
    output = " ".join(lsmpmon("report", coarse).stdout.split())
    assert "; what measuring adds to a call is less than a step of the clock. A call" in output
    apparmor.edit("info", lambda text: re.sub("^overhead: .*", "overhead: 0", text, flags=re.M))
    older = " ".join(lsmpmon("report", apparmor.write(tmp_path / "older.json")).stdout.split())
    assert re.search(r"Measured: [\d.]+ m?s\. A call inside", older)
    assert not [text for text in (output, older) if "is measuring" in text]


@pytest.mark.parametrize("unit, step", [("--us", "0.05 us"), ("--cycles", "1 ticks")])
def test_the_step_is_in_the_unit_of_the_table(lsmpmon, coarse, unit, step):
    assert f"in steps of {step}:" in lsmpmon("report", coarse, unit).stdout
    assert f"<{step.split()[0]}" in lsmpmon("report", coarse, unit, "--width", "200").stdout


def test_programs_get_the_ticks_and_the_step(view, lsmpmon, coarse):
    shown = view("report", coarse)
    assert shown["source"]["clock_step"] == 1 and 0 in [row["min"] for row in shown["rows"]]
    assert "<" not in lsmpmon("report", coarse, "--csv").stdout


def test_hist_says_the_step(lsmpmon, coarse, record):
    assert "in steps of 52 ns" in lsmpmon("hist", "inode_permission", "-i", coarse).stdout
    assert "in steps" not in lsmpmon("hist", "inode_permission", "-i", record).stdout


def test_an_exact_clock_needs_no_word(lsmpmon, tmp_path):
    record = Record(HERE / "data/6.12-uml-selinux.json")
    record.edit("info", lambda text: text + "clock_step: 1\n")
    shown = lsmpmon("report", record.write(tmp_path / "fine.json")).stdout
    assert "in steps" not in shown and "<" not in shown


def test_a_clock_that_went_back_is_said(lsmpmon, tmp_path):
    record = Record(HERE / "data/6.12-uml-selinux.json")
    record.edit("info", lambda text: text + "backwards: 3\n")
    path = record.write(tmp_path / "back.json")
    times = 3 * len(record.content["runs"])
    assert f"{times} times are missing: the clock went back in them" in lsmpmon("report", path).stdout
    assert re.search(r"^clock went back +3$", lsmpmon("status", "-i", path).stdout, re.M)
