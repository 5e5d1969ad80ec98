# SPDX-License-Identifier: GPL-2.0-only
"""RUNNER=host scripts/lab peers, with a guest as the machine. No test is about costs there."""

import json
import subprocess

import pytest
from guests import LSMMON, execute
from kernels import DEFAULT, REPO, environment

pytestmark = [pytest.mark.guest(DEFAULT, "qemu"), pytest.mark.full, pytest.mark.slow, pytest.mark.last]
TRACING = "/sys/kernel/tracing"
STATE = (f"cat {LSMMON}/control {TRACING}/current_tracer {TRACING}/set_ftrace_filter {TRACING}/dynamic_events "
         f"{TRACING}/function_profile_enabled {TRACING}/tracing_on")
# The tools of each kernel, and those that need BTF. The kernel with BTF is not patched.
EVERYWHERE = {"profiler", "graph", "kprobes", "fprobes", "multi"}


@pytest.fixture(scope="module", autouse=True)
def programs():
    """Build the programs here, since the guest cannot write to their folder."""
    subprocess.run(["make", "-s", "-C", REPO / "userspace", "all", "bpf-hooks"], check=True, env=environment())


def on_machine(cmd, where, expected=0, **variables):
    script = f"export RUNNER=host RESULTS=$SHARE; unset SHARE LSM FLAVOUR KVER; {cmd}"
    return execute(script, expected, KVER=DEFAULT, RUNNER="qemu", SHARE=where, TIMEOUT="3000", **variables)


@pytest.mark.parametrize("flavour, more", [("patched", {"lsmpmon"}), ("btf", {"fentry", "stats"})])
def test_every_tool_of_the_kernel_is_timed(flavour, more, tmp_path):
    done = on_machine(f"{STATE} >/tmp/before 2>&1; SAMPLES=5 PASSES=2 scripts/lab peers && {STATE} 2>&1 | cmp - /tmp/before",
                      tmp_path, FLAVOUR=flavour)
    assert done.returncode == 0, done.stderr
    figures = json.loads((tmp_path / "peers-host.json").read_text())
    assert EVERYWHERE | more <= set(figures["tools"])
    assert ("fentry" in figures["tools"]) == (flavour == "btf") and "fsession" not in figures["tools"]
    assert all(len(tool["passes"]) == 2 for tool in figures["tools"].values()) and figures["calls"] > 100
    assert done.stdout == (tmp_path / "peers-host.txt").read_text() and "BPF fsession" in done.stdout


@pytest.mark.parametrize("cmd, message", [
    ("PASSES=0 scripts/lab peers", "PASSES='0' is not accepted; a number from 1"),
    ("KARGS=audit=1 scripts/lab peers", "KARGS='audit=1' is not accepted with RUNNER='host'"),
    ("scripts/lab peers all", "unrecognized arguments: all"),
    (f"echo function >{TRACING}/current_tracer; scripts/lab peers", "current_tracer is 'function', for somebody else"),
    (f"echo 1 >{LSMMON}/control; scripts/lab peers", "control is '1', for somebody else"),
    (f"umount {TRACING}; scripts/lab peers", "has no function tracer"),
])
def test_refused(cmd, message, tmp_path):
    done = on_machine(cmd, tmp_path, expected=2)
    assert done.returncode == 2 and message in done.stderr and done.stdout == "", done.stderr
    assert list(tmp_path.iterdir()) == []
