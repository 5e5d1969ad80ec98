# SPDX-License-Identifier: GPL-2.0-only
"""scripts/peers: in one kernel, every tool counts what lsmpmon counts. No test is about what it costs."""

import json
import subprocess

import pytest
from kernels import DEFAULT, REPO, environment

pytestmark = [pytest.mark.guest(DEFAULT, "qemu"), pytest.mark.full, pytest.mark.slow]
ROUNDS = 32
# Of other tasks, and of switching a tool on and off.
OTHERS = 200


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Its figures, after little work, and what it printed."""
    where = tmp_path_factory.mktemp("peers")
    done = subprocess.run([REPO / "scripts/peers"], capture_output=True, text=True,
                          env=environment(RESULTS=where, SAMPLES="5", ROUNDS=str(ROUNDS)))
    assert done.returncode == 0, done.stderr
    assert done.stdout == (where / "peers.txt").read_text()
    return json.loads((where / "peers.json").read_text())


def test_every_tool_counts_the_same_calls(found):
    counted = {name: tool["counted"] for name, tool in found["tools"].items()}
    ours = counted["lsmpmon"] - found["unseen"]
    assert ours > 100 * ROUNDS
    assert counted.pop("bpftrace") < ours, "file_post_open has another hook call inside"
    del counted["lsmpmon"]
    assert {name: calls for name, calls in counted.items() if abs(calls - ours) > OTHERS} == {}


def test_every_tool_executes_instructions(found):
    assert {name: tool["per_hook"] for name, tool in found["tools"].items() if tool["per_hook"] <= 0} == {}


def test_what_adds_up_in_the_kernel_keeps_every_call(found):
    tools = found["tools"]
    assert all(tools[name]["kept"] == tools[name]["counted"] for name in ("lsmpmon", "profiler", "multi", "bpftrace"))
    assert found["functions"] > 200


def test_refused():
    done = subprocess.run([REPO / "scripts/peers", "all"], capture_output=True, text=True, env=environment())
    assert done.returncode == 2 and "'all' is not accepted" in done.stderr and done.stdout == ""
