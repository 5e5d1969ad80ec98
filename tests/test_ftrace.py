# SPDX-License-Identifier: GPL-2.0-only
"""Counts of hooks against ftrace's function profiler, an independent witness.

A kernel with two processors runs system calls of many kinds while both count.
The monitor is switched on before the profiler and off after it, so its surplus
is measured with an empty workload and has to be the same, hook by hook. Which
functions a hook is compared with is read from the kernel's code.
"""

import functools
import json
from collections import Counter

import pytest
from guests import counts, output, sites
from kernels import REPO, VERSIONS
from witnesses import witnesses

from lsmpmon_report.kernelfiles import parse_info

# Together they have a callback in almost every hook.
LSM = "selinux,tomoyo"
MODULES = ("capability", *LSM.split(","), "ima", "evm")
# Another task may call a hook while the two are being switched: then try once more.
TRIES = 3
# The profiler's table cuts the names of functions.
NAME_LETTERS = 30
# The workload reached 191 with Linux 6.12; some need what a kernel may lack.
FEWEST = 150
FEWEST_CALLS = 10000


@functools.cache
def expected(kver):
    return witnesses(sites(kver, "qemu"), MODULES)


@functools.cache
def functions(kver):
    """Return all functions that stand for a hook."""
    return {name for w in expected(kver).values() for name in w.functions + w.callbacks}


def measure(kver, folder):
    """Boot once, and return both counts, around nothing and around the workload."""
    (folder / "functions").write_text("\n".join(sorted(functions(kver))))
    cmd = f"/usr/bin/python3 -B {REPO}/tests/guest/profile_counts.py $SHARE/functions /tmp $EXT4"
    return json.loads(output(cmd, KVER=kver, RUNNER="qemu", LSM=LSM, CPUS=2, SHARE=folder))


class Comparison:
    """The counts, less those of switching on and off."""

    def __init__(self, kver, counted):
        self.kver = kver
        self.counted = counted
        self.calls = {phase: counts(counted[phase]["result"]) for phase in ("empty", "work")}
        shown = Counter(name[:NAME_LETTERS] for name in functions(kver))
        self.mute = dict.fromkeys(functions(kver) - set(counted["traceable"]), "cannot be traced")
        self.mute.update({name: "has the name of another in the profiler's table"
                          for name in functions(kver) if shown[name[:NAME_LETTERS]] > 1})

    def called(self, hook):
        return self.calls["work"][hook] - self.calls["empty"][hook]

    def hits(self, names):
        tables = [self.counted[phase]["hits"] for phase in ("work", "empty")]
        work, empty = (sum(t.get(name[:NAME_LETTERS], 0) for name in names) for t in tables)
        return work - empty

    def describe(self, name):
        return f"{name}() {self.mute.get(name) or f'was called {self.hits([name])} times'}"

    def judge(self, witness):
        """Return `equal`, `differs` or why the counts are not comparable; and the two counts."""
        called, hits = self.called(witness.hook), self.hits(witness.functions)
        heard = witness.at_most and not any(f in self.mute for f in witness.functions)
        heard_callbacks = [c for c in witness.callbacks if c not in self.mute]
        if (heard and called == hits) or any(self.hits([c]) == called for c in heard_callbacks):
            return "equal", called, hits
        if heard and (called > hits or not witness.reasons):
            return "differs", called, hits
        others = [self.describe(name) for name in witness.functions + witness.callbacks]
        return "; ".join(witness.reasons + others), called, hits

    def judged(self):
        return {hook: self.judge(witness) for hook, witness in expected(self.kver).items()}


@pytest.fixture(scope="module", params=VERSIONS)
def comparison(request, tmp_path_factory):
    for _ in range(TRIES):
        counted = measure(request.param, tmp_path_factory.mktemp("ftrace"))
        done = Comparison(request.param, counted)
        if not any(verdict == "differs" for verdict, _, _ in done.judged().values()):
            break
    return done


def test_all_of_the_workload_ran(comparison):
    assert comparison.counted["work"]["said"] == []


def test_nothing_is_lost(comparison):
    assert {parse_info(comparison.counted[phase]["info"]).number("lost") for phase in ("empty", "work")} == {0}


def test_hooks_are_called_as_often_as_their_functions(comparison):
    wrong = {hook: words for hook, words in comparison.judged().items() if words[0] == "differs"}
    assert not wrong, "\n".join(f"{hook}: {monitor} by the monitor, {profiler} by the profiler"
                                for hook, (_, monitor, profiler) in wrong.items())


def test_most_hooks_are_compared(comparison, capsys):
    """Hooks that are not compared are named with the reason, in the log of the run."""
    judged = comparison.judged()
    equal = [hook for hook, words in judged.items() if words[0] == "equal" and words[1]]
    calls = sum(judged[hook][1] for hook in equal)
    others = {h: words for h, words in judged.items() if words[0] not in ("equal", "differs")}
    idle = [h for h, words in judged.items() if not words[1] and h not in others]
    with capsys.disabled():
        print(f"\nftrace, Linux {comparison.kver}: {len(equal)} hooks called, {calls} times in all, as often as the "
              f"function profiler says;\n{len(idle)} hooks never called by either: "
              f"{' '.join(idle)}")
        for hook, (why, monitor, profiler) in others.items():
            print(f"  not comparable: {hook}: {monitor} calls, {profiler} of its function: {why}")
        for hook in equal:
            if judged[hook][1] != judged[hook][2]:
                print(f"  by its callbacks: {hook}: {judged[hook][1]} calls, "
                      f"{judged[hook][2]} of its function: {'; '.join(expected(comparison.kver)[hook].reasons)}")
    assert len(equal) >= FEWEST and calls >= FEWEST_CALLS
    assert "inode_permission" in equal and "file_permission" in equal


@pytest.mark.parametrize("error", [1, -1])
@pytest.mark.parametrize("hook", ["file_permission", "capable", "task_alloc", "inode_permission"])
def test_one_call_too_many_or_too_few_is_noticed(comparison, hook, error):
    """The hook is compared with its function in one case, and with its callbacks in another."""
    doctored = Comparison(comparison.kver, comparison.counted)
    doctored.calls["work"][hook] += error
    assert doctored.judge(expected(comparison.kver)[hook])[0] != "equal"


def test_nothing_of_the_monitor_can_be_traced(comparison):
    """A traced function around a hook call would change what is measured."""
    traced = set(comparison.counted["traceable"])
    assert len(traced) > 10000 and "security_inode_permission" in traced
    assert {name for name in traced if name.startswith("lsmpmon_")} == set()
