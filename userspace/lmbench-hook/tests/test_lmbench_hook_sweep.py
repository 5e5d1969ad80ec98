# SPDX-License-Identifier: GPL-2.0-only
"""lmbench-hook sweep, slopes and spread as their users call them; plain files stand for the kernel's."""

import fcntl
import json
import os
import pathlib
import subprocess
import sys

import numpy
import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
BIN = TOP / "build" / "bin"
PROGRAM = BIN / "lmbench-hook"
SYSCALLS = """syscall hook min max ave count cs_count sum
stat inode_permission 1 1 1 20 0 20
openat inode_permission 1 1 1 3 0 3
read file_permission 1 1 1 9 1 9
write file_permission 1 1 1 11 0 11
"""


def make_kernel(folder):
    """Make empty files in place of the kernel's, and return the variables that name them."""
    nodes = {"tunable": ("delay_ns", "hooks", "scope"), "lsmmon": ("control", "reset", "features", "filter", "session", "info")}
    for part, names in nodes.items():
        (folder / part).mkdir()
        for name in names:
            (folder / part / name).write_text("")
    (folder / "lsmmon/syscalls").write_text(SYSCALLS)
    (folder / "lsmmon/features").write_text("syscall 0\n")
    return {"TUNABLE": str(folder / "tunable"), "LSMMON": str(folder / "lsmmon")}


@pytest.fixture
def kernel(tmp_path):
    return make_kernel(tmp_path)


def lmbench_hook(*args, **variables):
    env = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "PYTHON": sys.executable} | variables
    return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, env=env, check=False)


@pytest.fixture(scope="module")
def swept(tmp_path_factory, built):
    """Return one sweep's results, and the kernel's files as the sweep left them."""
    folder = tmp_path_factory.mktemp("swept")
    (folder / "work").mkdir()
    words = ("-a", "-n", 5, "-w", 1, "-p", 2, "-m", 3, "-c", 10, "-d", folder / "work", folder / "out")
    done = lmbench_hook("sweep", *words, "stat/depth-2", "copy/1k", **make_kernel(folder))
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert os.listdir(folder / "work") == [] and not (folder / "out/counted").exists()
    return folder / "out"


def test_a_sweep_has_each_delay_once_in_each_pass(swept):
    names = [path.name.removesuffix(".json").split(",") for path in swept.glob("*,*.json")]
    passes = [sorted(words for kind, *words in names if kind.endswith(f"-{number}")) for number in (1, 2)]
    assert passes[0] == passes[1] and len(passes[0]) == 24 and len(names) == 48
    delays = {(kind.split("-")[0], int(inode.split("=")[1]), int(file.split("=")[1])) for kind, inode, file in names}
    steps = range(0, 120000, 10000)
    assert {d for d in delays if d[0] == "delay"} == {("delay", ns, ns) for ns in steps}
    apart = [d for d in delays if d[0] == "apart"]
    assert sorted(d[1] for d in apart) == sorted(d[2] for d in apart) == list(steps)
    assert abs(numpy.corrcoef([d[1:] for d in apart], rowvar=False)[0, 1]) < 0.25, "a regression could not tell them apart"


def test_a_sweep_leaves_no_delay_behind(swept):
    tunable = swept.parent / "tunable"
    assert (tunable / "hooks").read_text() == "file_permission 0\n"
    assert (tunable / "scope").read_text() == "s\n"


def test_a_pass_shares_the_samples(swept):
    for path in swept.glob("*,*.json"):
        assert json.loads(path.read_text())["runs"] == 3, path
    assert "\nruns: 6\n" in (swept / "about").read_text()


def test_slopes_of_a_sweep(swept, tmp_path):
    """No call waited, so no slope is that of the file, which the output must show."""
    done = lmbench_hook("slopes", swept, "--json", tmp_path / "slopes.json", "--plot", tmp_path / "slopes.svg", "--gate")
    assert done.returncode == 1, done.stderr
    assert "0 of 4 regressions have the slopes that lsmpmon counts" in done.stdout
    fits = json.loads((tmp_path / "slopes.json").read_text())[0]["fits"]
    checks = {(fit["name"], slope["hook"]): slope["checks"] for fit in fits for slope in fit["slopes"]}
    assert checks[("stat/depth-2", "all")] == 2
    # A read and a write; one of the eleven is the stop of the monitor.
    assert checks[("copy/1k", "file_permission")] == 2 and checks[("copy/1k", "inode_permission")] == 0
    assert "<svg" in (tmp_path / "slopes.svg").read_text()
    assert set(lmbench_hook("slopes", swept, "--brief").stdout.splitlines()) < set(done.stdout.splitlines())


def test_spread_of_runs(tmp_path):
    for number in range(3):
        done = lmbench_hook("run", "stat", "open", "-n", 5, "-d", tmp_path, "--json")
        (tmp_path / f"{number}.json").write_text(done.stdout)
    done = lmbench_hook("spread", *sorted(tmp_path.glob("*.json")))
    assert done.returncode == 0 and done.stdout.startswith("Medians of 3 runs, ns")
    assert "\nstat " in done.stdout and "\nopen " in done.stdout


@pytest.mark.parametrize(
    ("words", "named", "accepted"),
    [
        (["sweep"], "no directory", "-h"),
        (["sweep", "-n", "0", "out"], "'0'", "from 1"),
        (["sweep", "-p", "0", "out"], "'0'", "from 1"),
        (["sweep", "-c", "many", "out"], "'many'", "from 1"),
        (["sweep", "-z", "out"], "-z", "-h"),
        (["sweep", "-n"], "-n", "a value"),
        (["slopes"], "directory", "usage"),
        (["slopes", "--plot", "a.png", "out"], "'a.png'", ".svg"),
        (["spread", "--unit", "weeks", "file"], "'weeks'", "ns"),
    ],
)
def test_bad_input_is_named_and_ends_with_2(words, named, accepted):
    done = lmbench_hook(*words)
    assert done.returncode == 2 and not done.stdout
    assert named in done.stderr and accepted in done.stderr


def test_a_kernel_without_the_module_is_refused(tmp_path, kernel):
    done = lmbench_hook("sweep", tmp_path / "out", **(kernel | {"TUNABLE": str(tmp_path / "none")}))
    assert done.returncode == 2 and "none/delay_ns" in done.stderr and "lsm=tunable" in done.stderr


def test_a_pattern_that_matches_nothing_ends_a_sweep(tmp_path, kernel):
    done = lmbench_hook("sweep", tmp_path / "out", "bogus", **kernel)
    assert done.returncode != 0 and "'bogus'" in done.stderr
    assert (pathlib.Path(kernel["TUNABLE"]) / "hooks").read_text() == "file_permission 0\n"


def test_a_directory_without_results_is_named(tmp_path):
    done = lmbench_hook("slopes", tmp_path)
    assert done.returncode == 1 and str(tmp_path) in done.stderr


def test_a_monitor_in_use_is_left_alone(kernel, tmp_path):
    """A record uses it, for example: it holds the lock of control."""
    with open(tmp_path / "lsmmon/control") as control:
        fcntl.flock(control, fcntl.LOCK_EX)
        done = lmbench_hook("sweep", tmp_path / "out", "stat", **kernel)
        counted = lmbench_hook("work", "stat", "-n", 1, "-d", tmp_path, f"--monitor={tmp_path}/lsmmon")
    assert done.returncode == 2 and "in use by another program" in done.stderr and not (tmp_path / "out").exists()
    assert counted.returncode == 1 and f"in use by process {os.getpid()} (" in counted.stderr
    assert all((tmp_path / "lsmmon" / name).read_text() == "" for name in ("control", "reset", "filter"))
    assert (tmp_path / "lsmmon/features").read_text() == "syscall 0\n"
