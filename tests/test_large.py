# SPDX-License-Identifier: GPL-2.0-only
"""A machine that may have many more CPUs than run: memory is for those that run, and a CPU that comes has its own.

The guest has the CPUs, and maxcpus= leaves most of them off. Which memory is free says the kernel, not the monitor.
"""

import functools

import pytest
from guests import DEBUG, LSMMON, output, rows
from kernels import VERSIONS

POSSIBLE, RUNNING, CALLS = 16, 2, 50
CPU = RUNNING
COMMAND = f"""
cd {LSMMON}
say() {{ echo "@ $1"; cat info; sed -n 's/^MemFree: *\\([0-9]*\\) kB/free: \\1/p' /proc/meminfo; }}
all() {{
	sed '/^timed/d; s/ .*//' features | while read -r name; do
		echo "$name $1" >features || echo "not switched: $name"
	done
}}
say boot
echo 1 >control
say on
all 1
say features
echo 1 >/sys/devices/system/cpu/cpu{CPU}/online
say come
taskset -c {CPU} sh -c 'i=0; while [ $i -lt {CALLS} ]; do cd /proc; cd /sys; i=$((i + 1)); done'
echo 0 >control
echo "@ cpus"; cat cpus
echo "@ verdicts"; cat verdicts
echo "@ syscalls"; cat syscalls
echo 1 >control
echo 0 >/sys/devices/system/cpu/cpu{CPU}/online
say gone
echo 1 >reset
say reset
all 0
say plain
echo 0 >control; echo 1 >reset
say nothing
"""


def sections(text):
    return dict(part.split("\n", 1) for part in text.split("@ ")[1:])


def numbers(info):
    return {key: int(value) for key, _, value in (line.partition(": ") for line in info.splitlines()) if value.isdigit()}


@functools.cache
def said(kver):
    text = output(COMMAND, KVER=kver, RUNNER="qemu", CPUS=POSSIBLE, KARGS=f"maxcpus={RUNNING}")
    assert "not switched" not in text
    return sections(text)


@functools.cache
def memory(kver):
    return {name: numbers(text) for name, text in said(kver).items() if "memory_per_cpu" in text}


@pytest.fixture(params=VERSIONS)
def kver(request):
    return request.param


def test_most_cpus_are_off(kver):
    assert memory(kver)["boot"]["cpus"] == POSSIBLE


def test_the_kernel_misses_no_more_than_tables_of_cpus_that_run(kver):
    """With tables for all CPUs, it would be twice as much at least."""
    then, now = memory(kver)["boot"], memory(kver)["features"]
    assert (then["free"] - now["free"]) * 1024 < POSSIBLE / 2 * now["memory_per_cpu"]


def test_it_has_it_back_afterwards(kver):
    if (kver, "qemu") == DEBUG:
        pytest.skip("KASAN keeps what was freed, to see later uses of it")
    then, now = memory(kver)["boot"], memory(kver)["nothing"]
    assert then["free"] - now["free"] < memory(kver)["features"]["memory"] / 1024


def test_only_cpus_that_run_have_memory(kver):
    at = memory(kver)
    assert at["boot"]["memory"] == at["boot"]["memory_per_cpu"] == 0
    assert at["on"]["memory"] == RUNNING * at["on"]["memory_per_cpu"] > 0
    shared = at["features"]["memory"] - RUNNING * at["features"]["memory_per_cpu"]
    assert 0 < shared < at["features"]["memory_per_cpu"]
    assert at["come"]["memory"] == shared + (RUNNING + 1) * at["come"]["memory_per_cpu"]


def test_memory_is_given_back(kver):
    """That of a CPU that went off by the next reset."""
    at = memory(kver)
    assert at["gone"]["memory"] == at["come"]["memory"]
    assert at["reset"]["memory"] == at["features"]["memory"]
    assert at["plain"]["memory"] == at["on"]["memory"]
    assert at["nothing"]["memory"] == at["nothing"]["memory_per_cpu"] == 0


def test_a_cpu_that_comes_counts(kver):
    calls = {int(row["cpu"]): int(row["count"]) + int(row["cs_count"]) for row in rows(said(kver)["cpus"])}
    assert set(calls) == set(range(RUNNING + 1)) and calls[CPU] > 2 * CALLS
    verdicts, syscalls = (sum(int(row["count"]) + int(row["cs_count"]) for row in rows(said(kver)[name]))
                          for name in ("verdicts", "syscalls"))
    assert sum(calls.values()) == verdicts == syscalls


def test_nothing_is_lost(kver):
    assert {at["lost"] for at in memory(kver).values()} == {0}


def test_from_the_first_hook_on(kver):
    """With lsmmon=1, the second CPU starts while measuring is on."""
    text = output(f"cat {LSMMON}/info; echo @; cat {LSMMON}/cpus", KVER=kver, RUNNER="qemu", CPUS=POSSIBLE,
                  KARGS=f"maxcpus={RUNNING} lsmmon=1")
    info, cpus = text.split("@\n")
    assert numbers(info)["memory"] == RUNNING * numbers(info)["memory_per_cpu"] > 0
    assert numbers(info)["lost"] == 0
    assert [int(row["cpu"]) for row in rows(cpus) if int(row["count"])] == list(range(RUNNING))
