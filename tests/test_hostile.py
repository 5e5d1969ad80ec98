# SPDX-License-Identifier: GPL-2.0-only
"""Attacks on the monitor by other users, beside those that hostile_test shows from inside of a guest."""

import functools
import json
import re
import subprocess

import kselftests
import pytest
from guests import DEBUG, GUESTS, LSMMON, available, output
from kernels import CLEAN, REPO, pristine

# The same program says that root may open each file that there is, before nothing of the kernel may be told any more,
# and that the monitor refuses each of them after that.
LOCK_DOWN = """
echo confidentiality >/sys/kernel/security/lockdown || exit
"""


@pytest.mark.once
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_lockdown_closes_the_files(kver, runner):
    if not available(["lockdown_lsm"], kver, runner):
        pytest.skip(f"Linux {kver} has no lockdown on {runner}")
    look = kselftests.command(["access_test"], kver)
    text = output(f"{look}{LOCK_DOWN}{look}", KVER=kver, RUNNER=runner, LSM="lockdown")
    for printed, skipped in zip(text.split(f"{kselftests.END} access_test")[:2], ("root_may_not_under_lockdown", "root_may")):
        outcome = kselftests.results(f"{printed}{kselftests.END} access_test 0\n")["access_test"][1]
        assert {case for case, match in outcome.items() if match[3] == "SKIP"} == {f"access.{skipped}"}
        assert {match[1] for match in outcome.values()} == {"ok"}


def preprocess(folder, version):
    """Return lsmpmon_lists.h as in a kernel of that version that has nothing else."""
    for name in ("kconfig", "lsm_hooks", "lsmpmon_named", "rculist"):
        (folder / "linux" / f"{name}.h").write_text("")
    (folder / "linux/version.h").write_text(
        f"#define KERNEL_VERSION(a, b, c) ((a) << 16 | (b) << 8 | (c))\n"
        f"#define LINUX_VERSION_CODE KERNEL_VERSION({version.replace('.', ', ')}, 0)\n")
    header = REPO / "lsmpmon/include/linux/lsmpmon_lists.h"
    return subprocess.run(["cpp", "-nostdinc", "-P", f"-I{folder}", "-imacros", header, "-"],
                          input="LSMPMON_NO_OPINION(file_open)", capture_output=True, text=True)


@pytest.mark.parametrize("version, verdict", [
    ("6.1", "0"), ("6.2", "0"), ("6.6", "0"), ("6.8", "0"),
    ("6.9", "LSM_RET_DEFAULT(file_open)"), ("6.11", "LSM_RET_DEFAULT(file_open)")])
def test_lists_end_as_they_do_unmeasured(tmp_path, version, verdict):
    """Otherwise a measured kernel would decide differently."""
    (tmp_path / "linux").mkdir()
    done = preprocess(tmp_path, version)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == verdict


# A program calls stat(), before others attack the monitor, and while they do. A filter leaves a test in each call until the
# next boot, and hostile_test sets one as root: what that costs is there from the start.
STAT = f"""
for filter in "p $$" p; do
	echo "$filter" >{LSMMON}/filter || exit
done
monitor=$(sed -n 's/.*monitor=\\([01]\\).*/\\1/p' /proc/cmdline)
measure() {{
	for feature in syscall calls histogram; do
		echo "$feature $monitor" >{LSMMON}/features || exit
	done
	echo $monitor >{LSMMON}/control || exit
	lmbench-hook run stat --json -n 200 --loop 8 -d /tmp || exit
}}
echo 2 >/proc/sys/kernel/perf_event_paranoid
measure
echo @@
hold_events $(cat /sys/kernel/tracing/events/lsmpmon/*/id) &
KILLS=2000 hostile_test || exit
echo @@
measure
"""
EXACT = [where for where in GUESTS if where[1] == "qemu" and where != DEBUG]


def least(text):
    """Return the instructions of a stat(), in each of its sub-benchmarks."""
    return {row["name"]: row["min"] for row in json.loads(text)["benchmarks"]}


@functools.cache
def image(kver, folder):
    script, image, hold = folder / "script", folder / "initrd", folder / "hold_events"
    script.write_text(STAT)
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", hold,
                    REPO / "tests/guest/hold_events.c"], check=True)
    subprocess.run(["make", "-s", "-C", REPO / "userspace"], check=True, env=CLEAN)
    programs = hold, kselftests.build(pristine(kver)) / "lsmpmon/hostile_test", REPO / "build/bin/lmbench-hook"
    subprocess.run([REPO / "lab/shell/make-initrd", image, script, *programs], check=True)
    return image


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hostile")


@pytest.mark.full
@pytest.mark.parametrize("monitor", [0, 1])
@pytest.mark.parametrize("kver, runner", EXACT)
def test_others_pay_nothing(kver, runner, monitor, folder):
    """The cost is equal to the instruction."""
    printed = output("", KVER=kver, RUNNER=runner, ACCEL="icount", INITRD=image(kver, folder),
                     KARGS=f"monitor={monitor}")
    before, hostile, after = printed.split("@@\n")
    assert re.search(r"^opened 0 of [1-9]\d*$", hostile, re.MULTILINE)
    print(f"stat() before and after: {least(before)} {least(after)} instructions")
    assert least(before) == least(after)
