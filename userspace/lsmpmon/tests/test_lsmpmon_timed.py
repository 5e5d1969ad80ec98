# SPDX-License-Identifier: GPL-2.0-only
"""Records in which one call in N was timed: counts are the kernel's, times are estimates and marked as such."""

import json
import math

import pytest
from recorded import HERE, Record, as_text, counts, info, rows

from lsmpmon_report.kernelfiles import parse_table

N = 4


def sparse(text):
    """Return a table as if one call in N of each line had been timed, each as long as the mean."""
    table = parse_table(text)
    for row in table:
        row["timed"] = math.ceil(row["count"] / N)
        if row["timed"]:
            row["sum"] = row["sum"] * row["timed"] // row["count"]
    return as_text(table)


@pytest.fixture
def edited():
    """Make a record as a kernel with `timed N` does."""
    record = Record(HERE / "data/6.12-uml-containers.json")
    del record.content["runs"][1:]
    record.edit("verdicts", sparse)
    record.edit("cpus", sparse)
    record.edit("info", lambda text: text + f"timed: {N}\n")
    return record


@pytest.fixture
def sampled(edited, tmp_path):
    return edited.write(tmp_path / "sampled.json")


def test_counts_are_the_kernels_and_sums_estimates(view, sampled):
    wanted = {(row["hook"], row["verdict"]): row for row in rows(sampled, "verdicts")}
    shown = view("report", sampled, "--by", "hook,verdict", "--cycles")["rows"]
    assert len(shown) == len(wanted) > 0
    for row in shown:
        kernel = wanted[row["hook"], row["verdict"]]
        assert (row["count"], row["cs_count"]) == (kernel["count"], kernel["cs_count"])
        if kernel["timed"]:
            assert row["ave"] == pytest.approx(kernel["sum"] / kernel["timed"], abs=0.001)
            assert row["sum"] == pytest.approx(row["ave"] * row["count"], abs=1)
        else:
            assert row["ave"] is row["min"] is row["max"] is None


@pytest.mark.parametrize("command", [("report",), ("report", "--by", "cpu"), ("report", "--by", "module"),
                                     ("hist", "inode_permission"), ("syscalls",), ("diff", "SAMPLED")])
def test_every_view_says_so(view, sampled, command):
    command = [sampled if word == "SAMPLED" else word for word in command]
    shown = view(*command, sampled)
    assert any(f"One call in {N} was timed" in note for note in shown["notes"])
    sources = [shown["source"], *(side for side in shown["source"].values() if isinstance(side, dict))]
    assert any(source.get("timed") == N for source in sources)


def test_a_record_with_each_call_timed_does_not(view, record):
    shown = view("report", record)
    assert shown["source"]["timed"] == 1
    assert not any("timed" in note for note in shown["notes"])
    assert "+-" not in {column["name"] for column in shown["columns"]}


def deviation(buckets):
    """Return the standard deviation of calls that are all as long as the middle of their bucket."""
    middles = [(le / (1 + 1 / 16), count) for le, count in buckets]
    number = sum(count for _, count in middles)
    mean = sum(middle * count for middle, count in middles) / number
    return math.sqrt(sum(count * (middle - mean) ** 2 for middle, count in middles) / (number - 1))


def test_the_interval_is_that_of_the_histogram(view, sampled):
    timed, count = (counts(sampled, "verdicts", of=[column]) for column in ("timed", "count"))
    buckets = {}
    for row in rows(sampled, "histogram"):
        buckets.setdefault(row["hook"], []).append((row["le"], row["count"]))
    checked = 0
    for row in view("report", sampled, "--cycles")["rows"]:
        number = timed[row["hook"]]
        if number < 30:
            continue
        # So many calls that Student's t is nearly normal; 1.96 to 2.05.
        wanted = 2 * deviation(buckets[row["hook"]]) / math.sqrt(number) * math.sqrt(1 - number / count[row["hook"]])
        assert wanted * 0.9 <= row["+-"] <= wanted * 1.2, row["hook"]
        checked += 1
    assert checked > 3


def test_without_a_histogram_there_is_none(lsmpmon, edited, tmp_path):
    edited.edit("histogram", lambda text: "hook le count\n")
    output = lsmpmon("report", edited.write(tmp_path / "none.json")).stdout
    assert "No distribution was measured" in output


def test_metrics_have_the_timed_calls_and_all_of_them(lsmpmon, sampled):
    text = lsmpmon("export", sampled).stdout
    metrics = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    seconds = 1 / info(sampled).number("clock_khz") / 1000
    assert metrics["lsmpmon_timed_one_in"] == str(N)
    for row in rows(sampled, "verdicts"):
        labels = f'{{hook="{row["hook"]}",verdict="{row["verdict"]}"}}'
        assert int(metrics[f"lsmpmon_hook_calls_total{labels}"]) == row["count"] + row["cs_count"]
        assert int(metrics[f"lsmpmon_hook_seconds_count{labels}"]) == row["timed"]
        assert float(metrics[f"lsmpmon_hook_seconds_sum{labels}"]) == pytest.approx(row["sum"] * seconds)


@pytest.fixture
def monitor(apparmor, tmp_path):
    """Copy the monitor's files."""
    for name, text in apparmor.files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("word", ["timed=3", "timed=0", "timed=131072", "timed=", "timed=x", "timed=-2"])
def test_a_bad_number_is_refused_and_nothing_changed(lsmpmon, monitor, word):
    features = monitor / "features"
    features.write_text(features.read_text() + "timed 1\n")
    before = features.read_text()
    done = lsmpmon("on", "-d", monitor, "-f", f"histogram,{word}")
    assert done.returncode == 2
    assert f"feature '{word}': give a power of two from 1 to 65536" in done.stderr
    assert features.read_text() == before


def test_the_name_alone_is_refused(lsmpmon, monitor):
    features = monitor / "features"
    features.write_text(features.read_text() + "timed 1\n")
    done = lsmpmon("on", "-d", monitor, "-f", "timed")
    assert done.returncode == 2 and "timed=N" in done.stderr


def test_an_older_kernel_times_each(lsmpmon, monitor):
    done = lsmpmon("on", "-d", monitor, "-f", "timed=64")
    assert done.returncode == 2
    assert "feature 'timed=64': this kernel times every call" in done.stderr


def test_all_does_not_sample(lsmpmon, monitor):
    """The line that is written last has the number."""
    features = monitor / "features"
    features.write_text("syscall 0\ntimed 64\n")
    assert lsmpmon("on", "-d", monitor, "-f", "all").returncode == 0
    assert features.read_text().strip() == "timed 1"


def test_a_number_is_written_as_the_kernel_takes_it(lsmpmon, monitor):
    features = monitor / "features"
    features.write_text("syscall 0\ntimed 1\n")
    assert lsmpmon("on", "-d", monitor, "-f", "timed=64,syscall").returncode == 0
    assert features.read_text().strip() == "timed 64"


@pytest.mark.parametrize("before, words, after", [
    ("syscall 1\nmodule 0\n", "+module", "module 1"), ("module 1\nsyscall 1\n", "+module", "syscall 1"),
    ("module 1\nsyscall 1\n", "module", "syscall 0"), ("module 0\nstack 0\n", "+module,+stack", "stack 1"),
    ("stack 0\nmodule 0\n", "+module,stack", "module 1"), ("module 0\nhistogram 0\n", "+module", "histogram 0"),
    ("module 0\ntimed 64\n", "+module", "timed 64"), ("module 0\ntimed 64\n", "+timed=8", "timed 8"),
])
def test_a_plus_adds_to_what_is_on(lsmpmon, monitor, before, words, after):
    """The line that is written last is left in a copy."""
    features = monitor / "features"
    features.write_text(before)
    done = lsmpmon("on", "-d", monitor, "-f", words)
    assert done.returncode == 0, done.stderr
    assert features.read_text().strip() == after


def test_what_is_added_is_checked(lsmpmon, monitor):
    done = lsmpmon("on", "-d", monitor, "-f", "+modul")
    assert done.returncode == 2 and "feature 'modul'" in done.stderr


def test_json_names_the_column(view, sampled):
    assert "+-" in json.dumps(view("report", sampled)["columns"])
