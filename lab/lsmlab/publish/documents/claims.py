# SPDX-License-Identifier: GPL-2.0-only
"""Sentences with places for values: `costs {overhead/off_per_hook:.2f} instructions`."""

from __future__ import annotations

import re

from lsmlab.publish.documents import Wrong
from lsmlab.publish.documents.edit import Edit
from lsmlab.publish.documents.values import Figures

# A path to a value, optionally with a unit of bytes and a format.
PLACE = re.compile(r"\{([^{}:]+)(?::([^{}]*))?\}")
BYTES = {"KiB": 1 << 10, "MiB": 1 << 20, "kB": 10**3, "MB": 10**6}
NUMBER = r"[+−-]?\d(?:[\d,]*\d)?(?:\.\d+)?"


def literal(text: str) -> str:
    """Return a pattern that matches any white space for a blank, since the sentence may be wrapped."""
    return re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(text))


def _parts(claim: str) -> tuple[list[str], list[str], list[str | None]]:
    """Return the literals, with the paths and formats of values between them."""
    split = PLACE.split(claim)
    return split[::3], split[1::3], split[2::3]


def pattern(claim: str) -> re.Pattern[str]:
    literals, _, _ = _parts(claim)
    return re.compile(rf"({NUMBER})".join(literal(text) for text in literals))


def _shown(value: float | str, form: str | None) -> str:
    return format(value, form if form is not None else ",")


def _value(figures: Figures, way: str) -> float | str:
    way, _, unit = way.partition("|")
    value: float | str = figures.value(way) / BYTES[unit] if unit else figures.value(way)
    return value


def find(name: str, text: str, claim: str) -> re.Match[str]:
    """Return the only place in the document that matches."""
    matches = list(pattern(claim).finditer(text))
    if len(matches) != 1:
        raise Wrong(f"{name}: {len(matches)} places read as the claim '{claim}'; it should be one")
    return matches[0]


def edits(name: str, text: str, claim: str, figures: Figures) -> list[Edit]:
    """Return the edits that put the values into the claim's places."""
    _, ways, forms = _parts(claim)
    if not ways:
        raise Wrong(f"{name}: the claim '{claim}' has no value in it")
    match = find(name, text, claim)
    values = [_shown(_value(figures, way), form) for way, form in zip(ways, forms)]
    return [Edit(*match.span(number), value) for number, value in enumerate(values, start=1)]
