# SPDX-License-Identifier: GPL-2.0-only
"""Averages of `timed 64` are as near to those of all calls as lsmpmon states, hook by hook.

The same work is done twice, once with each call timed. Under icount a call takes the same number of instructions each
time, but for the kernel's work meanwhile, so the sample makes the difference.
"""

import functools
import json
import subprocess

import pytest
from guests import LSMMON, output
from kernels import CLEAN, DEFAULT, REPO

from lsmpmon_report.kernelfiles import files_of, parse_table

N = 64
# Calls of a hook that are enough for the interval to be of a nearly normal mean.
ENOUGH = 30
WORK = "lmbench-hook work stat open read creat mkdir unlink rename -n 2000 -d /tmp/work"
# From the first use of `timed` on, the span of each call has two instructions more: so it is used before either.
COMMAND = f"""
echo timed {N} >{LSMMON}/features; echo timed 1 >{LSMMON}/features
mkdir /tmp/work; cd /tmp/work
{WORK} >&- || exit
for timed in 1 {N}; do
	lsmpmon record -a -f histogram,timed=$timed -o $timed.json -- {WORK} >&- 2>&- || exit
	lsmpmon report $timed.json --cycles --json
	cat $timed.json
done
"""


def documents(text):
    """Yield the JSON documents that a guest printed one after another."""
    while text.strip():
        document, end = json.JSONDecoder().raw_decode(text.lstrip())
        text = text.lstrip()[end:]
        yield document


def quiet(record):
    """Return the mean ticks of the timed calls of each hook that no interrupt struck.

    A call that was struck is ten times as long, and rare.
    """
    sums = {}
    for row in parse_table(files_of(record["runs"][0])["verdicts"]):
        ticks, number = sums.get(row["hook"], (0, 0))
        sums[row["hook"]] = ticks + row["sum"] - row["irq_sum"], number + row.get("timed", row["count"]) - row["irq_count"]
    return {hook: ticks / number for hook, (ticks, number) in sums.items() if number}


@functools.cache
def reports(lsm):
    """Return two reports, of all calls and of timed ones: rows by hook, and the mean of undisturbed calls."""
    subprocess.run(["make", "-s", "-C", REPO / "userspace"], check=True, env=CLEAN)
    text = output(COMMAND, KVER=DEFAULT, RUNNER="qemu", ACCEL="icount", LSM=lsm)
    exact, exact_record, sampled, sampled_record = documents(text)
    return [({row["hook"]: row for row in view["rows"]}, quiet(record))
            for view, record in ((exact, exact_record), (sampled, sampled_record))]


def judged(lsm):
    """Return for each hook with enough calls how far its mean is from that of all calls, and how far it may be."""
    (_, exact), (sampled, means) = reports(lsm)
    return {hook: (abs(means[hook] - exact[hook]), row["+-"]) for hook, row in sampled.items()
            if row["+-"] is not None and row["count"] >= ENOUGH * N}


@pytest.mark.full
@pytest.mark.guest(DEFAULT, "qemu")
@pytest.mark.parametrize("lsm", ["selinux", "apparmor"])
def test_counts_are_those_of_the_same_work(lsm):
    (exact, _), (sampled, _) = reports(lsm)
    # RCU frees some objects later.
    hooks = [hook for hook, row in exact.items() if row["count"] >= 2000 and not hook.endswith("_rcu")]
    assert len(hooks) > 10
    for hook in hooks:
        one, other = exact[hook]["count"], sampled[hook]["count"]
        # The commands themselves are measured, too.
        assert abs(one - other) <= 100, hook


@pytest.mark.full
@pytest.mark.guest(DEFAULT, "qemu")
@pytest.mark.parametrize("lsm", ["selinux", "apparmor"])
def test_averages_are_within_the_interval(lsm):
    """Nineteen of twenty are expected to be."""
    intervals = judged(lsm)
    print("\n".join(f"{hook}: off by {off:.2f}, interval {interval:.2f}" for hook, (off, interval) in intervals.items()))
    assert len(intervals) > 10
    outside = [hook for hook, (off, interval) in intervals.items() if off > interval]
    assert len(outside) <= len(intervals) / 5, outside
