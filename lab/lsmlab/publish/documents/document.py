# SPDX-License-Identifier: GPL-2.0-only
"""A document and the figures in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsmlab import toml
from lsmlab.places import REPO
from lsmlab.publish.documents import Wrong, claims, coverage, quotes
from lsmlab.publish.documents.edit import Edit, apply
from lsmlab.publish.documents.values import Figures


class Document:
    """A document.

    `said` is its section of claims.toml: claims, numbers that a source states, or a mark that all its numbers come from
    one session.
    """

    def __init__(self, name: str, text: str, section: toml.Table) -> None:
        self.name, self.text, self.section = name, text, section

    def edits(self, figures: Figures) -> list[Edit]:
        edits = [edit for claim in self.section.get("claims", ())
                 for edit in claims.edits(self.name, self.text, claim, figures)]
        return edits + [edit for quote in quotes.find(self.name, self.text)
                        for edit in quotes.edits(self.name, self.text, quote, figures)]

    def _spans(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of text that are accounted for."""
        for claim in self.section.get("claims", ()):
            yield claims.find(self.name, self.text, claim).span()
        for quote in quotes.find(self.name, self.text):
            yield quote.start, quote.end
        for stated in self.section.get("stated", ()):
            yield from self._stated(stated["text"], stated["source"], stated["says"])

    def _stated(self, text: str, source: str, says: str) -> list[tuple[int, int]]:
        """Return where a number stands whose source still has it."""
        matches = list(re.finditer(claims.literal(text), self.text))
        if not matches:
            raise Wrong(f"{self.name}: the stated number '{text}' is not in the document")
        if not re.search(rf"{claims.literal(says)}(?!\w)", (REPO / source).read_text()):
            raise Wrong(f"{self.name}: {source} no longer says '{says}': is '{text}' still right?")
        return [match.span() for match in matches]

    def differences(self, figures: Figures) -> list[str]:
        """Return one line for each number that differs from the file."""
        return [line for edit in self.edits(figures) for line in edit.difference(self.name, self.text)]

    def complaints(self, figures: Figures) -> list[str]:
        """Return the differences, and one line for each number that no file has."""
        differences = self.differences(figures)
        if "session" in self.section:
            return differences
        return differences + coverage.uncovered(self.name, self.text, list(self._spans()))

    def renewed(self, figures: Figures) -> str:
        return apply(self.text, self.edits(figures))
