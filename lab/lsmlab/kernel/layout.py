# SPDX-License-Identifier: GPL-2.0-only
"""A linker script that puts what objects have in another order, and at other places in cache lines.

Where code and data are moves times, by what shares a set of a cache, a line of it or an entry of the branch predictor.
Instructions stay the same. The order of initcalls, and of all tables that the kernel walks, is kept: these have sections
of their own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

# The sections that have code and data without a meaning of their order, as the first name in a line of the script.
SHUFFLED = (".text", ".sched.text", ".spinlock.text", ".rodata", ".data", ".data..ro_after_init", ".bss")
CODE = ".text"
# Bytes to which the compiler aligns functions, and those of a cache line.
STEP, LINE = 16, 64
# Of the first name, *( .NAME other names ).
STATEMENT = re.compile(rf"\*\(({'|'.join(map(re.escape, SHUFFLED))})( [^()]*)?\)")


class BadScript(ValueError):
    """A linker script without the code of objects."""


def shuffled(script: str, archives: Sequence[tuple[str, Sequence[str]]], seed: int) -> str:
    """Return the script for one layout, of which the seed is the whole variation.

    `archives` has the members of each archive that is linked. What is in no archive comes last, as it was.
    """
    members = [f"{archive}:{member}" for archive, names in archives for member in names]
    numbers = random.Random(seed)
    found = set()

    def expand(match: re.Match[str]) -> str:
        found.add(match[1])
        # random() is the same in each version of Python.
        drawn = sorted((numbers.random(), member) for member in members)
        lines = [f"{member}({match[1]}{match[2] or ''}) . += {_padding(numbers)};" for _, member in drawn]
        return "\n".join(["", *lines, match[0]])

    text = STATEMENT.sub(expand, script)
    if CODE not in found:
        raise BadScript(f"no '*({CODE} ...)' in it")
    return text


def _padding(numbers: random.Random) -> int:
    return int(numbers.random() * (LINE // STEP)) * STEP
