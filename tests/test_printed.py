# SPDX-License-Identifier: GPL-2.0-only
"""Measurements whose guests print their results: kept results, repeated measurements, and refused settings."""

import re
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import pytest
from kernels import REPO, environment

from lsmlab.guest.settings import BadSetting
from lsmlab.measure.pipeline import errors, kernel, printed, processes
from lsmlab.measure.plans import counts, overhead, peers, request, run
from lsmpmon_report import features
from lsmpmon_report import peers as peers_report

OUTPUT = "noise\n==> kernel\n6.12.1\n==> counts/stat\na\nb\n"


@pytest.fixture
def guests(tmp_path, monkeypatch):
    """Return what each booted guest prints, by the word in its CMD; and the variables of the booted guests."""
    prints, booted = {}, []

    def boot(words, env):
        assert words == [REPO / "scripts/exec"]
        booted.append(env)
        status, text = prints.get(env["CMD"], (0, OUTPUT))
        return SimpleNamespace(returncode=status, stdout=text, stderr="it broke\n" if status else "")

    monkeypatch.delenv("PROFILE", raising=False)
    monkeypatch.setattr(processes, "run", boot)
    monkeypatch.setattr(kernel, "find", lambda variables: tmp_path / f"kernel-{variables['KVER']}")
    return prints, booted


def boot(folder, name="one", **changes):
    made = printed.Boot(name, str(folder / name), {"KVER": "6.12", "RUNNER": "uml", "FLAVOUR": "patched"}, {"CMD": name}, "files",
                        needs=("kernel",))
    return replace(made, **changes)


def measure(tmp_path, *boots):
    printed.measure(boots, tmp_path / "graph")


def test_what_a_guest_prints_is_kept_in_a_folder(guests, tmp_path):
    measure(tmp_path, boot(tmp_path))
    folder = tmp_path / "one"
    assert {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()} == {
        "kernel": "6.12.1\n", "counts/stat": "a\nb\n", "key": printed.kept(folder) + "\n"}


def test_a_folder_is_replaced_however_deep_it_is(tmp_path):
    subprocess.run(["mkdir", "-p", "one/" + 1500 * "d/"], cwd=tmp_path, check=True)
    printed.keep(tmp_path / "one", OUTPUT, ["kernel"])
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["counts", "kernel", "key"]


def test_what_was_measured_is_measured_again_if_an_input_changed(guests, tmp_path):
    """Two are not inputs: the time that a guest may take, and the name of an initramfs, whose content is one."""
    _, booted = guests
    first = boot(tmp_path, guest={"CMD": "one", "INITRD": "a", "TIMEOUT": "1"})
    for number, changed in enumerate((first, replace(first, guest={"CMD": "one", "INITRD": "b", "TIMEOUT": "2"}),
                                      replace(first, files="others"), replace(first, kernel=first.kernel | {"KVER": "7.3"}),
                                      replace(first, guest=first.guest | {"LSM": "smack"}), replace(first, number=2))):
        measure(tmp_path, changed)
        assert len(booted) == max(1, number)


def test_fresh_measures_all_again(guests, tmp_path, monkeypatch):
    _, booted = guests
    for fresh, number in (("", 1), ("0", 1), ("1", 2)):
        monkeypatch.setenv("FRESH", fresh)
        request.measure([boot(tmp_path)], tmp_path)
        assert len(booted) == number
    monkeypatch.setenv("FRESH", "yes")
    with pytest.raises(BadSetting, match="FRESH='yes' "):
        request.measure([boot(tmp_path)], tmp_path)


def test_an_interrupted_run_goes_on_where_it_was(guests, tmp_path):
    """A boot that fails leaves earlier results, and is tried again."""
    prints, booted = guests
    boots = [boot(tmp_path, name) for name in ("one", "two", "three")]
    prints["two"] = 1, "half\n"
    with pytest.raises(errors.Failed, match="1 of 3 boots"):
        measure(tmp_path, *boots)
    assert not (tmp_path / "two").exists()
    del prints["two"]
    booted.clear()
    measure(tmp_path, *boots)
    assert [env["CMD"] for env in booted] == ["two"]


def test_only_boots_are_counted_of_a_kernel_that_does_not_build(guests, tmp_path, monkeypatch, capsys):
    def broken(variables):
        raise errors.Failed("no source")

    monkeypatch.setattr(kernel, "find", lambda variables: None)
    monkeypatch.setattr(kernel, "build", broken)
    with pytest.raises(errors.Failed, match="2 of 2 boots"):
        measure(tmp_path, boot(tmp_path), boot(tmp_path, "two"))
    assert "no source" in capsys.readouterr().err


@pytest.mark.parametrize("status, text, message", [
    (1, OUTPUT, r"status 1\b.*\nit broke"), (0, "==> result\nx\n", "kernel "),
    (0, "==> kernel\n==> ../../out\nx\n", r".*'\.\./\.\./out'"),
])
def test_why_a_guest_has_no_result_is_said(guests, tmp_path, capsys, status, text, message):
    prints, _ = guests
    prints["one"] = status, text
    with pytest.raises(errors.Failed):
        measure(tmp_path, boot(tmp_path))
    assert re.search(f"one: {message}", capsys.readouterr().err) and not (tmp_path / "out").exists()


def test_a_digest_is_of_content_and_names(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/a").write_text("1")
    first = printed.digest([tmp_path / "folder"])
    (tmp_path / "folder/b.pyc").write_text("1")
    assert printed.digest([tmp_path / "folder"]) == first
    (tmp_path / "folder/a").rename(tmp_path / "folder/c")
    assert printed.digest([tmp_path / "folder"]) != first


def test_every_state_that_the_report_reads_is_booted(tmp_path, monkeypatch):
    monkeypatch.setattr(overhead.initrd, "make", lambda *words: "digest")
    boots = {one.name: one for one in overhead.counted(tmp_path, request.Work(5, 8, 32))}
    assert set(boots) >= {state.name for state in features.STATES} | {state.base for state in features.STATES}
    assert {one.kernel["FLAVOUR"] for name, one in boots.items() if name != "unpatched"} == {"monitor"}
    assert "audit=1" in boots["audit-syscall"].guest["KARGS"] and "selinux" in boots["stack-module"].guest["LSM"]
    assert all(one.guest["KARGS"].split()[0] == "kunit.enable=0" for one in boots.values())
    assert all(one.exact for one in boots.values()) and not any(one.exact for one in overhead.timed(tmp_path))


@pytest.mark.parametrize("variables, suffix", [
    ({}, ""), ({"ARCH": "x86_64"}, ""), ({"ARCH": "arm64"}, "-arm64"), ({"LLVM": "-19"}, "-llvm"), ({"CONFIG": "own"}, "-config"),
    ({"LLVM": "1", "CONFIG": "own"}, "-llvm-config")])
def test_results_of_unusual_kernels_have_names_of_their_own(tmp_path, monkeypatch, variables, suffix):
    """User-Mode Linux is for the usual kernel only."""
    for name in ("ARCH", "LLVM", "CONFIG"):
        monkeypatch.setenv(name, variables.get(name, ""))
    assert request.suffix() == suffix
    assert bool(list(overhead.timed(tmp_path))) == (not suffix)


def test_every_tool_is_booted_in_a_kernel_that_has_it(monkeypatch):
    monkeypatch.setenv("KVER", "6.12")
    tools = list(peers.tools())
    assert {tool for _, _, tool in tools} == {"off", "lsmpmon", *peers_report.TOOLS}
    assert [kver for kver, _, tool in tools if tool == "fsession"] == ["7.2"]
    monkeypatch.setenv("KVER", "7.3")
    assert {kver for kver, _, _ in peers.tools()} == {"7.3"}
    monkeypatch.setenv("FLAVOUR", "btf")
    with pytest.raises(BadSetting, match=r"FLAVOUR='btf' .*patched monitor"):
        list(peers.tools())


def test_several_kernels_have_a_folder_each(tmp_path, monkeypatch):
    monkeypatch.setenv("KVER", "6.12 7.2")
    monkeypatch.setenv("MODULES", "capability smack")
    boots = {one.name: one for one in run.boots(tmp_path)}
    assert set(boots) == {"6.12/capability", "6.12/smack", "7.2/capability", "7.2/smack"}
    assert boots["7.2/smack"].out == str(tmp_path / "7.2/uml/smack") and boots["7.2/smack"].kernel["KVER"] == "7.2"
    assert all(one.guest["CMD"].endswith(" record") for one in boots.values())


def test_selftests_may_read_what_was_built(tmp_path, monkeypatch):
    monkeypatch.delenv("ACCEL", raising=False)
    boots = {one.name: one for one in counts.boots(tmp_path, ("lmbench", "kselftest"))}
    assert (boots["lmbench"].exact, boots["kselftest"].exact) == (True, False)
    assert boots["kselftest"].guest["SHARE"] == str(tmp_path) and "SHARE" not in boots["lmbench"].guest


@pytest.mark.parametrize("command, variables, message", [
    ("overhead", {"SAMPLES": "many"}, "SAMPLES='many' .* 1 to 1000000"),
    ("overhead", {"RUNNER": "xen"}, "RUNNER='xen' .* uml qemu"),
    ("peers", {"FLAVOUR": "lsm"}, "FLAVOUR='lsm' .* patched monitor"),
    ("slopes", {"PROFILE": "many"}, "PROFILE='many' "),
    ("map-counts nothing", {}, "WORK='nothing' .* table7 objects lmbench"),
    ("map-counts table7", {"ARCH": "arm64"}, "WORK=.table7. is not accepted; one of: lmbench$"),
    ("repeatability 1", {}, "'1' .* from 2"),
])
def test_what_is_asked_wrongly_is_refused(command, variables, message):
    done = subprocess.run([REPO / "scripts/lab", *command.split()], env=environment(**variables), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "") and re.search(message, done.stderr) and done.stderr.count("\n") == 1
