# SPDX-License-Identifier: GPL-2.0-only
"""The statements of a function, without looking into them."""

from __future__ import annotations

import re

from lsmlab.kernel.hooks.csource import Region

# A type and a name, and no operator before them.
DECLARATION = re.compile(r"(?!return\b|goto\b|else\b)\w+(?:\s+\**\s*|\s*\*+\s*)\w+[\w\s*]*(?:\[[^]]*\]\s*)*[,;=]")
LABEL = re.compile(r"(?:^|[;{}])\s*(?!default\b)\w+\s*:")


def split(code: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return (start, end) of each statement between two positions of code without comments and directives."""
    statements: list[tuple[int, int]] = []
    begin: int | None = None
    depth, at = 0, start
    while at < end:
        letter = code[at]
        if begin is None and not letter.isspace():
            begin = at
        depth += (letter in "({[") - (letter in ")}]")
        at += 1
        if depth or letter not in ";}" or begin is None:
            continue
        if not re.match(r"\s*(?:else\b|;)", code[at:end]) and not _is_do(code, begin, at, letter):
            statements.append((begin, at))
            begin = None
    return statements


def _is_do(code: str, begin: int, at: int, letter: str) -> bool:
    """Say whether the body of a do ends here, with its condition to come."""
    return letter == "}" and code[begin:begin + 2] == "do" and not code[begin + 2].isalnum()


def body(region: Region) -> list[tuple[int, int]]:
    """Return the statements of a function."""
    return split(region.text, 1, len(region.text) - 1)


def is_declaration(statement: str) -> bool:
    return DECLARATION.match(statement) is not None
