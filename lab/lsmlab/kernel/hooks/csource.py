# SPDX-License-Identifier: GPL-2.0-only
"""Splits the kernel's C into macros and functions, without comments; each character stays where it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n]*\\\n)*[^\n]*)", re.M)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
CONTINUED = re.compile(r"\\\n")
CONDITION = (r"^[ \t]*#[ \t]*(?P<directive>if|ifdef|ifndef|elif|else|endif)\b"
             r"(?P<rest>(?:[^\n]*\\\n)*[^\n]*)")
BODY = re.compile(r"^\{[ \t]*\n.*?^\}", re.M | re.S)
NOT_BLANK = re.compile(r"[^\n]")


@dataclass
class Region:
    kind: str   # "macro" or "function"
    name: str
    text: str
    line: int   # where the text begins
    start: int  # the same, in the file
    head: str = ""  # of a function, what stands before its body


def _blank(match: re.Match[str]) -> str:
    """Return blanks of the same length and lines."""
    return NOT_BLANK.sub(" ", match[0])


def clean(text: str) -> str:
    """Return the text with blanks for comments and strings."""
    return COMMENT.sub(_blank, text)


def uncommented(text: str) -> str:
    """Return the text without comments, with strings."""
    return COMMENT.sub(lambda match: match[0] if match[0][0] == '"' else _blank(match), text)


def _step(stack: list[str], directive: str, rest: str) -> list[str]:
    """Return the conditions in force after a directive, innermost last."""
    rest = " ".join(CONTINUED.sub(" ", rest).split())
    if directive in ("elif", "else"):
        return [*stack[:-1], f"{directive} {rest}".strip() + f" of {stack[-1]}"]
    return stack[:-1] if directive == "endif" else [*stack, f"{directive} {rest}"]


def conditional(text: str, pattern: str) -> Iterator[tuple[re.Match[str], list[str]]]:
    """Yield (match of a pattern, the #if lines around it) in text without comments."""
    stack: list[str] = []
    for match in re.finditer(rf"{CONDITION}|{pattern}", text, re.M):
        if match["directive"]:
            stack = _step(stack, match["directive"], match["rest"])
        else:
            yield match, stack


def _head(before: str) -> str:
    """Return the head of the function that ends the text."""
    return re.split(r"[;}]|\n[ \t]*\n", before[-1000:].rstrip())[-1].strip()


def _name(head: str) -> str:
    """Return the name of the function that has this head."""
    match = re.search(r"(\w+)\s*\(", head)
    return match[1] if match else "?"


def regions(text: str) -> list[Region]:
    """Return the functions and macros of a file, in order."""
    text = clean(text)
    parsed = [Region("macro", m[1], m[2], text.count("\n", 0, m.start(2)) + 1, m.start(2))
              for m in DEFINE.finditer(text)]
    code = DIRECTIVE.sub(_blank, text)
    for match in BODY.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        head = _head(code[:match.start()])
        parsed.append(Region("function", _name(head), match[0], line, match.start(), head))
    return sorted(parsed, key=lambda region: region.line)
