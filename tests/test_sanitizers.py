# SPDX-License-Identifier: GPL-2.0-only
"""A storm in the kernels that look for mistakes: of locking, memory and arithmetic in one, data races in another, of locking
in the real-time kernel, and of the types of indirect calls in the one that LLVM builds.

scripts/exec fails for any complaint of a kernel; these tests check that the kernels looked, and that the storm was one.
"""

import functools
import re

import pytest
from guests import CLANG, DEBUG, RACES, REALTIME, VERSIONS, execute, kernel_directory

from lsmlab.guest import log
from lsmlab.kernel.objects.build import alternatives

PLACES = [place for place in (DEBUG, RACES, REALTIME, CLANG) if place[0] in VERSIONS]
LOOPS = {"switch", "clear_counters", "filter", "features", "read_files", "record", "hotplug"}
SECONDS = 30
LOOKS_FOR = {DEBUG: ("PROVE_LOCKING", "KASAN_GENERIC", "UBSAN_BOUNDS"), RACES: ("KCSAN",),
             REALTIME: ("PREEMPT_RT", "PROVE_LOCKING", "DEBUG_ATOMIC_SLEEP"), CLANG: ("LTO_CLANG_THIN", "CFI_CLANG or CFI", "FINEIBT")}
# A processor of QEMU has no IBT, so this kernel would choose kCFI, as for the kselftests. FineIBT works without it.
FINEIBT = "cfi=fineibt"
# Linux 6.12 writes the type into a call in two steps (cfi_rewrite_callers()), and has interrupts on between them. The boot of
# the one whose handler is called just there ends in an oops, long before anything of ours runs: of eight, one did.
LINUX_OWN = "__apply_fineibt"
BOOTS = 4


def _boot(kver, runner):
    return execute(f"dmesg | grep 'Using .* CFI'; sh tests/guest/storm.sh {SECONDS}; cat /proc/lockdep_stats 2>/dev/null; true",
                   KVER=kver, RUNNER=runner, LSM="selinux,landlock,yama,bpf,tunable", CPUS=2,
                   **({"KARGS": FINEIBT} if (kver, runner) == CLANG else {}))


@functools.cache
def storm(kver, runner):
    for _ in range(BOOTS):
        done = _boot(kver, runner)
        if not (done.returncode and LINUX_OWN in done.stderr):
            break
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("kver, runner", PLACES)
def test_the_kernel_has_no_complaint(kver, runner):
    status, printed, errors = storm(kver, runner)
    assert status == 0, f"{printed}\n{errors}"


@pytest.mark.parametrize("kver, runner", PLACES)
def test_all_loops_turned_and_nothing_was_refused(kver, runner):
    printed = storm(kver, runner)[1]
    turns = dict(re.findall(r"^turns: (\w+) (\d+)$", printed, re.M))
    assert turns.keys() == LOOPS and "0" not in turns.values(), printed
    assert not re.search(r"^(refused|not read): ", printed, re.M), printed


@pytest.mark.parametrize("kver, runner", PLACES)
def test_counts_are_exact_afterwards(kver, runner):
    assert re.search(r"^counted: 7$", storm(kver, runner)[1], re.M)


@pytest.mark.parametrize("kver, runner", PLACES)
def test_the_kernel_looks_for_it(kver, runner):
    config = (kernel_directory(kver, runner) / "config").read_text().splitlines()
    assert [names for names in LOOKS_FOR[kver, runner]
            if not any(f"CONFIG_{name}=y" in config for name in alternatives(names))] == []


@pytest.mark.parametrize("kver, runner", [place for place in PLACES if place == RACES])
def test_races_were_looked_for(kver, runner):
    printed = storm(kver, runner)[1]
    assert re.search(r"^enabled: +1$", printed, re.M) and int(re.search(r"^setup_watchpoints: +(\d+)$", printed, re.M)[1]) > 0


@pytest.mark.parametrize("kver, runner", [place for place in PLACES if place not in (RACES, CLANG)])
def test_locks_were_checked_to_the_end(kver, runner):
    """Lock checking that gave up has no complaints."""
    assert re.search(r"^ debug_locks: +1$", storm(kver, runner)[1], re.M)


@pytest.mark.parametrize("kver, runner", [place for place in PLACES if place == CLANG])
def test_indirect_calls_were_checked_by_fineibt(kver, runner):
    assert re.search(r"Using FineIBT CFI$", storm(kver, runner)[1], re.M)


@pytest.mark.parametrize("line", [
    "BUG: KASAN: slab-out-of-bounds in f+0x1/0x2", "BUG: KCSAN: data-race in f / g",
    "UBSAN: array-index-out-of-bounds in f.c:1:2", "WARNING: possible circular locking dependency detected",
    "kernel BUG at f.c:1!", "Oops: invalid opcode: 0000 [#1] PREEMPT SMP NOPTI", "WARNING: suspicious RCU usage", "BUG: sleeping function called from invalid context at f.c:1",
    "INFO: task sh:1 blocked for more than 120 seconds."])
def test_reports_are_complaints(tmp_path, line):
    path = tmp_path / "log"
    path.write_text(f"[    1.000000] fine\n[    2.000000] {line}\n")
    assert line in log.complaint(path)
