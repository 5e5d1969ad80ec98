# SPDX-License-Identifier: GPL-2.0-only
"""Tests of arm64 in QEMU: the virtual counter is the clock and counts instructions, counts are exact, and the tools work.

The KUnit cases and the kselftests are with those of other guests.
"""

import functools
import json
import subprocess

import guests
import pytest
from guests import ARM64, LSMMON, counts
from kernels import CLEAN, REPO, environment

from lsmlab.kernel.objects.build import COMPILERS
from lsmlab.measure.evaluation import plan
from lsmpmon_report.kernelfiles import parse_info, parse_table

pytestmark = [pytest.mark.full, pytest.mark.guest(*ARM64)]
KVER, RUNNER = ARM64
GUEST = guests.variables_of(*ARM64)
CALLS = 100
# The rate that guests give the counter: a tick for each nanosecond, and under icount for each instruction.
CLOCK_KHZ = "1000000"
EVERYTHING = f"""
for file in info result verdicts syscalls; do echo "@@ $file"; cat {LSMMON}/$file; done
"""
WORK = f"""
for feature in syscall module histogram; do echo "$feature 1" >{LSMMON}/features; done
echo 1 >{LSMMON}/control
lmbench-hook work stat -n {CALLS} -d /tmp >/dev/null
echo 0 >{LSMMON}/control
"""
# Loops of two instructions, and instructions without any effect, between two readings of the counter.
LOOP = REPO / "tests/guest/loop.c"


def text_of(output, file):
    return output.partition(f"@@ {file}\n")[2].partition("@@ ")[0]


@functools.cache
def tables():
    """Return the tables after a known work, all of one boot."""
    return guests.output(WORK + EVERYTHING, KVER=KVER, RUNNER=RUNNER)


def test_the_guest_is_of_arm64():
    said = guests.output('uname -m; echo "$ARCH"; cat "$REPO/kconfigs/arm64" | head -n 1; ls /run/ext4', KVER=KVER, RUNNER=RUNNER)
    assert said.splitlines()[:2] == ["aarch64", "arm64"] and "SPDX" in said and "lost+found" in said


def test_clock_is_the_virtual_counter():
    info = parse_info(text_of(tables(), "info"))
    assert info["clock"] == "cntvct" and info["clock_khz"] == CLOCK_KHZ
    assert info.number("lost") == 0 < info.number("enabled_ns")


def test_verdicts_add_up():
    whole, parts = (counts(text_of(tables(), file), of=["count", "cs_count"]) for file in ("result", "verdicts"))
    assert parts == whole and whole.total()


def test_system_calls_have_their_names():
    """No system call is shown by its number; the work calls newfstatat() as often as it was told."""
    rows = parse_table(text_of(tables(), "syscalls"))
    assert [row["syscall"] for row in rows if row["syscall"].isdigit()] == []
    calls = {row["syscall"]: row["count"] + row["cs_count"] for row in rows if row["hook"] == "inode_getattr"}
    assert calls["newfstatat"] >= CALLS


def test_tools_measure():
    """A tool counts 100 calls of stat() by the other tool, from its first instruction on, without its own execve().

    The report has no row for a hook without calls.
    """
    said = guests.output(f"lsmpmon record -f all -o /tmp/record.json -- lmbench-hook work stat -n {CALLS} -d /tmp >/dev/null && "
                         "lsmpmon report /tmp/record.json --csv", KVER=KVER, RUNNER=RUNNER)
    header, *lines = (line.split(",") for line in said.strip().splitlines())
    calls = {row["hook"]: int(row["count"]) + int(row["cs_count"]) for row in (dict(zip(header, line)) for line in lines)}
    assert calls["inode_getattr"] >= CALLS and "bprm_check_security" not in calls, said


def test_the_map_of_this_architecture_is_picked():
    """Two maps are there, and the one that is read says its kernel."""
    map_of = '{"format": "lsmpmon-map", "kernel": "x%s", "syscalls": {}}'
    make = "".join(f"mkdir -p build/map/{KVER}{arch}; echo '{map_of % arch}' >build/map/{KVER}{arch}/map.json\n"
                   for arch in ("", "-arm64"))
    said = guests.output(f"cd /tmp\n{make}REPO=/tmp lsmpmon map nothing 2>&1 || true", KVER=KVER, RUNNER=RUNNER)
    assert "'nothing' is not a system call of Linux x-arm64" in said


def initrd(folder, script, *programs):
    (folder / "script").write_text(script)
    subprocess.run([REPO / "lab/shell/make-initrd", folder / "initrd", folder / "script", *programs], check=True,
                   env=dict(CLEAN, ARCH="arm64"))
    return folder / "initrd"


def exact(image):
    guests.kernel_directory(KVER, RUNNER)
    return subprocess.run([REPO / "scripts/exec"], env=environment(ACCEL="icount", INITRD=image, TIMEOUT=guests.PATIENCE, **GUEST),
                          capture_output=True, stdin=subprocess.DEVNULL)


def test_a_tick_is_an_instruction(tmp_path):
    """A loop takes as many ticks as it has instructions, beside those that read the counter, each time."""
    subprocess.run([f"{COMPILERS['arm64']}gcc", "-O2", "-static", "-o", tmp_path / "loop", LOOP], check=True)
    done = exact(initrd(tmp_path, "loop 1000 3000 11000 1000 3000 11000\n", tmp_path / "loop"))
    assert done.returncode == 0, done.stderr
    ticks = [int(line) for line in done.stdout.split()]
    assert ticks[:3] == ticks[3:]
    assert (ticks[1] - ticks[0], ticks[2] - ticks[1]) == (2 * 2000, 2 * 8000)


def test_exact_mode_is_exact(tmp_path):
    """Two boots agree to the instruction: the clock is one of those."""
    image = initrd(tmp_path, "cat /proc/uptime /proc/interrupts; dmesg | tail -n 5; printf '\\001\\377\\r'; exit 42\n")
    first, second = exact(image), exact(image)
    assert first.returncode == 42, first.stderr
    assert first.stdout == second.stdout and b"arch_timer" in first.stdout and first.stdout.endswith(b"\n\x01\xff\r")


def test_cells_are_measured(tmp_path):
    """A little of the evaluation, and its report: policies decide in these guests, and the report says which they are."""
    guests.kernel_directory(KVER, RUNNER)
    done = subprocess.run([REPO / "scripts/lab", "eval"], env=environment(EVAL="quick", SAMPLES=5, RESULTS=tmp_path, **GUEST),
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    contents = {cell.name: json.loads((tmp_path / "eval-arm64/results" / cell.path).read_text()) for cell in plan.quick()}
    assert [name for name, content in contents.items() if "left_out" in content] == ["6.12-selinux-1"]
    selinux = contents["6.12-selinux-enforcing"]
    assert selinux["state"]["arch"] == "arm64" and "Permission denied" in selinux["proof"]["selinux"]["denied"]
    assert "arm64" in (tmp_path / "report-arm64/README.md").read_text()
