# SPDX-License-Identifier: GPL-2.0-only
"""In a guest: the monitor counts exactly the hook calls that a known number of system calls makes."""

import os
import pathlib
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
N = 100003

OPENED = {hook: 1 for hook in (
    "file_alloc_security", "file_open", "file_post_open", "file_release", "file_free_security", "current_getsecid_subj",
)}

# Hook calls of one round, with no module but capability, and IMA without a policy, on /tmp/DIR/file: three
# directories are searched, and open() asks for the file itself too.
EXPECTED = {
    "stat": {"inode_permission": 3, "inode_getattr": 1},
    "open": {"inode_permission": 4, **OPENED},
    "close": {"inode_permission": 4, **OPENED},
    "read": {"file_permission": 1},
}

# inode_permission and file_permission of one timed call, in `syscalls`. A path of depth d is d searches; open() asks for the
# file, too. rename() searches both paths, and asks for the directory of each name that goes or comes. chmod() asks for
# nothing more of its owner. copy is one read and one write.
CHECKS = (
    {f"stat/depth-{d}": ("stat", d, 0) for d in range(1, 9)}
    | {f"open/depth-{d}": ("open", d + 1, 0) for d in range(1, 9)}
    | {f"chmod/depth-{d}": ("chmod", d, 0) for d in range(1, 6)}
    | {f"rename/depth-{d}": ("rename", 2 * d + 2, 0) for d in range(1, 6)}
    | {f"read/{kib}k": ("read", 0, 1) for kib in (0, 1, 2, 4)}
    | {f"write/{kib}k": ("write", 0, 1) for kib in (0, 1, 2, 4)}
    | {
        "copy/4k": ("read", 0, 1),
        "stat/dotdot-3": ("stat", 3, 0), "open/dotdot-3": ("open", 4, 0),
        "stat/dotdot-7": ("stat", 7, 0), "open/dotdot-7": ("open", 8, 0),
        "stat/hard-link": ("stat", 1, 0), "stat/missing": ("stat", 1, 0), "open/missing": ("open", 1, 0),
        "fstatat": ("newfstatat", 1, 0), "openat": ("openat", 2, 0), "close": ("close", 0, 0),
        "mkdir/many": ("mkdir", 2, 0), "rmdir/many": ("rmdir", 2, 0),
    }
)
ROUNDS = 23

# ext4 reads its bitmaps ahead in a kernel thread for some seconds after a mount. Its end is a task_free.
QUIET = "while cat /proc/[0-9]*/comm | grep -q ext4lazyinit; do sleep 0.1; done 2>/dev/null"

COMMAND = f"""
{QUIET}
cd /sys/kernel/security/lsmmon || exit
for name in {" ".join(EXPECTED)}; do
	lmbench-hook work $name -n {N} -d /tmp --monitor=. >/dev/null || exit
	cat result >/tmp/$name.result || exit
done
echo 'syscall 1' >features
for name in {" ".join(CHECKS)}; do
	lmbench-hook work $name -n {ROUNDS} --directories 7 -d /tmp --monitor=. >/dev/null || exit
	sed "1d; s|^|$name |" syscalls >>/tmp/syscalls || exit
done
echo 0 >control
lmbench-hook run stat -n 3 --csv -d $EXT4 >/dev/null && lmbench-hook work -n 3 --directories 3 -d $EXT4 >/dev/null || exit
[ ! -e $EXT4/lmbench-hook.* ] || exit
cd /tmp
grep ^lost: /sys/kernel/security/lsmmon/info
head -n 1000 *.result
echo "==> checks"
grep -E " (inode|file)_permission " syscalls
"""


def in_guest(command):
    unset = ("KDIR", "SHARE", "INITRD", "ACCEL", "CMD", "KARGS")
    env = {key: value for key, value in os.environ.items() if key not in unset}
    env |= {"RUNNER": "uml", "FLAVOUR": "patched", "LSM": "capability", "TIMEOUT": "600"}
    return subprocess.run([TOP / "scripts" / "exec", command], capture_output=True, text=True, env=env, check=False)


def counts(result):
    """All calls of each hook, with and without a context switch inside."""
    rows = [line.split() for line in result.splitlines()[1:]]
    return {row[0]: int(row[4]) + int(row[5]) for row in rows if len(row) > 1}


@pytest.fixture(scope="module")
def measured():
    """One boot: {benchmark: {hook: calls}}, {(benchmark, system call, hook): calls}, and the line of what was lost."""
    subprocess.run(["make", "-s", "-C", TOP / "userspace"], check=True)
    done = in_guest(COMMAND)
    assert done.returncode == 0, done.stderr
    lost, *files, checks = done.stdout.split("==> ")
    tables = dict(file.split(".result <==\n", 1) for file in files)
    rows = [line.split() for line in checks.splitlines()[1:]]
    by_call = {tuple(row[:3]): int(row[6]) + int(row[7]) for row in rows}
    return lost.strip(), {name: counts(table) for name, table in tables.items()}, by_call


@pytest.mark.parametrize("name", EXPECTED)
def test_every_hook_call_is_counted_and_no_other(measured, name):
    wanted = {hook: calls * N for hook, calls in EXPECTED[name].items()}
    # The write that stops the monitor passes this hook while it still runs.
    wanted["file_permission"] = wanted.get("file_permission", 0) + 1
    assert measured[1][name] == wanted


@pytest.mark.parametrize("name", CHECKS)
def test_a_variation_makes_the_checks_that_its_path_has(measured, name):
    """What prepares and removes a variation is not among them."""
    call, inode, file = CHECKS[name]
    wanted = {"inode_permission": ROUNDS * inode, "file_permission": ROUNDS * file + (call == "write")}
    assert {hook: measured[2].get((name, call, hook), 0) for hook in wanted} == wanted


def test_nothing_is_lost(measured):
    assert measured[0] == "lost: 0"
