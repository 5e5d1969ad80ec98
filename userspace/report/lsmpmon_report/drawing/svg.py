# SPDX-License-Identifier: GPL-2.0-only
"""Elements and files of SVG.

An element has its colour for a light page as an attribute, which every renderer knows. Its class names the colour, by which
a style that only dark pages use replaces it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from .looks import COLOURS, MARKERS, Look

NAMESPACE = "http://www.w3.org/2000/svg"
WIDTH = 880
SANS = 'system-ui, "Liberation Sans", "DejaVu Sans", sans-serif'
# Heights of text in pixels, and about how wide a character of the first one is.
SIZE, TICK, SMALL, HEAD = 12.5, 11.5, 10.5, 15
CHARACTER = 8.2
MARGIN = 16
PAINT = ("fill", "stroke")


@dataclass(frozen=True)
class Drawing:
    """Elements, and the room that they take in pixels."""

    height: float
    body: list[str]


def _written(name: str, value: str | float) -> str:
    return f" {name}={quoteattr(value if isinstance(value, str) else f'{value:g}')}"


def element(tag: str, content: str = "", /, **attributes: str | float) -> str:
    """Return an element. An attribute's `_` stands for `-`. Those of PAINT have the name of a colour, or "none"."""
    found = {name.replace("_", "-"): value for name, value in attributes.items()}
    names = {kind: str(found[kind]) for kind in PAINT if found.get(kind) in COLOURS}
    found |= {kind: COLOURS[name][0] for kind, name in names.items()}
    if names:
        found["class"] = " ".join(f"{kind}-{name}" for kind, name in names.items())
    written = "".join(_written(name, value) for name, value in found.items())
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def text(x: float, y: float, said: str, colour: str = "ink", anchor: str = "start", **attributes: str | float) -> str:
    """Return a line of text, whose baseline is at `y`."""
    return element("text", escape(said), fill=colour, x=x, y=y, text_anchor=anchor, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, colour: str, **attributes: str | float) -> str:
    return element("line", stroke=colour, x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def marker(x: float, y: float, look: Look, size: float = 4.5) -> str:
    """Return a shape, since not everyone can tell the colours apart."""
    fill, corners = "paper" if look.hollow else look.name, MARKERS[look.marker]
    if not corners:
        return element("circle", fill=fill, stroke=look.name, cx=x, cy=y, r=size)
    points = " ".join(f"{x + dx * size * 0.9:.1f},{y + dy * size * 0.9:.1f}" for dx, dy in corners)
    return element("polygon", fill=fill, stroke=look.name, points=points)


def tooltip(body: str, said: str) -> str:
    """Return elements that say more where the pointer rests on them."""
    return f"<g><title>{escape(said)}</title>{body}</g>"


def _dark() -> str:
    rules = (f".{kind}-{name} {{ {kind}: {dark} }}" for name, (_, dark) in COLOURS.items() for kind in PAINT)
    return "\n".join(["@media (prefers-color-scheme: dark) {", *rules, "}"])


def page(width: float, height: float, label: str, body: Iterable[str], *, style: str = "", **attributes: str | float) -> str:
    """Return a file. `label` is for those who do not see it."""
    said = f"<title>{escape(label)}</title>\n<style>{_dark()}\n{style}</style>"
    content = "\n".join(["", said, *body, ""])
    box = f"0 0 {width:g} {height:g}"
    return element("svg", content, xmlns=NAMESPACE, viewBox=box, width=width, height=height, role="img", **attributes) + "\n"


def _lines(said: str, size: float) -> list[str]:
    return textwrap.wrap(said, round((WIDTH - 2 * MARGIN) / (size * 0.54)), break_on_hyphens=False)


def document(drawing: Drawing, title: str, where: str) -> str:
    """Return a file with a title above and, below, `where` its figures are from: kernel, runner, unit."""
    head, foot = _lines(title, HEAD * 1.1), _lines(where, SMALL)
    top = 12 + 20 * len(head)
    bottom = top + drawing.height + 8
    height = bottom + 14 * len(foot) + 8
    return page(
        WIDTH,
        height,
        title,
        [
            element("rect", fill="paper", width="100%", height="100%"),
            *(text(MARGIN, 24 + 20 * at, said, font_size=HEAD, font_weight="bold") for at, said in enumerate(head)),
            element("g", "\n".join(drawing.body), transform=f"translate(0 {top:g})"),
            *(text(MARGIN, bottom + 10 + 14 * at, said, "soft", font_size=SMALL) for at, said in enumerate(foot)),
        ],
        font_family=SANS,
        font_size=SIZE,
    )


def below(drawings: dict[str, Drawing]) -> Drawing:
    """Return drawings one below the other, each with its name above."""
    body: list[str] = []
    height = 0.0
    for name, drawing in drawings.items():
        body += [text(MARGIN, height + 18, name, font_weight="bold")]
        body += [element("g", "\n".join(drawing.body), transform=f"translate(0 {height + 28:g})")]
        height += 28 + drawing.height
    return Drawing(height, body)
