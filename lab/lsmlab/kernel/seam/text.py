# SPDX-License-Identifier: GPL-2.0-only
"""A file of the kernel while it is edited."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from fnmatch import fnmatch

from lsmlab.kernel.hooks import csource
from lsmlab.kernel.tree import Refused

TAB, WIDTH = 8, 100
STRUCT = re.compile(r"^struct (\w+)[ \t]*\{[ \t]*\n.*?^\}", re.M | re.S)
# Start, end and the new text of what stands between them.
Edit = tuple[int, int, str]

_clean = functools.lru_cache(4)(csource.clean)
_regions = functools.lru_cache(4)(csource.regions)


class Text:
    """The text of a file. Lines end with one character here, and in the bytes as they did."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.ends = b"\r\n" if b"\r\n" in content else b"\n"
        if content.count(b"\n") != content.count(self.ends):
            raise Refused(f"{path}: lines end in two ways")
        self.text = content.replace(self.ends, b"\n").decode(errors="surrogateescape")

    @property
    def code(self) -> str:
        """Return the text with blanks for comments and strings."""
        return _clean(self.text)

    def content(self) -> bytes:
        return self.text.encode(errors="surrogateescape").replace(b"\n", self.ends)

    def line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1

    def where(self, at: int) -> str:
        return f"{self.path}:{self.line(at)}"

    def regions(self, kind: str, name: str) -> list[csource.Region]:
        """Return the functions, macros or structures whose names fit."""
        if kind == "struct":
            regions = [csource.Region(kind, m[1], m[0], self.line(m.start()), m.start())
                       for m in STRUCT.finditer(self.code)]
        else:
            regions = _regions(self.text)
        return [region for region in regions if region.kind == kind and fnmatch(region.name, name)]

    def edit(self, edits: Iterable[Edit]) -> None:
        """Make edits, none of them inside another."""
        text = self.text
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        self.text = text

    def indent(self, at: int) -> str | None:
        """Return the blanks before a position, or None if it is not the first of its line."""
        before = self.text[self.text.rfind("\n", 0, at) + 1:at]
        return before if not before.strip() else None

    def column(self, at: int) -> int:
        return len(self.text[self.text.rfind("\n", 0, at) + 1:at].expandtabs(TAB))

    def continues(self, at: int) -> str | None:
        """Return the line before this one if it is one of a macro, or None."""
        end = self.text.rfind("\n", 0, at)
        line = self.text[self.text.rfind("\n", 0, end) + 1:end]
        return line if line.endswith("\\") else None


def continued(line: str, like: str) -> str:
    """Return a line of a macro, with its backslash below that of another."""
    width, column = len(line.expandtabs(TAB)), len(like[:-1].expandtabs(TAB))
    if like[-2] != "\t":
        return f"{line}{' ' * max(1, column - width)}\\"
    return f"{line}{chr(9) * max(1, -(-(column - width) // TAB))}\\"


def laid_out(column: int, head: str, arguments: list[str]) -> str:
    """Return a call that begins at a column, with breaks between arguments where they are necessary."""
    lines: list[str] = []
    line = head
    inner = column + len(head)
    blanks = "\t" * (inner // TAB) + " " * (inner % TAB)
    at = inner
    for number, argument in enumerate(arguments):
        more = argument + ("," if number < len(arguments) - 1 else ");")
        if number and at + 1 + len(more) > WIDTH:
            lines.append(line)
            line, at = blanks + more, inner + len(more)
        else:
            line += f"{' ' if number else ''}{more}"
            at += len(more) + bool(number)
    return "\n".join([*lines, line])[:-1]


def split(arguments: str) -> list[str]:
    """Return the arguments of a call, each on one line."""
    parts: list[str] = []
    depth, begin = 0, 0
    for at, letter in enumerate(arguments):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append(arguments[begin:at])
            begin = at + 1
    parts.append(arguments[begin:])
    return [" ".join(one.split()) for one in parts if one.strip()]
