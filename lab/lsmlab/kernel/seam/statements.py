# SPDX-License-Identifier: GPL-2.0-only
"""The statements of a function, without looking into them."""

import re

# A type and a name, and no operator before them.
DECLARATION = re.compile(r"(?!return\b|goto\b|else\b)\w+(?:\s+\**\s*|\s*\*+\s*)\w+[\w\s*]*(?:\[[^]]*\]\s*)*[,;=]")
LABEL = re.compile(r"(?:^|[;{}])\s*(?!default\b)\w+\s*:")


def split(code, start, end):
    """(start, end) of each, between two positions of code without comments and directives."""
    found, depth, begin, at = [], 0, None, start
    while at < end:
        letter = code[at]
        if begin is None and not letter.isspace():
            begin = at
        depth += (letter in "({[") - (letter in ")}]")
        at += 1
        if depth or letter not in ";}" or begin is None:
            continue
        if not re.match(r"\s*(?:else\b|;)", code[at:end]) and not _is_do(code, begin, at, letter):
            found.append((begin, at))
            begin = None
    return found


def _is_do(code, begin, at, letter):
    """Whether what ends here is the body of a do, with its condition to come."""
    return letter == "}" and code[begin:begin + 2] == "do" and not code[begin + 2].isalnum()


def body(region):
    """Those of a function."""
    return split(region.text, 1, len(region.text) - 1)


def is_declaration(statement):
    return DECLARATION.match(statement) is not None
