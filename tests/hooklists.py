# SPDX-License-Identifier: GPL-2.0-only
"""A kernel whose hooks have lists of callbacks, as before 6.12; see hooksites.py.

A copy of a dispatch shows as a look at the beginning of the hook's list, or on
User-Mode Linux as the address of that. The lists have no names of their own in the kernel: the preprocessor says which
hooks there are, with the kernel's configuration, and they are in that order.
"""

import re
import struct
import subprocess
from functools import cached_property

from hooksites import NUMBER, Vmlinux

HEADS = "security_hook_heads"
# The function that makes the lists empty.
MAKER = "early_security_init"
# struct hlist_head
HEAD_BYTES = 8
# A value is loaded from a fixed place in memory; or an address of 64 bits is.
LOAD = re.compile(r"^mov -?0x[0-9a-f]+(\(%rip\))?,%|^movabs \$0x")


def hook_names(source, config):
    """Return the names of a kernel's hooks, from its source with its configuration."""
    text = "#define LSM_HOOK(RET, DEFAULT, NAME, ...) NAME\n#include <linux/lsm_hook_defs.h>\n"
    defines = [f"-D{name}=1" for name in re.findall(r"^(CONFIG_\w+)=[ym]$", config, re.M)]
    words = ["gcc", "-E", "-P", *defines, "-I", source / "include", "-x", "c", "-"]
    done = subprocess.run(words, input=text, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split()


class ListsVmlinux(Vmlinux):
    # struct security_hook_list: node, list, callback, module
    LIST_BYTES = 40

    def __init__(self, path, source):
        super().__init__(path)
        self.names = hook_names(source, path.with_name("config").read_text())
        assert len(self.names) * HEAD_BYTES == self.size[HEADS]

    @cached_property
    def hooks(self):
        return self.names

    slots_per_hook = 1

    @property
    def exact(self):
        """Say whether copies can be told apart: User-Mode Linux calls by address, which copies and their ends share."""
        return bool(self.jumps)

    @cached_property
    def slots(self):
        """Return {address of a list: (hook, slot)}; a list counts as the only slot of its hook."""
        base = self.address[HEADS]
        return {base + n * HEAD_BYTES: (name, 0) for n, name in enumerate(self.hooks)}

    @property
    def switches(self):
        """Return the switches, which are the lists: a look at a list also asks whether it has an entry."""
        return self.slots

    def table_hook(self, address):
        return None

    def wanted(self):
        return {HEADS} | self._beginnings(self.slots)

    def references(self, instruction):
        if not LOAD.match(f"{instruction.name} {instruction.operands}"):
            return []
        numbers = NUMBER.findall(instruction.operands) + [instruction.comment]
        return [int(number, 16) for number in numbers if number]

    def settle(self, function):
        """Drop the address of the first list, which is also that of all lists, where a function looks at another
        list.
        """
        first = (self.hooks[0], 0)
        if function.name == MAKER:
            function.slots, function.tests = [], []
        elif set(function.slots) != {first}:
            function.slots = [slot for slot in function.slots if slot != first]
            function.tests = [slot for slot in function.tests if slot != first]

    def registered(self, at):
        """Return (hook or None, address) of a callback as a module registers it."""
        _, _, head, callback, _ = struct.unpack("<5Q", self.read(at, self.LIST_BYTES))
        return self.slots.get(head, (None, 0))[0], callback
