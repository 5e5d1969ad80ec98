#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints what a kernel answers to operations that modules decide about, one line each. Runs in a guest, as root."""

import ctypes
import errno
import os
import socket
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
KEYCTL, LSM_GET_SELF_ATTR, LSM_SET_SELF_ATTR = 250, 459, 460
KEYCTL_GET_SECURITY, KEY_SPEC_SESSION_KEYRING = 17, -3
SO_PEERSEC, NOBODY = 31, 65534
NAMES = ("user.a", "trusted.a", "security.a", "security.selinux", "security.SMACK64", "security.capability",
         "security.ima", "security.evm")


def answer(question, act, *words, **named):
    """Print the return value of an operation, or the name of its error."""
    try:
        outcome = act(*words, **named)
    except OSError as error:
        outcome = errno.errorcode[error.errno]
    print(f"{question}: {outcome}")


def call(*words):
    """Make a system call."""
    result = libc.syscall(*words)
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def prctl(option):
    result = libc.prctl(option, 0, 0, 0, 0)
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path):
    with open(path, "wb", buffering=0) as file:
        return file.write(b"unconfined\0")


def xattrs(who, path):
    for name in NAMES:
        answer(f"{who} setxattr {name}", os.setxattr, path, name, b"_\0")
        answer(f"{who} getxattr {name}", os.getxattr, path, name)
        answer(f"{who} listxattr {name}", os.listxattr, path)
        answer(f"{who} removexattr {name}", os.removexattr, path, name)


def attributes(who):
    for name in sorted(os.listdir("/proc/self/attr")):
        if os.path.isfile(f"/proc/self/attr/{name}"):
            answer(f"{who} read attr/{name}", read, f"/proc/self/attr/{name}")
            answer(f"{who} write attr/{name}", write, f"/proc/self/attr/{name}")
    size = ctypes.c_uint32(256)
    for attribute in (100, 101, 102, 103):
        answer(f"{who} lsm_get_self_attr {attribute}", call, LSM_GET_SELF_ATTR, attribute,
               ctypes.create_string_buffer(256), ctypes.byref(size), 0)
        answer(f"{who} lsm_set_self_attr {attribute}", call, LSM_SET_SELF_ATTR, attribute,
               ctypes.create_string_buffer(256), 32, 0)


def sockets(who):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        one, other = socket.socketpair(socket.AF_UNIX, kind)
        answer(f"{who} SO_PEERSEC {kind.name}", one.getsockopt, socket.SOL_SOCKET, SO_PEERSEC, 64)
        answer(f"{who} send {kind.name}", one.send, b"a")
        answer(f"{who} receive {kind.name}", other.recv, 1)


def mounts(who):
    for option in ("", "context=system_u:object_r:tmp_t", "smackfsdef=_", "nonsense=1"):
        done = subprocess.run(["mount", "-t", "tmpfs", *(["-o", option] if option else []), "tmpfs", "/tmp/mounted"],
                              capture_output=True)
        print(f"{who} mount {option}: {done.returncode}")
        if not done.returncode:
            subprocess.run(["umount", "/tmp/mounted"], check=True)


def everything(who):
    path = f"/tmp/answers.{os.getpid()}"
    answer(f"{who} create", write, path)
    xattrs(who, path)
    attributes(who)
    sockets(who)
    mounts(who)
    answer(f"{who} prctl", prctl, 9999)
    answer(f"{who} capability bound", prctl, 23)
    answer(f"{who} key", call, KEYCTL, KEYCTL_GET_SECURITY, ctypes.c_long(KEY_SPEC_SESSION_KEYRING),
           ctypes.create_string_buffer(256), 256)
    answer(f"{who} chown", os.chown, path, 1, 1)
    answer(f"{who} sethostname", socket.sethostname, "answers")
    answer(f"{who} link", os.link, path, f"{path}.link")
    answer(f"{who} readlink", os.readlink, "/proc/self/root")
    answer(f"{who} kill", os.kill, 1, 0)
    answer(f"{who} nice", os.nice, -1)


def main():
    os.makedirs("/tmp/mounted", exist_ok=True)
    everything("root")
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        everything("nobody")
        sys.stdout.flush()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
