# SPDX-License-Identifier: GPL-2.0-only
"""A figure in a document, and its new value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """`start` and `end` are offsets in the document's text."""

    start: int
    end: int
    new: str

    def difference(self, name: str, text: str) -> list[str]:
        """Return the difference in one line; nothing if there is none."""
        old = text[self.start:self.end]
        line = text.count("\n", 0, self.start) + 1
        return [f"{name}:{line}: '{old.strip()}' should be '{self.new.strip()}'"] if old != self.new else []


def apply(text: str, edits: Iterable[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: -edit.start):
        text = text[:edit.start] + edit.new + text[edit.end:]
    return text
