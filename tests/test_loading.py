# SPDX-License-Identifier: GPL-2.0-only
"""The time that policies take to load: the figures, the table, and in the full tier a guest that loads rules of TOMOYO."""

import json
import subprocess

import pytest
from kernels import DEFAULT, REPO, environment

from lsmlab.analyse import loading as analyse
from lsmlab.commands import loading as command
from lsmlab.guest.settings import BadSetting
from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.plans import loading as plan
from lsmpmon_report.kernelfiles import FormatError

CALLS = ("syscall count sum hook_count hook_sum cs_count irq_time cs_sum cs_own slept\n"
         "read 1 7 0 0 0 0 0 0 0\nwrite 2 {} 0 0 1 {} 9000000 {} {}\n")


@pytest.fixture
def results(tmp_path):
    """Return a folder with the boots of one policy: an exact one and two by a clock."""
    for name, load in {"tomoyo-1000-exact": 0.5, "tomoyo-1000-1": 0.003, "tomoyo-1000-2": 0.005}.items():
        folder = tmp_path / name
        (folder / "calls").mkdir(parents=True)
        for file, text in {"bytes": "24929\n", "loaded": "1000\n", "nothing": "0.001\n", "load": f"{load}\n",
                           "calls/nothing": CALLS.format(100, 0, 0, 0), "calls/load": CALLS.format(900, 50, 7000, 2500000)}.items():
            (folder / file).write_text(text)
    return tmp_path


def test_what_a_policy_takes(results):
    found = analyse.figures(results, ["tomoyo-1000"], 2)
    of = found["tomoyo-1000"]
    assert {name: of[name] for name in ("bytes", "loaded", "instructions", "waited_ms")} == {
        "bytes": 24929, "loaded": 1000, "instructions": 900 - 50 + 7000 - 100, "waited_ms": 2.5}
    assert of["ms"] == {"boots": 2, "median": pytest.approx(3), "least": pytest.approx(2), "most": pytest.approx(4)}
    first, _, head, row = command.table(found, "6.12").splitlines()
    assert "Linux 6.12" in first and head.split() == list(command.HEADS)
    assert row.split() == ["TOMOYO,", "1,000", "rules", "24,929", "1,000", "7,750", "2.5", "3.00", "2.00", "4.00"]


@pytest.mark.parametrize("text", ["", "many\n"])
def test_output_that_is_not_a_number(results, text):
    (results / "tomoyo-1000-2/load").write_text(text)
    with pytest.raises(Failed, match="there should be a number"):
        analyse.figures(results, ["tomoyo-1000"], 2)


def test_calls_without_a_write(results):
    (results / "tomoyo-1000-exact/calls/load").write_text(CALLS.split("write")[0])
    with pytest.raises(FormatError, match="tomoyo-1000-exact/calls/load: there should be a row of write"):
        analyse.figures(results, ["tomoyo-1000"], 2)


def test_policy_that_there_is_not(monkeypatch):
    monkeypatch.setenv("POLICIES", "selinux landlock")
    with pytest.raises(BadSetting, match=r"POLICIES='landlock' is not accepted; some of: selinux selinux-debian"):
        plan.policies()


def test_policies_take_turns(tmp_path, monkeypatch):
    monkeypatch.setenv("POLICIES", "tomoyo-1000 tomoyo-4000")
    monkeypatch.setenv("BOOTS", "2")
    names = [boot.name for boot in plan.timed(tmp_path)]
    assert names == ["tomoyo-1000-1", "tomoyo-4000-1", "tomoyo-1000-2", "tomoyo-4000-2"]


@pytest.mark.full
@pytest.mark.parametrize("kver", [DEFAULT])
def test_rules_are_loaded_and_cost_more_the_more_there_are(kver, tmp_path):
    """Each rule of TOMOYO is compared with those before it, so four times as many take more than four times as long."""
    env = environment(KVER=kver, RESULTS=tmp_path, POLICIES="tomoyo-1000 tomoyo-4000", BOOTS=1)
    done = subprocess.run([REPO / "scripts/lab", "loading"], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    few, many = json.loads((tmp_path / "loading.json").read_text())["policies"].values()
    assert (few["loaded"], many["loaded"]) == (1000, 4000) and many["instructions"] > 8 * few["instructions"]
