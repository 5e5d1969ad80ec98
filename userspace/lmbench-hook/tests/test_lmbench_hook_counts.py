# SPDX-License-Identifier: GPL-2.0-only
"""The monitor counts exactly the hook calls that a known number of system calls makes, in a guest."""

import pathlib
import subprocess

import pytest
from guests import counts, output

TOP = pathlib.Path(__file__).resolve().parents[3]
N = 100003

OPENED = dict.fromkeys(("file_alloc_security", "file_open", "file_post_open", "file_release", "file_free_security",
                        "current_getsecid_subj"), 1)

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
        "stat/dotdot-9": ("stat", 9, 0), "open/dotdot-9": ("open", 10, 0),
        "stat/hard-link": ("stat", 1, 0), "stat/missing": ("stat", 1, 0), "open/missing": ("open", 1, 0),
        "fstatat": ("newfstatat", 1, 0), "openat": ("openat", 2, 0), "close": ("close", 0, 0),
        "rename/back": ("rename", 8, 0), "openat/depth-2": ("openat", 3, 0), "openat/fcntl": ("openat", 2, 0),
        "copy/sendfile": ("sendfile", 0, 2), "chmod/fd": ("fchmod", 0, 0),
        "mkdir/many": ("mkdir", 2, 0), "rmdir/many": ("rmdir", 2, 0),
    }
)
ROUNDS = 23

# Of one round, where it is not a file operation, in all its calls together: what the names of the sub-benchmark and of the
# hook promise. What a grace period frees later is not among them, and nor are acknowledgements that TCP sends when it likes.
OTHERS = {
    "net/socket": {"socket_create": 1, "socket_post_create": 1, "sk_alloc_security": 1, "sk_free_security": 1},
    "net/socketpair": {"socket_create": 2, "socket_socketpair": 1, "sk_alloc_security": 2, "socket_connect": 0},
    "net/connect": {"socket_create": 1, "socket_connect": 1, "socket_accept": 1, "socket_setsockopt": 1,
                    "inet_conn_request": 1, "inet_csk_clone": 1, "inet_conn_established": 1, "socket_listen": 0},
    "net/accept": {"socket_connect": 1, "socket_accept": 1, "sock_graft": 1, "socket_bind": 0},
    "net/unix-connect": {"socket_create": 1, "socket_connect": 1, "unix_stream_connect": 1, "socket_accept": 1},
    "net/tcp-rr": {"socket_sendmsg": 2, "socket_recvmsg": 2, "socket_create": 0, "socket_connect": 0},
    "net/udp-rr": {"socket_sendmsg": 2, "socket_recvmsg": 2, "socket_sock_rcv_skb": 2, "socket_create": 0},
    "net/unix-rr": {"socket_sendmsg": 2, "socket_recvmsg": 2, "socket_sock_rcv_skb": 0, "unix_may_send": 0},
    "net/unix-dgram": {"socket_sendmsg": 2, "socket_recvmsg": 2, "unix_may_send": 2},
    "net/tcp-64k": {"socket_sendmsg": 1, "socket_recvmsg": 1},
    "net/udp-32k": {"socket_sendmsg": 1, "socket_recvmsg": 1, "socket_sock_rcv_skb": 1},
    "net/unix-64k": {"socket_sendmsg": 1, "socket_recvmsg": 1},
    "task/fork": {"task_alloc": 1, "cred_prepare": 1, "bprm_check_security": 0},
    "task/exec": {"task_alloc": 1, "bprm_creds_for_exec": 1, "bprm_check_security": 1, "bprm_committed_creds": 1},
    "task/kill": {"task_kill": 1},
    "mm/mmap": {"mmap_file": 1, "mmap_addr": 1, "file_mprotect": 0},
    "mm/mprotect": {"file_mprotect": 2, "mmap_file": 0},
    "mount/tmpfs": {"sb_mount": 1, "sb_umount": 1, "sb_alloc_security": 1},
    "mount/umount": {"sb_mount": 1, "sb_umount": 1, "sb_alloc_security": 1},
    "key/add": {"key_alloc": 1, "key_post_create_or_update": 1},
    "key/update": {"key_alloc": 0, "key_post_create_or_update": 1},
    "key/search": {"key_alloc": 0, "key_permission": 3},
}

# ext4 reads its bitmaps ahead in a kernel thread for some seconds after a mount. Its end is a task_free.
QUIET = "while cat /proc/[0-9]*/comm | grep -q ext4lazyinit; do sleep 0.1; done 2>/dev/null"

COMMAND = f"""
{QUIET}
cd /sys/kernel/security/lsmmon || exit
# The rows of all of them below one header, as lmbench-hook sweep has them.
save() {{ [ -s $2 ] || sed -n '1s/^/benchmark /p' $1 >$2 && sed "1d; s|^|$name |" $1 >>$2; }}
for name in {" ".join(EXPECTED)}; do
	lmbench-hook work $name -n {N} -d /tmp --monitor=. >/dev/null || exit
	cat result >/tmp/$name.result || exit
done
for name in {" ".join(OTHERS)}; do
	lmbench-hook work $name -n {ROUNDS} -d /tmp --monitor=. >/dev/null || exit
	save result /tmp/others || exit
done
echo 'syscall 1' >features
for name in {" ".join(CHECKS)}; do
	lmbench-hook work $name -n {ROUNDS} --directories 7 -d /tmp --monitor=. >/dev/null || exit
	save syscalls /tmp/syscalls || exit
done
echo 0 >control
lmbench-hook run stat -n 3 --csv -d $EXT4 >/dev/null && lmbench-hook work -n 3 --directories 3 -d $EXT4 >/dev/null || exit
[ ! -e $EXT4/lmbench-hook.* ] || exit
cd /tmp
grep ^lost: /sys/kernel/security/lsmmon/info
head -n 1000 *.result
echo "==> checks"
grep -E "^benchmark | (inode|file)_permission " syscalls
echo "==> others"
cat others
"""


@pytest.fixture(scope="module")
def measured():
    """Boot once, and return the lost calls, and calls by {benchmark: {hook: .}}, by (benchmark, system call, hook), and by
    (benchmark, hook).
    """
    subprocess.run(["make", "-s", "-C", TOP / "userspace"], check=True)
    lost, *files, checks, others = output(COMMAND, LSM="capability").split("==> ")
    tables = dict(file.split(".result <==\n", 1) for file in files)
    by_call = counts(checks.removeprefix("checks\n"), "benchmark", "syscall", "hook")
    by_name = counts(others.removeprefix("others\n"), "benchmark", "hook")
    return lost.strip(), {name: +counts(table) for name, table in tables.items()}, by_call, by_name


@pytest.mark.parametrize("name", EXPECTED)
def test_every_hook_call_is_counted_and_no_other(measured, name):
    wanted = {hook: calls * N for hook, calls in EXPECTED[name].items()}
    # The write that stops the monitor passes this hook while it still runs.
    wanted["file_permission"] = wanted.get("file_permission", 0) + 1
    assert measured[1][name] == wanted


@pytest.mark.parametrize("name", CHECKS)
def test_a_variation_makes_the_checks_that_its_path_has(measured, name):
    """The calls that prepare and remove a variation are not counted."""
    call, inode, file = CHECKS[name]
    wanted = {"inode_permission": ROUNDS * inode, "file_permission": ROUNDS * file + (call == "write")}
    assert {hook: measured[2].get((name, call, hook), 0) for hook in wanted} == wanted


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_file_operation_passes_its_hooks(measured, name):
    """The calls that prepare are not counted: sockets that are connected before, the keyring, the first try."""
    wanted = {hook: calls * ROUNDS for hook, calls in OTHERS[name].items()}
    assert {hook: measured[3].get((name, hook), 0) for hook in wanted} == wanted


def test_nothing_is_lost(measured):
    assert measured[0] == "lost: 0"
