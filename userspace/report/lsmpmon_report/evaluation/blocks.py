# SPDX-License-Identifier: GPL-2.0-only
"""The parts of a page. markdown.py says how each is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Union

from ..drawing.svg import Drawing

EMPTY = "–"
# From here on, a change is said as a factor.
FACTOR_FROM = 10
# The name of a row in a table, and its cells.
Row = tuple[str, list[str]]


@dataclass(frozen=True)
class Table:
    """A table with a name in each row. `where`: runner, accelerator, unit, flavour. `more`: a detail, which a reader opens."""

    ident: str
    caption: str
    where: str
    corner: str
    header: list[str]
    rows: list[Row]
    missing: list[str] = field(default_factory=list)
    more: bool = False


@dataclass(frozen=True)
class Figure:
    """`drawing` becomes the file IDENT.svg, with caption and `where` in it; without one, nothing is shown."""

    ident: str
    caption: str
    where: str
    drawing: Drawing | None


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    body: str


@dataclass(frozen=True)
class Points:
    body: Sequence[str]


@dataclass(frozen=True)
class Code:
    body: str


@dataclass(frozen=True)
class Heading:
    body: str


@dataclass(frozen=True)
class NotRun:
    """A remark in place of a part without results."""

    part: str
    what: str


Block = Union[Table, Figure, Text, Points, Code, Heading, NotRun]


@dataclass(frozen=True)
class Page:
    """One file, NAME.md."""

    name: str
    title: str
    blocks: list[Block]


def percent(value: float, digits: int = 1) -> str:
    """Return a percentage with its sign, a typographic minus and no line break before the %."""
    text = f"{100 * value:+.{digits}f}"
    return ("0" if float(text) == 0 else text.replace("-", "−")) + "\u00a0%"


def rise(change: float, digits: int = 1) -> str:
    """Return a change in percent, or how many times as much it is."""
    return percent(change, digits) if change < FACTOR_FROM else f"{1 + change:,.0f} times"


def part(value: float, digits: int = 0) -> str:
    """Return a share of a whole in percent, without a sign."""
    return percent(value, digits).lstrip("+")


def whole(value: float) -> str:
    return f"{value:,.0f}".replace("-", "−")


def more(value: float) -> str:
    """Return a difference with its sign."""
    return "0" if round(value) == 0 else f"{value:+,.0f}".replace("-", "−")


def published(text: object) -> str:
    """Return a figure of a paper, in italics."""
    return f"*{text}*"
