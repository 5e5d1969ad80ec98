# SPDX-License-Identifier: GPL-2.0-only
"""The graph of measurements: its jobs, their outcomes, and their order, on this machine and where Snakemake does them."""

import os
import subprocess
import time
from dataclasses import replace

import pytest
from kernels import DEFAULT

from lsmlab.measure.evaluation import guest, measuring, plan, result
from lsmlab.measure.pipeline import errors, graph, jobs, kernel, processes, profile
from lsmlab.places import CACHE

CELL = next(iter(plan.modules()))
OUTPUT = "==> state/kernel\n6.12.117\n"


@pytest.fixture
def ended(tmp_path, monkeypatch):
    """Run some cells, and return the outcomes of their jobs by rule and name, and the order in which jobs ended.

    The kernel of some cells is built already.
    """
    (tmp_path / "config").write_text("CONFIG_SECURITY_SELINUX=y\n")
    monkeypatch.delenv("PROFILE", raising=False)
    monkeypatch.setattr(kernel, "build", lambda variables: tmp_path)
    monkeypatch.setattr(guest, "boot", lambda *rest: OUTPUT)

    def run(cells, directory=None, heard=None):
        outcomes, planned = {}, graph.Graph(tmp_path / "graph", measuring.KIND, print)
        for cell in cells:
            measuring.add(planned, cell, directory, key=None, files="files", initrd="", samples=5, patterns=[],
                          result=str(tmp_path / "results" / cell.path))
        planned.run(heard or (lambda rule, name, outcome: outcomes.update({(rule, name): outcome})))
        return outcomes
    return run


def statuses(ended):
    return [outcome["status"] for outcome in ended.values()]


def test_a_kernel_is_built_before_its_cells_and_once(ended):
    cells = list(plan.quick())
    outcomes = ended(cells)
    assert [name for rule, name in outcomes if rule == jobs.KERNEL] == [f"{DEFAULT}-qemu-patched", f"{DEFAULT}-uml-patched"]
    assert {name for rule, name in outcomes if rule == jobs.TIMED} == {f"quick/{DEFAULT}-selinux-1"}
    assert {name for rule, name in outcomes if rule == jobs.EXACT} == {f"quick/{DEFAULT}-{rest}" for rest in (
        "capability", "selinux-enforcing", "tomoyo-enforcing")}


def test_a_kernel_that_is_there_is_not_built(ended, tmp_path):
    assert statuses(ended([CELL], tmp_path)) == [jobs.MEASURED]


def test_a_kernel_is_compiled_by_all_processors(monkeypatch):
    """Snakemake may give a job fewer processors."""
    def processors():
        return subprocess.run(["nproc"], env=kernel.environment(), capture_output=True, text=True).stdout

    by_itself = processors()
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert processors() == by_itself == f"{len(os.sched_getaffinity(0))}\n"


def test_what_was_measured_is_kept_while_its_key_is_the_same(ended, tmp_path):
    first, path = ended([CELL], tmp_path), tmp_path / "results" / CELL.path
    key = result.read_key(path)
    assert key == measuring.key_of(CELL, tmp_path, 5, "files")
    assert (statuses(first), statuses(ended([CELL], tmp_path))) == ([jobs.MEASURED], [jobs.KEPT])
    path.write_text(path.read_text().replace(key, "another"))
    assert statuses(ended([CELL], tmp_path)) == [jobs.MEASURED] and result.read_key(path) == key


@pytest.mark.parametrize("error, status", [(errors.LeftOut("not on the mirror"), jobs.LEFT_OUT), (kernel.Failed("a.c:1: error"), jobs.FAILED)])
def test_a_kernel_that_cannot_be_is_asked_for_once(ended, monkeypatch, error, status):
    """The outcome of its cells says why."""
    builds = []

    def build(variables):
        builds.append(variables)
        raise error

    monkeypatch.setattr(kernel, "build", build)
    outcomes = ended([CELL, replace(CELL, name="another")])
    assert len(builds) == 1 and len(outcomes) == 3
    assert all(outcome == {"status": status, "reason": str(error)} for outcome in outcomes.values())


def test_a_cell_whose_kernel_has_no_outcome_says_so(tmp_path):
    plan_of_one = {"kind": measuring.KIND.name, jobs.EXACT: {"modules/bare": {"kernel": "gone", "directory": None}}}
    jobs.write(tmp_path / jobs.PLAN, plan_of_one)
    jobs.do(tmp_path, jobs.EXACT, "modules/bare", {measuring.KIND.name: measuring.KIND})
    outcome = jobs.read(jobs.outcome_of(tmp_path, jobs.EXACT, "modules/bare"))
    assert outcome["status"] == jobs.FAILED and "kernel" in outcome["reason"]


def test_a_cell_that_fails_leaves_the_others(ended, tmp_path, monkeypatch):
    """No file is written for it, and a cell whose module is not in the kernel is left out."""
    def boot(cell, *rest):
        if cell.name == "bad":
            raise guest.Failed("status 1 in the guest")
        return OUTPUT

    monkeypatch.setattr(guest, "boot", boot)
    cells = [replace(CELL, name="bad"), replace(CELL, name="smack", lsm="smack"), replace(CELL, name="good", lsm="selinux")]
    outcomes = {name: outcome for (_, name), outcome in ended(cells, tmp_path).items()}
    assert outcomes["modules/bad"] == {"status": jobs.FAILED, "reason": "status 1 in the guest"}
    smack = outcomes["modules/smack"]
    assert smack["status"] == jobs.LEFT_OUT and {DEFAULT, "qemu", "smack"} <= set(smack["reason"].split())
    assert [path.name for path in (tmp_path / "results").rglob("*") if path.is_file()] == ["good.json"]


BOOTS = {f"{module}-{boot}": replace(CELL, name=f"{module}-{boot}", boot=boot) for module in ("a", "b", "c") for boot in (1, 2)}
TIMED = {"runner": "uml", "accel": "none"}
PLACES = {name: cell.place() for name, cell in BOOTS.items()}


def test_a_machine_does_first_boots_first_and_one_after_the_other():
    after = graph.order(PLACES, single=True)
    first, *rest = after
    assert after[first] == [] and [after[name] for name in rest] == [[name] for name in list(after)[:-1]]
    assert [name[-1] for name in after] == ["1"] * 3 + ["2"] * 3


def test_their_order_is_random():
    assert len({tuple(graph.order(PLACES, single=True)) for _ in range(100)}) > 1


def test_several_machines_do_first_boots_first():
    after = graph.order(PLACES, single=False)
    assert {name: set(others) for name, others in after.items()} == {
        name: {"a-1", "b-1", "c-1"} if name.endswith("2") else set() for name in BOOTS}


def test_clocks_are_read_one_at_a_time_after_all_that_is_exact(ended, monkeypatch):
    """Kernels are built before, and cells that count instructions share the processors."""
    running, most = [], {}

    def boot(cell, *rest):
        running.append(cell)
        most[cell.exact] = max(most.get(cell.exact, 0), len(running))
        assert cell.exact or len(running) == 1
        time.sleep(0.2)
        running.remove(cell)
        return OUTPUT

    monkeypatch.setattr(guest, "boot", boot)
    exact = [replace(CELL, name=f"exact-{number}") for number in range(4)]
    order = list(ended([*(replace(cell, **TIMED) for cell in BOOTS.values()), *exact]))
    assert most == {True: min(4, len(os.sched_getaffinity(0))), False: 1}
    assert [rule for rule, _ in order] == [jobs.KERNEL] * 2 + [jobs.EXACT] * 4 + [jobs.TIMED] * 6
    assert [name[-1] for rule, name in order if rule == jobs.TIMED] == ["1"] * 3 + ["2"] * 3


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="two jobs at once need two processors")
@pytest.mark.parametrize("interrupted", [KeyboardInterrupt, kernel.Failed])
def test_an_interruption_ends_the_programs_of_all_jobs(ended, monkeypatch, tmp_path, interrupted):
    """An interruption while an outcome is reported ends them, too, and no further job is started."""
    begun, refused = tmp_path / "begun", []

    def boot(cell, *rest):
        if cell.name == "first":
            while not begun.exists():
                time.sleep(0.05)
            return OUTPUT
        processes.run(["sh", "-c", f"touch {begun}; exec sleep 1000"], dict(os.environ))
        try:
            processes.run(["sleep", "1000"], dict(os.environ))
        except errors.Failed as error:
            refused.append(str(error))
            raise
        return OUTPUT

    def heard(*job):
        raise interrupted

    monkeypatch.setattr(guest, "boot", boot)
    with pytest.raises(interrupted):
        ended([replace(CELL, name="first"), replace(CELL, name="endless")], tmp_path, heard)
    assert refused == ["interrupted"]


class Ended:
    """A program that has ended."""

    def poll(self):
        return 0


def test_jobs_that_never_end_are_failures(ended, tmp_path, monkeypatch):
    """If no job ended, Snakemake itself failed, and its output is shown."""
    def start(folder, where, lock, names=()):
        (folder / profile.LOG).write_text("no such executor\n")
        for name in names:
            jobs.write(jobs.outcome_of(folder, jobs.EXACT, name), {"status": jobs.MEASURED})
        return Ended()

    monkeypatch.setattr(profile, "wanted", lambda: tmp_path)
    monkeypatch.setattr(profile, "start", start)
    with pytest.raises(profile.Failed, match="no such executor"):
        ended([CELL], tmp_path)
    lost = replace(CELL, name="lost")
    monkeypatch.setattr(profile, "start", lambda *words: start(*words, names=[CELL.path.removesuffix(".json")]))
    assert statuses(ended([CELL, lost], tmp_path)) == [jobs.MEASURED, jobs.FAILED]


# A stub of scripts/lab job: prints when it began and ended, and dies for a cell whose name has "lost" in it.
JOB = """#!/usr/bin/env python3
import json, sys, time
from pathlib import Path
_, folder, rule, name = sys.argv[1:]
began = time.monotonic()
time.sleep(1000 if "endless" in name else 0.3)
if "lost" in name:
    sys.exit(1)
out = Path(folder, rule, f"{name}.json")
out.write_text(json.dumps({"status": "measured", "began": began, "ended": time.monotonic()}))
"""


@pytest.fixture
def snakemake(tmp_path, monkeypatch):
    """Run a graph of cells with Snakemake, and jobs that only wait."""
    if not (CACHE / "venv/bin/snakemake").exists():
        pytest.skip("no Snakemake: scripts/deps --python installs it")
    snakefile = tmp_path / "lab/lsmlab/measure/pipeline/Snakefile"
    snakefile.parent.mkdir(parents=True)
    snakefile.write_text(profile.SNAKEFILE.read_text())
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/lab").write_text(JOB)
    (tmp_path / "scripts/lab").chmod(0o755)
    monkeypatch.setattr(profile, "SNAKEFILE", snakefile)
    (tmp_path / "here").mkdir()
    (tmp_path / "here/config.yaml").write_text("cores: all\n")
    monkeypatch.setenv("PROFILE", str(tmp_path / "here"))

    def run(cells, heard=None):
        outcomes, planned = {}, graph.Graph(tmp_path / "graph", measuring.KIND, print)
        for cell in cells:
            measuring.add(planned, cell, None)
        planned.run(heard or (lambda rule, name, outcome: outcomes.update({(rule, name): outcome})))
        return outcomes
    return run


def test_snakemake_measures_clocks_one_at_a_time_after_all_builds(snakemake):
    exact = [replace(CELL, name=f"exact-{number}") for number in range(3)]
    outcomes = snakemake([*exact, *(replace(cell, **TIMED) for cell in BOOTS.values())])
    assert len(outcomes) == 2 + len(exact) + len(BOOTS) and set(statuses(outcomes)) == {"measured"}
    timed = sorted((one for (rule, _), one in outcomes.items() if rule == jobs.TIMED), key=lambda one: one["began"])
    others = [one for (rule, _), one in outcomes.items() if rule == jobs.KERNEL]
    assert max(one["ended"] for one in others) < timed[0]["began"]
    for one in timed:
        assert not [other for other in outcomes.values()
                    if other is not one and other["began"] < one["ended"] and one["began"] < other["ended"]]
    names = sorted((name for rule, name in outcomes if rule == jobs.TIMED), key=lambda name: outcomes[jobs.TIMED, name]["began"])
    assert [name[-1] for name in names] == ["1"] * 3 + ["2"] * 3


def test_snakemake_goes_on_after_a_job_that_dies(snakemake):
    outcomes = snakemake([replace(CELL, name="lost"), replace(CELL, name="found")])
    lost, measured = (outcomes[jobs.EXACT, f"modules/{name}"] for name in ("lost", "found"))
    assert (lost["status"], measured["status"]) == ("failed", "measured")
    assert lost["reason"].endswith(f"/{profile.LOG}")


def stubs(folder):
    """Return the processes of our stub of a job in that folder."""
    done = subprocess.run(["pgrep", "-f", f"{folder}/scripts/lab"], stdout=subprocess.PIPE, text=True)
    return done.stdout.split()


def test_an_interruption_ends_the_jobs(snakemake, tmp_path):
    """Ctrl-C comes as an exception, once a job has ended and another has begun."""
    def heard(rule, name, outcome):
        if rule != jobs.KERNEL:
            while not stubs(tmp_path):
                time.sleep(0.1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        snakemake([replace(CELL, name="endless"), replace(CELL, name="found")], heard)
    assert stubs(tmp_path) == []
