# SPDX-License-Identifier: GPL-2.0-only
"""Two boots of guests that count instructions have the same medians, for each sub-benchmark, to the tick."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
LINE = re.compile(r"^(\S+) +(\S+) +(\S+) +(\S+) +(\S+) %$", re.M)


def repeatability(*words, **variables):
    unset = ("KDIR", "KVER", "SHARE", "INITRD", "CMD", "KARGS", "LSM", "PATTERNS")
    env = {key: value for key, value in os.environ.items() if key not in unset}
    env |= {"FLAVOUR": "patched", "PYTHON": sys.executable} | variables
    return subprocess.run([TOP / "scripts/lab", "repeatability", *words], capture_output=True, text=True, env=env, check=False)


def test_two_boots_are_alike(tmp_path):
    done = repeatability("2", RESULTS=tmp_path, RUNNER="qemu", ACCEL="icount", RUNS="3", WARMUP="1", DIRECTORIES="5")
    assert done.returncode == 0, done.stderr
    rows = {name: values for name, *values in LINE.findall(done.stdout)}
    # The four that need headers are left out, since an initramfs does not have these.
    assert len(rows) == 80
    assert {name: row for name, row in rows.items() if row[0] != row[2]} == {}
    assert float(rows["open/depth-8"][1]) > float(rows["open/depth-1"][1])


@pytest.mark.full
def test_two_boots_are_alike_in_what_is_no_file_operation(tmp_path):
    """The loopback is up and root may mount, so no sub-benchmark is left out."""
    patterns = "net/* task/* mm/* mount/* key/*"
    done = repeatability("2", RESULTS=tmp_path, RUNNER="qemu", ACCEL="icount", PATTERNS=patterns)
    assert done.returncode == 0, done.stderr
    assert "left out" not in done.stderr
    rows = {name: values for name, *values in LINE.findall(done.stdout)}
    assert len(rows) == 22
    assert {name: row for name, row in rows.items() if row[0] != row[2]} == {}
    assert float(rows["net/tcp-rr"][1]) > float(rows["net/unix-rr"][1])
    assert float(rows["task/exec"][1]) > float(rows["task/fork"][1])


@pytest.mark.parametrize("boots", ["one", "1", "0", "-3"])
def test_a_number_of_boots_that_cannot_be_is_refused(boots):
    done = repeatability(boots)
    assert done.returncode == 2 and f"'{boots}'" in done.stderr and "from 2" in done.stderr
