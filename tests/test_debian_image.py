# SPDX-License-Identifier: GPL-2.0-only
"""Tests of make deb and make deb-kernel to their end.

The packages are installed in a Debian 12 that QEMU boots, as if it were the machine. There, a command is recorded and make
run RUNNER=host measures.
"""

import json
import re
import subprocess

import pytest
from guests import counts
from kernels import DEFAULT, NOT_AVAILABLE, REPO, environment, in_time, pristine

from lsmlab.guest import log
from lsmlab.kernel.objects import passed
from lsmpmon_report.kernelfiles import files_of

pytestmark = [pytest.mark.full, pytest.mark.last]
# Seconds on a busy machine: packages, one of them with a kernel, a Debian that is installed, and its boot.
LONGEST = 1800
# All packages that are installed there, and the program that does it.
INPUTS = ("Makefile", "kconfigs", "lab", "lsmpmon", "modules", "patches", "scripts", "tests/debian", "userspace")
VERSION = re.search(r'^#define LSMPMON_VERSION\s+"(.*)"$', (REPO / "lsmpmon/version.h").read_text(), re.M)[1]


def image(**variables):
    return subprocess.run([REPO / "tests/debian/image"], env=environment(**variables), capture_output=True, text=True,
                          errors="replace")


def session():
    """Boot the machine, and return its output; the file system of its disk was whole."""
    in_time(LONGEST)
    done = image()
    if done.returncode == NOT_AVAILABLE:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    folder = REPO / done.stdout.strip()
    files = {path.name: path.read_text(errors="replace") for path in folder.iterdir()}
    assert files["status"] == "0\n", files.get("run.said", "") + files["console"][-4000:]
    return json.dumps(files)


@pytest.fixture(scope="module")
def results():
    """Return the results of a session in which each command succeeded."""
    files = subprocess.run(["git", "ls-files", *INPUTS], cwd=REPO, check=True, capture_output=True, text=True).stdout
    key = passed.digest("debian image", pristine().name, files=[REPO / name for name in files.splitlines()])
    return json.loads(passed.once(key, session))


@pytest.fixture(scope="module")
def release(results):
    return results["release"].strip()


def test_packages_are_installed(results, release):
    installed = {name: (version, state) for name, version, state in map(str.split, results["packages"].splitlines())}
    kernel = f"{release.removesuffix('-lsmpmon')}-lsmpmon1"
    assert installed["lsmpmon"] == installed["lsmpmon-source"] == (f"{VERSION}-1", "installed")
    assert installed[f"linux-image-{release}"] == (kernel, "installed")


def test_the_kernel_is_that_of_the_package(results, release):
    """The root's disk and file system are modules, so its initramfs was needed, too."""
    assert re.fullmatch(rf"{re.escape(DEFAULT)}\.\d+-lsmpmon", release)
    assert f"Linux version {release} " in results["console"]
    loaded = {line.split()[0] for line in results["modules"].splitlines()}
    assert {"virtio_pci", "virtio_blk", "ext4"} <= loaded


def test_the_monitor_is_there(results):
    assert {"control", "features", "filter", "info", "result", "reset"} <= set(results["files"].split())


def test_record_counts_what_was_done(results):
    """The record, its report and the file system have the same counts."""
    (run,) = json.loads(results["record.json"])["runs"]
    calls = counts(files_of(run)["result"])
    assert run["status"] == 0 and "disturbed" not in run and run["keys"]["info"]["lost"] == 0
    assert (calls["inode_mkdir"], calls["inode_rmdir"], calls["inode_symlink"]) == (23, 11, 0)
    assert sorted(map(int, results["left"].split())) == list(range(12, 24))
    shown = [line.split() for line in results["report.txt"].splitlines()]
    assert any(words[:1] == ["inode_mkdir"] and "23" in words for words in shown), results["report.txt"]


def test_run_measures_the_machine(results, release):
    (boot,) = json.loads(results["run.json"])["boots"]
    assert boot["kernel"] == release and boot["modules"] == results["lsm"].strip()
    assert {"apparmor", "landlock", "yama"} <= set(boot["modules"].split(","))
    assert len(boot["calls_ns"]) == 16 and all(boot["calls_ns"].values())
    # In each pass, 1000 rounds make a directory each in mkdir and in rmdir, and the program makes one more.
    assert boot["hooks"]["inode_mkdir"]["calls"] == 2001 and boot["hooks"]["inode_symlink"]["calls"] == 1000


def test_the_table_is_what_was_measured(results):
    """A name stands at the beginning of a line, with the number of the boot, for all system calls and frequent
    hooks.
    """
    boot = json.loads(results["run.json"])["boots"][0]
    measured = boot["calls_ns"] | {name: hook["ave_ns"] for name, hook in boot["hooks"].items()}
    table = {name: int(number.replace(",", "")) for name, number in re.findall(r"^(\S+) +([\d,]+)$", results["run"], re.M)}
    often = {name for name, hook in boot["hooks"].items() if hook["calls"] >= 1000}
    assert often | boot["calls_ns"].keys() <= table.keys() <= measured.keys()
    # The file has one decimal more.
    assert [name for name, number in table.items() if abs(number - measured[name]) > 0.56] == []
    assert "Boot with lsm=capability next" in results["run"]


def test_the_monitor_is_off_afterwards(results):
    assert results["control"] == "0\n"


def test_the_machine_turned_itself_off(results):
    """The kernel had no complaint."""
    assert re.search(r"reboot: Power down\s*$", results["console"])
    assert not log.COMPLAINT.search(results["console"])


def test_without_a_mirror(tmp_path):
    """Nothing is built, and the reason is printed."""
    (tmp_path / "apt.conf").write_text('Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "/dev/null";\n')
    done = image(APT_CONFIG=tmp_path / "apt.conf")
    assert (done.returncode, done.stdout) == (NOT_AVAILABLE, "")
    assert "no Debian image: " in done.stderr
