# SPDX-License-Identifier: GPL-2.0-only
"""Part calls of make eval: whole calls of one image, in instructions and in cycles."""

from dataclasses import asdict
from types import SimpleNamespace

import pytest

from lsmlab.measure.evaluation import guest as guests_of_cells
from lsmlab.measure.evaluation import plan, result
from lsmlab.measure.pipeline import processes
from lsmpmon_report.stats import BOOTS_LEAST

CELLS = list(plan.calls())
MODULES = ("capability", *plan.DECIDING)


def test_instructions_are_of_the_kernel_whose_cycles_are_counted():
    """Each module has one boot in QEMU and ten outside; the two differ in nothing else that a kernel or a policy is made of."""
    assert plan.CALL_BOOTS >= BOOTS_LEAST
    assert len(CELLS) == len(MODULES) * (1 + plan.CALL_BOOTS)
    for module in MODULES:
        cells = [asdict(cell) for cell in CELLS if cell.name.split("-")[1] == module]
        assert [cell["accel"] for cell in cells] == ["icount", *["none"] * plan.CALL_BOOTS]
        same = [{name: value for name, value in cell.items() if name not in ("name", "accel", "boot")} for cell in cells]
        assert all(each == same[0] for each in same)
        assert same[0]["kver"] == plan.KERNELS[-1] and same[0]["runner"] == "uml" and same[0]["flavour"] == "patched"
        assert set(same[0]["policies"]) == {module} - {"capability"}


def test_boots_that_count_may_run_at_once_and_those_that_time_may_not():
    assert {cell.exact for cell in CELLS if cell.name.endswith("-exact")} == {True}
    assert not any(cell.exact for cell in CELLS if not cell.name.endswith("-exact"))


@pytest.mark.parametrize("exact", [True, False])
def test_a_boot_in_qemu_reads_no_file_of_this_machine(monkeypatch, tmp_path, exact):
    """The one has an initramfs and a processor; the other one has the script of the repository."""
    cell, asked = next(cell for cell in CELLS if cell.exact == exact), {}
    monkeypatch.setattr(processes, "run", lambda words, env: asked.update(env) or SimpleNamespace(returncode=0, stdout="done"))
    assert guests_of_cells.boot(cell, tmp_path, tmp_path / "initrd", 5, ()) == "done"
    assert cell.of_host != exact and asked["RUNNER"] == "uml" and "cell_measures=calls" in asked["KARGS"].split()
    expected = ("icount", str(tmp_path / "initrd"), None) if exact else (None, None, "lab/inside/eval")
    assert tuple(asked.get(name) for name in ("ACCEL", "INITRD", "CMD")) == expected


def test_records_of_whole_calls_say_how_often_which_calls_were_made():
    output = "==> state/kernel\n7.3.4\n==> records/all/info\noverhead: 47\n==> records/calls-2/read/4k/calls\nsyscall count\n"
    found = result.assemble(CELLS[0], "k", output, {})["records"]["calls-2/read/4k"]
    assert found["command"] == ["lmbench-hook", "work", "read/4k", "-n", "200"]
    assert found["runs"][0]["files"] == {"info": "overhead: 47\n", "calls": "syscall count\n"}
