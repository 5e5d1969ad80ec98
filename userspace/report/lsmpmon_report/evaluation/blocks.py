# SPDX-License-Identifier: GPL-2.0-only
"""The parts of a report's section. The template determines how each looks."""

from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup, escape


@dataclass(frozen=True)
class Cell:
    """One figure. `kind` is its look: number, published, noise, none, text. `heat` is 0 to 1, its background."""

    text: str | Markup
    href: str = ""
    title: str = ""
    kind: str = "number"
    heat: float = 0.0


EMPTY = Cell("–", kind="none", title="not there")


@dataclass(frozen=True)
class Table:
    """`groups` are (title, columns) above the header. `where` says runner, accelerator and unit."""

    ident: str
    caption: str
    where: str
    header: list[str | Markup]
    rows: list[tuple[str | Markup, list[Cell]]]
    groups: list[tuple[str, int]] = field(default_factory=list)
    corner: str = ""
    missing: list[str] = field(default_factory=list)
    template = "table"

    @property
    def texts(self) -> set[int]:
        """Columns of words, which are aligned left."""
        return {number for _, cells in self.rows for number, cell in enumerate(cells) if cell.kind == "text"}


@dataclass(frozen=True)
class Figure:
    ident: str
    caption: str
    where: str
    svg: Markup
    template = "figure"


@dataclass(frozen=True)
class Text:
    """A paragraph, which begins with `title` if there is one: "What differs, and why"."""

    body: str | Markup
    title: str = ""
    template = "text"


@dataclass(frozen=True)
class Points:
    body: list[str | Markup]
    template = "points"


@dataclass(frozen=True)
class Code:
    body: str
    template = "code"


@dataclass(frozen=True)
class Heading:
    ident: str
    body: str
    template = "heading"


@dataclass(frozen=True)
class NotRun:
    """Stands in for a part without results."""

    part: str
    what: str
    template = "notrun"


@dataclass(frozen=True)
class Section:
    ident: str
    title: str
    blocks: list


def link(text: str, href: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(href, text) if href else escape(text)


def join(parts: list[str | Markup], glue: str = ", ") -> Markup:
    return Markup(glue).join(parts)


def percent(value: float, digits: int = 1) -> str:
    """A percentage with its sign, a typographic minus and no line break before the %."""
    text = f"{100 * value:+.{digits}f}"
    return ("0" if float(text) == 0 else text.replace("-", "−")) + "\u00a0%"


def part(value: float, digits: int = 0) -> str:
    """A share of a whole, without a sign."""
    return percent(value, digits).lstrip("+")


def whole(value: float) -> str:
    return f"{value:,.0f}"


def heat(value: float, full: float) -> float:
    """From 0 to 1 at `full`; 0 for gains."""
    return round(max(0.0, min(1.0, value / full)), 3) if full > 0 else 0.0
