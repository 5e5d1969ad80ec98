# SPDX-License-Identifier: GPL-2.0-only
"""The export is what Prometheus takes, and has the kernel's own sums and counts."""

import json
import os
import re
import stat
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_open
from prometheus_client.parser import text_string_to_metric_families as parse_plain
from recorded import HERE, Record, counts, info, rows, times

from lsmpmon_report.kernelfiles import known, own

CONTAINERS = HERE / "data/6.12-uml-containers.json"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lsmpmon"


@pytest.fixture
def text(lsmpmon, record):
    return lsmpmon("export", "-i", record).stdout


def samples(text, parse=parse_plain):
    values = {}
    for family in parse(text):
        for sample in family.samples:
            key = sample.name, tuple(sorted(sample.labels.items()))
            assert key not in values
            values[key] = sample.value
    return values


def ticks(value, record):
    return round(value * info(record).number("clock_khz") * 1000)


def test_promtool_has_nothing_to_say(text):
    promtool = CACHE / "services/usr/bin/promtool"
    if not promtool.exists():
        pytest.skip("promtool is not there: scripts/deps --tests gets it where there is apt-get")
    done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_openmetrics_is_the_same_in_its_own_format(lsmpmon, record, text):
    done = lsmpmon("export", "-i", record, "--openmetrics").stdout
    assert done.endswith("# EOF\n")
    assert samples(done, parse_open) == samples(text)


def hook_own(row):
    return row.get("hook_own", row["hook_sum"])


def hook_count(row):
    return row["hook_count"] + row.get("cs_hook_count", 0)


TABLES = [
    ("lsmpmon_hook_seconds", "verdicts", ("hook", "verdict"), own, known),
    ("lsmpmon_callback_seconds", "modules", ("module", "hook"), own, known),
    ("lsmpmon_syscall_hook_seconds", "syscalls", ("syscall",), own, known),
    ("lsmpmon_syscall_seconds", "calls", ("syscall",), own, known),
    ("lsmpmon_syscall_part_seconds", "calls", ("syscall",), hook_own, hook_count),
]
OWN = ("state", "own")


@pytest.mark.parametrize("name, table, keys, total, count", TABLES)
def test_sums_and_counts_are_the_kernels(record, text, name, table, keys, total, count):
    if table not in json.loads(record.read_text())["runs"][0]["files"]:
        assert table == "calls" and "uml" in record.name
        assert name not in text
        return
    wanted = defaultdict(lambda: [0, 0])
    for row in rows(record, table):
        group = wanted[tuple(sorted((key, row[key]) for key in keys))]
        group[0] += total(row)
        group[1] += count(row)
    values = samples(text)
    shown = {tuple(label for label in labels if label != OWN): [ticks(values[f"{name}_sum", labels], record), value]
             for (sample, labels), value in values.items() if sample == f"{name}_count"}
    assert shown == wanted


@pytest.mark.parametrize("label", ["comm", "cgroup"])
def test_who_pays_is_a_label_for_who_asks(lsmpmon, label):
    """Names that users choose are in no other metric."""
    name = f"lsmpmon_{label}_hook_seconds"
    assert name not in lsmpmon("export", "-i", CONTAINERS).stdout
    values = samples(lsmpmon("export", "-i", CONTAINERS, "--label", label).stdout)
    wanted = defaultdict(lambda: [0, 0])
    for row in rows(CONTAINERS, f"{label}s"):
        wanted[((label, row[label]),)][0] += row["sum"]
        wanted[((label, row[label]),)][1] += row["count"]
    assert wanted and wanted == {
        labels: [ticks(value, CONTAINERS), values[f"{name}_count", labels]]
        for (sample, labels), value in values.items() if sample == f"{name}_sum"}


@pytest.mark.parametrize("label", ["comm", "cgroup"])
def test_the_ratio_of_others(lsmpmon, tmp_path, label):
    """The ratio is the part of all calls, with or without a context switch, whose payer has no line; 0 if all have
    one.
    """
    ratio, record, table = (f"lsmpmon_{label}_other_ratio", ()), Record(CONTAINERS), f"{label}s"
    assert samples(lsmpmon("export", "-i", CONTAINERS, "--label", label).stdout)[ratio] == 0
    first, *_, last = sorted({row[label] for row in rows(CONTAINERS, table)})
    for name in (first, last):
        record.edit(table, lambda text, name=name: re.sub(f"^{re.escape(name)} ", "other ", text, flags=re.M))
    path = record.write(tmp_path / "r.json")
    calls = counts(path, table, label)
    values = samples(lsmpmon("export", "-i", path, "--label", label).stdout)
    assert values[ratio] == pytest.approx(calls["other"] / calls.total()) and 0 < values[ratio] < 1
    assert not [name for name, _ in samples(lsmpmon("export", "-i", path).stdout) if "other_ratio" in name]


def test_buckets_are_cumulative_and_nothing_is_shown_as_faster(record, text):
    buckets = defaultdict(dict)
    values = samples(text)
    for (name, labels), value in values.items():
        if name == "lsmpmon_hook_duration_seconds_bucket":
            named = dict(labels)
            buckets[named["hook"]][float(named["le"])] = value
    khz = info(record).number("clock_khz")
    kernel = defaultdict(list)
    for row in rows(record, "histogram"):
        kernel[row["hook"]].append((row["le"] / khz / 1000, row.get("own", row["count"])))
    assert set(buckets) == set(kernel)
    ends = {tuple(shown) for shown in buckets.values()}
    assert len(ends) == 1, "only the same buckets may be added up"
    for hook, shown in buckets.items():
        for end, count in shown.items():
            assert count == sum(n for le, n in kernel[hook] if le <= end), (hook, end)


def test_histograms_have_the_sums_of_the_hooks(record, text):
    values, shown = samples(text), {}
    sums, calls = (times(record, "verdicts", of=of) for of in (own, known))
    for name, labels in values:
        if name == "lsmpmon_hook_duration_seconds_sum":
            count = values["lsmpmon_hook_duration_seconds_count", labels]
            shown[dict(labels)["hook"]] = [ticks(values[name, labels], record), count]
    assert shown == {hook: [sums[hook], number] for hook, number in calls.items() if number}


def test_denials(record, text):
    wanted = {("lsmpmon_denials_total", (("errno", errno), ("hook", hook))): number
              for (errno, hook), number in counts(record, "denials", "errno", "hook").items()}
    assert wanted and {key: value for key, value in samples(text).items()
                       if key[0] == "lsmpmon_denials_total"} == wanted


def test_labels_are_quoted(lsmpmon, apparmor, tmp_path):
    apparmor.edit("denials", lambda text: text + 'a"b\\c EPERM 1 0\n')
    done = lsmpmon("export", "-i", apparmor.write(tmp_path / "r.json"))
    assert samples(done.stdout)["lsmpmon_denials_total", (("errno", "EPERM"), ("hook", 'a"b\\c'))] == 3


def test_the_file_is_whole_or_as_it_was(lsmpmon, record, text, tmp_path):
    path = tmp_path / "lsmpmon.prom"
    path.write_text("before")
    assert lsmpmon("export", "-i", "/nonexistent", "-o", path).returncode == 2
    assert path.read_text() == "before"
    assert lsmpmon("export", "-i", record, "-o", path, "-m", "644").returncode == 0
    assert path.read_text() == text and stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [entry.name for entry in tmp_path.iterdir()] == ["lsmpmon.prom"]


def test_not_for_everybody_by_default(lsmpmon, record, tmp_path):
    path = tmp_path / "lsmpmon.prom"
    lsmpmon("export", "-i", record, "-o", path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640 and path.stat().st_gid == tmp_path.stat().st_gid
