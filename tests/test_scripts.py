# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the scripts themselves: their counts, their errors, their reading of options."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import builds
import pytest

from lsmlab.guest.settings import Settings

REPO = Path(__file__).resolve().parents[1]

JUNIT = '<testsuites><testsuite tests="7" failures="{}" errors="{}" skipped="2"/></testsuites>'


def closing(folder, status, *numbers):
    """Return the closing line of a run that pytest ended with a status, and our status."""
    results = folder / "pytest.xml"
    results.write_text(JUNIT.format(*numbers))
    done = subprocess.run([REPO / "scripts/lab", "count-tests", status, results], capture_output=True, text=True)
    return done.stdout.strip(), done.returncode


def test_closing_line(tmp_path):
    assert closing(tmp_path, "0", 0, 0) == ("5 passed, 0 failed, 2 skipped", 0)


def test_errors_are_failures(tmp_path):
    assert closing(tmp_path, "1", 1, 1) == ("3 passed, 2 failed, 2 skipped", 1)


@pytest.mark.parametrize("status", ["1", "2", "3", "4", "5"])
def test_a_run_that_did_not_end_is_a_failure(tmp_path, status):
    assert closing(tmp_path, status, 0, 0) == ("5 passed, 1 failed, 2 skipped", 1)


def test_no_results_at_all_are_a_failure(tmp_path):
    done = subprocess.run([REPO / "scripts/lab", "count-tests", "0", tmp_path / "gone"], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("0 passed, 1 failed, 0 skipped\n", 1)


def shell_scripts():
    folders = [REPO / name for name in ("scripts", "lab/inside", "lab/shell", "packaging", "tests/debian", "tests/slurm")]
    files = [REPO / ".ci/run", *(path for folder in folders for path in folder.iterdir() if path.is_file())]
    first = {path: path.read_bytes()[:20] for path in files}
    programs = [path for path in files if first[path].startswith((b"#!/bin/bash", b"#!/bin/sh"))]
    return programs + list((REPO / "userspace/policy").glob("*.sh"))


@pytest.mark.parametrize("script", shell_scripts(), ids=lambda path: str(path.relative_to(REPO)))
def test_shellcheck(script):
    done = subprocess.run(["shellcheck", "-x", "-P", "SCRIPTDIR", script],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_check_of_a_kernel_that_is_not_supported():
    done = subprocess.run([REPO / "scripts/check", "6.12", "6.13"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    assert re.search("KVER='6.13' .*6.1 6.12 7.2 7.3 all", done.stderr)


def test_fresh_is_one_or_not():
    done = script("scripts/check", FRESH="yes")
    assert done.returncode == 2 and done.stdout == "" and re.search("FRESH='yes' .* 0 1$", done.stderr)


def test_check_of_some_kernels_leaves_out_the_others():
    """The kernels are given to make through either way; without KVER, nothing is left out."""
    def last(*words, **env):
        done = subprocess.run(["make", "-n", "check", *words], cwd=REPO, capture_output=True, text=True, check=True,
                              env={"PATH": os.environ["PATH"], **env})
        return done.stdout.splitlines()[-1].split()
    assert last() == ["scripts/check"]
    assert last("KVER=all") == ["scripts/check", "all"]
    assert last("KVER=6.1 7.2") == last(KVER="6.1 7.2") == ["scripts/check", "6.1", "7.2"]


def pytest_says(*words, **env):
    """Return the output of pytest for some of these tests, started as scripts/check does."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words], cwd=REPO, text=True,
                          env=dict(os.environ, LSMPMON_KERNELS="6.12", **env), capture_output=True)
    return done.stdout


ELSEWHERE = "userspace/report/tests/test_report_peers.py"


@pytest.mark.parametrize("deadline, wanted", [
    ("1", ["2 skipped", "Not begun by then, and skipped:", "  tests/test_scripts.py::test_closing_line, any: 1",
           f"  {ELSEWHERE}::test_the_table, any: 1"]),
    (str(2**40), ["2 passed", "Every test had begun by then."])])
def test_what_has_not_begun_by_the_deadline_is_skipped_by_name(deadline, wanted):
    """The tests are skipped even if this folder's conftest.py is not beside them."""
    text = pytest_says("tests/test_scripts.py", ELSEWHERE, "-k", "test_closing_line or test_the_table", DEADLINE=deadline,
                       FRESH="1")
    assert [words for words in wanted if words not in text] == [], text


def test_the_short_tier_is_without_what_takes_long():
    def collected(tier):
        return set(pytest_says("--collect-only", "tests/test_matrix.py", "tests/test_arm64.py", LSMPMON_TIER=tier).split())
    short, full = collected("short"), collected("full")
    left_out = {name for name in full - short if "::" in name}
    assert "tests/test_matrix.py::test_objects_compile[6.12-up]" in short
    assert {"tests/test_matrix.py::test_objects_compile[6.12-i386]", "tests/test_arm64.py::test_verdicts_add_up"} <= left_out


def test_servers_a_cluster_and_an_image_come_last():
    """Tests that use servers, a cluster or an image come after all others of either tier."""
    use = re.compile(r"^from servers import|REPO / \"tests/(slurm|debian)/", re.M)
    late = {path.name for path in (REPO / "tests").glob("test_*.py") if use.search(path.read_text())}
    assert late >= {"test_fleet.py", "test_cluster.py", "test_debian_image.py"}
    others = "test_scripts.py", "test_vendor.py", "test_host.py"
    text = pytest_says("--collect-only", *(f"tests/{name}" for name in (*late, *others)), LSMPMON_TIER="full")
    files = [name.partition("::")[0].removeprefix("tests/") for name in text.splitlines() if "::" in name]
    assert set(files) == {*late, *others}
    assert set(files[:min(map(files.index, late))]) == set(others)


def test_ci_has_a_deadline(tmp_path):
    """The deadline is 75 minutes after the start of CI, for everything."""
    (tmp_path / "make").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "make").chmod(0o755)
    before = int(time.time())
    done = subprocess.run([REPO / ".ci/run"], env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, text=True,
                          capture_output=True, check=True)
    verb, kver, deadline = done.stdout.split()
    assert (verb, kver) == ("check", "KVER=all")
    assert before <= int(deadline.removeprefix("DEADLINE=")) - 75 * 60 <= time.time()


def test_a_build_begins_while_it_can_end_by_the_deadline(tmp_path, monkeypatch):
    """The longest build of this run is taken as the measure; a kernel with sanitizers takes longer, and one of LLVM's."""
    monkeypatch.setattr(builds, "SEEN", tmp_path / "check/builds")
    monkeypatch.setattr(builds, "DEADLINE", float("inf"))    # CI has one
    assert builds.expected() == 600 and builds.last_start() == ""
    monkeypatch.setattr(builds, "DEADLINE", 10000.5)
    assert builds.last_start() == 9400
    for output in ("lsmpmon: waiting for another build\nlsmpmon: built in 1400 s\n", "lsmpmon: built in 20 s\n", "lsmpmon: no\n"):
        builds.note(output)
    assert (builds.expected(), builds.expected("kcsan"), builds.last_start("kcsan")) == (1400, 2100, 7900)
    assert (builds.expected("llvm"), builds.last_start("llvm"), builds.last_start("patched")) == (2800, 7200, 8600)


@pytest.mark.parametrize("words", [["apply"], ["unapply"], ["apply", "KDIR=/nonexistent"]])
def test_apply_without_a_tree(words):
    done = subprocess.run(["make", *words], cwd=REPO, env={"PATH": os.environ["PATH"]},
                          capture_output=True, text=True)
    assert done.returncode == 2 and "KDIR" in done.stderr


def script(*words, **variables):
    env = {**os.environ, **variables}
    return subprocess.run(words, cwd=REPO, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("verb, word", [("prepare", "on"), ("prove", "off"), ("rules", "1"), ("exec", "true")])
def test_policies_are_for_guests_only(verb, word, tmp_path):
    """This is somebody's machine: its policy is not to be replaced by a toy."""
    done = script("lab/inside/lsm-setup", verb, "landlock", tmp_path / "work", word)
    assert done.returncode == 2 and "guest" in done.stderr and list(tmp_path.iterdir()) == []


def test_arguments_of_policies_are_for_everybody():
    done = script("lab/inside/lsm-setup", "arguments", "audit")
    assert done.returncode == 0 and "audit=1" in done.stdout


@pytest.mark.parametrize("words, message", [
    (("eval", "EVAL=foo"), "EVAL='foo'"), (("eval", "SAMPLES=1"), "SAMPLES='1'"),
    (("exec", "CMD=true", "LSM=a b"), "LSM='a b'"), (("exec",), "CMD is empty"),
])
def test_what_is_refused_is_refused_first(words, message, tmp_path):
    """Wrong words are refused before anything is installed or built: there is no apt-get, no cache and no compiler here."""
    (tmp_path / "bin").mkdir()
    for name in ("env", "make", "sh"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    (tmp_path / "bin/python3").symlink_to(sys.executable)
    done = script("make", "-s", *words, PATH=str(tmp_path / "bin"), XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == 2 and message in done.stderr and not (tmp_path / "cache").exists()


@pytest.mark.parametrize("verb", ["check", "cost", "eval", "exec", "kernel", "map", "overhead", "run", "shell"])
def test_guests_need_an_x86_64_machine(verb):
    """One line refuses the verb before anything is installed. setarch(8) makes uname(2) name another machine."""
    done = script("setarch", "i686", "make", verb)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert f"make {verb} needs an x86-64 machine" in done.stderr and "this is i686" in done.stderr


@pytest.mark.parametrize("words, refused", [
    (["exec"], "exec"), (["map"], "map"), (["map", "ARCH=arm64"], "map"), (["kernel", "check", "ARCH=arm64"], "kernel check"),
    (["exec", "ARCH=arm64"], ""), (["run", "kernel", "overhead", "eval", "ARCH=arm64"], "")])
def test_an_arm64_machine_boots_guests_of_its_own(tmp_path, words, refused):
    (tmp_path / "uname").write_text("#!/bin/sh\necho aarch64\n")
    (tmp_path / "uname").chmod(0o755)
    done = script("make", "-n", *words, RUNNER="qemu", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == (2 if refused else 0)
    assert not refused or (f"make {refused} needs an x86-64 machine" in done.stderr and "this is aarch64" in done.stderr)
    assert ("; say RUNNER=qemu ARCH=arm64" in done.stderr) == (refused == "exec")


def test_a_verb_that_is_for_x86_64():
    done = script("make", "cost", "ARCH=arm64")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "ARCH='arm64' is not accepted by make cost" in done.stderr


def test_the_map_is_of_both_architectures():
    done = script("make", "-n", "map", "ARCH=arm64")
    assert done.returncode == 0 and "scripts/deps --map" in done.stdout


@pytest.mark.parametrize("variables, words", [
    ({"RUNNER": "uml"}, ["ARCH='arm64'", "RUNNER=qemu"]),
    ({"ARCH": "riscv"}, ["ARCH='riscv'", "x86_64 arm64"]),
    ({"FLAVOUR": "rt"}, ["FLAVOUR='rt'", "patched"]),
    ({"LLVM": "-19"}, ["LLVM='-19'", "ARCH=x86_64"]),
    ({"ACCEL": "kvm"}, ["ACCEL='kvm'", "arm64 machine"]),
])
def test_what_guests_of_arm64_do_not_have(variables, words):
    """Guests and kernels refuse the same, but for what is only of guests."""
    for path in ["scripts/exec"] + ["lab/shell/build-kernel"] * ("ACCEL" not in variables):
        done = script(path, **{"RUNNER": "qemu", "ARCH": "arm64", "CMD": "true", **variables})
        assert done.returncode == 2 and done.stdout == "" and all(word in done.stderr for word in words), done.stderr


@pytest.mark.parametrize("command", ["built", "matrix", "series", "series-steps"])
def test_a_version_without_sources_is_refused_in_a_line(command):
    done = script("scripts/lab", command, KVER="9.9")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("lsmpmon: KVER='9.9' is not accepted; one of: ")


@pytest.mark.parametrize("kver, lsm", [("5.15", "yama,integrity"), ("6.1", "yama,integrity"), ("6.4", "yama"), ("6.12", "yama")])
def test_integrity_is_named_where_ima_needs_that(monkeypatch, kver, lsm):
    for name, value in {"KVER": kver, "LSM": "yama", "KDIR": "", "RUNNER": "", "ARCH": ""}.items():
        monkeypatch.setenv(name, value)
    assert Settings.from_environment().modules() == lsm


@pytest.mark.parametrize("words", [["apply"], ["install"], ["tools"], ["series"], ["run", "RUNNER=host"]])
def test_what_needs_no_guest_works_on_other_machines(words):
    done = script("setarch", "i686", "make", "-n", *words)
    assert done.returncode == 0 and "x86-64" not in done.stderr


def test_a_tree_is_refused_before_it_is_copied(tmp_path):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "Makefile").write_text("VERSION = 2\nPATCHLEVEL = 6\n")
    done = script("lab/shell/build-kernel", KDIR=str(tree), XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == 2 and done.stderr.startswith("lsmpmon: refused") and str(tree) in done.stderr
    assert not list((tmp_path / "cache").glob("lsmpmon/trees/*"))


def said_packages(tmp_path, *programs):
    """Return what scripts/deps says on a system with these programs and without apt-get, where rpm knows of nothing."""
    (tmp_path / "bin").mkdir()
    for name in ("awk", "bash", "basename", "cat", "cut", "dirname", "env", "flock", "grep", "mkdir", "rm", "sed", "sha256sum", "sort", "comm"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    for name in (*programs, "rpm"):
        (tmp_path / "bin" / name).write_text("#!/bin/bash\nexit 1\n")
        (tmp_path / "bin" / name).chmod(0o755)
    done = script("scripts/deps", PATH=str(tmp_path / "bin"), XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("program, column", [("dnf", 1), ("zypper", 2)])
def test_other_distributions_have_other_names(tmp_path, program, column):
    said = said_packages(tmp_path, program)
    assert said.startswith(f"lsmpmon: what is missing here: sudo {program} install ") and said.count("\n") == 1
    rows = [line.split() for line in (REPO / "lab/shell/other-names").read_text().splitlines() if not line.startswith("#")]
    named = said.split(" install ")[1].split()
    assert set(named) == {row[column] for row in rows} - {"-"} and {"libelf-dev", "libssl-dev"} & set(named) == set()


def test_each_package_has_other_names(tmp_path):
    """The packages that make run and exec need, which are named where there is no package manager."""
    rows = {line.split()[0] for line in (REPO / "lab/shell/other-names").read_text().splitlines()}
    assert set(said_packages(tmp_path).split("of: ")[1].split()) <= rows


def test_installing_the_tools_needs_no_emulator():
    done = script("bash", "-c", "set -- --tools; . <(sed '/^missing_packages/,$d' scripts/deps | "
                  "sed '/lib.sh/d'); echo \"${packages[@]}\"")
    assert done.stdout.split() == ["gcc", "make", "libc6-dev", "libjson-c-dev", "libtracecmd-dev",
                                   "libtracefs-dev", "libtraceevent-dev", "pkg-config"], done.stderr


PYTHON3 = """#!/bin/sh
mkdir -p "$3/bin"
printf '#!/bin/sh\\necho "$5" >>"%s"\\n' "${0%/*}/log" >"$3/bin/pip"
chmod +x "$3/bin/pip"
echo new >>"${0%/*}/log"
"""


@pytest.fixture
def get_python(tmp_path):
    """Return get_python(KIND...), which does to a venv what scripts/deps does, with stand-ins for venv and pip."""
    (tmp_path / "python3").write_text(PYTHON3)
    (tmp_path / "python3").chmod(0o755)
    (tmp_path / "tests").mkdir()
    for name in FILES:
        (tmp_path / name).write_text("a==1\n")

    def call(*files):
        (tmp_path / "log").write_text("")
        done = script("bash", "-ec", "REPO=$HERE venv=$HERE/venv; note() { :; }; "
                      ". <(sed -n '/^# The copy of a file/,/^stamp=/{/^stamp=/!p}' scripts/deps); get_python $FILES",
                      HERE=str(tmp_path), FILES=" ".join(files), PATH=f"{tmp_path}:{os.environ['PATH']}")
        assert done.returncode == 0, done.stderr
        return (tmp_path / "log").read_text().replace(f"{tmp_path}/", "").split()
    return call


FILES = RUNNING, TESTING = "requirements.txt", "tests/requirements.txt"


def test_a_venv_gets_what_it_lacks_and_keeps_what_it_has(get_python, tmp_path):
    assert get_python(RUNNING) == ["new", RUNNING]
    assert get_python(RUNNING) == []
    assert get_python(*FILES) == [TESTING]
    assert get_python(*FILES) == get_python(RUNNING) == []


def test_a_venv_of_other_requirements_is_made_anew(get_python, tmp_path):
    get_python(*FILES)
    (tmp_path / TESTING).write_text("a==2\n")
    assert get_python(RUNNING) == []
    assert get_python(*FILES) == ["new", *FILES]
    (tmp_path / RUNNING).write_text("a==2\n")
    assert get_python(RUNNING) == ["new", RUNNING]


def test_a_venv_that_was_not_finished_is_made_anew(get_python, tmp_path):
    get_python(*FILES)
    (tmp_path / "venv" / RUNNING).unlink()
    assert get_python(*FILES) == ["new", *FILES]
