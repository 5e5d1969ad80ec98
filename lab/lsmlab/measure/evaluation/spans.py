# SPDX-License-Identifier: GPL-2.0-only
"""The instructions of one timed system call in the kernel, by address and by function, as guest/spans.c counted them."""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterable, Mapping

USER = "user space"
# Suffixes of the compiler for a function that it splits or copies.
SUFFIX = re.compile(r"\.(cold|constprop|isra|part)(\.\d+)?")


def spans(lines: Iterable[str]) -> dict[int, Counter[int]]:
    """Return {length of a span: {address: instructions}}. If several spans have a length, the last one is the timed call."""
    by_length: dict[int, Counter[int]] = {}
    current: Counter[int]
    for line in lines:
        first, second = line.split()
        if first == "span":
            current = by_length[int(second)] = Counter()
        else:
            current[int(first, 16)] += int(second)
    return by_length


class Symbols:
    """The names of functions by address, from the lines of a System.map."""

    def __init__(self, lines: Iterable[str]) -> None:
        rows = (line.split() for line in lines)
        self.rows = sorted((int(address, 16), SUFFIX.sub("", name)) for address, kind, name in rows if kind in "tTwW")
        self.addresses = [address for address, _ in self.rows]

    def name(self, address: int) -> str:
        if not address >> 63:
            return USER
        return self.rows[max(0, bisect.bisect_right(self.addresses, address) - 1)][1]

    def functions(self, span: Mapping[int, int]) -> dict[str, int]:
        """Return the instructions of each function, the most first."""
        totals: Counter[str] = Counter()
        for address, times in span.items():
            totals[self.name(address)] += times
        return dict(totals.most_common())
