# SPDX-License-Identifier: GPL-2.0-only
"""Checks of a picture for a renderer that knows no style, and for a reader who has only the picture."""

import re
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
# By shape, the attributes of which at least one has to have a colour.
SHAPES = {"rect": ("fill",), "circle": ("fill",), "polygon": ("fill",), "text": ("fill",), "line": ("stroke",), "polyline": ("stroke",)}
COLOUR = re.compile(r"#[0-9a-f]{6}")
SAYS = {
    "kernel": r"\bLinux \d+\.\d+",
    "runner": r"\b(runner|on) (uml|qemu|host|this machine)\b",
    "unit": r"\b(instructions|cycles|ns|µs)\b",
}


def colourless(text):
    """Return shapes without a colour of their own, and shapes of which a dark page has no other colour."""
    shapes = [each for each in xml.etree.ElementTree.fromstring(text).iter() if each.tag.removeprefix(SVG) in SHAPES]
    assert shapes
    found = []
    for shape in shapes:
        paints = [name for name in SHAPES[shape.tag.removeprefix(SVG)] if not COLOUR.fullmatch(shape.get(name, ""))]
        dark = [name for name in shape.get("class", "none").split() if f"\n.{name} {{" not in text]
        found += [f"{shape.tag.removeprefix(SVG)} {dict(shape.attrib)}"] if paints or dark else []
    return found


def unsaid(text):
    """Return what is not in the picture's own words."""
    words = " ".join("".join(each.itertext()) for each in xml.etree.ElementTree.fromstring(text).iter(f"{SVG}text"))
    return [name for name, pattern in SAYS.items() if not re.search(pattern, words)]
