# SPDX-License-Identifier: GPL-2.0-only
"""Output of a command quoted in a document, after a comment that names its file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lsmlab.publish.documents import Wrong
from lsmlab.publish.documents.claims import NUMBER
from lsmlab.publish.documents.edit import Edit
from lsmlab.publish.documents.values import Figures

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


def find(name: str, text: str) -> list[Quote]:
    """Return all quotes of a document."""
    quotes = []
    for mark in MARK.finditer(text):
        opening = OPENING.match(text, mark.end())
        begin = opening.end() if opening else mark.end()
        # Back to the beginning of the line, whose indentation is that of the block.
        begin = text.rfind("\n", 0, begin) + 1
        fenced, indented = FENCED.match(text, begin), INDENTED.match(text, begin)
        if fenced:
            span = fenced.span(1)
        elif indented:
            span = indented.span()
        else:
            raise Wrong(f"{name}: no block follows '{mark[0].strip()}'")
        quotes.append(Quote(mark[1] or mark[2], *span))
    return quotes


def _shape(line: str) -> str:
    """Return the line with its numbers replaced, to compare lines without them."""
    return " ".join(re.sub(NUMBER, "0", line).split())


def _lines(text: str, quote: Quote) -> Iterator[tuple[int, str]]:
    """Yield (offset, line) of each line of output."""
    offset = quote.start
    for line in text[quote.start:quote.end].splitlines(keepends=True):
        if not PASSED_OVER.match(line.strip()):
            yield offset, line.rstrip("\n")
        offset += len(line)


def _next(shapes: list[str], line: str, place: int) -> int | None:
    """Return the matching line of the file, from `place` on, or None."""
    try:
        return shapes.index(_shape(line), place)
    except ValueError:
        return None


def edits(name: str, text: str, quote: Quote, figures: Figures) -> list[Edit]:
    """Return the edits that make each line what the file has now."""
    kept = figures.lines(quote.file)
    shapes, quoted, place = [_shape(line) for line in kept], list(_lines(text, quote)), 0
    changes: list[Edit] = []
    indent = min((len(line) - len(line.lstrip()) for _, line in quoted), default=0)
    for offset, line in quoted:
        number = _next(shapes, line, place)
        if number is None:
            raise Wrong(f"{name}: {quote.file} has no line like '{line.strip()}' after the lines before it")
        changes.append(Edit(offset, offset + len(line), line[:indent] + kept[number]))
        place = number + 1
    return changes
