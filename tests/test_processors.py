# SPDX-License-Identifier: GPL-2.0-only
"""Calls and hooks on several processors: the folder that another machine can measure, and the tables of what it printed."""

import json
import subprocess
from types import SimpleNamespace

import pytest
from kernels import REPO

from lsmlab.analyse import processors as analyse
from lsmlab.commands import processors as command
from lsmlab.console import CommandError
from lsmlab.measure.plans import processors as plan

MEASURE = REPO / "lab/shell/measure-processors"
VERDICTS = "hook verdict min max ave count cs_count sum irq_count irq_sum irq_time cs_sum cs_own unknown\n"
CALLS = "syscall count sum hook_count hook_sum cs_count irq_time cs_sum cs_own unknown\n"
WAITS = "hook module kind count sum max\n"
# User-Mode Linux that prints its command line, and ends as a guest does.
FAKE_LINUX = """#!/bin/sh
echo "$*"
printf '\\0040\\n'
"""


def turn(number, hooks, calls, waits=""):
    """Return what a guest prints of a turn, each figure the ticks of a call."""
    rows = [f"{hook} allow 1 1 1 {5000 * number} 0 {5000 * number * ticks} 0 0 0 0 0 0\n" for hook, ticks in hooks.items()]
    made = [f"{call} {5000 * number} {5000 * number * ticks} 0 0 0 0 0 0 0\n" for call, ticks in calls.items()]
    return (f"==> records/hooks-{number}-1/verdicts\n{VERDICTS}{''.join(rows)}"
            f"==> records/calls-{number}-1/calls\n{CALLS}{''.join(made)}"
            f"==> records/calls-{number}-1/waits\n{WAITS}{waits}")


HEAD = "==> state/kernel\n7.3.4\n==> records/all/info\nclock_khz: 2000000\noverhead: 40\n"


@pytest.fixture
def out(tmp_path):
    """Return a folder with the outputs of two modules: a hook of AppArmor takes four times as long on two processors."""
    folder = tmp_path / "processors/out"
    folder.mkdir(parents=True)
    (folder / "about").write_text("processor: Fast\nprocessors: 2\nlinux: 6.18\ndate: 2026-11-29\n")
    (folder / "capability-1").write_text(HEAD + turn(1, {"file_open": 60}, {"open": 2000}) + turn(2, {"file_open": 62}, {"open": 2400}))
    for boot, more in ((1, 0), (2, 20), (3, 40)):
        (folder / f"apparmor-{boot}").write_text(
            HEAD + turn(1, {"file_open": 140, "file_release": 60}, {"open": 3000}) +
            turn(2, {"file_open": 440 + more, "file_release": 62}, {"open": 5000}, "file_open - lock 7 4000 900\nfile_open - reclaim 1 9 9\n"))
    return folder


def test_calls_and_hooks_by_processors(out):
    """2 ticks are a nanosecond, and the clock's own 40 are taken out of a hook."""
    found = analyse.figures(out)
    assert (found["kernel"], found["numbers"], found["boots"], found["processor"]) == ("7.3.4", [1, 2], 1, "Fast")
    assert found["modules"]["capability"]["calls"] == {"open": {"1": [1000, 1000, 1000], "2": [1200, 1200, 1200]}}
    apparmor = found["modules"]["apparmor"]
    assert apparmor["hooks"]["file_open"] == {"1": [50, 50, 50], "2": [200, 210, 220]}
    assert apparmor["waits"] == {"file_open": {"2": [21, 6000]}}
    assert list(analyse.grown(apparmor, [1, 2])) == ["file_open"]
    assert analyse.grown(found["modules"]["capability"], [1, 2]) == {}


def test_tables(out):
    text = command.tables(analyse.figures(out)).splitlines()
    assert text[0] == "Linux 7.3.4, SMP, User-Mode Linux on 2 processors of Fast; 1 boot"
    assert "open" in text[4] and not any("stat" in line for line in text)
    assert [line.split() for line in text if line.startswith("  ")] == [
        ["capability", "1,000", "1,200"], ["AppArmor", "1,500", "2,500"], ["1", "2", "waits", "ms"], ["none"], ["file_open", "50", "210", "21", "0.0"]]


@pytest.mark.parametrize("file, content, said", [
    ("capability-1", "", "there should be records/all/info"),
    ("capability-1", HEAD.replace("overhead: 40\n", ""), "overhead"),
    ("capability-1", HEAD + "==> records/hooks-1-1/verdicts\nhook verdict\n", "count"),
])
def test_output_that_is_not_whole(out, file, content, said):
    (out / file).write_text(content)
    with pytest.raises(analyse.FormatError, match=said):
        analyse.figures(out)


def test_nothing_was_measured(tmp_path, monkeypatch):
    monkeypatch.setenv("RESULTS", str(tmp_path))
    (tmp_path / "processors/out").mkdir(parents=True)
    with pytest.raises(CommandError, match="there is no output of a guest"):
        command.main(SimpleNamespace(read=True, prepare=False))


def test_what_was_read_is_kept_beside_the_folder(out, monkeypatch, capsys):
    monkeypatch.setenv("RESULTS", str(out.parents[1]))
    command.main(SimpleNamespace(read=True, prepare=False))
    assert out.parent.with_suffix(".txt").read_text() == capsys.readouterr().out
    assert json.loads(out.parent.with_suffix(".json").read_text()) == json.loads(json.dumps(analyse.figures(out)))


def test_each_boot_has_its_module_and_policy():
    cells = list(plan.cells())
    assert [cell.name for cell in cells[:6]] == [f"{module}-1" for module in plan.MODULES]
    assert plan._line(cells[0]).startswith("capability-1 ") and "lsm=capability" in plan._line(cells[0]).split()
    assert {"cell_measures=processors", "cell_policies=selinux", "cell_mode=on", "lsm=capability,selinux"} <= set(plan._line(cells[1]).split())


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a kernel that only prints."""
    for name, text in (("linux", FAKE_LINUX), ("initrd", ""), ("boots", "one-1 name=one\ntwo-1 name=two\n")):
        (tmp_path / name).write_text(text)
    (tmp_path / "linux").chmod(0o755)
    (tmp_path / "measure").write_bytes(MEASURE.read_bytes())
    return tmp_path


def measured(folder):
    return subprocess.run(["sh", folder / "measure"], capture_output=True, text=True)


def test_what_was_measured_is_not_measured_again(folder):
    done = measured(folder)
    assert (done.returncode, done.stderr) == (0, "measure: one-1\nmeasure: two-1\n")
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["about", "one-1", "two-1"]
    assert "name=two" in (folder / "out/two-1").read_text()
    (folder / "out/one-1").unlink()
    assert measured(folder).stderr == "measure: one-1\n"


def test_guest_that_fails_ends_it_and_is_not_kept(folder):
    (folder / "linux").write_text("#!/bin/sh\necho 'stderr: no policy'\nprintf '\\0041\\n'\n")
    done = measured(folder)
    assert done.returncode == 1
    assert "measure: no policy\nmeasure: one-1 did not end" in done.stderr
    assert [path.name for path in (folder / "out").iterdir()] == ["about"]
