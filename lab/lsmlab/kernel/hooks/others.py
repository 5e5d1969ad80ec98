# SPDX-License-Identifier: GPL-2.0-only
"""Calls in functions security_*() that are no hooks, and that Linux does not have there.

Vendors add calls of their own to these functions. They are part of the time and of the answer of security_*(), and not of
a hook, so nothing measures them unless the user wants it. Linux's own calls there are in known.txt: the names in
these functions of all kernels that are tested, which scripts/lab patches adds to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lsmlab.kernel.hooks import csource, sites

KNOWN = Path(__file__).with_name("known.txt")
# A call by name or through a pointer, but not of a hook's callbacks, which are sites.
CALL = re.compile(r"(?<!hook\.)(?<![\w.>])(?P<by>(?:\w+\s*(?:->|\.)\s*)*)(?P<name>[A-Za-z_]\w*)\s*\(")
WORDS = {"if", "while", "for", "switch", "return", "sizeof", "typeof", "__typeof__", "__attribute__", "else", "case", "do"}
# Functions of the framework; what the seam puts there; and modules, which sites.py knows.
FRAME = re.compile(r"(?:security|lsmpmon|LSMPMON)_\w+$")


@dataclass(frozen=True)
class Call:
    path: str
    line: int
    function: str
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.function}(): {self.name}()"


def _known() -> set[str]:
    """Return the names that Linux itself calls, from known.txt."""
    return {line for line in KNOWN.read_text().splitlines() if line and not line.startswith("#")}


def _of(region: csource.Region) -> Iterator[tuple[int, str]]:
    """Yield (position, name) of each call in a function that is neither a hook nor the framework's."""
    named = sites.marked(region)
    for match in CALL.finditer(region.text):
        by, name = "".join(match["by"].split()), match["name"]
        if name not in WORDS and not FRAME.match(name) and not by.endswith("hook.") \
                and not sites.BY_NAME.match(match[0]) and not any(match.start() in span for span in named):
            yield match.start("name"), f"{by}{name}"


def _all(read: Callable[[str], str], paths: Iterable[str]) -> Iterator[Call]:
    """Yield the calls in all functions security_*()."""
    for path in filter(sites.FRAMEWORK.match, paths):
        for region in csource.regions(read(path)):
            if region.kind == "function" and region.name.startswith("security_"):
                for at, name in _of(region):
                    yield Call(path, region.line + region.text.count("\n", 0, at), region.name, name)


def names(read: Callable[[str], str], paths: Iterable[str]) -> set[str]:
    """Return the names of all calls in functions security_*()."""
    return {call.name for call in _all(read, paths)}


def find(read: Callable[[str], str], paths: Iterable[str]) -> list[Call]:
    """Return the calls that Linux does not have."""
    linux = _known()
    return [call for call in _all(read, paths) if call.name not in linux]


def remember(new: set[str]) -> None:
    """Add to known.txt what a kernel of Linux itself calls there."""
    head = [line for line in KNOWN.read_text().splitlines() if line.startswith("#")] if KNOWN.exists() else []
    old = _known() if KNOWN.exists() else set()
    KNOWN.write_text("".join(f"{line}\n" for line in [*head, *sorted(old | new)]))


def counted(calls: list[Call]) -> str:
    """Return the end of a message about so many calls."""
    if not calls:
        return ""
    return f", and {len(calls)} call{'s that are no hooks' if len(calls) > 1 else ' that is no hook'}"
