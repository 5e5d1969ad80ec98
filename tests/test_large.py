# SPDX-License-Identifier: GPL-2.0-only
"""A machine that may have many more CPUs than run: memory is for those that run, and a CPU that starts has its own.

The guest has the CPUs, and maxcpus= leaves most of them off. The real-time kernel can have many, and several nodes of
memory. The kernel, not the monitor, tells how much memory is free.
"""

import functools

import pytest
from guests import DEBUG, LSMMON, REALTIME, counts, output
from kernels import VERSIONS

from lsmpmon_report.kernelfiles import parse_info, parse_table

PLACES = [(kver, "qemu") for kver in VERSIONS] + [REALTIME] * (REALTIME[0] in VERSIONS)
RUNNING, CALLS, NODES = 2, 50, 4
CPU = RUNNING
COMMAND = f"""
cd {LSMMON}
echo "@ nodes"; ls -d /sys/devices/system/node/node*
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
echo "@ afterwards"; cat cpus
say reset
all 0
say plain
echo 0 >control; echo 1 >reset
say nothing
"""


def possible(place):
    """Return how many CPUs the guest has, most of them off: as many as the kernel and QEMU's machine allow."""
    return 200 if place == REALTIME else 16


def machine(place, *words):
    kver, runner = place
    nodes = [f"numa=fake={NODES}"] * (place == REALTIME)
    return {"KVER": kver, "RUNNER": runner, "CPUS": possible(place),
            "KARGS": " ".join([f"maxcpus={RUNNING}", *nodes, *words])}


@functools.cache
def moments(place):
    text = output(COMMAND, **machine(place))
    assert "not switched" not in text
    return dict(part.split("\n", 1) for part in text.split("@ ")[1:])


@functools.cache
def memory(place):
    """Return for each moment the numbers in info, and the free memory."""
    infos = {name: parse_info(text) for name, text in moments(place).items() if "memory_per_cpu" in text}
    return {name: {key: int(value) for key, value in info.items() if value.isdigit()} for name, info in infos.items()}


@pytest.fixture(params=PLACES, ids="-".join)
def place(request):
    return request.param


def test_most_cpus_are_off(place):
    assert memory(place)["boot"]["cpus"] == possible(place)


def test_the_kernel_misses_no_more_than_tables_of_cpus_that_run(place):
    """Tables for all CPUs would take at least twice as much."""
    then, now = memory(place)["boot"], memory(place)["features"]
    assert (then["free"] - now["free"]) * 1024 < possible(place) / 2 * now["memory_per_cpu"]


def test_it_has_it_back_afterwards(place):
    if place == DEBUG:
        pytest.skip("KASAN keeps what was freed, to see later uses of it")
    then, now = memory(place)["boot"], memory(place)["nothing"]
    assert then["free"] - now["free"] < memory(place)["features"]["memory"] / 1024


def test_only_cpus_that_run_have_memory(place):
    at = memory(place)
    assert at["boot"]["memory"] == at["boot"]["memory_per_cpu"] == 0
    assert at["on"]["memory"] == RUNNING * at["on"]["memory_per_cpu"] > 0
    shared = at["features"]["memory"] - RUNNING * at["features"]["memory_per_cpu"]
    assert 0 < shared < at["features"]["memory_per_cpu"]
    assert at["come"]["memory"] == shared + (RUNNING + 1) * at["come"]["memory_per_cpu"]


def test_memory_is_given_back(place):
    """The memory of a CPU that went off is free by the next reset."""
    at = memory(place)
    assert at["gone"]["memory"] == at["come"]["memory"]
    assert at["reset"]["memory"] == at["features"]["memory"]
    assert at["plain"]["memory"] == at["on"]["memory"]
    assert at["nothing"]["memory"] == at["nothing"]["memory_per_cpu"] == 0


def test_a_cpu_that_comes_counts(place):
    calls = counts(moments(place)["cpus"], "cpu")
    assert set(calls) == set(range(RUNNING + 1)) and calls[CPU] > 2 * CALLS
    assert calls.total() == counts(moments(place)["verdicts"]).total() == counts(moments(place)["syscalls"]).total()


def test_a_reset_is_of_all_cpus(place):
    before, after = ({row["cpu"]: row["count"] for row in parse_table(moments(place)[name])} for name in ("cpus", "afterwards"))
    assert CPU in before and after.keys() <= set(range(RUNNING))
    # A program has to read the table, which is one of the ten before.
    assert sum(after.values()) < sum(before.values()) / 2


def test_memory_has_nodes(place):
    """If there are several, each helps with a reset."""
    assert len(moments(place).get("nodes", "").split()) == (NODES if place == REALTIME else 0)


def test_nothing_is_lost(place):
    assert {at["lost"] for at in memory(place).values()} == {0}


def test_from_the_first_hook_on(place):
    """The second CPU starts with lsmmon=1 while measuring is on."""
    text = output(f"cat {LSMMON}/info; echo @; cat {LSMMON}/cpus", **machine(place, "lsmmon=1"))
    info, cpus = text.split("@\n")
    number = parse_info(info).number
    assert number("memory") == RUNNING * number("memory_per_cpu") > 0 == number("lost")
    assert [row["cpu"] for row in parse_table(cpus) if row["count"]] == list(range(RUNNING))
