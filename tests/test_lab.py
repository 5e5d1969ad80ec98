# SPDX-License-Identifier: GPL-2.0-only
"""The laboratory's package: its layers, its commands, and the findings of linters and of the type checker."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from kernels import DEFAULT, REPO, copy_files, environment

from lsmlab.command import COMMANDS

LAB = REPO / "lab"
REPORT = REPO / "userspace/report/lsmpmon_report"
CONFIG = LAB / "pyproject.toml"
# Tests may have long rows, and names of constants in the middle of a comparison.
OTHERS = ("--config", CONFIG, "--ignore", "E501,SIM300", REPO / "tests", REPO / "userspace")


def clean(*words, **variables):
    done = subprocess.run(words, cwd=LAB, capture_output=True, text=True, env=environment(**variables))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("words", [(LAB, "--config", CONFIG, REPORT), OTHERS], ids=["lab", "others"])
def test_ruff(words):
    clean(sys.executable, "-m", "ruff", "check", "--no-cache", "--quiet", *words)


def test_each_layer_uses_only_those_below_it():
    clean(Path(sys.executable).with_name("lint-imports"), "--no-cache", CONFIG.name, PYTHONPATH=f"{LAB}:{REPORT.parent}")


def test_mypy(tmp_path):
    """Check the types of the laboratory and of the report."""
    clean(sys.executable, "-m", "mypy", "--cache-dir", tmp_path)


def lab(*words, **variables):
    return subprocess.run([REPO / "scripts/lab", *words], env=environment(**variables), capture_output=True, text=True)


def test_every_command_is_listed():
    modules = {path.stem.replace("_", "-") for path in (LAB / "lsmlab/commands").glob("*.py")} - {"--init--"}
    assert modules == set(COMMANDS)
    printed = lab("--help").stdout
    assert [name for name in COMMANDS if f"\n  {name} " not in printed] == []
    assert lab("weigh").returncode == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_takes(name):
    done = lab(name, "--help")
    assert done.returncode == 0 and done.stdout.startswith(f"usage: lab {name} ") and not done.stderr


def test_a_reader_may_close_its_pipe():
    ends = os.pipe()
    os.close(ends[0])
    with os.fdopen(ends[1], "w") as closed:
        done = subprocess.run([REPO / "scripts/lab", "supported"], env=environment(), stdout=closed, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """Return a PATH on which python3 is the oldest Python that pyproject.toml promises, without any package but pip."""
    (version,) = re.findall(r'^requires-python = ">=([\d.]+)"$', CONFIG.read_text(), re.M)
    names = [f"python{version}", *Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")]
    found = [name for name in names if shutil.which(name) and subprocess.run([name, "--version"], capture_output=True).returncode == 0]
    if not found:
        pytest.skip(f"there is no Python {version} here")
    folder = tmp_path_factory.mktemp("old")
    (folder / "python3").symlink_to(shutil.which(found[0]))
    return f"{folder}:{os.environ['PATH']}"


def test_the_oldest_python_has_every_command(old):
    needing = [name for name in COMMANDS if lab(name, "--help", PATH=old).returncode]
    assert needing == []


def test_the_oldest_python_puts_lsmpmon_into_a_tree(old, tmp_path):
    """The tree is the same as with the Python of the tests."""
    trees = {path: copy_files(DEFAULT, tmp_path / name) for name, path in (("old", old), ("new", os.environ["PATH"]))}
    for path, tree in trees.items():
        done = lab("tree", "apply", tree, PATH=path)
        assert done.returncode == 0, done.stderr
    first, second = ({path.relative_to(tree): path.read_bytes() for path in tree.rglob("*") if path.is_file()} for tree in trees.values())
    assert first == second and any(path.parts[:2] == ("security", "lsmpmon") for path in first)


@pytest.mark.parametrize("name", ["tree", "series", "hooks-diff"])
def test_an_old_python_is_told_what_it_needs(tmp_path, name):
    """Python before 3.11 has no tomllib."""
    for module in ("tomllib", "tomli"):
        (tmp_path / f"{module}.py").write_text(f"raise ModuleNotFoundError('No module named {module}', name='{module}')\n")
    done = lab(name, "--help", PYTHONPATH=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert re.fullmatch(rf"lsmpmon: lab {name} .*Python 3\.11.*tomli.*\n", done.stderr), done.stderr


def test_the_entries_of_scripts_work_through_a_link(tmp_path):
    (tmp_path / "apply").symlink_to(REPO / "scripts/tree")
    done = subprocess.run([tmp_path / "apply", "apply", tmp_path / "none"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and re.fullmatch(f"lsmpmon: refused.* KDIR='{tmp_path}/none' .*\n", done.stderr), done.stderr


def test_the_page_on_the_laboratory_names_what_is_there():
    """Each path in it exists but those that commands make, and each function is in a file that it names."""
    named = re.findall(r"`([^`\n]+)`", (REPO / "Documentation/explanation/laboratory.md").read_text())
    paths = {name for name in named if re.fullmatch(r"\.?[\w.-]+(/[\w.-]+)+/?", name) and not name.startswith("build/")}
    assert len(paths) > 30 and sorted(path for path in paths if not (REPO / path).exists()) == []
    code = "\n".join((REPO / path).read_text() for path in paths if (REPO / path).is_file())
    functions = {name[:-2].rpartition(".")[2] for name in named if name.endswith("()")}
    assert functions and [name for name in functions if not re.search(rf"^\s*(def {name}\(|{name}\(\) {{)", code, re.M)] == []
