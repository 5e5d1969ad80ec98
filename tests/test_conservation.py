# SPDX-License-Identifier: GPL-2.0-only
"""The sums of each table are the hook's own, under a stress of all system calls.

Copies of a workload that calls most hooks run at once; qemu has two processors.
"""

import functools
import json
from collections import Counter

import pytest
from guests import GUESTS, available, counts, output
from kernels import REPO, pristine

from lsmpmon_report.kernelfiles import parse_table

COPIES = 3
# The modules between them have a callback in almost every hook.
LSM = ("selinux", "tomoyo", "landlock", "yama", "bpf")
FEWEST_HOOKS = {"uml": 130, "qemu": 150}


@functools.cache
def stress(kver, runner):
    modules = ",".join(available(LSM, kver, runner))
    cmd = f"/usr/bin/python3 -B {REPO}/tests/guest/stress.py {COPIES} /tmp $EXT4"
    return json.loads(output(cmd, KVER=kver, RUNNER=runner, LSM=modules, CPUS=2))


def sums(kver, runner, table, column):
    """Return the sums of a column by hook, over all rows of a table."""
    return counts(stress(kver, runner)[table], of=[column])


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_all_kinds_of_work_were_done(kver, runner, capsys):
    calls = sums(kver, runner, "result", "count") + sums(kver, runner, "result", "cs_count")
    with capsys.disabled():
        print(f"\n{kver} {runner}: {len(calls)} hooks called, {calls.total()} times in all, "
              f"{sums(kver, runner, 'result', 'cs_count').total()} of them with a switch inside")
        print("\n".join(f"  refused: {line}" for line in stress(kver, runner)["said"]))
    assert len(calls) >= FEWEST_HOOKS[runner]


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_nothing_is_lost(kver, runner):
    assert "\nlost: 0\n" in stress(kver, runner)["info"]


@pytest.mark.parametrize("table, column", [
    ("verdicts", "count"), ("verdicts", "cs_count"), ("syscalls", "count"),
    ("syscalls", "cs_count"), ("histogram", "count"), ("comms", "count"), ("comms", "cs_count"),
    ("cgroups", "count"), ("cgroups", "cs_count"), ("tasks", "count"), ("tasks", "cs_count")])
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_calls_are_conserved(kver, runner, table, column):
    assert sums(kver, runner, table, column) == sums(kver, runner, "result", column)


@pytest.mark.parametrize("table", ["syscalls", "comms", "cgroups", "tasks"])
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_time_is_conserved(kver, runner, table):
    assert sums(kver, runner, table, "sum") == sums(kver, runner, "verdicts", "sum")


def by_callback(kver, runner, table, *columns):
    return counts(stress(kver, runner)[table], "module", "hook", of=columns)


@pytest.mark.parametrize("column", ["count", "cs_count", "sum"])
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_callbacks_are_conserved(kver, runner, column):
    """Each callback has, over all system calls, as many calls as in total."""
    assert by_callback(kver, runner, "stacks", column) == by_callback(kver, runner, "modules", column)


@pytest.mark.parametrize("table, columns", [
    ("result", 1), ("verdicts", 2), ("syscalls", 2), ("modules", 2), ("stacks", 3), ("comms", 2), ("cgroups", 2), ("tasks", 5),
    ("histogram", 2), ("cpus", 1)])
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_no_two_rows_are_of_the_same(kver, runner, table, columns):
    keys = Counter(tuple(row.values())[:columns] for row in parse_table(stress(kver, runner)[table]))
    assert keys and keys.most_common(1)[0][1] == 1, keys.most_common(5)


def registered_by_bpf(kver, hook):
    """Return how many callbacks of bpf a hook has in the source: one for programs, and those that hooks.c names."""
    return 1 + (pristine(kver) / "security/bpf/hooks.c").read_text().count(f"LSM_HOOK_INIT({hook},")


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_callbacks_are_as_many_as_the_module_has(kver, runner):
    """The monitor shows as many callbacks of bpf as the source registers, and each call of the hook is one of each of them.

    Before Linux 7.2, bpf has two in task_free, too.
    """
    if "bpf" not in available(LSM, kver, runner):
        pytest.skip("no BPF LSM")
    calls = sums(kver, runner, "result", "count") + sums(kver, runner, "result", "cs_count")
    has = by_callback(kver, runner, "modules", "callbacks")
    made = by_callback(kver, runner, "modules", "count", "cs_count")
    callbacks_of = {"task_free": registered_by_bpf(kver, "task_free"), "inode_free_security": 2, "task_alloc": 1}
    for hook, callbacks in callbacks_of.items():
        assert (has["bpf", hook], made["bpf", hook]) == (callbacks, callbacks * calls[hook])


@pytest.mark.parametrize("column", ["count", "cs_count", "sum"])
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_cpus_have_all_calls(kver, runner, column):
    on_cpus = counts(stress(kver, runner)["cpus"], "cpu", of=[column])
    assert on_cpus.total() == sums(kver, runner, "verdicts", column).total()


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_modules_take_no_longer_than_their_hook(kver, runner):
    own = sums(kver, runner, "verdicts", "sum")
    longer = {hook: (ticks, own[hook]) for hook, ticks in sums(kver, runner, "modules", "sum").items()
              if ticks > own[hook]}
    assert not longer
