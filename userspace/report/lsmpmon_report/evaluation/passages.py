# SPDX-License-Identifier: GPL-2.0-only
"""Sentences of the pages: data, written out by the macros in templates/PAGE.jinja."""

from __future__ import annotations

import dataclasses
import pathlib
import re

import jinja2

from . import blocks, intervals, titles

TEMPLATES = pathlib.Path(__file__).parent / "templates"
ENVIRONMENT = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), undefined=jinja2.StrictUndefined)
FILTERS = (blocks.more, blocks.part, blocks.percent, blocks.rise, blocks.whole, intervals.few, intervals.few_more,
           intervals.printed, intervals.printed_more, titles.listed, titles.title)
ENVIRONMENT.filters |= {write.__name__: write for write in FILTERS}
# Lines of a template may end anywhere. A space that must not become the end of a line is of another kind, and stays.
SPACES = re.compile(r"[ \n]+")
DIGITS = 9


class Passage(str):
    """A text, with the name of the macro that wrote it and the data that it was written from."""

    name: str
    data: dict[str, object]


def passage(name: str, /, **data: object) -> Passage:
    """Write PAGE.MACRO from data: numbers, names, lists and objects of these, and other passages. The macro takes exactly
    these names; one too many or too few is an error.
    """
    page, _, macro = name.partition(".")
    text = getattr(ENVIRONMENT.get_template(f"{page}.jinja").module, macro)(**data)
    written = Passage(SPACES.sub(" ", text).strip(" \n"))
    written.name, written.data = name, data
    return written


def plain(data: object) -> object:
    """Return data as JSON has them. A passage in them is what it was written from."""
    if isinstance(data, Passage):
        return {"passage": data.name, "data": plain(data.data)}
    if dataclasses.is_dataclass(data):
        return plain(vars(data))
    if isinstance(data, dict):
        return {str(name): plain(each) for name, each in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain(each) for each in data]
    return round(data, DIGITS) if isinstance(data, float) else data
