# SPDX-License-Identifier: GPL-2.0-only
"""The kselftests of the monitor and of modules/: their cases, their build, their results."""

import fcntl
import functools
import re
import shutil
import subprocess

import pytest
from kernels import CLEAN, DEFAULT, REPO, SHORT, pristine

from lsmlab.kernel.objects.build import COMPILERS

BUILD = REPO / "build/selftests"
VARIANT = re.compile(r"^FIXTURE_VARIANT_ADD\((\w+), (\w+)\)", re.M)
FIXTURE_CASE = re.compile(r"^TEST_F(?:_TIMEOUT)?\((\w+), (\w+)", re.M)
PLAIN_CASE = re.compile(r"^TEST(?:_SIGNAL)?\((\w+)", re.M)
BEGUN = re.compile(r"^# +RUN +(\S+) \.\.\.$")
# The harness of 6.1 does not report skipped cases.
RESULT = re.compile(r"^(not ok|ok) \d+ (?:- )?([^#\s]\S*)?(?: *# *(SKIP|XFAIL) ?(.*))?$")
# The macros of the harness are left out.
WARNINGS = ("-Wextra -Werror -Wno-unused-parameter -Wno-sign-compare -Wno-clobbered "
            "-Wno-format-overflow")
# Limits of cases are for a machine that does nothing else; a case that hangs ends with the time of its guest.
PATIENCE = ((re.compile(r"^(#define TEST_TIMEOUT_DEFAULT )30$", re.M), r"\g<1>900"),
            (re.compile(r"(__TEST_F_IMPL\(fixture_name, test_name, -1, )timeout\)"), r"\g<1>10 * (timeout))"))
BEGIN, END = "@@ begin", "@@ end"
# The subject of programs, which is their folder's name in a kernel tree: the last two need a guest with that module.
MONITOR, TUNABLE, LIDS = "lsmpmon", "tunable", "lids"
SOURCES = {MONITOR: REPO / "lsmpmon/selftests", TUNABLE: REPO / "modules/tunable/selftests",
           LIDS: REPO / "modules/lids/selftests"}
# In the short tier, QEMU runs only these: they need what User-Mode Linux does not have, such as events of perf, 32-bit
# system calls and BPF LSM, or more than one processor.
QEMU = ("calls_test", "compat_test", "cpus_test", "hostile_test", "irq_test", "memory_test", "stacks_test", "stress_test",
        "switch_test",
        "trace_test")


def _about(program):
    return next(name for name, folder in SOURCES.items() if (folder / f"{program}.c").exists())


def programs(of=MONITOR, runner=None):
    """Return the programs of a runner, or all if none is given. A program that gives IMA a policy, which lasts for
    the boot, comes last.
    """
    paths = sorted(SOURCES[of].glob("*_test.c"))
    names = [path.stem for path in sorted(paths, key=lambda p: "IMA_POLICY" in p.read_text())]
    return chosen(names, runner)


def chosen(names, runner):
    """Return those of the programs that run in this tier."""
    return [name for name in names if not SHORT or runner != "qemu" or name in QEMU]


def cases(program):
    """Return the names of a program's cases, as the harness prints them."""
    text = (SOURCES[_about(program)] / f"{program}.c").read_text()
    variants = {}
    for fixture, variant in VARIANT.findall(text):
        variants.setdefault(fixture, []).append(f"{fixture}.{variant}")
    return ([f"{place}.{name}" for fixture, name in FIXTURE_CASE.findall(text)
             for place in variants.get(fixture, [fixture])]
            + [f"global.{name}" for name in PLAIN_CASE.findall(text)])


def _copy_tree(source, tree):
    """Copy the part of a kernel tree that kselftest's own make needs, with our files in it."""
    tests = tree / "tools/testing/selftests"
    tests.mkdir(parents=True, exist_ok=True)
    for name in ("scripts", "tools/scripts", "tools/build"):
        (tree / name).unlink(missing_ok=True)
        (tree / name).symlink_to(source / name)
    for name in ("Makefile", "lib.mk", "kselftest.h", "kselftest_harness.h"):
        shutil.copy2(source / "tools/testing/selftests" / name, tests)
    harness = tests / "kselftest_harness.h"
    text = harness.read_text()
    for limit, more in PATIENCE:
        text, replaced = limit.subn(more, text)
        assert replaced == 1, limit.pattern
    harness.write_text(text)
    # Its own time stays, or make would link programs again that another worker's guest is running.
    shutil.copystat(source / "tools/testing/selftests" / harness.name, harness)
    for name, folder in SOURCES.items():
        shutil.rmtree(tests / name, ignore_errors=True)
        shutil.copytree(folder, tests / name)
    return tests


@functools.cache
def build(source, prefix=""):
    """Return the folder with a folder of programs for each target.

    They are built as kselftest builds them in a kernel's source, with its harness, and with warnings as errors. `prefix` is
    that of a compiler for another architecture.
    """
    folder = BUILD / f"{source.name}{prefix and '-'}{prefix.removesuffix('-')}"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        words = ["make", "-C", _copy_tree(source, folder / "tree"), f"TARGETS={' '.join(SOURCES)}",
                 f"O={folder}", f"USERCFLAGS={WARNINGS}", "FORCE_TARGETS=1",
                 *([f"CROSS_COMPILE={prefix}"] if prefix else [])]
        done = subprocess.run(words, env=CLEAN, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return folder / "kselftest"


def command(names, kver=DEFAULT, runner=""):
    """Return shell code that runs programs one after the other, whatever their status."""
    folder = build(pristine(kver), COMPILERS.get(runner, ""))
    return "\n".join(f"echo '{BEGIN} {name}'; {folder}/{_about(name)}/{name} 2>&1; echo '{END} {name}' $?"
                     for name in names)


def _outcome(output):
    """Return the results by case; each result follows the line that names its case."""
    outcome, case = {}, None
    for line in output.splitlines():
        begun, result = BEGUN.match(line), RESULT.match(line)
        if begun:
            case = begun[1]
        elif result:
            outcome[result[2] or case] = result
    return outcome


def results(output):
    """Return {program: (status, results by case, output)}."""
    by_program = {}
    for part in output.split(f"{BEGIN} ")[1:]:
        name, _, text = part.partition("\n")
        printed, _, status = text.partition(f"{END} {name} ")
        by_program[name] = (status.strip().split("\n")[0], _outcome(printed), printed)
    return by_program


def judge(status, text, errors, program, case):
    """Check the result of one case. If the guest died, the cases from there on have none."""
    ended, outcome, printed = results(text).get(program, ("missing", {}, ""))
    assert case in outcome, f"{case} left no result, guest's status {status}\n{printed}\n{errors}"
    match = outcome[case]
    if match[3] == "SKIP":
        pytest.skip(match[4])
    assert match[1] == "ok", printed
    assert set(outcome) == set(cases(program))
    assert ended in ("0", "1"), f"{program} ended with {ended}\n{printed}"
