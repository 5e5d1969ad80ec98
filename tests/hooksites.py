# SPDX-License-Identifier: GPL-2.0-only
"""The places where a built kernel calls hooks, and where it measures them.

All of it comes from vmlinux: the hooks and their order from the kernel's own
table of static calls, the calls and the places where the monitor records them
from the disassembly. Nothing here is a list made by hand. Kernels without
static calls for hooks are in hooklists.py.
"""

import re
import struct
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

# struct lsm_static_call and struct jump_entry
CALL_BYTES, JUMP_BYTES = 32, 16
# The measured dispatch of each hook, in two functions of its own; and where security.c measures by itself.
CALL, DISPATCH, LOOP = "lsmpmon_call_", "lsmpmon_dispatch_", "lsmpmon_loop_begin"
# The measured twin of a function that measures its own dispatch.
TWIN = "lsmpmon_twin_"
# The end of a measured dispatch gets LSMPMON_OFFSET(), in which a hook has a cell of two cache lines for each verdict; so
# does the function that measures calls of empty hooks.
END, EMPTY = "lsmpmon_end_at", "lsmpmon_call_empty"
HOOK_BYTES = 2 * 128

# A slot's key, its trampoline and its switch
KEY, TRAMPOLINE = "__SCK__lsm_static_call_", "__SCT__lsm_static_call_"
SWITCH = "security_hook_active_"
SLOT = re.compile(rf"({KEY}|{TRAMPOLINE}|{SWITCH})(\w+?)_(\d+)$")
HEADER = re.compile(r"^([0-9a-f]+) <([^>]+)>:$")
PREFIXES = "(?:(?:data16|cs|ds|notrack|rep|lock|bnd) )*"
INSTRUCTION = re.compile(rf"^ *([0-9a-f]+):\t{PREFIXES}(\S+) *([^#<]*)(?:# ([0-9a-f]+))?")
NUMBER = re.compile(r"(?:0x|^)([0-9a-f]{6,16})")
CONSTANT = re.compile(r"^\$0x([0-9a-f]+),(%\w+)$")


class Vmlinux:
    """The symbols and the initialised memory of a kernel file."""

    # struct security_hook_list: row of the table, callback, module
    LIST_BYTES = 24
    # Each copy of a dispatch has code of its own.
    exact = True

    def __init__(self, path):
        self.path = Path(path)
        self.data = self.path.read_bytes()
        listing = subprocess.run(["nm", "-nS", path], stdout=subprocess.PIPE, text=True, check=True)
        words = [line.split() for line in listing.stdout.splitlines()]
        self.symbols = [(int(w[0], 16), w[-1]) for w in words if len(w) > 2]
        self.address = {name: address for address, name in self.symbols}
        self.size = {w[3]: int(w[1], 16) for w in words if len(w) == 4}

    @cached_property
    def segments(self):
        """Return (address, bytes in the file, offset in the file) of each segment that is loaded."""
        start, size, count = (struct.unpack_from(f, self.data, at)[0]
                              for f, at in (("<Q", 32), ("<H", 54), ("<H", 56)))
        headers = (struct.unpack_from("<IIQQQQQQ", self.data, start + n * size)
                   for n in range(count))
        return [(h[3], h[5], h[2]) for h in headers if h[0] == 1]

    def read(self, address, size):
        for start, length, offset in self.segments:
            if start <= address and address + size <= start + length:
                at = offset + address - start
                return self.data[at:at + size]
        raise ValueError(f"{address:#x} is not in {self.path}")

    @cached_property
    def slots(self):
        """Return {address of a key or trampoline: (hook, slot)}."""
        return self._slots(KEY, TRAMPOLINE)

    @cached_property
    def switches(self):
        """Return {address that says whether a slot is used: (hook, slot)}."""
        return self._slots(SWITCH)

    def _slots(self, *kinds):
        matches = ((address, SLOT.match(name)) for address, name in self.symbols)
        return {address: (m[2], int(m[3])) for address, m in matches if m and m[1] in kinds}

    @cached_property
    def hooks(self):
        """Return the hooks in the order of the kernel's own table, which is also the order of `result`."""
        base, names = self.address["static_calls_table"], []
        for number in range(len({hook for hook, _ in self.slots.values()})):
            words = struct.unpack("<4Q", self.read(base + number * self.table_step, CALL_BYTES))
            names.append(next(self.slots[w][0] for w in words if w in self.slots))
        return names

    @cached_property
    def slots_per_hook(self):
        return 1 + max(slot for _, slot in self.slots.values())

    @property
    def table_step(self):
        return self.slots_per_hook * CALL_BYTES

    def table_hook(self, address):
        """Return the hook whose row of the table begins at an address, or None."""
        number, rest = divmod(address - self.address["static_calls_table"], self.table_step)
        return self.hooks[number] if rest == 0 and 0 <= number < len(self.hooks) else None

    @staticmethod
    def _beginnings(addresses):
        """Return the hexadecimal beginnings of the addresses of a range, without the last four digits."""
        return {f"{high:x}" for high in range(min(addresses) >> 16, (max(addresses) >> 16) + 1)}

    def wanted(self):
        """Return pieces of text, one of which is in every function that calls a hook."""
        table = self.address["static_calls_table"]
        rows = (table, table + len(self.hooks) * self.table_step)
        keys = [a for a, name in self.symbols if name.startswith(KEY)]
        return {TRAMPOLINE} | self._beginnings(rows) | self._beginnings(keys)

    def references(self, instruction):
        """Return the addresses that an instruction refers to or seems to refer to."""
        return [int(text, 16) for text in NUMBER.findall(instruction.operands)]

    def settle(self, function):
        """Drop from a function what looks like a site and is none."""

    def registered(self, at):
        """Return (hook or None, address) of a callback as a module registers it."""
        row, callback, _ = struct.unpack("<3Q", self.read(at, self.LIST_BYTES))
        return self.table_hook(row), callback

    @cached_property
    def jumps(self):
        """Return the jump labels, as (from, to, address of the key)."""
        if "__start___jump_table" not in self.address:
            return []
        labels, at = [], self.address["__start___jump_table"]
        while at < self.address["__stop___jump_table"]:
            code, target, key = struct.unpack("<iiq", self.read(at, JUMP_BYTES))
            labels.append((at + code, at + 4 + target, (at + 8 + key) & ~3))
            at += JUMP_BYTES
        return labels

    @cached_property
    def slot_tests(self):
        """Return {jump label that asks whether a slot is used: (hook, slot)}."""
        return {code: self.switches[key] for code, _, key in self.jumps if key in self.switches}

    @cached_property
    def labels(self):
        return {code: target for code, target, _ in self.jumps}

    @cached_property
    def watched(self):
        """Return {from: to} of the branches to measured copies."""
        key = self.address["lsmpmon_watched"]
        return {code: target for code, target, whose in self.jumps if whose == key}

    def disassembly(self):
        done = subprocess.run(["objdump", "-d", "--no-show-raw-insn", self.path],
                              stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout


@dataclass
class Instruction:
    address: int
    name: str
    operands: str
    comment: str    # an address relative to the instruction, as it comes out
    target: int = None


@dataclass
class Function:
    """A function of the kernel that calls or records hooks."""

    name: str
    start: int
    twin: int = None                            # where its measured twin begins, whose code counts with it
    code: dict = field(default_factory=dict)
    exits: dict = field(default_factory=dict)   # address: (CALL, LOOP or END, hook number or None)
    slots: list = field(default_factory=list)   # (hook, slot), as often as called
    tests: list = field(default_factory=list)   # (hook, slot), as often as its switch is asked
    loops: set = field(default_factory=set)     # hooks whose row of the table is walked

    @property
    def dispatched(self):
        return {hook for hook, _ in self.slots} | self.loops


REGISTERS = {name: full for full, names in {
    "rax": "eax", "rdi": "edi", "rsi": "esi", "rdx": "edx", "rcx": "ecx", "rbx": "ebx",
    "rbp": "ebp", **{f"r{n}": f"r{n}d" for n in range(8, 16)}}.items() for name in (full, names)}
SAVED = {"rbx", "rbp", "r12", "r13", "r14", "r15"}


class Constants:
    """The registers whose value is certain, in code that runs straight on."""

    def __init__(self):
        self.values = {}

    def get(self, register):
        return self.values.get(REGISTERS.get(register.strip("*%")))

    def after(self, instruction):
        constant = CONSTANT.match(instruction.operands)
        last = instruction.operands.rsplit(",", 1)[-1].strip("%")
        if instruction.name in ("mov", "movabs", "movl", "movq") and constant:
            self.values[REGISTERS.get(constant[2].strip("%"))] = int(constant[1], 16)
        elif instruction.name == "xor" and instruction.operands == f"%{last},%{last}":
            self.values[REGISTERS.get(last)] = 0
        elif instruction.name == "call":
            self.values = {r: v for r, v in self.values.items() if r in SAVED}
        elif instruction.name in ("jmp", "ret"):
            self.values = {}
        elif instruction.name not in ("cmp", "test", "push"):
            self.values.pop(REGISTERS.get(last), None)


def _blocks(text, wanted):
    """Yield the functions of a disassembly that contain any wanted text.

    This searches for plain strings: one expression for all takes half a minute for a kernel.
    """
    for block in text.split("\n\n"):
        if any(word in block for word in wanted):
            header, _, body = block.lstrip("\n").partition("\n")
            match = HEADER.match(header)
            if match:
                yield match[2], int(match[1], 16), body


def _instruction(line):
    match = INSTRUCTION.match(line)
    if not match:
        return None
    instruction = Instruction(int(match[1], 16), match[2].split(",")[0], match[3].strip(), match[4])
    if instruction.name.startswith(("j", "call")) and re.match(r"[0-9a-f]+$", instruction.operands):
        instruction.target = int(instruction.operands, 16)
    return instruction


def _last_jump(instruction, following):
    """Return the jump to the end of a function, which several jumps may share."""
    at = following.get(instruction.target) if instruction.name == "jmp" else None
    while at and at[0].name in ("add", "mov", "pop"):
        at = following.get(at[1].address)
    return at[0] if at and at[0].name == "jmp" else instruction


class Sites:
    """Every function that calls a hook or has one measured; and, by hook, where it is measured."""

    def __init__(self, vmlinux, text):
        self.vmlinux = vmlinux
        self.marks = {address: name for name, address in vmlinux.address.items()
                      if name in (LOOP, END, EMPTY) or name.startswith(CALL)}
        self.functions = {}
        for name, start, body in _blocks(text, self._wanted()):
            self._read(name, start, body)
        for function in self.functions.values():
            self.vmlinux.settle(function)
        self.measured = {name.removeprefix(CALL): f for name, f in self.functions.items()
                         if name.startswith(CALL) and name != EMPTY}
        self.functions = {name: f for name, f in self.functions.items()
                          if not name.startswith("lsmpmon_") and (f.dispatched or self._sites(f))}

    @staticmethod
    def _sites(function):
        return {number for mark, number in function.exits.values() if mark != END}

    def _wanted(self):
        """Return pieces of text, one of which is in every function with a site: few, since the whole kernel is
        searched for each.
        """
        return {f"{address >> 16:x}" for address in self.marks} | self.vmlinux.wanted()

    def _read(self, name, start, body):
        """Read a function. Parts that the compiler moved away count with their function, and so do its measured
        twin and the rest of a measured dispatch.
        """
        whole = re.sub(r"\.cold(\.\d+)?$", "", name).removeprefix(TWIN)
        if whole.removeprefix(DISPATCH) in self.vmlinux.hooks:
            whole = CALL + whole.removeprefix(DISPATCH)
        function = self.functions.setdefault(whole, Function(whole, start))
        if whole == name:
            function.start = start
        elif name == TWIN + whole:
            function.twin = start
        # Where callbacks are in a list, a measured call first asks whether that is empty.
        asks = self.vmlinux.slots_per_hook == 1 and name.startswith(CALL)
        constants, code = Constants(), list(filter(None, map(_instruction, body.split("\n"))))
        following = dict(zip((i.address for i in code), zip(code, code[1:])))
        for instruction in code:
            function.code[instruction.address] = instruction
            if instruction.address in self.vmlinux.slot_tests:
                function.tests.append(self.vmlinux.slot_tests[instruction.address])
            last = _last_jump(instruction, following)
            if last.operands.startswith("*%"):
                instruction.target = constants.get(last.operands)
            self._note(function, instruction, constants, asks)
            constants.after(instruction)

    def _note(self, function, instruction, constants, asks):
        mark = self.marks.get(instruction.target)
        if mark:
            kind = END if mark == EMPTY else CALL if mark.startswith(CALL) else mark
            function.exits[instruction.address] = (kind, self._number(kind, mark, constants))
        for address in self.vmlinux.references(instruction):
            if address in self.vmlinux.slots and not asks:
                function.slots.append(self.vmlinux.slots[address])
            if address in self.vmlinux.switches:
                function.tests.append(self.vmlinux.switches[address])
            if self.vmlinux.table_hook(address):
                function.loops.add(self.vmlinux.table_hook(address))

    def _number(self, kind, mark, constants):
        """Return the number of the hook that a site is for; None if the disassembly does not show it."""
        if kind == CALL:
            name = mark.removeprefix(CALL)
            return self.vmlinux.hooks.index(name) if name in self.vmlinux.hooks else None
        value, step = (constants.get("%rdi"), HOOK_BYTES) if kind == END else (constants.get("%rsi"), 1)
        return None if value is None or value % step else value // step

    def name(self, number):
        """Return the name of a hook; a number that the disassembly does not show has none."""
        shown = number is not None and number < len(self.vmlinux.hooks)
        return self.vmlinux.hooks[number] if shown else None

    def recorded(self, kinds=(CALL, LOOP)):
        """Return the hooks by the functions that have them measured, in some of the ways."""
        return {f.name: {self.name(number) for mark, number in f.exits.values() if mark in kinds}
                for f in self.functions.values()}
