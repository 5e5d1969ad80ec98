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


# ext4 reads its bitmaps ahead in a kernel thread for some seconds after a mount. Its end is a task_free.
QUIET = "while cat /proc/[0-9]*/comm | grep -q ext4lazyinit; do sleep 0.1; done 2>/dev/null"

COMMAND = f"""
{QUIET}
cd /sys/kernel/security/lsmmon || exit
for name in {" ".join(EXPECTED)}; do
	lmbench-hook work $name -n {N} -d /tmp --monitor=. >/dev/null || exit
	cat result >/tmp/$name.result || exit
done
cd /tmp
grep ^lost: /sys/kernel/security/lsmmon/info
head -n 1000 *.result
"""


def in_guest(command):
    unset = ("KDIR", "SHARE", "INITRD", "ACCEL", "CMD", "KARGS")
    env = {key: value for key, value in os.environ.items() if key not in unset}
    env |= {"RUNNER": "uml", "FLAVOUR": "patched", "LSM": "capability", "TIMEOUT": "120"}
    return subprocess.run([TOP / "scripts" / "exec", command], capture_output=True, text=True, env=env, check=False)


def counts(result):
    """All calls of each hook, with and without a context switch inside."""
    rows = [line.split() for line in result.splitlines()[1:]]
    return {row[0]: int(row[4]) + int(row[5]) for row in rows if len(row) > 1}


@pytest.fixture(scope="module")
def measured():
    """One boot: {benchmark: {hook: calls}}, and the line of what was lost."""
    subprocess.run(["make", "-s", "-C", TOP / "userspace"], check=True)
    done = in_guest(COMMAND)
    assert done.returncode == 0, done.stderr
    lost, *files = done.stdout.split("==> ")
    tables = dict(file.split(".result <==\n", 1) for file in files)
    return lost.strip(), {name: counts(table) for name, table in tables.items()}


@pytest.mark.parametrize("name", EXPECTED)
def test_every_hook_call_is_counted_and_no_other(measured, name):
    wanted = {hook: calls * N for hook, calls in EXPECTED[name].items()}
    # The write that stops the monitor passes this hook while it still runs.
    wanted["file_permission"] = wanted.get("file_permission", 0) + 1
    assert measured[1][name] == wanted


def test_nothing_is_lost(measured):
    assert measured[0] == "lost: 0"
