# SPDX-License-Identifier: GPL-2.0-only
"""A document, and all that it says of figures."""

from documents import Wrong, claims, coverage, quotes
from documents.edit import apply


class Document:
    """`said` is its part of claims.toml: claims, numbers that are given and not measured, or that all of
    it tells of one session.
    """

    def __init__(self, name, text, said):
        self.name, self.text, self.said = name, text, said

    def edits(self, figures):
        found = [edit for claim in self.said.get("claims", ())
                 for edit in claims.edits(self.name, self.text, claim, figures)]
        return found + [edit for quote in quotes.find(self.name, self.text)
                        for edit in quotes.edits(self.name, self.text, quote, figures)]

    def _spans(self):
        """What is accounted for."""
        for claim in self.said.get("claims", ()):
            yield claims.find(self.name, self.text, claim).span()
        for quote in quotes.find(self.name, self.text):
            yield quote.start, quote.end
        for given in self.said.get("given", ()):
            found = list(claims.pattern(given["text"]).finditer(self.text))
            if not found:
                raise Wrong(f"{self.name}: '{given['text']}', which is given, is not there any more")
            yield from (match.span() for match in found)

    def differences(self, figures):
        """One line for each number that is not what the file has."""
        return [line for edit in self.edits(figures) for line in edit.difference(self.name, self.text)]

    def complaints(self, figures):
        """These, and one line for each number that no file has."""
        differences = self.differences(figures)
        if "session" in self.said:
            return differences
        return differences + coverage.uncovered(self.name, self.text, list(self._spans()))

    def renewed(self, figures):
        return apply(self.text, self.edits(figures))
