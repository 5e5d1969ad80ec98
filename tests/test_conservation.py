# SPDX-License-Identifier: GPL-2.0-only
"""The sums of each table are the hook's own, under a stress of all system calls.

Copies of a workload that calls most hooks run at once; qemu has two processors.
"""

import functools
import json
from collections import Counter

import pytest
from guests import REPO, RUNNERS, output, rows

COPIES = 3
# The modules between them have a callback in almost every hook.
LSM = "selinux,tomoyo,landlock,yama"
FEWEST_HOOKS = {"uml": 130, "qemu": 150}


@functools.cache
def stress(runner):
    cmd = f"/usr/bin/python3 -B {REPO}/tests/guest/stress.py {COPIES} /tmp $EXT4"
    return json.loads(output(cmd, RUNNER=runner, LSM=LSM, CPUS=2))


def sums(runner, table, column):
    """By hook, over all its rows."""
    total = Counter()
    for row in rows(stress(runner)[table]):
        total[row["hook"]] += int(row[column] or 0)
    return total


@pytest.mark.parametrize("runner", RUNNERS)
def test_all_kinds_of_work_were_done(runner, capsys):
    calls = sums(runner, "result", "count") + sums(runner, "result", "cs_count")
    with capsys.disabled():
        print(f"\n{runner}: {len(calls)} hooks called, {calls.total()} times in all, "
              f"{sums(runner, 'result', 'cs_count').total()} of them with a switch inside")
        print("\n".join(f"  refused: {line}" for line in stress(runner)["said"]))
    assert len(calls) >= FEWEST_HOOKS[runner]


@pytest.mark.parametrize("runner", RUNNERS)
def test_nothing_is_lost(runner):
    assert "\nlost: 0\n" in stress(runner)["info"]


@pytest.mark.parametrize("table, column", [
    ("verdicts", "count"), ("verdicts", "cs_count"), ("syscalls", "count"),
    ("syscalls", "cs_count"), ("histogram", "count")])
@pytest.mark.parametrize("runner", RUNNERS)
def test_calls_are_conserved(runner, table, column):
    assert sums(runner, table, column) == sums(runner, "result", column)


@pytest.mark.parametrize("runner", RUNNERS)
def test_time_is_conserved(runner):
    assert sums(runner, "syscalls", "sum") == sums(runner, "verdicts", "sum")


@pytest.mark.parametrize("runner", RUNNERS)
def test_modules_take_no_longer_than_their_hook(runner):
    own = sums(runner, "verdicts", "sum")
    longer = {hook: (ticks, own[hook]) for hook, ticks in sums(runner, "modules", "sum").items()
              if ticks > own[hook]}
    assert not longer
