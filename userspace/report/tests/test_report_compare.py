# SPDX-License-Identifier: GPL-2.0-only
import pathlib
import subprocess
import sys

import pytest

from lsmpmon_report import compare
from lsmpmon_report.kernelfiles import FormatError

HEADER = "hook min max ave count cs_count"


@pytest.fixture
def kernel(save, write, tmp_path):
    """kernel(release, {hook: (min, ave, count)}, calls of 64 rounds of stat): a folder with one module in it."""

    def save_kernel(release, hooks, calls, **about):
        folder = tmp_path / release
        write(folder / "x", "")
        run = save("capability", [hooks], kernel=release, counted=64, **about)
        write(run / "counts" / "stat", f"{HEADER}\ninode_getattr 1 1 1 {calls} 0\n")
        run.rename(folder / "capability")
        return folder

    return save_kernel


def rows(text, title):
    """By name, the cells of one of the tables."""
    lines = text.split(title)[1].split("\n\n")[0].splitlines()[1:]
    return {" ".join(w for w in line.split() if not w[0].isdigit() and w != "-"):
            [w for w in line.split() if w[0].isdigit() or w == "-"] for line in lines}


@pytest.fixture
def text(kernel):
    old = kernel("6.1.9", {"file_open": (50, 60, 300), "inode_create": (70, 80, 100)}, 256)
    new = kernel("6.12.9", {"file_open": (40, 50, 300), "inode_create": (60, 70, 300), "file_release": (9, 10, 400)}, 320)
    return compare.render([compare.load_kernel(old), compare.load_kernel(new)])


def test_each_kernel_has_a_column(text):
    assert text.startswith("Linux 6.1.9, 6.12.9 on uml\n")
    assert "Empty span: 40, 40 cycles" in text


def test_calls_of_one_round(text):
    found = rows(text, "hook calls of one round of each sub-benchmark")
    assert found["stat"] == ["4.0", "5.0"] and found["all"] == ["4.0", "5.0"]


def test_cost_of_each_hook(text):
    found = rows(text, "average cycles a call")
    assert found["inode_create"] == ["80.0", "70.0"]
    assert found["file_release"] == ["-", "10.0"]
    assert list(found)[1:4] == ["inode_create", "file_open", "file_release"]


def test_common_hooks_weigh_the_same_in_each_kernel(text):
    found = rows(text, "average cycles a call")
    assert found["a call"] == ["65.0", "40.0"]
    assert found["a call of those that all have"] == ["65.0", "55.0"]


def test_instructions_are_called_so(kernel):
    one = compare.load_kernel(kernel("6.1.9", {"file_open": (50, 60, 300)}, 256, accel="icount"))
    assert "average instructions a call" in compare.render([one]) and "cycles" not in compare.render([one])


def test_meaningless_clock_is_refused(kernel):
    one = compare.load_kernel(kernel("6.1.9", {"file_open": (50, 60, 300)}, 256, accel="tcg"))
    with pytest.raises(FormatError, match="ACCEL=icount"):
        compare.render([one])


def test_results_without_counts_are_refused(kernel):
    folder = kernel("6.1.9", {"file_open": (50, 60, 300)}, 256)
    about = folder / "capability" / "about"
    about.write_text(about.read_text().replace("counted: 64\n", ""))
    with pytest.raises(FormatError, match="counted"):
        compare.load_kernel(folder)


def test_folder_without_results_is_refused(tmp_path):
    done = subprocess.run([sys.executable, "-m", "lsmpmon_report", "compare", tmp_path], capture_output=True, text=True,
                          cwd=pathlib.Path(__file__).resolve().parents[1], check=False)
    assert done.returncode == 1 and f"{tmp_path}: no results in it" in done.stderr
