# SPDX-License-Identifier: GPL-2.0-only
import json

import pytest

from lsmpmon_report import lmbench
from lsmpmon_report.kernelfiles import FormatError

SAID = """Simple stat: 20.0000 microseconds
Simple open/close: 50.5000 microseconds
Simple read: 10.0000 microseconds
Simple write: 8.0000 microseconds
"""


@pytest.fixture
def saved(tmp_path, write):
    rows = [{"name": name, "median": median} for name, median in
            (("stat", 50000), ("open", 101000), ("read", 30000), ("write", 40000))]
    write(tmp_path / "lat_syscall.txt", SAID)
    write(tmp_path / "run.json", json.dumps({"ticks_per_ns": 2, "benchmarks": rows}))
    return tmp_path


def test_ratio_is_ours_by_theirs(saved):
    pairs = {pair.name: (pair.lmbench, pair.ours, pair.ratio) for pair in lmbench.load_pairs(saved)}
    assert pairs["stat"] == (20, 25, 1.25)
    assert pairs["open/close"] == (50.5, 50.5, 1)
    assert pairs["write"] == (8, 20, 2.5)


def test_each_pair_says_why_it_differs(saved):
    text = lmbench.render(lmbench.load_pairs(saved))
    assert "\nstat            20.000    25.000    1.25\n" in text
    assert text.count("/dev/") == 2


@pytest.mark.parametrize("name", ["lat_syscall.txt", "run.json"])
def test_a_file_that_is_not_there_or_says_nothing_is_named(saved, write, name):
    write(saved / name, "Segmentation fault\n")
    with pytest.raises(FormatError, match=name):
        lmbench.load_pairs(saved)
    (saved / name).unlink()
    with pytest.raises(FormatError, match=name):
        lmbench.load_pairs(saved)
