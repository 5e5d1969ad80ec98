# SPDX-License-Identifier: GPL-2.0-only
"""The code that the monitor adds to security.o while it is off: frames, canaries and instructions.

security.o is compiled twice, with the monitor and without, and nothing else differs. All code of a function counts
that can be reached while no branch to measured code is taken.
"""

import re
import subprocess
from dataclasses import dataclass, field

from hooksites import HEADER, INSTRUCTION

from lsmlab.kernel.objects.build import Objects
from lsmlab.kernel.objects.stack import OBJECT, configuration

KEY = "lsmpmon_watched"
# A function that calls this has a canary.
CANARY = "__stack_chk_fail"

RELOCATION = re.compile(r"^\s+[0-9a-f]+: R_\S+\s+([\w.]+)")
JUMP = re.compile(r"^([0-9a-f]{16}) R_X86_64_\w+\s+([\w.]+)\+0x([0-9a-f]+)$", re.M)
LOWERS = re.compile(r"\$(-?0x[0-9a-f]+),%rsp$")


def compiled(tree, version, monitor, protector):
    """Return the functions of security.o by name."""
    objects = Objects(tree, "x86_64", "frames")
    lines = configuration(version, "x86_64", monitor, protector)
    objects.configure(lines, [lines[-1]])
    output = objects.compile([OBJECT])
    assert not output.strip(), output
    return functions(objects.folder / OBJECT)


@dataclass
class Function:
    name: str
    start: int
    section: str
    code: dict = field(default_factory=dict)    # address: (name, operands)
    calls: dict = field(default_factory=dict)   # address: symbols
    watched: set = field(default_factory=set)   # addresses of the branches to measured code


def branches(path):
    """Return the branches that are taken while the monitor is on, as addresses in .text: {from: to}."""
    listing = subprocess.run(["objdump", "-r", path], stdout=subprocess.PIPE, text=True, check=True)
    _, _, table = listing.stdout.partition("RELOCATION RECORDS FOR [__jump_table]:")
    targets, entry = {}, {}
    for offset, symbol, addend in JUMP.findall(table.partition("RELOCATION RECORDS FOR")[0]):
        number, part = divmod(int(offset, 16), 16)
        entry.setdefault(number, {})[part] = (symbol, int(addend, 16))
    for parts in entry.values():
        if parts[8][0] == KEY:
            targets[parts[0]] = parts[4]
    return targets


def functions(path):
    listing = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", path], stdout=subprocess.PIPE, text=True, check=True)
    by_name, section, function, last = {}, "", None, 0
    for line in listing.stdout.splitlines():
        if line.startswith("Disassembly of section"):
            section = line.split()[-1].rstrip(":")
        elif match := HEADER.match(line):
            function = by_name.setdefault(match[2], Function(match[2], int(match[1], 16), section))
        elif function and (match := INSTRUCTION.match(line)):
            last = int(match[1], 16)
            function.code[last] = (match[2], match[3].strip())
        elif function and (match := RELOCATION.match(line)):
            function.calls.setdefault(last, []).append(match[1])
    taken = branches(path)
    for function in by_name.values():
        function.watched = {at for name, at in taken if name == function.section and at in function.code}
    return by_name


def reached(function):
    """Return the addresses of the code that may run while the monitor is off. A jump with a relocation leaves the
    function.
    """
    order = sorted(function.code)
    following, seen, todo = dict(zip(order, order[1:])), set(), [function.start]
    while todo:
        at = todo.pop()
        if at in seen or at not in function.code:
            continue
        seen.add(at)
        name, operands = function.code[at]
        if name.startswith("j") and at not in function.calls and re.match(r"[0-9a-f]+$", operands):
            todo.append(int(operands, 16))
        if name not in ("jmp", "ret", "ud2") and at in following:
            todo.append(following[at])
    return seen


@dataclass(frozen=True)
class Off:
    """A function as it runs while the monitor is off."""

    frame: int          # bytes, at most
    canary: bool
    instructions: int   # without branches
    branches: int       # to measured code


def off(function):
    code = reached(function)
    pushes = sum(function.code[at][0] == "push" for at in code)
    lowered = [int(LOWERS.search(operands)[1], 16) for at in code for name, operands in [function.code[at]]
               if name in ("sub", "add") and LOWERS.search(operands)]
    size = max([abs(n if n < 1 << 63 else n - (1 << 64)) for n in lowered], default=0)
    canary = any(CANARY in function.calls.get(at, ()) for at in function.code)
    watched = len(code & function.watched)
    return Off(8 * pushes + size, canary, len(code) - watched, watched)


def compare(tree, version, protector):
    """Return {function: (without the monitor, with it)} for the functions that are in both objects."""
    without, monitor = (compiled(tree, version, m, protector) for m in (False, True))
    return {name: (off(without[name]), off(monitor[name])) for name in without if name in monitor}
