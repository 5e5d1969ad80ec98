# SPDX-License-Identifier: GPL-2.0-only
"""Code to look for, by its tokens.

`$NAME` stands for a word, the same one wherever it is repeated, and `$NAME...`
for the arguments of a call. Blanks, comments and line ends between tokens do
not matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

TOKEN = re.compile(r"\$(?P<name>\w+)(?P<many>\.\.\.)?|\w+|->|&&|[=!]=|\S")
GAP = r"(?:\s|\\\n)*"
CALLS = r"(?:[^(){};]|\((?:[^(){};]|\((?:[^(){};]|\([^(){};]*\))*\))*\))*?"
WORD, IS_WORD = r"\w+", re.compile(r"\$?\w+$")
NAME = re.compile(r"\$(\w+)")


def compiled(pattern: str, bound: Mapping[str, str] | None = None) -> re.Pattern[str]:
    """Compile a pattern; `bound` has the words that names stand for already."""
    bound = bound or {}
    parts: list[str] = []
    seen: set[str] = set()
    for token in TOKEN.finditer(pattern):
        name = token["name"]
        if not name:
            part = re.escape(token[0])
        elif name in bound:
            part = re.escape(bound[name])
        elif name in seen:
            part = f"(?P={name})"
        else:
            part = f"(?P<{name}>{CALLS if token['many'] else WORD})"
            seen.add(name)
        parts.append(rf"\b{part}\b" if IS_WORD.match(token[0]) else part)
    return re.compile(GAP.join(parts))


def lines(text: str) -> re.Pattern[str]:
    """Compile a pattern for whole lines, whatever blanks they have."""
    patterns = [r"[ \t]+".join(map(re.escape, line.split())) for line in text.splitlines()]
    return re.compile(r"\n".join(rf"[ \t]*{line}[ \t]*" for line in patterns).join(("^", "$")), re.M)


def filled(template: str, bound: Mapping[str, str]) -> str:
    """Return a template with words for its names."""
    return NAME.sub(lambda name: bound.get(name[1], name[0]), template)
