# SPDX-License-Identifier: GPL-2.0-only
"""Tests of kept boots: their inputs, how long they are kept, and the effect of a failure. No test boots anything."""

import os
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import boots
import guests
import inputs
import pytest
import reads
import verdicts
from kernels import REPO, environment

KERNEL = "/cache/6.12-uml-patched-0123"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return an empty cache, in which this process has not asked for a boot yet."""
    for name, value in {"FOLDER": tmp_path / "boots", "FRESH": False, "requests": []}.items():
        monkeypatch.setattr(boots, name, value)
    boots._turns.clear()
    return tmp_path / "boots"


def another_run():
    """Forget the boots that this process asked for, and return them."""
    requests = boots.requests[:]
    boots.requests.clear()
    boots._turns.clear()
    return requests


def booted(output="out", status=0):
    """Return what scripts/exec returns; each call adds to `times`."""
    def boot():
        boot.times += 1
        return subprocess.CompletedProcess([], status, output, "err")
    boot.times = 0
    return boot


def keep_all():
    for _, _, name in another_run():
        boots.keep(name) if name else None


def test_what_was_kept_is_not_booted_again():
    boot = booted("text\r\n\x01")
    first = boots.once("key", boot)
    keep_all()
    again = boots.once("key", boot)
    assert boot.times == 1 and boots.requests == [(boots.REUSED, "key-1", "")]
    assert (again.returncode, again.stdout, again.stderr) == (first.returncode, first.stdout, first.stderr)


def test_nothing_is_kept_before_its_tests_have_passed():
    boot = booted()
    boots.once("key", boot)
    another_run()
    boots.once("key", boot)
    assert boot.times == 2


def test_who_asks_twice_gets_two_boots():
    """Two boots with the same inputs in one run can be compared only if both are made; a later run gets both."""
    boot = booted()
    for _ in range(2):
        boots.once("key", boot)
    assert boot.times == 2
    keep_all()
    for _ in range(2):
        boots.once("key", boot)
    assert boot.times == 2


@pytest.mark.parametrize("key, status, expected, kept", [
    ("key", 0, 0, True), ("key", 125, 125, True), ("key", 125, 0, False), ("key", 124, 0, False), ("key", 0, 2, False),
    (None, 0, 0, False)])
def test_what_may_be_kept(key, status, expected, kept):
    """A boot is kept only if it ended as expected and its inputs are known."""
    boots.once(key, booted(status=status), expected=expected)
    assert bool(boots.requests[0][2]) == kept


def test_files_are_kept_as_the_guest_left_them(tmp_path):
    share = tmp_path / "share"
    share.mkdir()
    (share / "old").write_text("before")

    def boot():
        (share / "old").unlink()
        (share / "new").write_text("made")
        (share / "link").symlink_to("new")
        return subprocess.CompletedProcess([], 0, "", "")

    boots.once("key", boot, share)
    keep_all()
    for path in (share / "new", share / "link"):
        path.unlink()
    (share / "sub").mkdir()
    (share / "old").write_text("before")
    boots.once("key", None, share)
    assert {path.name: path.read_text() for path in share.iterdir()} == {"new": "made", "link": "made"}
    assert (share / "link").is_symlink()


def test_what_cannot_be_read_is_booted(folder):
    boots.once("key", booted())
    keep_all()
    data = (folder / "key-1").read_bytes()
    for broken in (data[:len(data) // 2], b"", b"no archive"):
        (folder / "key-1").write_bytes(broken)
        boot = booted()
        boots.once("key", boot)
        another_run()
        assert boot.times == 1


def test_the_least_recently_used_go_first(folder, monkeypatch):
    for number in range(4):
        boots.once(f"key{number}", booted(os.urandom(5000).hex()))
    keep_all()
    for number, age in enumerate((300, 200, 100, 0)):
        os.utime(folder / f"key{number}-1", (10**9 - age, 10**9 - age))
    boots.once("key0", booted())    # its last use is now
    size = max(path.stat().st_size for path in folder.iterdir())
    monkeypatch.setattr(boots, "LIMIT", int(2.5 * size))
    boots.prune()
    assert {path.name for path in folder.iterdir()} == {"key0-1", "key3-1"}


def _write(folder, number):
    boots.FOLDER = Path(folder)
    boots.keep(boots._save("key-1", subprocess.CompletedProcess([], 0, str(number) * 10**5, ""), None))
    return len(set(boots._find("key-1", None).stdout))


def test_processes_at_once_read_whole_boots(folder):
    with ProcessPoolExecutor(3) as pool:
        assert set(pool.map(_write, [str(folder)] * 9, range(9))) == {1}
    assert [path.name for path in folder.iterdir()] == ["key-1"]


def test_a_failed_boot_is_not_tried_again(monkeypatch):
    """A failed boot is not repeated for each of the tests that want its output."""
    calls = []

    def execute(cmd, **variables):
        calls.append(cmd)
        return subprocess.CompletedProcess([], 124, "", "hangs")

    monkeypatch.setattr(guests, "execute", execute)
    for _ in range(2):
        with pytest.raises(pytest.fail.Exception, match="status 124"):
            guests.output("sleep", LSM="test")
    with pytest.raises(pytest.fail.Exception):
        guests.output("sleep", LSM="other")
    assert calls == ["sleep", "sleep"]


# The inputs of a boot

@pytest.fixture
def variables(tmp_path, monkeypatch):
    """Return the variables of a boot with a folder and an initramfs."""
    monkeypatch.setattr(inputs, "machine", lambda: "a machine")
    (tmp_path / "share").mkdir()
    (tmp_path / "share/in").write_text("given")
    (tmp_path / "initrd").write_text("archive")
    return {"CMD": f"cat {tmp_path}/share/in", "KVER": "6.12", "RUNNER": "uml", "SHARE": tmp_path / "share",
            "INITRD": tmp_path / "initrd"}


def test_the_same_inputs_are_the_same_boot(variables, tmp_path):
    """The place of the folder is not an input."""
    first = inputs.digest(KERNEL, variables)
    (tmp_path / "share").rename(tmp_path / "elsewhere")
    other = {**variables, "CMD": f"cat {tmp_path}/elsewhere/in", "SHARE": tmp_path / "elsewhere"}
    assert first == inputs.digest(KERNEL, variables | other) is not None


@pytest.mark.parametrize("setting", [
    "CMD=cat $SHARE/in ", "KVER=7.2", "RUNNER=qemu", "LSM=selinux", "KARGS=audit=1", "CPUS=4", "ACCEL=icount", "CPU=max,-erms",
    "FLAVOUR=lids", "TIMEOUT=1"])
def test_a_variable_is_an_input(variables, setting):
    name, _, value = setting.partition("=")
    assert inputs.digest(KERNEL, variables) != inputs.digest(KERNEL, variables | {name: value})


@pytest.mark.parametrize("change", [
    lambda share, initrd: (share / "in").write_text("changed"), lambda share, initrd: (share / "more").write_text(""),
    lambda share, initrd: (share / "in").chmod(0o700), lambda share, initrd: (share / "in").rename(share / "other"),
    lambda share, initrd: (share / "link").symlink_to("in"), lambda share, initrd: initrd.write_text("changed")])
def test_given_files_are_inputs(variables, change):
    before = inputs.digest(KERNEL, variables)
    change(variables["SHARE"], variables["INITRD"])
    assert inputs.digest(KERNEL, variables) != before


def test_a_kernel_and_a_machine_are_inputs(variables, monkeypatch):
    hashes = {inputs.digest(KERNEL, variables), inputs.digest(f"{KERNEL}4", variables)}
    monkeypatch.setattr(inputs, "machine", lambda: "another machine")
    hashes.add(inputs.digest(KERNEL, variables))
    assert len(hashes) == 3
    monkeypatch.setattr(inputs, "machine", lambda: None)
    assert inputs.digest(KERNEL, variables) is None


def test_what_runs_guests_is_an_input(variables, tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "REPO", tmp_path)
    path = tmp_path / "lab/lsmlab/guest/uml.py"
    path.parent.mkdir(parents=True)
    path.write_text("one")
    before = inputs.digest(KERNEL, variables)
    path.write_text("two")
    assert inputs.digest(KERNEL, variables) != before


def test_all_that_runs_guests_is_known():
    """The files are checked against those that Python imports for scripts/exec."""
    ask = ("import sys, lsmlab.commands.exec\n"
           "print(*(module.__file__ for name, module in sys.modules.items() if name.startswith('lsmlab')))")
    done = subprocess.run([sys.executable, "-c", ask], env=environment(PYTHONPATH=REPO / "lab"), stdout=subprocess.PIPE, text=True,
                          check=True)
    assert REPO / "lab/lsmlab/guest/uml.py" in {*map(Path, done.stdout.split())} <= {*inputs.code()}
    assert {REPO / "scripts/exec", REPO / "lab/inside/init", REPO / "lab/lsmlab/guest/ticks.c"} <= {*inputs.code()}


@pytest.mark.parametrize("program", ["qemu-system-x86_64", "gcc", "dpkg-query"])
def test_a_changed_program_is_another_machine(program, tmp_path, monkeypatch):
    """QEMU, the compiler and every package are inputs."""
    def machine():
        return inputs.machine.__wrapped__()
    if machine() is None:
        pytest.skip("no dpkg here, so nothing is kept")
    before = machine()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / program).write_text("#!/bin/sh\necho another version\n")
    (tmp_path / "bin" / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    assert machine() != before


def test_without_its_packages_a_machine_is_not_known(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert inputs.machine.__wrapped__() is None


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Make a repository with a few scripts and programs."""
    top = tmp_path / "repository"
    for name, text in {
            "build/bin/tool": "", "build/bin/other": "", "build/bin/lmbench-hook": "", "build/bin/lmbench-hook-sweep": "",
            "build/run/results": "", "build/selftests/6.12-1~bpo13+1/a_test": "", "build/selftests/6.12-1~bpo13+1/helper": "",
            "build/policy/one.policy": "", "userspace/policy/one.sh": "policy=$repo/build/policy/one.policy\n",
            "userspace/policy/tests/test_one.py": "", "userspace/policy/README.md": "",
            "Documentation/text.md": "", "lab/shell/lib.sh": "", "scripts/lab": "",
            "scripts/run": '#!/bin/bash\n. "$(dirname "$0")/../lab/shell/lib.sh"\n"$REPO/scripts/lab"\n',
            "tests/guest/a.py": "import b\n", "tests/guest/b.py": "",
            "tests/guest/storm.sh": "# tests/guest/a.py\ntool work; cat $REPO/Documentation/text.md $REPO/build/run\n",
            "lab/inside/setup": '#!/bin/sh\n. "$inside/lsm/words.sh"\npolicy=$repo/userspace/policy\n'
                                    'echo "see scripts/run"; . "$policy/$module.sh"\n',
            "lab/inside/lsm/words.sh": ""}.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    for name in ("PROGRAMS", "SELFTESTS", "MODULES"):
        monkeypatch.setattr(reads, name, top / getattr(reads, name).relative_to(REPO))
    monkeypatch.setattr(reads, "REPO", top)
    return top


@pytest.mark.parametrize("command, names", [
    ("cat /sys/kernel/security/lsmmon/result", ""),
    ("tool record -- true", "build/bin/tool"),
    ("lmbench-hook sweep -n 1", "build/bin/lmbench-hook build/bin/lmbench-hook-sweep"),
    ("{top}/build/selftests/6.12-1~bpo13+1/a_test 2>&1",
     "build/selftests/6.12-1~bpo13+1/a_test build/selftests/6.12-1~bpo13+1/helper"),
    ("sh tests/guest/storm.sh 30", "build/bin/tool tests/guest/storm.sh"),
    ("python3 -B $REPO/tests/guest/a.py", "tests/guest/a.py tests/guest/b.py"),
    ("p=$(lab/inside/setup prepare $LSM /tmp) || exit", "build/policy/one.policy lab/inside/lsm/words.sh "
     "lab/inside/setup userspace/policy/one.sh"),
    ("RUNNER=host scripts/run", "scripts/lab lab/shell/lib.sh scripts/run"),
    ("find ${{REPO}}/userspace -newer /etc/passwd", "build/policy/one.policy userspace/policy/one.sh"),
])
def test_files_that_a_command_names_are_inputs(repository, command, names):
    """Files that a command's files name are inputs, too, but no document, result or test is."""
    paths = reads.files(command.format(top=repository))
    assert [str(path.relative_to(repository)) for path in paths] == sorted(names.split())


def test_a_named_file_is_an_input(variables, repository, monkeypatch):
    monkeypatch.setattr(inputs, "REPO", repository)
    variables["CMD"] = "tool"
    before = inputs.digest(KERNEL, variables)
    (repository / "build/bin/other").write_text("changed")
    assert inputs.digest(KERNEL, variables) == before
    (repository / "build/bin/tool").write_text("changed")
    assert inputs.digest(KERNEL, variables) != before


# The effect of a failure

def report(test, *requests, failed=False):
    properties = [["place", ["6.12", "uml"]], *(["boot", " ".join(one)] for one in requests)]
    verdicts.pytest_runtest_logreport(SimpleNamespace(nodeid=test, user_properties=properties, failed=failed))


@pytest.fixture
def reports(monkeypatch):
    monkeypatch.setattr(verdicts, "used", {})
    monkeypatch.setattr(verdicts, "failed", set())


def asked_for(key):
    boots.once(key, booted())
    return another_run()


def test_a_boot_is_kept_when_its_tests_have_passed(folder, reports):
    report("a.py::one", *asked_for("key"))
    report("a.py::two")
    verdicts.settle()
    assert [path.name for path in folder.iterdir()] == ["key-1"]
    report("a.py::one", *asked_for("key"))
    assert re.findall(r"\d+", verdicts.summary()) == ["1", "0"], "reused and booted"


@pytest.mark.parametrize("which", [0, 1])
def test_a_failure_in_the_file_drops_its_boots(folder, reports, which):
    """Any failed test of a file drops all its boots, kept ones too, and those of other files with the same inputs."""
    report("a.py::one", *asked_for("before"))
    verdicts.settle()
    report("b.py::one", *asked_for("new"), *asked_for("own"))
    report("a.py::one", *asked_for("before"), *asked_for("new"), failed=which == 0)
    report("a.py::two[6.12]", failed=which == 1)
    verdicts.settle()
    assert [path.name for path in folder.iterdir() if "." not in path.name] == ["own-1"]


def test_a_boot_without_a_key_is_counted_and_not_kept(folder, reports):
    report("a.py::one", *asked_for(None), *asked_for(None), failed=True)
    verdicts.settle()
    assert re.findall(r"\d+", verdicts.summary()) == ["0", "2"] and not folder.exists()


FILES = {"test_good.py": "def test_it(): assert said('good') == 'good'", "test_bad.py": "def test_it(): said('bad'); assert 0"}
SAID = """import subprocess, boots
def said(word):
    def boot():
        open('booted', 'a').write(word + ' ')
        return subprocess.CompletedProcess([], 0, word, '')
    return boots.once(word, boot).stdout
"""


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_runs_of_pytest(tmp_path, workers):
    """One run boots both; the next reuses the boot of the file that passed; FRESH=1 boots both again."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(SAID + text)

    def run(**variables):
        env = environment(PYTHONPATH=f"{REPO}/tests:{REPO}/lab", XDG_CACHE_HOME=tmp_path / "cache", **variables)
        words = [sys.executable, "-m", "pytest", "-q", "-p", "verdicts", "-p", "no:cacheprovider", *workers, tmp_path]
        subprocess.run(words, cwd=tmp_path, env=env, capture_output=True)
        return sorted((tmp_path / "booted").read_text().split())

    assert [run(), run(), run(FRESH="1")] == [["bad", "good"], ["bad", "bad", "good"], ["bad", "bad", "bad", "good", "good"]]
    assert [path.name for path in (tmp_path / "cache/lsmpmon/boots").iterdir()] == ["good-1"]
