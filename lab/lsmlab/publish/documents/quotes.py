# SPDX-License-Identifier: GPL-2.0-only
"""Output of a command quoted in a document, after a comment that names its file."""

import re
from dataclasses import dataclass

from lsmlab.publish.documents import Wrong
from lsmlab.publish.documents.claims import NUMBER
from lsmlab.publish.documents.edit import Edit

MARK = re.compile(r"^(?:<!-- figures: (\S+) -->|\.\. figures: (\S+))\n", re.M)
# Text allowed between the comment and the output.
OPENING = re.compile(r"(?:[ \t]*\n|::\n|\.\. code-block::.*\n)*")
FENCED = re.compile(r"```[^\n]*\n(.*?)^```", re.M | re.S)
INDENTED = re.compile(r"(?:[ \t]+\S[^\n]*\n|[ \t]*\n)+")
# A command, or a note that lines are left out.
PASSED_OVER = re.compile(r"\$ |\[.*\]$|\.\.\.$|$")


@dataclass(frozen=True)
class Quote:
    file: str
    start: int
    end: int


def find(name, text):
    """All quotes of a document."""
    found = []
    for mark in MARK.finditer(text):
        begin = OPENING.match(text, mark.end()).end()
        # Back to the beginning of the line, whose indentation is that of the block.
        begin = text.rfind("\n", 0, begin) + 1
        fenced, indented = FENCED.match(text, begin), INDENTED.match(text, begin)
        if not (fenced or indented):
            raise Wrong(f"{name}: no block follows '{mark[0].strip()}'")
        span = fenced.span(1) if fenced else indented.span()
        found.append(Quote(mark[1] or mark[2], *span))
    return found


def _shape(line):
    """The line with its numbers replaced, to compare lines without them."""
    return " ".join(re.sub(NUMBER, "0", line).split())


def _lines(text, quote):
    """(offset, line) of each line of output."""
    offset = quote.start
    for line in text[quote.start:quote.end].splitlines(keepends=True):
        if not PASSED_OVER.match(line.strip()):
            yield offset, line.rstrip("\n")
        offset += len(line)


def _next(shapes, line, place):
    """The matching line of the file, from `place` on."""
    try:
        return shapes.index(_shape(line), place)
    except ValueError:
        return None


def edits(name, text, quote, figures):
    """Each line as it is in the file now."""
    there = figures.lines(quote.file)
    shapes, quoted, place, found = [_shape(line) for line in there], list(_lines(text, quote)), 0, []
    indent = min((len(line) - len(line.lstrip()) for _, line in quoted), default=0)
    for offset, line in quoted:
        number = _next(shapes, line, place)
        if number is None:
            raise Wrong(f"{name}: {quote.file} has no line like '{line.strip()}' after the lines before it")
        found.append(Edit(offset, offset + len(line), line[:indent] + there[number]))
        place = number + 1
    return found
