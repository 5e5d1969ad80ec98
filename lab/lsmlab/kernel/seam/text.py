# SPDX-License-Identifier: GPL-2.0-only
"""A file of the kernel while it is edited."""

import functools
import re
from fnmatch import fnmatch

from lsmlab.kernel.hooks import csource
from lsmlab.kernel.tree import Refused

TAB, WIDTH = 8, 100
STRUCT = re.compile(r"^struct (\w+)[ \t]*\{[ \t]*\n.*?^\}", re.M | re.S)


_clean = functools.lru_cache(4)(csource.clean)
_regions = functools.lru_cache(4)(csource.regions)


class Text:
    """Lines end with one character here, and in the bytes as they did."""

    def __init__(self, path, content):
        self.path = path
        self.ends = b"\r\n" if b"\r\n" in content else b"\n"
        if content.count(b"\n") != content.count(self.ends):
            raise Refused(f"{path}: lines end in two ways")
        self.text = content.replace(self.ends, b"\n").decode(errors="surrogateescape")

    @property
    def code(self):
        """With blanks for comments and strings."""
        return _clean(self.text)

    def bytes(self):
        return self.text.encode(errors="surrogateescape").replace(b"\n", self.ends)

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def where(self, at):
        return f"{self.path}:{self.line(at)}"

    def regions(self, kind, name):
        """Functions, macros or structures whose name fits."""
        if kind == "struct":
            found = [csource.Region(kind, m[1], m[0], self.line(m.start()), m.start())
                     for m in STRUCT.finditer(self.code)]
        else:
            found = _regions(self.text)
        return [region for region in found if region.kind == kind and fnmatch(region.name, name)]

    def edit(self, edits):
        """[(start, end, text)], none inside another."""
        text = self.text
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        self.text = text

    def indent(self, at):
        """The blanks before what stands there, or None if it is not the first of its line."""
        before = self.text[self.text.rfind("\n", 0, at) + 1:at]
        return before if not before.strip() else None

    def column(self, at):
        return len(self.text[self.text.rfind("\n", 0, at) + 1:at].expandtabs(TAB))

    def continues(self, at):
        """The line before this one, if it is one of a macro."""
        end = self.text.rfind("\n", 0, at)
        line = self.text[self.text.rfind("\n", 0, end) + 1:end]
        return line if line.endswith("\\") else None


def continued(line, like):
    """A line of a macro, with its backslash below that of another."""
    width, column = len(line.expandtabs(TAB)), len(like[:-1].expandtabs(TAB))
    if like[-2] != "\t":
        return f"{line}{' ' * max(1, column - width)}\\"
    return f"{line}{chr(9) * max(1, -(-(column - width) // TAB))}\\"


def laid_out(column, head, arguments):
    """A call that begins at a column, with breaks between arguments where they are necessary."""
    lines, line = [], head
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


def split(arguments):
    """The arguments of a call, each on one line."""
    found, depth, begin = [], 0, 0
    for at, letter in enumerate(arguments):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            found.append(arguments[begin:at])
            begin = at + 1
    found.append(arguments[begin:])
    return [" ".join(one.split()) for one in found if one.strip()]
