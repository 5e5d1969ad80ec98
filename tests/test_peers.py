# SPDX-License-Identifier: GPL-2.0-only
"""Tests of scripts/lab peers: in one kernel, every tool counts what lsmpmon counts. No test is about costs."""

import json
import subprocess

import pytest
from kernels import DEFAULT, REPO, environment, in_time, pristine

pytestmark = [pytest.mark.guest(DEFAULT, "qemu"), pytest.mark.full, pytest.mark.slow, pytest.mark.last]
ROUNDS = 32
# Calls of other tasks, and of switching a tool on and off.
OTHERS = 200
# The kernel in which BPF has programs of a whole call.
SESSIONS = "7.2"
# Seconds: for all guests, and for a kernel that only this test needs.
GUESTS, BUILD = 900, 600


def begin():
    """Skip if the mirror does not have that kernel, or if there is no time."""
    pristine(SESSIONS)
    kernels = [environment(KVER=kver, RUNNER="qemu", FLAVOUR="btf") for kver in (DEFAULT, SESSIONS)]
    missing = [subprocess.run([REPO / "lab/shell/build-kernel", "--find"], env=env, capture_output=True) for env in kernels]
    in_time(GUESTS + BUILD * sum(done.returncode != 0 for done in missing))


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    """Return the figures after little work, and the printed text."""
    begin()
    where = tmp_path_factory.mktemp("peers")
    done = subprocess.run([REPO / "scripts/lab", "peers"], capture_output=True, text=True,
                          env=environment(RESULTS=where, SAMPLES="5", ROUNDS=str(ROUNDS)))
    assert done.returncode == 0, done.stderr
    assert done.stdout == (where / "peers.txt").read_text()
    return json.loads((where / "peers.json").read_text())


@pytest.fixture(scope="module")
def kernels(figures):
    """Return the kernels in the order of the table: with lsmpmon, with BTF, and with that and programs of a whole
    call.
    """
    return list(figures["kernels"].values())


def test_every_tool_counts_the_same_calls(figures, kernels):
    counted = {name: tool["counted"] for name, tool in kernels[0]["tools"].items()}
    ours = counted["lsmpmon"] - figures["unseen"]
    assert ours > 100 * ROUNDS
    assert counted.pop("bpftrace") < ours, "file_post_open has another hook call inside"
    del counted["lsmpmon"]
    assert {name: calls for name, calls in counted.items() if abs(calls - ours) > OTHERS} == {}


def test_every_tool_counts_what_the_profiler_counts(kernels):
    for kernel in kernels:
        of_rounds = kernel["calls"] * ROUNDS
        counted = {name: tool["counted"] for name, tool in kernel["tools"].items() if name not in ("lsmpmon", "bpftrace")}
        assert {name: calls for name, calls in counted.items() if not 0 <= calls - of_rounds <= 2 * OTHERS} == {}


def test_every_tool_executes_instructions(kernels):
    costs = {name: tool["per_hook"] for kernel in kernels for name, tool in kernel["tools"].items()}
    assert {"lsmpmon", "multi", "fentry", "stats", "fsession"} <= set(costs)
    assert {name: cost for name, cost in costs.items() if cost <= 0} == {}


def test_what_adds_up_in_the_kernel_keeps_every_call(kernels):
    events = "graph", "kprobes", "fprobes"
    tools = [tool for kernel in kernels for name, tool in kernel["tools"].items() if name not in events]
    assert all(tool["kept"] == tool["counted"] for tool in tools)
    assert all(kernel["functions"] > 200 for kernel in kernels)


def test_bpf_stats_times_two_programs_a_call(kernels):
    """The programs begin and end calls; to attach them makes calls, too, of which not all have both."""
    programs, counted = kernels[1]["programs"], kernels[1]["tools"]["stats"]["counted"]
    assert abs(programs["runs"] - 2 * counted) <= OTHERS and programs["ns"] > programs["runs"]


def test_refused():
    done = subprocess.run([REPO / "scripts/lab", "peers", "all"], capture_output=True, text=True, env=environment())
    assert done.returncode == 2 and done.stderr.endswith(": all\n") and done.stdout == ""
