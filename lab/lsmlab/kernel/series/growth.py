# SPDX-License-Identifier: GPL-2.0-only
"""The files of a patch before later ones make them grow, which is by items of the tables of numbered series.

An item is what one patch adds to a file of an earlier one:

    "name()"             a function, with its comment and its NOKPROBE_SYMBOL()
    "#define NAME"       a macro, with its comment
    "member STRUCT.NAME" a member of a structure, with the line of its documentation
    "section TITLE"      a section of a document, up to the next title
    "entry NAME"         the description of a file in a document of the ABI
    "paragraph LINE"     the lines around LINE up to the next empty ones
    ["FIRST", "LAST"]    lines from the one to the other; from the begin of a comment if FIRST is its title
    "LINE"               a line
    "word WORD"          a word between blanks, as an object in a list of a Makefile
    {now = ..., was = "TEXT"}   lines, as one of the two last, that were TEXT before
    {every = "LINE"}     a line that is there several times, or with was = "TEXT" was that everywhere

Of white space in a line, only the place counts, and indentation where an item has it. Each is in its file once, but for LAST.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Union

from lsmlab.kernel.tree import Refused

Item = Union[str, Sequence[str], Mapping[str, Any]]


def _indent(text: str) -> str:
    return text[:len(text) - len(text.lstrip())]


def _same(line: str, text: str) -> bool:
    """Compare a line; its indentation counts if the text that is looked for has one."""
    return line.split() == text.split() and (text == text.lstrip() or _indent(line) == _indent(text))


class _Lines:
    """The lines of a file, of which some are taken out."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.lines = text.splitlines()

    def refuse(self, what: str) -> Refused:
        return Refused(f"patches/{{1..5}}.toml: {self.path}: {what}")

    def find(self, text: str, begin: int = 0, several: bool = False) -> int:
        """Return the number of the line that has this text; the first from `begin` on where there may be several."""
        at = [n for n, line in enumerate(self.lines) if n >= begin and _same(line, text)]
        if not at or (len(at) > 1 and not several):
            raise self.refuse(f"{len(at)} lines are '{text}'")
        return at[0]

    def above(self, at: int) -> int:
        """Return the first line of the paragraph that a line is in."""
        while at and self.lines[at - 1].strip():
            at -= 1
        return at

    def below(self, at: int) -> int:
        """Return the line after the paragraph that a line is in."""
        while at < len(self.lines) and self.lines[at].strip():
            at += 1
        return at

    def comment(self, at: int) -> int:
        """Return where the comment begins that a line is in."""
        while not self.lines[at].lstrip().startswith("/*"):
            at -= 1
        return at

    def take(self, begin: int, end: int) -> None:
        """Take out lines, and an empty one if there would be two."""
        del self.lines[begin:end]
        previous = self.lines[begin - 1] if begin else ""
        following = self.lines[begin] if begin < len(self.lines) else ""
        if not following.strip() and (not previous.strip() or previous == "{") and begin < len(self.lines):
            del self.lines[begin]
        elif not previous.strip() and following.strip() == "}":
            del self.lines[begin - 1]


def _function(text: _Lines, name: str) -> tuple[int, int]:
    head = re.compile(rf"^(?![\t #/*]|NOKPROBE)(?:.*[\s*])?{name}\(")
    for at in [n for n, line in enumerate(text.lines) if head.match(line)]:
        body = next((n for n in range(at, len(text.lines)) if text.lines[n] == "{" or text.lines[n].endswith((";", " { }"))), at)
        if text.lines[body].endswith(";"):
            continue
        end = body + 1 if text.lines[body] != "{" else text.lines.index("}", body) + 1
        kprobe = text.lines[end + 1:end + 2] == [f"NOKPROBE_SYMBOL({name});"]
        return text.above(at), end + 2 * kprobe
    raise text.refuse(f"no function {name}()")


def _macro(text: _Lines, name: str) -> tuple[int, int]:
    at = [n for n, line in enumerate(text.lines) if re.match(rf"# *define {name}\b", line)]
    if len(at) != 1:
        raise text.refuse(f"{len(at)} macros are {name}")
    end = at[0]
    while text.lines[end].endswith("\\"):
        end += 1
    return text.comment(at[0] - 1) if text.lines[at[0] - 1].endswith("*/") else at[0], end + 1


def _section(text: _Lines, title: str) -> tuple[int, int]:
    """Find a section of a document in reStructuredText, up to the next title of any level."""
    begin = text.find(title)
    titles = (n for n in range(begin + 2, len(text.lines) - 1)
              if re.fullmatch(r"([=~-])\1{3,}", text.lines[n + 1]) and text.lines[n].strip())
    return begin, next(titles, len(text.lines))


def _entry(text: _Lines, name: str) -> tuple[int, int]:
    """Find the description of a file in a document of the ABI, up to the next one."""
    heads = [n for n, line in enumerate(text.lines) if line.startswith("What:")]
    begin = [n for n in heads if text.lines[n].endswith(f"/{name}")]
    if len(begin) != 1:
        raise text.refuse(f"{len(begin)} entries are of {name}")
    return begin[0], next((n for n in heads if n > begin[0]), len(text.lines))


def _member(text: _Lines, name: str) -> None:
    structure, _, member = name.rpartition(".")
    begin = [n for n, line in enumerate(text.lines) if re.match(rf" \* struct {structure} -", line)]
    if len(begin) != 1:
        raise text.refuse(f"{len(begin)} structures are documented as {structure}")
    end = text.lines.index("};", begin[0])
    documented = [n for n in range(begin[0], end) if text.lines[n].startswith(f" * @{member}:")]
    declared = [n for n in range(begin[0], end) if re.match(rf"\t.*[\s*]{member}\)?(\[.*)?;", text.lines[n])]
    if len(documented) != 1 or len(declared) != 1:
        raise text.refuse(f"{len(documented)} lines document {name}, and {len(declared)} declare it")
    del text.lines[declared[0]]
    last = documented[0] + 1
    while text.lines[last].startswith(" *\t"):
        last += 1
    del text.lines[documented[0]:last]


def _word(text: _Lines, word: str) -> None:
    """Take a word out of a line; where it was the last one there, take out the line, and continue the list no further."""
    pattern = re.compile(rf"(?<!\S){re.escape(word)}(?!\S)[ \t]?")
    at = [n for n, line in enumerate(text.lines) if pattern.search(line)]
    if len(at) != 1:
        raise text.refuse(f"{len(at)} lines have the word {word}")
    rest = pattern.sub("", text.lines[at[0]], count=1).rstrip()
    if rest.strip(" \t\\"):
        text.lines[at[0]] = rest
        return
    del text.lines[at[0]]
    if not rest.endswith("\\"):
        text.lines[at[0] - 1] = text.lines[at[0] - 1].rstrip(" \t\\")


def _place(text: _Lines, item: str | Sequence[str]) -> tuple[int, int]:
    """Return the first of the lines that an item names, and the line after the last."""
    if not isinstance(item, str):
        first = text.find(item[0])
        if re.match(r" \* \w+ - ", item[0]):
            first = text.comment(first)
        return first, text.find(item[1], first, several=True) + 1
    if re.fullmatch(r"\w+\(\)", item):
        return _function(text, item[:-2])
    if re.fullmatch(r"#define \w+", item):
        return _macro(text, item[8:])
    if item.startswith("section "):
        return _section(text, item[8:])
    if item.startswith("entry "):
        return _entry(text, item[6:])
    if item.startswith("paragraph "):
        at = text.find(item[10:])
        return text.above(at), text.below(at)
    at = text.find(item)
    return at, at + 1


def _undo(text: _Lines, item: Item) -> None:
    """Make a file what it was before an item."""
    if isinstance(item, Mapping) and "every" in item:
        text.find(item["every"], several=True)
        was = item["was"].strip("\n").splitlines() if "was" in item else []
        text.lines = [new for line in text.lines for new in (was if _same(line, item["every"]) else [line])]
    elif isinstance(item, Mapping):
        begin, end = _place(text, item["now"])
        text.lines[begin:end] = item["was"].strip("\n").splitlines()
    elif isinstance(item, str) and item.startswith("member "):
        _member(text, item[7:])
    elif isinstance(item, str) and item.startswith("word "):
        _word(text, item[5:])
    else:
        text.take(*_place(text, item))


def before(path: str, text: str, items: Sequence[Item]) -> str:
    """Return a file's text without what it grows by."""
    lines = _Lines(path, text)
    for item in items:
        _undo(lines, item)
    return "\n".join(lines.lines).rstrip("\n") + "\n"
