# SPDX-License-Identifier: GPL-2.0-only
"""Each call waits as often as lsmpmon counts, and no more, in a guest that counts instructions.

A tick is an instruction there, and a delay of N ns is N of them, however busy the machine is.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
PATTERNS = "stat/depth-1 stat/depth-8 open/depth-1 open/depth-8 open/dotdot-3 rename/depth-2 chmod/depth-5 copy/1k close"
pytestmark = pytest.mark.full
CHECKS = {
    "stat/depth-1": 1, "stat/depth-8": 8, "open/depth-1": 2, "open/depth-8": 9, "open/dotdot-3": 4,
    "rename/depth-2": 6, "chmod/depth-5": 5, "copy/1k": 2, "close": 0,
}


@pytest.fixture(scope="module")
def fits():
    """Boot once, and return {(sub-benchmark, hook or all): slope} and {sub-benchmark: r^2}."""
    if not (TOP / "modules" / "tunable").exists():
        pytest.skip("no Tunable Security Module here")
    unset = ("KDIR", "KVER", "SHARE", "INITRD", "CMD", "KARGS", "LSM")
    env = {key: value for key, value in os.environ.items() if key not in unset}
    env |= {"RUNNER": "qemu", "ACCEL": "icount", "FLAVOUR": "patched", "PATTERNS": PATTERNS, "PYTHON": sys.executable}
    done = subprocess.run([TOP / "scripts/lab", "slopes"], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    rows = json.loads((TOP / "build/slopes/6.12-qemu-icount/slopes.json").read_text())[0]["fits"]
    slopes = {(row["name"], slope["hook"]): slope for row in rows for slope in row["slopes"]}
    return slopes, {row["name"]: row["r2"] for row in rows if row["kind"] == "delay"}


@pytest.mark.parametrize("name", CHECKS)
def test_a_call_waits_for_each_check(fits, name):
    slope = fits[0][name, "all"]
    assert slope["checks"] == CHECKS[name]
    assert slope["value"] == pytest.approx(CHECKS[name], rel=0.01, abs=0.01)


@pytest.mark.parametrize("name", CHECKS)
def test_hooks_are_told_apart(fits, name):
    file = 2 if name == "copy/1k" else 0
    wanted = {"inode_permission": CHECKS[name] - file, "file_permission": file}
    for hook, checks in wanted.items():
        assert fits[0][name, hook]["value"] == pytest.approx(checks, rel=0.01, abs=0.01), hook


@pytest.mark.parametrize("name", [name for name in CHECKS if CHECKS[name]])
def test_nothing_else_grows_with_the_delay(fits, name):
    assert fits[1][name] >= 0.999
