# SPDX-License-Identifier: GPL-2.0-only
"""Output of `make run`, from real boots of two modules."""

import os
import pathlib
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]


def make_run(results, **variables):
    unset = ("KDIR", "SHARE", "INITRD", "ACCEL", "CMD", "KARGS", "LSM")
    env = {key: value for key, value in os.environ.items() if key not in unset}
    env |= {"RUNNER": "uml", "FLAVOUR": "patched", "RESULTS": str(results), **variables}
    return subprocess.run([TOP / "scripts/lab", "run"], capture_output=True, text=True, env=env, check=False)


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("run"), MODULES="capability smack", ROUNDS="200")


def test_the_answer_comes_first(printed):
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.startswith("Most expensive: ")


def test_both_modules_decided(printed):
    assert "smack: labels and 5 rules of our own, enforcing" in printed.stdout
    assert "(no policy)" not in printed.stdout


def test_what_ima_costs_is_not_capabilitys(printed):
    """Among the hooks that cost most under capability is one that only IMA implements."""
    ranking = printed.stdout.split("Average cycles a call")[0].splitlines()
    owners = {line.split()[0]: line.split()[1] for line in ranking if len(line.split()) == 8}
    assert owners.get("file_post_open", "ima") == "ima" and "capability" not in printed.stdout.split(",")[0]
    assert "ima" in owners.values()


def test_every_hook_cell_is_a_cost_or_a_dash(printed):
    lines = printed.stdout.split("Average cycles a call")[1].split("\n\n")[0].splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:-1]}
    assert {"inode_permission", "path_rename", "inode_create"} <= set(rows)
    for cells in rows.values():
        assert len(cells) == 2
        assert all(cell == "-" or int(cell.replace(",", "")) > 0 for cell in cells)


@pytest.mark.full
def test_several_kernels_are_compared(tmp_path):
    """One comparer of records does it, a module at a time; with one boot each, nothing is certain."""
    done = make_run(tmp_path, MODULES="capability smack", ROUNDS="20", KVER="6.12 7.2")
    assert done.returncode == 0, done.stderr
    capability, smack = done.stdout.split("smack: 6.12 7.2\n")
    assert capability.startswith("capability: 6.12 7.2\n")
    for table in (capability, smack):
        said = " ".join(table.split())
        assert "of different kernels: 6.12." in said and "inode_permission" in said
        assert "another boot of the same kernel may differ as much" in said


def test_nothing_was_lost(printed):
    assert "LOST" not in printed.stdout


def test_quiet_in_a_pipe(printed):
    assert "\r" not in printed.stdout + printed.stderr
    assert "measuring" not in printed.stderr
