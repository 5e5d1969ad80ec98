# SPDX-License-Identifier: GPL-2.0-only
import json

import pytest

from lsmpmon_report import overhead
from lsmpmon_report.kernelfiles import FormatError


@pytest.fixture
def measured(tmp_path, write):
    """stat: 4 hook calls a round; 1 instruction a call more when off, 50 when on."""
    directory = tmp_path / "overhead"
    for kernel, ticks in (("unpatched", 1000), ("off", 1004), ("on", 1200)):
        write(directory / kernel / "run.json", json.dumps({"benchmarks": [{"name": "stat", "min": ticks}]}))
    result = (
        "hook min max ave count cs_count\n"
        "inode_permission 1 1 1 290 10\n"
        "inode_getattr 1 1 1 100 0\n"
        "inode_free_security_rcu 1 1 1 77 0\n"
        "file_permission 1 1 1 1 0\n"
    )
    write(directory / "on" / "counts" / "stat", result)
    write(directory / "about", "rounds: 100\nkernel: 6.12.1\n")
    return directory


def test_instructions_a_hook_call(measured):
    found = overhead.load_overhead(measured)
    assert found.rows[0].hooks == 4
    assert found.cost("off") == 1
    assert found.cost("on") == 50
    assert found.misses() == []


def test_a_missed_target_is_said(measured, write):
    write(measured / "on" / "run.json", json.dumps({"benchmarks": [{"name": "stat", "min": 1260}]}))
    found = overhead.load_overhead(measured)
    assert found.misses() == ["on: 65.00 instructions a hook call, target 60"]
    assert "MISSED: on: 65.00" in overhead.render(found)


def test_an_empty_hook_is_compared_with_the_least_empty_span(measured, write):
    write(measured / "uml" / "info", "overhead: 40\noverhead_min: 38\n")
    write(
        measured / "uml" / "result",
        "hook min max ave count cs_count\ninode_permission 50 90 60 1000 0\nbpf\n"
        "inode_getattr 53 90 60 1000 0\nfile_permission 57 90 60 1000 0\n",
    )
    found = overhead.load_overhead(measured)
    assert found.empty == {"inode_permission": 12, "inode_getattr": 15, "file_permission": 19}
    assert found.misses() == []


def test_json_has_the_figures_and_the_misses(measured):
    figures = json.loads(overhead.to_json(overhead.load_overhead(measured)))
    assert figures["on_per_hook"] == 50 and figures["missed"] == []
    assert figures["benchmarks"][0]["unpatched"] == 1000


def test_no_hook_calls_is_an_error_and_no_division(measured, write):
    write(measured / "on" / "counts" / "stat", "hook min max ave count cs_count\nfile_permission 1 1 1 1 0\n")
    with pytest.raises(FormatError, match="no hook was called"):
        overhead.load_overhead(measured)


def test_a_result_that_is_no_json_is_named(measured, write):
    write(measured / "off" / "run.json", "Segmentation fault\n")
    with pytest.raises(FormatError, match="off/run.json"):
        overhead.load_overhead(measured)
