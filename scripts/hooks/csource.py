# SPDX-License-Identifier: GPL-2.0-only
"""C as the kernel writes it, in macros and functions, without comments."""

import re
from dataclasses import dataclass

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n]*\\\n)*[^\n]*)", re.M)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
BODY = re.compile(r"^\{\n.*?^\}", re.M | re.S)


@dataclass
class Region:
    kind: str   # "macro" or "function"
    name: str
    text: str
    line: int   # where the text begins


def _blank(match):
    """Nothing is left of it but its lines."""
    return "\n" * match[0].count("\n") or " "


def clean(text):
    return COMMENT.sub(_blank, text)


def _name(before):
    """Of the function whose head ends a text."""
    head = re.split(r"[;}]|\n\n", before[-1000:].rstrip())[-1]
    match = re.search(r"(\w+)\s*\(", head)
    return match[1] if match else "?"


def regions(text):
    """Whatever of a file can run, in order."""
    text = clean(text)
    found = [Region("macro", m[1], m[2], text.count("\n", 0, m.start(2)) + 1)
             for m in DEFINE.finditer(text)]
    code = DIRECTIVE.sub(_blank, text)
    for match in BODY.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        found.append(Region("function", _name(code[:match.start()]), match[0], line))
    return sorted(found, key=lambda region: region.line)
