# SPDX-License-Identifier: GPL-2.0-only
"""Tests of arm64 in QEMU: the virtual counter is the clock, counts are exact, and the tools work.

It has a kernel of its own, as small as possible, with one program in it, and the tools as they are made for Android. The
output of the guest is kept as long as none of its inputs changes.
"""

import re
import shutil
import subprocess
from pathlib import Path

import kunit
import pytest
from guests import counts
from kernels import DEFAULT, REPO, pristine

from lsmlab.guest.qemu import EMULATED
from lsmlab.kernel.objects import passed
from lsmlab.kernel.objects.build import COMPILERS, Objects, compiler_version, fragment
from lsmlab.kernel.objects.tree import ours
from lsmpmon_report.kernelfiles import parse_info, parse_table

pytestmark = pytest.mark.full
CALLS = 1000
ARGUMENTS = "console=ttyAMA0 panic=-1 kunit.enable=1 kunit.filter_glob=lsmpmon*"
CONFIG = fragment("arm64") + fragment("lsmpmon")
INIT = REPO / "tests/arm64/init.c"
TOOLS = ("lsmpmon", "lmbench-hook")
# The rate that QEMU's virt machine gives the counter, unless told otherwise.
CLOCK_KHZ = "62500"


@pytest.fixture(scope="module")
def tools():
    """Make static programs for arm64."""
    done = subprocess.run([REPO / "lab/shell/cross-tools", COMPILERS["arm64"]], stdout=subprocess.PIPE, text=True, check=True)
    return [Path(done.stdout.strip()) / name for name in TOOLS]


def _program(objects, folder, tools):
    """Compile init, and make the archive that the kernel unpacks."""
    (folder / "root/sys").mkdir(parents=True)
    (folder / "root/dev").mkdir()
    words = ["-nostdlib", "-static", "-Os", "-include", objects.tree / "tools/include/nolibc/nolibc.h",
             "-I", objects.folder / "usr/include", "-o", folder / "root/init", INIT, "-lgcc"]
    subprocess.run([f"{COMPILERS['arm64']}gcc", *words], check=True)
    (folder / "list").write_text(f"dir /dev 755 0 0\nnod /dev/console 600 0 0 c 5 1\n"
                                 f"dir /sys 755 0 0\ndir /proc 755 0 0\ndir /tmp 1777 0 0\n"
                                 f"file /init {folder}/root/init 755 0 0\n" +
                                 "".join(f"file /{tool.name} {tool} 755 0 0\n" for tool in tools))
    with open(folder / "initrd", "wb") as file:
        subprocess.run([objects.folder / "usr/gen_init_cpio", folder / "list"], stdout=file, check=True)


def _boot(folder):
    words = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a57", "-accel", EMULATED, "-smp", "2",
             "-m", "256M", "-nodefaults", "-display", "none", "-serial", "stdio", "-no-reboot",
             "-kernel", folder / "Image", "-initrd", folder / "initrd", "-append", ARGUMENTS]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          errors="replace", timeout=1800)
    return done.stdout.replace("\r", "")


def _say(version, folder, tools):
    with ours(version) as tree:
        objects = Objects(tree, "arm64", "boot")
        objects.configure(CONFIG, fragment("lsmpmon"))
        objects.compile(["headers"], fresh=False)
        objects.compile(["Image", "usr/"], fresh=False)
        shutil.copy(objects.folder / "arch/arm64/boot/Image", folder)
        _program(objects, folder, tools)
    output = _boot(folder)
    assert "@@ end" in output, output
    return output


@pytest.fixture(scope="module", params=[DEFAULT])
def console(request, tmp_path_factory, tools):
    """Return the whole output of a guest."""
    version = request.param
    qemu = subprocess.run(["qemu-system-aarch64", "--version"], stdout=subprocess.PIPE).stdout
    key = passed.digest("arm64", pristine(version).name, compiler_version("arm64"), qemu, ARGUMENTS, EMULATED,
                        *CONFIG, files=[*passed.inputs(version), INIT, *tools])
    return passed.once(key, lambda: _say(version, tmp_path_factory.mktemp("arm64"), tools))


def text_of(console, file):
    return console.partition(f"@@ /sys/kernel/security/lsmmon/{file}\n")[2].partition("@@ ")[0]


def test_clock_is_the_virtual_counter(console):
    info = parse_info(text_of(console, "info"))
    assert info["clock"] == "cntvct" and info["clock_khz"] == CLOCK_KHZ
    assert info.number("lost") == 0 < info.number("enabled_ns")


def test_counts_are_exact(console):
    (row,) = [row for row in parse_table(text_of(console, "result")) if row["hook"] == "inode_getattr"]
    assert (row["count"], row["cs_count"]) == (CALLS, 0)


def test_verdicts_add_up(console):
    whole, parts = (counts(text_of(console, file), of=["count"]) for file in ("result", "verdicts"))
    assert parts == whole and whole.total()


def test_system_call_is_told(console):
    (row,) = [row for row in parse_table(text_of(console, "syscalls")) if row["hook"] == "inode_getattr"]
    assert row["count"] == CALLS


def test_tools_measure(console):
    """A tool counts 100 calls of stat() by the other tool, from its first instruction on, without its own execve().

    The report has no row for a hook without calls.
    """
    parts = console.partition("@@ record\n")[2].partition("@@ report\n")
    report, _, end = parts[2].partition("@@ status ")
    assert re.search(r"^@@ status 0$", parts[0], re.M) and end.startswith("0\n"), parts
    header, *lines = (line.split(",") for line in report.strip().splitlines())
    calls = {row["hook"]: int(row["count"]) + int(row["cs_count"]) for row in (dict(zip(header, line)) for line in lines)}
    assert calls["inode_getattr"] >= 100 and "bprm_check_security" not in calls, report


def test_kunit(console):
    outcomes = {case: (outcome, about) for case, (outcome, _, about) in kunit.results(console).items()}
    assert {case: more for case, more in outcomes.items() if more[0] != "ok"} == {}
    assert len(outcomes) >= 20


def test_kernel_has_no_complaint(console):
    assert not re.search(r"WARNING:|BUG:|Oops|Call trace", console), console
