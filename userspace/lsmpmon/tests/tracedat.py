# SPDX-License-Identifier: GPL-2.0-only
"""Recordings as trace-cmd writes them, in version 6 of its format, of events that a test chooses."""

from __future__ import annotations

import struct
from typing import NamedTuple

PAGE = 4096
# In a page's `commit`: events are missing before it.
MISSED = 1 << 31
HEADER_PAGE = """\
\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;
"""
HEADER_EVENT = "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n"
COMMON = """\
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""
ID = 404
OBJECT_ID = 405
HOOKS = ("capable", "inode_permission", "file_open", "d_instantiate")
SYSCALLS = {257: "openat", 83: "mkdir", 65535: "-"}
VERDICTS = ("allow", "deny", "none")


class Call(NamedTuple):
    """A hook call whose event was written at a time."""

    at: int
    pid: int
    hook: str
    ns: int
    depth: int = 0
    own: int | None = None
    slept: int = 0
    preempted: int = 0
    rc: int = 0
    verdict: str = "allow"
    syscall: str = "openat"
    disturbed: int = 0

    def now(self):
        """Return the event as lsmpmon writes it."""
        number = {name: number for number, name in SYSCALLS.items()}[self.syscall]
        return struct.pack("<HBBi5Qi2H4B4x", ID, 0, 0, self.pid, 0, self.ns, self.ns if self.own is None else self.own,
                           self.slept, self.preempted, self.rc, HOOKS.index(self.hook), number, 1, self.depth,
                           VERDICTS.index(self.verdict), self.disturbed)

    def named(self, name):
        """Return the event before it, which has the name of its object."""
        text = name.encode() + b"\0"
        packed = struct.pack("<HBBi2QHxxHH", OBJECT_ID, 0, 0, self.pid, 0, self.ns, HOOKS.index(self.hook), 32, len(text)) + text
        return packed.ljust(-(-len(packed) // 4) * 4, b"\0")

    def before(self):
        """Return the event as lsmpmon wrote it when names were in it."""
        return struct.pack("<HBBi32sI4x2Qi8s32s2B2x", ID, 0, 0, self.pid, self.hook.encode(), 1, self.ns, 2 * self.ns, self.rc,
                           self.verdict.encode(), self.syscall.encode(), 0, 0)


def symbols(names):
    return ", ".join(f'{{ {number}, "{name}" }}' for number, name in names)


def described(fields, printed, name="lsm_hook_exit", number=ID):
    lines = "".join(f"\tfield:{field};\toffset:{offset};\tsize:{size};\tsigned:{signed};\n" for field, offset, size, signed in fields)
    return f"name: {name}\nID: {number}\nformat:\n{COMMON}{lines}\nprint fmt: {printed}\n"


NOW = described(
    [("unsigned long func", 8, 8, 0), ("unsigned long long ns", 16, 8, 0), ("unsigned long long own", 24, 8, 0),
     ("unsigned long long slept", 32, 8, 0), ("unsigned long long preempted", 40, 8, 0), ("int rc", 48, 4, 1),
     ("unsigned short hook", 52, 2, 0), ("unsigned short syscall", 54, 2, 0), ("unsigned char modules", 56, 1, 0),
     ("unsigned char depth", 57, 1, 0), ("unsigned char verdict", 58, 1, 0), ("unsigned char disturbed", 59, 1, 0)],
    '"hook=%s modules=%u ns=%llu own=%llu slept=%llu preempted=%llu rc=%d verdict=%s syscall=%s depth=%u disturbed=%s", '
    f"__print_symbolic(REC->hook, {symbols(enumerate(HOOKS))}), REC->modules, REC->ns, REC->own, REC->slept, REC->preempted, "
    f"REC->rc, __print_symbolic(REC->verdict, {symbols(enumerate(VERDICTS))}), "
    f"__print_symbolic(REC->syscall, {symbols(SYSCALLS.items())}), REC->depth, "
    '__print_flags(REC->disturbed, "|", { 1, "interrupted" }, { 2, "switched" }, { 4, "unknown" })')
OBJECT = described(
    [("unsigned long func", 8, 8, 0), ("unsigned long long ns", 16, 8, 0), ("unsigned short hook", 24, 2, 0),
     ("__data_loc char[] object", 28, 4, 1)],
    f'"hook=%s ns=%llu object=%s", __print_symbolic(REC->hook, {symbols(enumerate(HOOKS))}), REC->ns, __get_str(object)',
    "lsm_hook_object", OBJECT_ID)
BEFORE = described(
    [("char hook[32]", 8, 32, 0), ("unsigned int modules", 40, 4, 0), ("u64 ns", 48, 8, 0), ("u64 ticks", 56, 8, 0),
     ("int rc", 64, 4, 1), ("char verdict[8]", 68, 8, 0), ("char syscall[32]", 76, 32, 0), ("bool switched", 108, 1, 0),
     ("bool interrupted", 109, 1, 0)],
    '"hook=%s modules=%u ns=%llu ticks=%llu rc=%d verdict=%s syscall=%s switched=%d interrupted=%d", REC->hook, REC->modules, '
    "REC->ns, REC->ticks, REC->rc, REC->verdict, REC->syscall, REC->switched, REC->interrupted")


def page(events, flags=0):
    """Return a page of the ring buffer: pairs of a time and the bytes of an event, whose number is a multiple of 4."""
    data, last = b"", events[0][0] if events else 0
    for at, packed in events:
        data += struct.pack("<I", (at - last) << 5 | len(packed) // 4) + packed
        last = at
    return (struct.pack("<QQ", events[0][0] if events else 0, len(data) | flags) + data).ljust(PAGE, b"\0")


def sized(text, width="<Q"):
    return struct.pack(width, len(text)) + text.encode()


def recording(forms, comms, *cpus):
    """Return a recording of the pages of each CPU, in which events have forms, and tasks have names."""
    head = b"\x17\x08\x44tracing6\0\x00\x08" + struct.pack("<I", PAGE)
    head += b"header_page\0" + sized(HEADER_PAGE) + b"header_event\0" + sized(HEADER_EVENT)
    head += struct.pack("<I", 0) + struct.pack("<I", 1) + b"lsmpmon\0" + struct.pack("<I", len(forms)) + b"".join(map(sized, forms))
    head += sized("", "<I") * 2 + sized("".join(f"{pid} {comm}\n" for pid, comm in comms.items()))
    head += struct.pack("<I", len(cpus)) + b"options  \0" + struct.pack("<H", 0) + b"flyrecord\0"
    start = -(-(len(head) + 16 * len(cpus)) // PAGE) * PAGE
    data = b""
    for pages in cpus:
        head += struct.pack("<QQ", start + len(data), len(pages) * PAGE)
        data += b"".join(pages)
    return head.ljust(start, b"\0") + data
