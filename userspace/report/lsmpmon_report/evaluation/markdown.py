# SPDX-License-Identifier: GPL-2.0-only
"""Pages as Markdown, as a repository browser shows it, and their plots as files beside them."""

from __future__ import annotations

import os
import pathlib
import re
import textwrap
from collections.abc import Iterable

from ..drawing.svg import document
from .blocks import Block, Code, Figure, Heading, NotRun, Page, Points, Table, Text

WIDTH = 120
# The sources, in which blocks name documents as [text](Documentation/NAME.md).
SOURCES = pathlib.Path(__file__).resolve().parents[4]
DOCUMENT = re.compile(r"\[([^\]]*)\]\((Documentation/[^)]+)\)")


def linked(text: str, out: pathlib.Path) -> str:
    """Return the text with links to documents as a page in `out` reaches them; without the sources, only their names."""

    def link(match: re.Match[str]) -> str:
        target = SOURCES / match[2]
        return f"[{match[1]}]({os.path.relpath(target, out.resolve())})" if target.is_file() else match[1]

    return DOCUMENT.sub(link, text)


def render(page: Page) -> str:
    return "\n\n".join([f"# {page.title}", *(written for block in page.blocks if (written := _block(block)))]) + "\n"


def figures(page: Page) -> dict[str, str]:
    """Return the pictures of a page by file name."""
    found = (block for block in page.blocks if isinstance(block, Figure))
    return {f"{each.ident}.svg": document(each.drawing, each.caption, each.where) for each in found if each.drawing}


def _block(block: Block) -> str:
    if isinstance(block, Text):
        return _wrap(block.body)
    if isinstance(block, Points):
        return "\n".join(_wrap(f"* {text}", "  ") for text in block.body)
    if isinstance(block, Code):
        return f"```sh\n{block.body}\n```"
    if isinstance(block, Heading):
        return f"## {block.body}"
    if isinstance(block, NotRun):
        return _wrap(f"**Not run:** part `{block.part}` has no results for this: {block.what}.")
    return _figure(block) if isinstance(block, Figure) else _table(block)


def _escape(text: str) -> str:
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _wrap(text: str, indent: str = "") -> str:
    return textwrap.fill(_escape(text), WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _caption(caption: str, where: str) -> str:
    return _wrap(f"**{caption}.**" + (f" {where}." if where else ""))


def _figure(block: Figure) -> str:
    if not block.drawing:
        return ""
    picture = f"{block.ident}.svg"
    return f"{_caption(block.caption, block.where)}\n\n[![{_escape(block.caption)}]({picture})]({picture})"


def _cell(text: str) -> str:
    return _escape(re.sub(r"[ \n]+", " ", text)).replace("|", "\\|")


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _numbers(cells: Iterable[str]) -> bool:
    """Return whether a column is aligned right."""
    return all(re.match(r"[*+−~<]?[\d(]|–|N/A|left out|exact|not ", cell) for cell in cells)


def _table(block: Table) -> str:
    """Return a table; where it has no rows, only what is missing."""
    lines = [f'<a id="{block.ident}"></a>' + _caption(block.caption, block.where), ""]
    columns = list(zip(*(cells for _, cells in block.rows)))
    marks = ["---:" if _numbers(cells) else "---" for cells in columns]
    lines += [_row([block.corner, *block.header]), f"| --- | {' | '.join(marks)} |"]
    lines += [_row([name, *cells]) for name, cells in block.rows]
    if block.more:
        lines = ["<details>", f"<summary>{_escape(block.caption)}</summary>", "", *lines, "", "</details>"]
    if block.missing:
        lines += ["", _wrap(f"**Not run:** {', '.join(block.missing)}.")]
    return "\n".join(lines)
