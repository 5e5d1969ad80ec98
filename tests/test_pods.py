# SPDX-License-Identifier: GPL-2.0-only
"""Cgroups come and go, as pods do: the export has those that live, by name, and its sums lose nothing."""

import functools
import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from guests import output
from prometheus_client.parser import text_string_to_metric_families

from lsmpmon_report.kernelfiles import calls, known, own, read_info, read_table

PODS, LIVING, OPENS = 300, 20, 7
NAMES = {f"/kubepods/pod{number}" for number in range(PODS - LIVING + 1, PODS + 1)}
# The root, the cgroup of all pods, tasks without one, and what those had who are gone.
OTHERS = {"/", "/kubepods", "-", "other"}


@functools.cache
def session():
    """Return the folder of the guest's files."""
    folder = tempfile.TemporaryDirectory()
    output(f"PODS={PODS} LIVING={LIVING} OPENS={OPENS} sh $REPO/tests/guest/pods.sh", RUNNER="uml", LSM="apparmor", SHARE=folder.name)
    return folder


@functools.cache
def exported():
    """Return the values of the export by name and cgroup."""
    text = (Path(session().name) / "lsmpmon.prom").read_text()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {(sample.name, *sorted(sample.labels.items())): sample.value for sample in samples}


def by_cgroup(name):
    """Return the values of one metric, own time or its number of calls, by cgroup."""
    return {dict(labels)["cgroup"]: value for (metric, *labels), value in exported().items()
            if metric == name and dict(labels).get("state") == "own"}


def kernel(table, key, value):
    """Return the sums of a value of the kernel's rows by a column."""
    sums = defaultdict(int)
    for row in read_table(Path(session().name) / table):
        sums[row[key]] += value(row)
    return sums


def test_the_living_have_their_names():
    counts = by_cgroup("lsmpmon_cgroup_hook_seconds_count")
    assert NAMES <= set(counts) <= NAMES | OTHERS
    # Each has done the same.
    assert len({counts[name] for name in NAMES}) == 1


def test_each_has_its_own_calls():
    """The witness is what a pod did: so many opens."""
    opens = {row["cgroup"]: calls(row) for row in read_table(Path(session().name) / "cgroups") if row["hook"] == "file_open"}
    assert {opens[name] for name in NAMES} == {OPENS}
    assert opens["other"] >= OPENS * (PODS - LIVING)


def test_the_export_is_the_kernels_table():
    seconds = 1 / (read_info(Path(session().name) / "info").number("clock_khz") * 1000)
    assert by_cgroup("lsmpmon_cgroup_hook_seconds_count") == kernel("cgroups", "cgroup", known)
    sums = kernel("cgroups", "cgroup", own)
    assert by_cgroup("lsmpmon_cgroup_hook_seconds_sum") == {name: pytest.approx(ticks * seconds) for name, ticks in sums.items()}


def test_nothing_is_lost():
    """All cgroups together have the calls and the time of all hooks, those of removed cgroups too."""
    for value in (calls, own):
        assert kernel("cgroups", "hook", value) == kernel("verdicts", "hook", value)
    (part,) = (value for (name, *_), value in exported().items() if name == "lsmpmon_cgroup_other_ratio")
    counts = kernel("cgroups", "cgroup", calls)
    assert part == pytest.approx(counts["other"] / sum(counts.values())) and part > 0.1
