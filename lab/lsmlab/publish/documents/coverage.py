# SPDX-License-Identifier: GPL-2.0-only
"""Numbers in a document that look measured but belong to no claim or quote."""

from __future__ import annotations

import re
from collections.abc import Collection

from lsmlab.publish.documents.claims import NUMBER

UNITS = ("ns", "µs", "us", "ms", "cycles", "instructions", "[KMG]i?B", "bytes", "lines", "%", "×", "times as")
MEASURED = re.compile(rf"(?<![\w.=-]){NUMBER}\s?(?:{'|'.join(UNITS)})(?!\w)")


def _line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def uncovered(name: str, text: str, spans: Collection[tuple[int, int]]) -> list[str]:
    """Return a line for each number in no span. `spans`: (start, end) of text that comes from a file or that a source
    states.
    """
    return [
        f"{name}:{_line_of(text, match.start())}: '{' '.join(match[0].split())}' is in no file of Documentation/figures"
        for match in MEASURED.finditer(text)
        if not any(start <= match.start() < end for start, end in spans)
    ]
