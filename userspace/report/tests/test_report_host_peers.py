# SPDX-License-Identifier: GPL-2.0-only
import json

import pytest

from lsmpmon_report import host_peers
from lsmpmon_report.kernelfiles import FormatError

# ns of a round of stat, which has 4 hook calls, in three passes: without and with the tool.
FOUND = {"lsmpmon": [(1000, 1080), (1000, 1120), (1100, 1260)], "profiler": [(1000, 1400), (1200, 1560), (1000, 1360)]}


@pytest.fixture
def measured(tmp_path, write):
    directory = tmp_path / "peers-host"
    for tool, passes in FOUND.items():
        for number, states in enumerate(passes, 1):
            for state, ns in zip(("off", "on"), states):
                text = json.dumps({"ticks_per_ns": 2, "benchmarks": [{"name": "stat", "median": 2 * ns}]})
                write(directory / tool / f"{state}-{number}.json", text)
    write(directory / "calls", "17 417\n")
    write(directory / "missing", "fsession\n")
    write(directory / "disturbances", "disturbed by load\n")
    write(directory / "about", "kernel: 6.12.1\nlsm: capability,selinux\nrounds: 100\nsamples: 5\n")
    return directory


def test_ns_a_hook_call_above_nobody_measuring_right_before(measured):
    found = host_peers.load_machine(measured)
    assert found.tools["lsmpmon"].passes == [20, 30, 40] and found.tools["lsmpmon"].median == 30
    assert found.tools["profiler"].median == 90 and found.calls == 4


def test_the_table(measured):
    text = host_peers.render(host_peers.load_machine(measured))
    assert "lsmpmon                                   30.0      20.0      40.0   1.0x" in text
    assert "function profiler                         90.0      90.0     100.0   3.0x" in text
    assert "3 passes" in text and text.splitlines()[-1] == "disturbed by load" and "BPF fsession" in text.splitlines()[-2]
    assert json.loads(host_peers.to_json(host_peers.load_machine(measured)))["tools"]["profiler"]["passes"] == [100, 90, 90]


def test_without_lsmpmon_nothing_is_times_its_cost(measured):
    for path in (measured / "lsmpmon").iterdir():
        path.unlink()
    (measured / "lsmpmon").rmdir()
    assert "function profiler                         90.0      90.0     100.0      -" in \
        host_peers.render(host_peers.load_machine(measured))


@pytest.mark.parametrize("file, text", [("calls", "17 17"), ("profiler/on-2.json", "{}")])
def test_a_machine_that_did_nothing_is_an_error(measured, write, file, text):
    write(measured / file, text)
    with pytest.raises(FormatError, match=f"{file}: "):
        host_peers.load_machine(measured)
