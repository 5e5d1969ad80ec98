# SPDX-License-Identifier: GPL-2.0-only
import json

import pytest

from lsmpmon_report import peers
from lsmpmon_report.kernelfiles import FormatError

# Instructions of a round of stat, which has 4 hook calls; calls counted and kept.
FOUND = {"off": (1000, "0 0"), "lsmpmon": (1200, "400 400"), "profiler": (3400, "400 400"), "multi": (3000, "400 400"),
         "graph": (7000, "400 100"), "kprobes": (8000, "400 90"), "fprobes": (9000, "400 80"),
         "bpftrace": (9400, "400 400")}


@pytest.fixture
def measured(tmp_path, write):
    directory = tmp_path / "peers"
    for tool, (ticks, counted) in FOUND.items():
        write(directory / tool / "run.json", json.dumps({"benchmarks": [{"name": "stat", "min": ticks}]}))
        write(directory / tool / "counted", counted)
        write(directory / tool / "functions", "250\n")
    write(directory / "lsmpmon/counts/stat", "hook min max ave count cs_count\ninode_permission 1 1 1 390 10\n")
    write(directory / "lsmpmon/result", "hook min max ave count cs_count\ninode_free_security_rcu 1 1 1 20 1\n")
    write(directory / "about", "rounds: 100\nkernel: 6.12.1\nlsm: capability\n")
    return directory


def test_instructions_a_hook_call_above_nobody_measuring(measured):
    found = peers.load_peers(measured).tools
    assert found["lsmpmon"].per_hook == 50 and found["profiler"].per_hook == 600
    assert found["graph"].kept == 100


def test_the_table(measured):
    found = peers.load_peers(measured)
    text = peers.render(found)
    assert "lsmpmon                                   50.0   1.0x       400       400" in text
    assert "the 250 functions named" in text and "counted that: 21 calls." in text
    assert json.loads(peers.to_json(found))["tools"]["multi"]["per_hook"] == 500


@pytest.mark.parametrize("file, text, said", [
    ("multi/counted", "0 0", "should have counted calls"),
    ("multi/counted", "many", "numbers expected: 2"),
    ("graph/run.json", "{}", "not a result of"),
    ("lsmpmon/counts/stat", "hook count cs_count\n", "no hook was called"),
])
def test_a_tool_that_did_nothing_is_an_error(measured, write, file, text, said):
    write(measured / file, text)
    with pytest.raises(FormatError, match=said):
        peers.load_peers(measured)
