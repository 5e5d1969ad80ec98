# SPDX-License-Identifier: GPL-2.0-only
import json
import re

import pytest

from lsmpmon_report import peers
from lsmpmon_report.kernelfiles import FormatError

# Instructions of a round of stat, which has 4 hook calls; calls counted and kept.
FOUND = {
    "6.12-patched": {"off": (1000, "0 0"), "lsmpmon": (1200, "400 400"), "profiler": (3400, "400 400"),
                     "multi": (3000, "400 400"), "graph": (7000, "400 100"), "kprobes": (8000, "400 90"),
                     "fprobes": (9000, "400 80"), "bpftrace": (9400, "400 400")},
    "6.12-btf": {"off": (900, "0 0"), "fentry": (1700, "400 400"), "stats": (2100, "400 400")},
    "7.2-btf": {"off": (1100, "0 0"), "fsession": (1500, "400 400")},
}


@pytest.fixture
def measured(tmp_path, write):
    directory = tmp_path / "peers"
    for kernel, tools in FOUND.items():
        for tool, (ticks, counted) in tools.items():
            write(directory / kernel / tool / "run.json", json.dumps({"benchmarks": [{"name": "stat", "min": ticks}]}))
            write(directory / kernel / tool / "counted", counted)
        write(directory / kernel / "off/functions", "250\n")
        write(directory / kernel / "off/calls", "417 817\n")
        write(directory / kernel / "off/kernel", kernel.split("-")[0] + ".1\n")
    write(directory / "6.12-btf/stats/programs", "800 40000\n")
    write(directory / "6.12-patched/lsmpmon/result",
          "hook min max ave count cs_count\ninode_free_security_rcu 1 1 1 20 1\n")
    write(directory / "about", f"rounds: 100\nkernels: {' '.join(FOUND)}\nlsm: capability\n")
    return directory


def test_instructions_a_hook_call_above_nobody_measuring_in_the_same_kernel(measured):
    found = peers.load_peers(measured).kernels
    assert found["6.12-patched"].tools["lsmpmon"].per_hook == 50 and found["6.12-patched"].calls == 4
    assert found["6.12-patched"].tools["profiler"].per_hook == 600
    assert found["6.12-patched"].tools["graph"].kept == 100
    assert found["6.12-btf"].tools["fentry"].per_hook == 200 and found["7.2-btf"].tools["fsession"].per_hook == 100


def test_the_table(measured):
    found = peers.load_peers(measured)
    text = peers.render(found)
    assert "lsmpmon                                   50.0   1.0x       400       400" in text
    assert re.search(r"^Linux 7\.2\.1, btf: 250 .*\b4 calls.*\nBPF fsession  ", text, re.M)
    assert "800 runs, 50.0 instructions each" in text and "counted that: 21 calls." in text


def test_the_figures(measured):
    found = json.loads(peers.to_json(peers.load_peers(measured)))
    assert found["kernels"]["6.12-patched"]["tools"]["multi"]["per_hook"] == 500
    assert found["kernels"]["6.12-btf"]["programs"] == {"runs": 800, "ns": 40000, "per_run": 50}
    assert "programs" not in found["kernels"]["7.2-btf"]


@pytest.mark.parametrize("file, text", [
    ("6.12-patched/multi/counted", "0 0"),
    ("6.12-patched/multi/counted", "many"),
    ("6.12-patched/graph/run.json", "{}"),
    ("6.12-btf/off/calls", "400 400"),
])
def test_a_tool_that_did_nothing_is_an_error(measured, write, file, text):
    write(measured / file, text)
    with pytest.raises(FormatError, match=f"{file}: "):
        peers.load_peers(measured)
