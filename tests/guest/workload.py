# SPDX-License-Identifier: GPL-2.0-only
"""System calls of many kinds, so that many hooks are called.

Each function below is one kind, run on its own; what the kernel refuses or
does not have ends that one and no other. Runs in a guest as root, on Python's
library and the C library.
"""

import array
import ctypes
import fcntl
import mmap
import os
import pty
import resource
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
LIBC.shmat.restype = ctypes.c_void_p
LIBC.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
LIBC.shmdt.argtypes = [ctypes.c_void_p]
# Numbers of system calls of x86-64.
SETTIMEOFDAY, SYSLOG, CAPGET, CAPSET, QUOTACTL = 164, 103, 125, 126, 179
ADD_KEY, KEYCTL, IOPRIO_SET, IOPRIO_GET, UNSHARE = 248, 250, 251, 252, 272
PERF_EVENT_OPEN, FANOTIFY_INIT, FANOTIFY_MARK, PROCESS_VM_READV, KCMP = 298, 300, 301, 310, 312
BPF, USERFAULTFD, IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER = 321, 323, 425, 426, 427
MOVE_MOUNT, FSOPEN, FSCONFIG, FSMOUNT, LSM_GET, LSM_SET = 429, 430, 431, 432, 459, 460
AT_FDCWD = -100
# Numbers of io_uring's operations.
OPENAT, STATX, READ, WRITE, UNLINKAT = 18, 21, 22, 23, 36


def call(function, *arguments):
    result = function(*(ctypes.c_char_p(a) if isinstance(a, bytes) else a for a in arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def syscall(number, *arguments):
    return call(LIBC.syscall, *(ctypes.c_long(a) if isinstance(a, int) else a
                                for a in (number, *arguments)))


def attempt(function, *arguments):
    """Call a function whose operation the kernel may refuse for reasons of its own."""
    try:
        return function(*arguments)
    except OSError:
        return None


def in_child(function, *arguments):
    """Call a function in a child, since its effects cannot be undone."""
    child = os.fork()
    if not child:
        attempt(function, *arguments)
        os._exit(0)
    os.waitpid(child, 0)


def files():
    os.mkdir("d")
    fd = os.open("d/file", os.O_RDWR | os.O_CREAT, 0o600)
    for _ in range(20):
        os.pwrite(fd, b"x" * 100, 0)
        os.pread(fd, 100, 0)
        os.stat("d/file")
    os.ftruncate(fd, 10)
    os.truncate("d/file", 5)
    os.fsync(fd)
    os.fstat(fd)
    os.close(os.dup(fd))
    os.link("d/file", "d/hard")
    os.symlink("file", "d/soft")
    os.stat("d/soft")
    os.readlink("d/soft")
    os.rename("d/hard", "d/renamed")
    os.chmod("d/file", 0o644)
    os.chown("d/file", 1, 1)
    os.utime("d/file")
    os.access("d/file", os.R_OK)
    os.mkfifo("d/fifo")
    os.mknod("d/null", 0o20600, os.makedev(1, 3))
    os.statvfs("d")
    os.listdir("d")
    attempt(os.close, os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600))
    os.close(fd)
    shutil.rmtree("d")


def exchange():
    """Exchange two names: one system call makes two calls of the rename hooks."""
    for name in ("a", "b"):
        open(name, "w").close()
    syscall(316, AT_FDCWD, b"a", AT_FDCWD, b"b", 2)
    os.unlink("a")
    os.unlink("b")


def locks_and_owners():
    with open("lock", "w+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        fcntl.lockf(file, fcntl.LOCK_EX)
        fcntl.ioctl(file, 0x5421, struct.pack("i", 1))    # FIONBIO
    os.unlink("lock")
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    ours, theirs = socket.socketpair()
    fcntl.fcntl(ours, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC)
    theirs.send(b"x")
    ours.close()
    theirs.close()


def attributes():
    open("x", "w").close()
    for name in ("user.a", "security.a", "trusted.a"):
        attempt(os.setxattr, "x", name, b"1")
        attempt(os.getxattr, "x", name)
        attempt(os.removexattr, "x", name)
    os.listxattr("x")
    entries = ((1, 6, -1), (2, 4, 1), (4, 4, -1), (16, 4, -1), (32, 4, -1))
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
    os.setxattr("x", "system.posix_acl_access", acl)
    os.getxattr("x", "system.posix_acl_access")
    os.removexattr("x", "system.posix_acl_access")
    os.unlink("x")


def private_inodes():
    """Use inodes of epoll and the like, which are not files: many hooks are not called for them."""
    fd = select.epoll()
    os.fstat(fd.fileno())
    attempt(os.fchmod, fd.fileno(), 0o600)
    fd.close()
    fd = os.eventfd(0)
    os.stat(f"/proc/self/fd/{fd}")
    os.close(fd)
    attempt(lambda: os.close(syscall(USERFAULTFD, 0)))
    attempt(lambda: os.close(os.memfd_create("m")))


def processes():
    for _ in range(5):
        in_child(os.getpid)
    subprocess.run(["sh", "-c", "true | cat; sleep 0.01 & wait; id >/dev/null"], check=True)
    os.getpgid(0)
    os.getsid(0)
    in_child(os.setpgid, 0, 0)
    in_child(os.nice, 1)
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.sched_getscheduler(0)
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    limits = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, limits)
    resource.prlimit(os.getppid(), resource.RLIMIT_CORE)
    syscall(IOPRIO_SET, 1, 0, (2 << 13) | 4)
    syscall(IOPRIO_GET, 1, os.getppid())
    call(LIBC.prctl, 15, b"workload", 0, 0, 0)
    os.kill(os.getpid(), 0)


def identities():
    def drop():
        os.setgroups([1, 2])
        os.setresgid(3, 3, 3)
        os.setresuid(3, 3, 3)
        attempt(os.open, "/etc/shadow", os.O_RDONLY)
        os.execv("/bin/true", ["true"])
    in_child(drop)
    in_child(os.chroot, "/")
    in_child(syscall, UNSHARE, 0x10000000)
    header = ctypes.create_string_buffer(struct.pack("<Ii", 0x20080522, 0))
    data = ctypes.create_string_buffer(24)
    syscall(CAPGET, header, data)
    in_child(syscall, CAPSET, header, data)


def tracing():
    def traced():
        call(LIBC.ptrace, 0, 0, None, None)
        os.kill(os.getpid(), signal.SIGSTOP)
    child = os.fork()
    if not child:
        attempt(traced)
        os._exit(0)
    os.waitpid(child, 0)
    LIBC.ptrace(7, child, None, None)
    os.waitpid(child, 0)
    with open("/proc/1/maps") as maps:
        maps.read()
    os.readlink("/proc/1/exe")
    attempt(syscall, KCMP, os.getpid(), 1, 0, 0, 1)
    attempt(syscall, PROCESS_VM_READV, 1, None, 0, None, 0, 0)
    for name in ("current", "exec", "fscreate"):
        attribute = Path("/proc/self/attr", name)
        attempt(attribute.read_text)
        attempt(lambda path=attribute: os.write(os.open(path, os.O_WRONLY), b"a"))
    size = ctypes.c_uint32(4096)
    data = ctypes.create_string_buffer(4096)
    attempt(syscall, LSM_GET, 100, data, ctypes.byref(size), 0)
    attempt(syscall, LSM_SET, 100, data, 64, 0)


def memory():
    for _ in range(10):
        area = mmap.mmap(-1, 1 << 20)
        area[0] = 1
        address = ctypes.addressof(ctypes.c_char.from_buffer(area))
        call(LIBC.mprotect, ctypes.c_void_p(address), ctypes.c_size_t(4096), 1)
    with open("m", "w+b") as file:
        file.write(b"x" * 4096)
        file.flush()
        mmap.mmap(file.fileno(), 4096, mmap.MAP_SHARED).close()
    os.unlink("m")


def local_sockets():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("sock")
    listener.listen()
    client = socket.socket(socket.AF_UNIX)
    client.connect("sock")
    server, _ = listener.accept()
    client.sendall(b"x")
    server.recv(1)
    descriptors = array.array("i", [0, 1])
    client.sendmsg([b"y"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors)])
    for fd in array.array("i", server.recvmsg(1, 64)[1][0][2]):
        os.close(fd)
    server.getsockname()
    server.getpeername()
    attempt(server.getsockopt, socket.SOL_SOCKET, 31, 64)    # SO_PEERSEC
    server.shutdown(socket.SHUT_RDWR)
    for opened in (listener, client, server):
        opened.close()
    os.unlink("sock")
    one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    two.setsockopt(socket.SOL_SOCKET, 34, 1)    # SO_PASSSEC
    one.send(b"x")
    two.recv(1)
    one.close()
    two.close()
    datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    datagrams.bind("\0workload")
    one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", "\0workload")
    datagrams.recv(1)
    one.close()
    datagrams.close()


def internet():
    """Use sockets over IPv4; IPv6 has no hook of its own, and the guests do not have it."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    client = socket.create_connection(listener.getsockname())
    server, _ = listener.accept()
    for _ in range(10):
        client.sendall(b"x" * 1000)
        server.recv(1000)
    for opened in (client, server, listener):
        opened.close()
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for _ in range(10):
        sender.sendto(b"x", receiver.getsockname())
        receiver.recv(1)
    sender.close()
    receiver.close()


def other_sockets():
    netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    netlink.bind((0, 0))
    netlink.send(struct.pack("<IHHIIBxxx", 20, 18, 0x301, 1, 0, 0))
    netlink.recv(65536)
    netlink.close()
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()


def labelled_network():
    state = ("ip xfrm state add src 127.0.0.1 dst 127.0.0.2 proto comp spi 9 comp deflate",
             "ip xfrm policy add src 127.0.0.1 dst 127.0.0.9 dir out action block",
             "ip xfrm policy", "ip xfrm policy delete src 127.0.0.1 dst 127.0.0.9 dir out",
             "ip xfrm state flush", "ip xfrm policy flush")
    for line in state:
        subprocess.run(line.split(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)


def messages():
    queue = call(LIBC.msgget, 0, 0o1600)
    call(LIBC.msgget, 77, 0o1600)
    other = call(LIBC.msgget, 77, 0)
    text = ctypes.create_string_buffer(struct.pack("<q8s", 1, b"message"))
    call(LIBC.msgsnd, queue, text, 8, 0)
    call(LIBC.msgrcv, queue, text, 8, ctypes.c_long(0), 0)
    for ident in (queue, other):
        call(LIBC.msgctl, ident, 0, None)


def shared_memory():
    segment = call(LIBC.shmget, 78, ctypes.c_size_t(4096), 0o1600)
    call(LIBC.shmget, 78, ctypes.c_size_t(4096), 0)
    LIBC.shmdt(LIBC.shmat(segment, None, 0))
    call(LIBC.shmctl, segment, 0, None)


def semaphores():
    semaphore = call(LIBC.semget, 79, 1, 0o1600)
    call(LIBC.semget, 79, 1, 0)
    call(LIBC.semop, semaphore, ctypes.create_string_buffer(struct.pack("<Hhh", 0, 1, 0)), 1)
    call(LIBC.semctl, semaphore, 0, 0)


def queues_and_pipes():
    ends = os.pipe()
    os.write(ends[1], b"x")
    os.read(ends[0], 1)
    for end in ends:
        os.close(end)
    librt = ctypes.CDLL("librt.so.1", use_errno=True)
    queue = call(librt.mq_open, b"/workload", os.O_RDWR | os.O_CREAT, 0o600, None)
    os.close(queue)
    call(librt.mq_unlink, b"/workload")
    master, slave = pty.openpty()
    os.write(slave, b"x\n")
    os.read(master, 1)
    os.close(slave)
    os.close(master)


def keys():
    key = syscall(ADD_KEY, b"user", b"workload", b"payload", 7, -3)
    syscall(ADD_KEY, b"user", b"workload", b"changed", 7, -3)
    buffer = ctypes.create_string_buffer(64)
    syscall(KEYCTL, 11, key, buffer, 64)     # read
    attempt(syscall, KEYCTL, 17, key, buffer, 64)     # security label
    with open("/proc/keys") as listing:
        listing.read()
    ends = (ctypes.c_int * 2)()
    call(LIBC.pipe2, ends, 0o200)            # O_NOTIFICATION_PIPE is O_EXCL
    attempt(fcntl.ioctl, ends[0], 0x5760, 16)
    attempt(syscall, KEYCTL, 32, key, ends[0], 1)     # watch
    attempt(syscall, KEYCTL, 21, key)        # invalidate
    for end in ends:
        os.close(end)


def mount(source, target, kind, flags, data):
    return call(LIBC.mount, source, target, kind, ctypes.c_ulong(flags), data)


def mounts():
    os.mkdir("mnt")
    os.mkdir("mnt2")
    mount(b"none", b"mnt", b"tmpfs", 0, b"size=1m")
    mount(b"none", b"mnt", b"tmpfs", 32, b"size=2m")
    mount(b"mnt", b"mnt2", None, 4096, None)
    os.statvfs("mnt")
    with open("/proc/self/mountinfo") as listing:
        listing.read()
    call(LIBC.umount2, b"mnt2", 0)
    call(LIBC.umount2, b"mnt", 0)
    context = syscall(FSOPEN, b"tmpfs", 0)
    syscall(FSCONFIG, context, 1, b"size", b"1m", 0)
    attempt(syscall, FSCONFIG, context, 1, b"source", b"none", 0)
    syscall(FSCONFIG, context, 6, None, None, 0)
    tree = syscall(FSMOUNT, context, 0, 0)
    syscall(MOVE_MOUNT, tree, b"", AT_FDCWD, b"mnt", 4)
    os.close(tree)
    os.close(context)
    call(LIBC.umount2, b"mnt", 0)
    os.rmdir("mnt")
    os.rmdir("mnt2")


def overlay():
    for name in ("lower", "upper", "work", "both"):
        os.mkdir(name)
    with open("lower/file", "w") as file:
        file.write("x" * 1000)
    mount(b"none", b"both", b"overlay", 0, b"lowerdir=lower,upperdir=upper,workdir=work")
    with open("both/file", "r+") as file:
        file.read()
        file.write("y")
        mmap.mmap(file.fileno(), 1000, mmap.MAP_SHARED).close()
    os.mkdir("both/new")
    os.rename("both/file", "both/new/file")
    call(LIBC.umount2, b"both", 0)
    for name in ("lower", "upper", "work", "both"):
        shutil.rmtree(name)


def loop_device():
    """Make a file system on a loop device, so that there is an inode for a block device."""
    with open("image", "wb") as image:
        image.truncate(1 << 20)
    subprocess.run(["/sbin/mke2fs", "-qF", "image"], check=True)
    os.mkdir("fs")
    subprocess.run(["mount", "-o", "loop", "image", "fs"], check=True)
    syscall(QUOTACTL, 0x800001 << 8, None, 0, None)
    subprocess.run(["umount", "fs"], check=True)
    os.rmdir("fs")
    os.unlink("image")


def watches():
    fd = call(LIBC.inotify_init)
    call(LIBC.inotify_add_watch, fd, b".", 2)
    os.close(fd)
    fd = attempt(syscall, FANOTIFY_INIT, 0, 0)
    attempt(syscall, FANOTIFY_MARK, fd, 1, 2, AT_FDCWD, b".")
    os.close(fd)


def administration():
    now = time.time()
    syscall(SETTIMEOFDAY, struct.pack("<qq", int(now), 0), None)
    attempt(syscall, SYSLOG, 10, None, 0)
    syscall(SYSLOG, 3, ctypes.create_string_buffer(4096), 4096)
    socket.sethostname(socket.gethostname())
    with open("/proc/sys/kernel/printk") as file:
        file.read()


def bpf(command, *fields):
    attributes = ctypes.create_string_buffer(b"".join(fields).ljust(128, b"\0"))
    return syscall(BPF, command, attributes, 128)


def programs_and_events():
    table = bpf(0, struct.pack("<5I", 2, 4, 8, 1, 0))
    code = ctypes.create_string_buffer(bytes.fromhex("b7000000000000009500000000000000"))
    licence = ctypes.create_string_buffer(b"GPL")
    program = bpf(5, struct.pack("<IIQQ", 1, 2, ctypes.addressof(code), ctypes.addressof(licence)))
    os.close(program)
    os.close(table)
    event = ctypes.create_string_buffer(struct.pack("<IIQ", 1, 128, 0).ljust(128, b"\0"))
    fd = attempt(syscall, PERF_EVENT_OPEN, event, 0, -1, -1, 0)
    if fd is not None:
        os.read(fd, 8)
        os.close(fd)
    os.close(os.open("/sys/kernel/tracing/README", os.O_RDONLY))


def copies():
    """Copy from file to file without reading: hooks of reading and writing are called all the same."""
    source, target = os.open("source", os.O_RDWR | os.O_CREAT), os.open("target", os.O_RDWR | os.O_CREAT)
    os.write(source, b"x" * 10000)
    ends = os.pipe()
    os.sendfile(target, source, 0, 5000)
    attempt(os.copy_file_range, source, target, 5000, 0, 0)
    os.splice(source, ends[1], 1000, offset_src=0)
    os.splice(ends[0], target, 1000, offset_dst=0)
    for fd in (source, target, *ends):
        os.close(fd)
    os.unlink("source")
    os.unlink("target")


def signals():
    def be_signalled():
        signal.pause()
    child = os.fork()
    if not child:
        attempt(be_signalled)
        os._exit(0)
    handle = os.pidfd_open(child)
    for number in (0, signal.SIGCONT):
        os.kill(child, number)
        signal.pidfd_send_signal(handle, number)
    signal.pidfd_send_signal(handle, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(handle)


class Ring:
    """An io_uring for one operation at a time."""

    def __init__(self, flags=0):
        parameters = ctypes.create_string_buffer(struct.pack("<3I", 4, 8, flags), 120)
        self.fd = syscall(IO_URING_SETUP, 4, parameters)
        self.tail_at, = struct.unpack_from("<I", parameters, 44)
        array, = struct.unpack_from("<I", parameters, 64)
        self.rings = mmap.mmap(self.fd, array + 16)
        self.entries = mmap.mmap(self.fd, 4 * 64, offset=0x10000000)
        self.tail = 0

    def operate(self, operation, fd, address, length=0, offset=0, flags=0, how=0):
        entry = struct.pack("<BBHiQQII", operation, flags, 0, fd, offset, address, length, how)
        self.entries[:64] = entry.ljust(64, b"\0")
        self.tail += 1
        struct.pack_into("<I", self.rings, self.tail_at, self.tail)
        syscall(IO_URING_ENTER, self.fd, 1, 1, 1, None, 0)


def operations():
    """Do operations of io_uring in the task itself, and (16: IOSQE_ASYNC) in workers of the kernel."""
    ring = Ring()
    path = ctypes.create_string_buffer(b"ring")
    data = ctypes.create_string_buffer(256)
    file = os.open("ring", os.O_RDWR | os.O_CREAT, 0o600)
    at, data_at = ctypes.addressof(path), ctypes.addressof(data)
    for flags in (0, 16):
        ring.operate(READ, file, data_at, 100, flags=flags)
        ring.operate(WRITE, file, data_at, 100, flags=flags)
        ring.operate(STATX, AT_FDCWD, at, 0x7ff, data_at, flags=flags)
        ring.operate(OPENAT, AT_FDCWD, at, flags=flags)
    ring.operate(UNLINKAT, AT_FDCWD, at)
    os.close(file)


def rings():
    in_child(operations)
    ring = Ring()
    syscall(IO_URING_REGISTER, ring.fd, 9, None, 0)
    os.close(ring.fd)
    attempt(lambda: os.close(Ring(2).fd))    # IORING_SETUP_SQPOLL


KINDS = (files, exchange, locks_and_owners, attributes, private_inodes, processes, identities,
         tracing, memory, local_sockets, internet, other_sockets, labelled_network, messages,
         shared_memory, semaphores, queues_and_pipes, keys, mounts, overlay, loop_device, watches,
         administration, programs_and_events, rings, copies, signals)


def everything(folders):
    """Do all kinds in each folder, and return the operations that were refused."""
    refused = []
    for folder in folders:
        for kind in KINDS:
            place = f"{folder}/{kind.__name__}"
            os.mkdir(place)
            os.chdir(place)
            try:
                kind()
            except (OSError, subprocess.CalledProcessError) as error:
                refused.append(f"{folder} {kind.__name__}: {error}")
    os.chdir("/")
    return refused


if __name__ == "__main__":
    print("\n".join(everything(sys.argv[1:])) or "all done")
