# SPDX-License-Identifier: GPL-2.0-only
"""Runs make eval on two machines: one of them dies half-way, the run is interrupted and resumed, and every count is the
same as on one machine.
"""

import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from guests import kernel_directory
from kernels import DEFAULT, REPO, environment
from test_evaluation import SAMPLES, differences

from lsmlab.measure.evaluation import plan, result

pytestmark = [pytest.mark.full, pytest.mark.last, pytest.mark.guest(DEFAULT, "qemu")]

CLUSTER = REPO / "tests/slurm/cluster"
NOT_AVAILABLE = 3
# Seconds after which something will not happen any more, however busy the machine is.
LONGEST = 1200
EXACT, TIMED = ([cell for cell in plan.quick() if cell.exact == exact] for exact in (True, False))


def until(look):
    """Wait until a function returns something true, and return that."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        value = look()
        if value:
            return value
        time.sleep(0.5)
    pytest.fail(f"not in {LONGEST} s: {look}")


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        done = self("variables")
        if done.returncode == NOT_AVAILABLE:
            pytest.skip(done.stderr.strip())
        assert done.returncode == 0, done.stderr
        self.variables = dict(line.split("=", 1) for line in done.stdout.splitlines())

    def __call__(self, verb, *words):
        return subprocess.run([CLUSTER, verb, self.folder, *words], env=environment(), capture_output=True, text=True)

    def jobs(self, *words):
        """Return the ids of jobs."""
        env = environment(**self.variables)
        command = ["squeue", "--noheader", "--format=%i", *words]
        return subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout.split()

    def completed(self):
        """Return by key what Slurm reports of jobs that ended."""
        path = self.folder / "completed"
        lines = path.read_text().splitlines() if path.exists() else []
        return [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]

    def guests(self, node):
        """Return the guests on a node: the node's processes have a namespace, which is that of its parent's
        children.
        """
        parent = (self.folder / f"{node}.pid").read_text().strip()
        return [pid for pid in _emulators() if _namespace(pid) == _namespace(parent, "pid_for_children")]


def _namespace(pid, name="pid"):
    try:
        return os.readlink(f"/proc/{pid}/ns/{name}")
    except OSError:
        return None


def _emulators():
    for path in Path("/proc").glob("[0-9]*/comm"):
        try:
            if path.read_text().startswith("qemu-system"):
                yield path.parent.name
        except OSError:
            pass


@pytest.fixture
def cluster():
    """Start a cluster in a folder with a short name, which the path of a socket needs."""
    with tempfile.TemporaryDirectory(prefix="slurm.") as folder:
        slurm = Cluster(Path(folder))
        try:
            done = slurm("start")
            assert done.returncode == 0, done.stderr
            yield slurm
        finally:
            slurm("end")


def evaluation(results, **variables):
    env = environment(EVAL="quick", SAMPLES=SAMPLES, RESULTS=results, **variables)
    return subprocess.Popen([REPO / "scripts/lab", "eval"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process, status):
    """Wait for a process to end with this status, and return its output."""
    output, errors = process.communicate()
    assert process.returncode == status, errors
    return output + errors


def kept(results, cell):
    return json.loads((results / "eval/results" / cell.path).read_text())


def undated(content):
    del content["state"]["date"]
    return content


def half(cluster, results):
    """Start an evaluation of which one node dies while it boots a guest, and interrupt it once its job runs on the
    other.
    """
    process = evaluation(results, PROFILE="slurm", **cluster.variables)
    until(lambda: process.poll() is not None or cluster.guests("node2"))
    job, = cluster.jobs("--nodelist=node2", "--states=running")
    assert cluster("kill", "node2").returncode == 0
    until(lambda: process.poll() is not None or cluster.jobs("--nodelist=node1", "--states=running", f"--jobs={job}"))
    until(lambda: cluster.guests("node1"))
    process.send_signal(signal.SIGINT)
    ended(process, 128 + signal.SIGINT)
    until(lambda: not cluster.jobs() and not cluster.guests("node1"))
    return job


def exact_tables(results):
    """Return the rows of the report that do not depend on a real clock."""
    tables = json.loads((results / "report/summary.json").read_text())["tables"].values()
    return [row for table in tables for rows in table.values() for row in rows if row["exact"]]


def test_two_machines_of_which_one_dies_count_the_same(cluster, tmp_path):
    for runner in ("qemu", "uml"):
        kernel_directory(DEFAULT, runner)
    one, two = tmp_path / "one", tmp_path / "two"
    ended(evaluation(one), 0)
    lost = half(cluster, two)
    measured = {path.name: path.stat().st_mtime_ns for path in two.glob("eval/results/quick/*.json")}
    assert cluster("start", "node2").returncode == 0
    output = ended(evaluation(two, PROFILE="slurm", **cluster.variables), 0)
    cells = [*EXACT, *TIMED]
    assert 0 < len(measured) < len(cells) and f"measured {len(cells) - len(measured)} of {len(cells)} cells" in output
    assert {name: (two / "eval/results/quick" / name).stat().st_mtime_ns for name in measured} == measured
    assert {job["NodeList"] for job in cluster.completed()} == {"node1", "node2"}
    assert [job["NodeList"] for job in cluster.completed() if job["JobId"] == lost and job["JobState"] == "NODE_FAIL"] == ["node2"]
    for cell in EXACT:
        assert not differences(undated(kept(one, cell)), undated(kept(two, cell))), cell
    for cell in TIMED:
        assert result.read_key(one / "eval/results" / cell.path) == result.read_key(two / "eval/results" / cell.path)
    assert exact_tables(one) and not differences(exact_tables(one), exact_tables(two))
