# SPDX-License-Identifier: GPL-2.0-only
"""Records of trace-cmd and counts of perf, against the monitor's own tables.

The monitor is on for longer than either, so the test compares the system calls
that the program under test makes and nothing else in the guest does.
"""

import functools
import re
from collections import defaultdict

import pytest
from guests import GUESTS, LSMMON, output

from lsmpmon_report.kernelfiles import calls, parse_table

ROUNDS = 101
SYSCALLS = ("mkdir", "rmdir", "rename", "symlink")
# Hooks that are called only in these system calls.
HOOKS = ("inode_mkdir", "inode_rmdir", "inode_rename", "inode_symlink")
WORK = f"lmbench-hook work mkdir rmdir rename symlink -n {ROUNDS} -d /tmp"
FILTER = " || ".join(f'syscall == "{name}"' for name in SYSCALLS)


def session(record, after):
    """Return shell code that prints the monitor's tables, and what was recorded meanwhile."""
    return f"""
exec 9>{LSMMON}/control
echo syscall 1 >{LSMMON}/features
echo 1 >&9
{record} >&2 || exit
echo 0 >&9
cd {LSMMON}
for file in result verdicts syscalls; do echo "@@ $file"; cat $file; done
echo "@@ recorded"; {after}
"""


def tables(text):
    parts = dict(part.split("\n", 1) for part in text.split("@@ ")[1:])
    recorded = parts.pop("recorded")
    return {name: parse_table(part, name=name) for name, part in parts.items()}, recorded


@functools.cache
def recorded(kver, runner):
    record = f"trace-cmd record -q -b 8000 -o /tmp/trace.dat -e lsmpmon {WORK}"
    return tables(output(session(record, "trace-cmd report -i /tmp/trace.dat"), KVER=kver, RUNNER=runner))


@functools.cache
def events(kver, runner):
    """Return (`enter` or `exit`, fields) of each event, in their order."""
    matches = re.findall(r"lsm_hook_(enter|exit): (.*)", recorded(kver, runner)[1])
    return [(kind, dict(word.split("=", 1) for word in text.split())) for kind, text in matches]


def spans(kver, runner, field, chosen):
    """Return [count, cs_count, sum, min, max] of the events that have a field, as the tables have them."""
    quiet, switched = defaultdict(list), defaultdict(list)
    for kind, fields in events(kver, runner):
        if kind == "exit" and fields[field] in chosen:
            key = (fields["syscall"], fields["hook"]) if field == "syscall" else fields["hook"]
            (switched if fields["switched"] == "1" else quiet)[key].append(int(fields["ticks"]))
    return {key: [len(quiet[key]), len(switched[key]), sum(quiet[key]),
                  min(quiet[key], default=0), max(quiet[key], default=0)]
            for key in {*quiet, *switched}}


def numbers(row, *columns):
    return [row.get(column, 0) for column in columns]


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_no_event_was_dropped(kver, runner):
    text = recorded(kver, runner)[1]
    assert "DROPPED" not in text and "events lost" not in text
    assert len(events(kver, runner)) > 10 * ROUNDS


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_spans_are_those_of_syscalls(kver, runner):
    table = {(row["syscall"], row["hook"]): numbers(row, "count", "cs_count", "sum", "min", "max")
             for row in recorded(kver, runner)[0]["syscalls"] if row["syscall"] in SYSCALLS}
    assert table["rename", "inode_rename"][0] + table["rename", "inode_rename"][1] == ROUNDS
    assert spans(kver, runner, "syscall", SYSCALLS) == table


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_spans_are_those_of_result_and_verdicts(kver, runner):
    by_hook = spans(kver, runner, "hook", HOOKS)
    assert set(by_hook) == set(HOOKS)
    result = {row["hook"]: row for row in recorded(kver, runner)[0]["result"]}
    verdicts = {row["hook"]: row for row in recorded(kver, runner)[0]["verdicts"]}
    for hook, (count, cs_count, total, shortest, longest) in by_hook.items():
        assert numbers(result[hook], "count", "cs_count", "min", "max", "ave") == [
            count, cs_count, shortest, longest, total // max(count, 1)]
        assert numbers(verdicts[hook], "count", "cs_count", "sum") == [count, cs_count, total]


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
    expected = sum(calls(row) for row in syscalls if row["syscall"] in SYSCALLS)
    assert chosen == expected >= 4 * ROUNDS
    by_name = dict(every)
    assert set(by_name) == {"lsmpmon:lsm_hook_enter", "lsmpmon:lsm_hook_exit"}
    assert by_name["lsmpmon:lsm_hook_enter"] == by_name["lsmpmon:lsm_hook_exit"] > chosen
