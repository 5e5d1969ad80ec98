# SPDX-License-Identifier: GPL-2.0-only
"""The frames of the functions that dispatch hooks, as the compiler reports them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from lsmlab import toml
from lsmlab.kernel.objects import Failed, matrix
from lsmlab.kernel.objects.build import Objects, fragment
from lsmlab.kernel.objects.tree import ours
from lsmlab.places import REPO

OBJECT = "security/security.o"
# Enough modules that static calls and lists are walked; all of them would take four times as long to compile.
MODULES = ("SECURITY_SELINUX", "SECURITY_YAMA", "IMA", "EVM")
# The modules of which a kernel has one at most, for measurements.
TEST_MODULES = ("SECURITY_TUNABLE", "SECURITY_LIDS")
PROTECTOR = ("CONFIG_STACKPROTECTOR=y", "CONFIG_STACKPROTECTOR_STRONG=y")
NO_PROTECTOR = ("CONFIG_STACKPROTECTOR=n",)
# What a processor needs besides the lines of its row of `arch`.
PROCESSORS = {"arm64": ("CONFIG_ARM64=y",), "arm": ("CONFIG_ARM=y", "CONFIG_CPU_V7=y")}
# The measured copies of dispatches.
DISPATCH = "security/lsmpmon/dispatch.o"
# A line of -fstack-usage: file:line:column:function, bytes, and how they are known.
FRAME = re.compile(r"^[^\t]*:lsmpmon_(call|dispatch|twin)_(?:security_)?(\w+)\t(\d+)\t", re.M)


def every_module() -> list[str]:
    """Return the options of all modules that a kernel can have at once."""
    return [module for module in toml.loads(matrix.TABLE.read_text())["modules"] if module not in TEST_MODULES]


def configuration(version: str, arch: str, monitor: bool, protector: bool, modules: Sequence[str] = MODULES) -> list[str]:
    """Return the lines of a configuration with some modules; the last says whether it has the monitor."""
    table = toml.loads(matrix.TABLE.read_text())
    own = [version] if (REPO / "kconfigs" / version).exists() else []
    lines = [line for name in table["fragments"] + own for line in fragment(name)]
    off = [f"CONFIG_{module}=n" for module in (*table["modules"], "KUNIT") if module not in modules]
    return [*lines, *table["arch"][arch], *PROCESSORS.get(arch, ()), *off, *(PROTECTOR if protector else NO_PROTECTOR),
            f"CONFIG_SECURITY_LSMPMON={'ny'[monitor]}"]


def added(version: str, arch: str, protector: bool = False) -> Mapping[str, int]:
    """Return the bytes of stack that a call takes while it is measured, by hook: a measured copy, and the function that
    chooses it, with the registers that they save. Without measuring, neither is called. A function of security.c that calls
    a hook in a loop of its own has a copy as well, and is in its place.

    A call has room for a callback of each module that the kernel has, so it has all of them.
    """
    with ours(version) as tree:
        objects, lines = Objects(tree, arch, "frames"), configuration(version, arch, True, protector, every_module())
        objects.configure(lines, lines[-1:])
        objects.compile([DISPATCH, OBJECT], "KCFLAGS=-fstack-usage")
        frames = [frame for name in (DISPATCH, OBJECT)
                  for frame in FRAME.findall((objects.folder / name).with_suffix(".su").read_text())]
    sizes = Counter({hook: int(size) for part, hook, size in frames if part == "call"})
    for part, hook, size in frames:
        if part == "dispatch" and hook in sizes:
            sizes[hook] += int(size)
    sizes |= {hook: int(size) for part, hook, size in frames if part == "twin"}
    if not sizes:
        raise Failed(f"{arch}: the compiler reports no frame of a measured dispatch")
    return sizes
