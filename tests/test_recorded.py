# SPDX-License-Identifier: GPL-2.0-only
"""Records of trace-cmd and counts of perf, against the monitor's own tables.

The monitor is on for longer than either, so the test compares the system calls
that the program under test makes and nothing else in the guest does.
"""

import functools
import re
from collections import defaultdict
from typing import NamedTuple

import pytest
from guests import GUESTS, LSMMON, output

from lsmpmon_report.kernelfiles import calls as all_calls
from lsmpmon_report.kernelfiles import own, parse_table

ROUNDS = 101
SYSCALLS = ("mkdir", "rmdir", "rename", "symlink")
# Hooks that are called only in these system calls.
HOOKS = ("inode_mkdir", "inode_rmdir", "inode_rename", "inode_symlink")
WORK = f"lmbench-hook work mkdir rmdir rename symlink -n {ROUNDS} -d /tmp"
# Their numbers on x86-64.
FILTER = " || ".join(f"syscall == {number}" for number in (83, 84, 82, 88))
# How far the kernel's factor from ticks to nanoseconds may be off, in parts of the time.
EXACT = 2 ** -20


def session(record, after):
    """Return shell code that prints the monitor's tables, and what was recorded meanwhile."""
    return f"""
exec 9>{LSMMON}/control
echo syscall 1 >{LSMMON}/features
echo 1 >&9
{record} >&2 || exit
echo 0 >&9
cd {LSMMON}
for file in result verdicts syscalls info; do echo "@@ $file"; cat $file; done
echo "@@ recorded"; {after}
"""


def tables(text):
    """Return the tables, with the nanoseconds of a tick as `ns`, and what was recorded."""
    parts = dict(part.split("\n", 1) for part in text.split("@@ ")[1:])
    recorded, info = parts.pop("recorded"), parts.pop("info")
    ns = 1e6 / int(re.search(r"^clock_khz: (\d+)$", info, re.M)[1])
    return {name: parse_table(part, name=name) for name, part in parts.items()} | {"ns": ns}, recorded


@functools.cache
def recorded(kver, runner):
    record = f"trace-cmd record -q -b 8000 -o /tmp/trace.dat -e lsmpmon {WORK}"
    return tables(output(session(record, "trace-cmd report -i /tmp/trace.dat"), KVER=kver, RUNNER=runner))


@functools.cache
def events(kver, runner):
    """Return (`enter` or `exit`, fields) of each event, in their order."""
    matches = re.findall(r"lsm_hook_(enter|exit): (.*)", recorded(kver, runner)[1])
    return [(kind, dict(word.split("=", 1) for word in text.split())) for kind, text in matches]


class Calls(NamedTuple):
    """Calls of a hook: how many without and with a context switch inside, and their times in nanoseconds."""

    quiet: int
    switched: int
    quiet_ns: float
    switched_ns: float
    own: float
    slept: float
    preempted: float

    def is_as(self, exact):
        """Return whether these are the calls of a table, each of whose times was rounded down."""
        spare = sum(exact[:2]) + 1
        return self[:2] == exact[:2] and all(
            ns * (1 - EXACT) - spare <= seen <= ns + 1 for seen, ns in zip(self[2:], exact[2:], strict=True))


def spans(kver, runner, field, chosen):
    """Return the calls by the events that have a field, by what the tables have as key."""
    seen = defaultdict(list)
    for kind, fields in events(kver, runner):
        if kind == "exit" and fields[field] in chosen:
            seen[(fields["syscall"], fields["hook"]) if field == "syscall" else fields["hook"]].append(fields)
    return {key: of_events(group) for key, group in seen.items()}


def of_events(group):
    quiet = [fields for fields in group if "switched" not in fields["disturbed"]]
    switched = [fields for fields in group if "switched" in fields["disturbed"]]
    return Calls(len(quiet), len(switched), total(quiet, "ns"), total(switched, "ns"),
                 *(total(group, name) for name in ("own", "slept", "preempted")))


def total(group, name):
    return sum(int(fields[name]) for fields in group)


def of_row(row, ns):
    """Return the calls of a row of a table, of which a tick has so many nanoseconds."""
    quiet, switched, ticks, cs_ticks, slept, preempted = (
        row.get(name, 0) for name in ("count", "cs_count", "sum", "cs_sum", "slept", "preempted"))
    return Calls(quiet, switched, *(ns * time for time in (ticks, cs_ticks, own(row), slept, preempted)))


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_no_event_was_dropped(kver, runner):
    text = recorded(kver, runner)[1]
    assert "DROPPED" not in text and "events lost" not in text
    assert len(events(kver, runner)) > 10 * ROUNDS


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_spans_are_those_of_syscalls(kver, runner):
    read = recorded(kver, runner)[0]
    table = {(row["syscall"], row["hook"]): of_row(row, read["ns"])
             for row in read["syscalls"] if row["syscall"] in SYSCALLS}
    seen = spans(kver, runner, "syscall", SYSCALLS)
    assert sum(table["rename", "inode_rename"][:2]) == ROUNDS
    assert seen.keys() == table.keys()
    for key, calls in seen.items():
        assert calls.is_as(table[key]), (key, calls, table[key])


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_spans_are_those_of_verdicts(kver, runner):
    read, by_hook = recorded(kver, runner)[0], spans(kver, runner, "hook", HOOKS)
    assert set(by_hook) == set(HOOKS)
    verdicts = {row["hook"]: of_row(row, read["ns"]) for row in read["verdicts"]}
    for hook, calls in by_hook.items():
        assert calls.is_as(verdicts[hook]), (hook, calls, verdicts[hook])


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_shortest_and_longest_span_are_those_of_result(kver, runner):
    read = recorded(kver, runner)[0]
    result = {row["hook"]: row for row in read["result"]}
    quiet = defaultdict(list)
    for kind, fields in events(kver, runner):
        if kind == "exit" and fields["hook"] in HOOKS and "switched" not in fields["disturbed"]:
            quiet[fields["hook"]].append(int(fields["ns"]))
    for hook, times in quiet.items():
        for seen, column in ((min(times), "min"), (max(times), "max")):
            ns = result[hook][column] * read["ns"]
            assert ns * (1 - EXACT) - 1 <= seen <= ns, (hook, column)


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_each_span_has_its_beginning(kver, runner):
    for hook in HOOKS:
        kinds = [kind for kind, fields in events(kver, runner) if fields["hook"] == hook]
        assert kinds == ["enter", "exit"] * (len(kinds) // 2) and kinds


def perf_counts(kver):
    """Return what perf counts of the calls in `syscalls`, with a filter; and all events without one."""
    record = (f"perf stat -x, -o /tmp/perf -e lsmpmon:lsm_hook_exit --filter '{FILTER}' "
              f"-e 'lsmpmon:*' -- {WORK}")
    read, text = tables(output(session(record, "cat /tmp/perf"), KVER=kver, RUNNER="qemu"))
    counts = [line.split(",") for line in text.splitlines() if "lsmpmon:" in line]
    return read["syscalls"], [(words[2], int(words[0])) for words in counts]


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_perf_counts_the_same(kver, runner):
    if runner == "uml":
        pytest.skip("User-Mode Linux has no perf events")
    syscalls, counts = perf_counts(kver)
    (_, chosen), *every = counts
    expected = sum(all_calls(row) for row in syscalls if row["syscall"] in SYSCALLS)
    assert chosen == expected >= 4 * ROUNDS
    by_name = dict(every)
    assert set(by_name) == {"lsmpmon:lsm_hook_enter", "lsmpmon:lsm_hook_object", "lsmpmon:lsm_hook_exit"}
    count, = set(by_name.values())
    assert count > chosen
