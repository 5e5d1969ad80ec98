# SPDX-License-Identifier: GPL-2.0-only
"""RUNNER=host, with a guest of User-Mode Linux as the machine: three boots add to the same results."""

import json
import re
import subprocess
import sys

import pytest
from guests import LSMMON, execute, output
from kernels import DEFAULT, REPO, environment

from lsmpmon_report import host
from lsmpmon_report.kernelfiles import parse_features

pytestmark = [pytest.mark.guest(DEFAULT, "uml"), pytest.mark.full]
STATE = f"cat {LSMMON}/control {LSMMON}/features {LSMMON}/filter"
LITTLE = "ROUNDS=64 SAMPLES=10 PASSES=2"


def on_machine(cmd, where, lsm, expected=0):
    """Run a command in a boot with these modules; results go to a directory, since the repository is read-only
    there.
    """
    return execute(f"export RUNNER=host RESULTS=$SHARE; unset SHARE LSM; {cmd}", expected, LSM=lsm, SHARE=where)


@pytest.fixture(scope="module")
def boots(tmp_path_factory):
    """Boot three times, and return the directory of results and the output of each boot. The monitor is left as it
    was.
    """
    where, runs = tmp_path_factory.mktemp("results"), []
    for lsm in ("selinux", "apparmor", ""):
        done = on_machine(f"echo 's somebody' >{LSMMON}/filter; echo 'histogram 1' >{LSMMON}/features; "
                          f"{STATE} >/tmp/before && {LITTLE} scripts/lab run && {STATE} | cmp - /tmp/before", where, lsm)
        assert done.returncode == 0, done.stderr
        runs.append(done)
    return where / "run/host", runs


def test_it_says_first_what_it_does(boots):
    text = boots[1][0].stderr
    assert "2 times 64 rounds of 16 file operations" in text and "Nothing is changed but the monitor" in text
    assert "disturbed by runner uml" in text


def test_each_boot_adds_its_results(boots):
    folder, printed = boots
    modules = [boot["modules"] for boot in json.loads((folder / "run.json").read_text())["boots"]]
    assert modules == ["capability,ima,evm", "capability,apparmor,ima,evm", "capability,selinux,ima,evm"]
    assert [line.split()[1] for line in printed[2].stdout.splitlines() if line.startswith("stat ")]
    assert "boot 3: Linux" in printed[2].stdout and "boot 2: Linux" not in printed[0].stdout


def test_it_says_what_to_boot_next(boots):
    texts = [done.stdout for done in boots[1]]
    assert "Boot with lsm=capability next" in texts[0] and "Boot with lsm=capability next" in texts[1]
    assert "Boot with lsm=capability next" not in texts[2]
    config = "CONFIG_SECURITY_SMACK=y\nCONFIG_SECURITY_TOMOYO=m\n"
    assert host.advice(host.load_boots(boots[0]), config) == ["Boot with lsm=smack next, and run this again."]


def test_the_work_is_counted(boots):
    """64 rounds make a directory each in mkdir and in rmdir, and a link in symlink; the program makes one more."""
    by_modules = {boot.modules: boot for boot in host.load_boots(boots[0])}
    for boot in by_modules.values():
        assert boot.hooks["inode_mkdir"].calls == 129 and boot.hooks["inode_symlink"].calls == 64
    assert len(boot.calls) == 16


def test_overhead_goes_through_all_states(tmp_path):
    features = ["timed=64" if name == "timed" else name for name in parse_features(output(f"cat {LSMMON}/features"))]
    done = on_machine(f"{LITTLE} scripts/lab overhead; {STATE}", tmp_path, "selinux")
    assert done.returncode == 0, done.stderr
    states = json.loads((tmp_path / "overhead/host.json").read_text())["states"]
    assert list(states) == ["off", "on", *sorted(features)]
    assert all(len(passes) == 2 and len(passes[0]) == 16 for passes in states.values())
    assert done.stdout.splitlines()[-2 - len(features) - 1] == "0", "the monitor is off again"


def test_eval_saves_the_boot(tmp_path):
    """The report needs packages that the guest does not have where it looks for them."""
    done = on_machine(f"cd $REPO/lab && SAMPLES=5 python3 -c 'import pathlib; from lsmlab.measure.evaluation import machine; "
                      f"machine.measure(pathlib.Path(\"{tmp_path}\"), 5)' && {STATE}", tmp_path, "selinux")
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.glob("yours/*-selinux.json")
    result = json.loads(path.read_text())
    assert result["cell"]["runner"] == "host" and result["cell"]["lsm"] == "capability,selinux,ima,evm"
    assert {"stat", "open/depth-4"} <= {row["name"] for row in result["latency"]["benchmarks"]}
    assert "mkdir" in result["records"]
    assert re.findall(r".* 1\n", done.stdout) == ["timed 1\n"], "each call was timed, and every other feature is off again"
    words = [sys.executable, "-m", "lsmpmon_report", "evaluation", tmp_path, "-o", tmp_path / "report"]
    subprocess.run(words, check=True, env=environment(PYTHONPATH=REPO / "userspace/report"), capture_output=True)


@pytest.mark.parametrize("cmd, message", [
    ("MODULES=smack scripts/lab run", "MODULES='smack' is not accepted with RUNNER='host'"),
    ("KARGS=audit=1 scripts/lab overhead", "KARGS='audit=1'"),
    ("LSM=smack scripts/lab run", "LSM='smack': smack is not active in this boot, only capability,selinux,ima,evm"),
    ("PASSES=0 scripts/lab overhead", "PASSES='0' is not accepted; a number from 1"),
    ("EVAL=growth scripts/lab eval --check", "EVAL='growth' is not accepted with RUNNER='host'; one of: quick"),
    ("scripts/lab slopes", "tunable is not active in this boot"),
    (f"echo 1 >{LSMMON}/control; scripts/lab run", "the monitor is on"),
    ("umount /sys/kernel/security; scripts/lab run", "has no lsmpmon"),
])
def test_refused(cmd, message, tmp_path):
    done = on_machine(cmd, tmp_path, "selinux", expected=2)
    assert done.returncode == 2 and message in done.stderr and done.stdout == "", done.stderr
    assert list(tmp_path.iterdir()) == []


def test_this_machine_has_no_monitor():
    """If this machine has a monitor, nothing is measured on it."""
    done = subprocess.run([REPO / "lab/shell/host", "check"], env=environment(RUNNER="host"), capture_output=True,
                          text=True)
    refused = done.returncode == 2 and done.stderr.count("\n") == 1 and "make deb-kernel" in done.stderr
    assert refused or done.returncode == 0, done.stderr
