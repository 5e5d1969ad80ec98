# SPDX-License-Identifier: GPL-2.0-only
"""Patches of what was found: each fits its kernel, says why, and goes to those who maintain the code."""

import email
import email.policy
import os
import re
import shutil
import subprocess
from contextlib import ExitStack

import pytest
from kernels import REPO, VERSIONS, pristine, replaced

from lsmlab import toml
from lsmlab.kernel.objects import matrix
from lsmlab.kernel.objects.build import Objects, fragment
from lsmlab.kernel.objects.tree import ours
from lsmlab.kernel.tree.staging import Staging, touched

FOUND = REPO / "patches/found"
NAMES = sorted(path.name for path in FOUND.iterdir())
SECTIONS = ["What was seen", "What it costs", "Repeat it", "Who maintains it"]
LINES = 60
LINK = re.compile(r"\]\s*\(([^)\s]+)\)")
# Names of versions and commits, message-ids, addresses of mail and of the web; all other numbers were measured.
NAMED = re.compile(r"\bv?\d+\.\d+(\.\d+)?(-rc\d+)?\b|\b[0-9a-f]{12,40}\b|\S+@\S+|https?://[^\s)]+|^\d\. |`[^`]*`", re.M)
NUMBER = re.compile(r"(?<![\w-])\d(?:[\d,]*\d)?\b")
AUTHOR = toml.loads((REPO / "patches/series.toml").read_text())["author"]
BENCH = "tools/testing/selftests/landlock/fs_bench.c"
WRAPPERS, HEADER = "tools/testing/selftests/landlock/wrappers.h", "include/uapi/linux/landlock.h"
# A tree outside of git does not know commits. Whether it is the right one stands in the README, with a link.
CHECKPATCH = ("--strict", "--terse", "--show-types", "--no-summary", "--ignore", "UNKNOWN_COMMIT_ID")


def readme(name):
    return (FOUND / name / "README.md").read_text()


def patches(name):
    return sorted((FOUND / name).glob("*.patch"))


def kernel(name):
    return re.search(r"^Kernel: Linux (\d+\.\d+) ", readme(name), re.M)[1]


def mail(patch):
    return email.message_from_bytes(patch.read_bytes(), policy=email.policy.default)


def message(patch):
    """Return what the commit will say."""
    return mail(patch).get_content().partition("\n---\n")[0]


def trailers(patch, key):
    return re.findall(rf"^{key}: (.+)$", message(patch), re.M)


def study(name):
    """Return the case study that has the measurements."""
    path, = {link for link in LINK.findall(readme(name)) if "case-studies" in link}
    return (FOUND / name / path).resolve()


def numbers(text):
    return {number.replace(",", "") for number in NUMBER.findall(NAMED.sub("", text))}


@pytest.mark.parametrize("name", NAMES)
def test_readme(name):
    assert re.findall(r"^## (.*)$", readme(name), re.M) == SECTIONS
    assert len(readme(name).splitlines()) <= LINES
    assert patches(name)
    links = [link for link in LINK.findall(readme(name)) if ":" not in link]
    assert [link for link in links if not (FOUND / name / link).is_file()] == []
    back = [(study(name).parent / link).resolve() for link in LINK.findall(study(name).read_text()) if ":" not in link]
    assert set(patches(name)) - set(back) == set()


@pytest.mark.parametrize("name", NAMES)
def test_measured_numbers_are_those_of_the_case_study(name):
    """Each number of the commits and of the table in the README stands in the case study; counts of lines do not matter."""
    measured = {number for part in study(name).read_text().split() for number in numbers(part.strip("|`*.,;:()+"))}
    table = "\n".join(line for line in readme(name).splitlines() if line.startswith("|"))
    said = set().union(*(numbers(message(patch)) for patch in patches(name)), numbers(table))
    assert said and {number for number in said if int(number) > 9} - measured == set()


@pytest.mark.parametrize("name", NAMES)
def test_mails(name):
    last = len(patches(name))
    for number, patch in enumerate(patches(name), start=1):
        place, subject = re.fullmatch(r"\[PATCH ?(\S*)\] (.*)", mail(patch)["Subject"]).groups()
        assert place == (f"{number}/{last}" if last > 1 else "")
        assert re.match(r"[a-z][\w/-]*: [A-Za-z]\w+ ", subject) and len(subject) <= 75
        assert mail(patch)["From"] == AUTHOR and trailers(patch, "Signed-off-by") == [AUTHOR]
        body = re.split(r"^(?:Fixes|Cc|Signed-off-by): ", message(patch), maxsplit=1, flags=re.M)[0]
        assert len(body.split()) >= 30
        assert max(map(len, body.splitlines())) <= 75
        for commit in trailers(patch, "Fixes"):
            word, title = re.fullmatch(r'([0-9a-f]{12}) \("(.*)"\)', commit).groups()
            assert word in readme(name) and title in " ".join(readme(name).split())


def pairs(names):
    """Return the names with their kernels, for tests that need the source of these."""
    return [pytest.param(kernel(name), name, marks=pytest.mark.skipif(
        kernel(name) not in VERSIONS, reason=f"{name} is for {kernel(name)}, which is not tested now")) for name in names]


of_a_kernel = pytest.mark.parametrize("version, name", pairs(NAMES), indirect=["version"])


@of_a_kernel
def test_they_apply_one_after_the_other(version, name):
    with Staging() as staging:
        staging.fetch("a", pristine(version), {path for patch in patches(name) for path in touched(patch)})
        for patch in patches(name):
            staging.patch("a", patch)


@of_a_kernel
def test_checkpatch(version, name, tmp_path):
    bad = tmp_path / "bad.patch"
    bad.write_text(patches(name)[0].read_text().replace(f"Signed-off-by: {AUTHOR}\n", ""))

    def said(*files):
        done = subprocess.run(["perl", "scripts/checkpatch.pl", *CHECKPATCH, *files], cwd=pristine(version),
                              capture_output=True, text=True)
        assert not done.stderr
        return done.stdout

    assert said(*patches(name)) == ""
    assert said(bad)


@of_a_kernel
def test_maintainers_get_a_copy(version, name):
    """All that the tree's MAINTAINERS lists are in Cc and in the README, by name or by address of a list."""
    for patch in patches(name):
        done = subprocess.run(["perl", "scripts/get_maintainer.pl", "--no-git", "--no-git-fallback", "--no-rolestats", patch],
                              cwd=pristine(version), capture_output=True, text=True, check=True)
        listed = {line.replace('"', "") for line in done.stdout.splitlines()}
        assert any("<" in line for line in listed) and any("<" not in line for line in listed)
        assert listed - set(trailers(patch, "Cc")) == set()
        assert [line for line in listed if line.partition(" <")[0] not in " ".join(readme(name).split())] == []


# What compiles the kernel patches: the architecture, and configurations of it.
CONFIGURATIONS = {
    "tmpfs-xattr-names": ("x86_64", [matrix.configs(kernel("tmpfs-xattr-names"))["all"].lines]),
    "um-ipi-signals": ("um", [[*fragment("base"), *fragment("um"), f"CONFIG_SMP={smp}"] for smp in "yn"]),
}


def after(version, name):
    """Return the text of each file that the patches touch, as they leave it."""
    paths = {path for patch in patches(name) for path in touched(patch)}
    with Staging() as staging:
        staging.fetch("a", pristine(version), paths)
        for patch in patches(name):
            staging.patch("a", patch)
        return {path: (staging.state("a") / path).read_text() for path in paths}


@pytest.mark.full
@pytest.mark.parametrize("version, name", pairs(CONFIGURATIONS), indirect=["version"])
def test_they_compile(version, name):
    texts, (arch, configurations) = after(version, name), CONFIGURATIONS[name]
    names = [f"{path[:-2]}.o" for path in texts if path.endswith(".c")]
    with ours(version, "unapply") as tree, ExitStack() as stack:
        for path, text in texts.items():
            stack.enter_context(replaced(tree / path, text))
        objects = Objects(tree, arch, "found")
        for lines in configurations:
            objects.configure(lines, [])
            wanted = [name for name in names if objects.wants(name)]
            assert wanted and objects.compile(wanted) == ""


def test_each_patch_of_the_kernel_is_compiled():
    programs = {name for name in NAMES if all(path.startswith("tools/") for patch in patches(name) for path in touched(patch))}
    assert {*CONFIGURATIONS} == {*NAMES} - programs


def states(version, name):
    """Return the benchmark as it is, and after each of its patches."""
    with Staging() as staging:
        staging.fetch("a", pristine(version), [BENCH])
        text = [(staging.state("a") / BENCH).read_text()]
        for patch in patches(name):
            staging.patch("a", patch)
            text.append((staging.state("a") / BENCH).read_text())
    return text


def compile_bench(version, text, folder, *words):
    (folder / "linux").mkdir(exist_ok=True)
    shutil.copy(pristine(version) / HEADER, folder / "linux")
    shutil.copy(pristine(version) / WRAPPERS, folder)
    (folder / "fs_bench.c").write_text(text)
    subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-I.", *words, "fs_bench.c", "-o", "fs_bench"], cwd=folder, check=True)


@pytest.fixture
def bench(version, name, tmp_path):
    """Return a program that runs a state of the benchmark in an empty folder, with calls that stand in for Landlock's."""
    def run(text, *words):
        compile_bench(version, text, tmp_path, "-include", str(REPO / "tests/found/stand-ins.h"))
        work = tmp_path / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        done = subprocess.run([tmp_path / "fs_bench", "-d", "5", *words], cwd=work, capture_output=True, text=True)
        return done, sorted(path.name for path in work.rglob("*"))
    return run


LANDLOCK = pytest.mark.parametrize("version, name", pairs(["landlock-fs-bench"]), indirect=["version"])


@LANDLOCK
def test_the_benchmark_compiles(version, name, tmp_path):
    compile_bench(version, states(version, name)[-1], tmp_path)


@LANDLOCK
def test_each_patch_mends_what_it_says(version, name, bench):
    """The benchmark shows each fault before its patch, and not after it."""
    ticks = f"Clocks per second: {os.sysconf('SC_CLK_TCK')}\n"
    mended = []
    for text in states(version, name):
        once, _ = bench(text, "-n", "1")
        twice, _ = bench(text, "-n", "2")
        without, left = bench(text, "-n", "2", "-L")
        assert once.returncode == 0, once.stderr
        mended.append([ticks in once.stdout, "System: 0 clocks" in once.stdout,
                       "openat succeeded, expected EACCES" in twice.stderr, without.returncode == 0 and not left])
    assert mended == [[number < state for number in range(4)] for state in range(5)]
