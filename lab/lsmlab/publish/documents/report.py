# SPDX-License-Identifier: GPL-2.0-only
"""The pages of the evaluation, and summary.json, which has the data that they were written from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lsmlab.publish.documents.claims import NUMBER
from lsmlab.publish.documents.coverage import MEASURED

SUMMARY = "summary.json"
# A table of a page: its name, its caption, and its lines.
TABLE = re.compile(r'<a id="([^"]+)"></a>(?:.+\n)+\n((?:\|.*\n)+)')
# A bar between cells, not one in a cell.
BAR = re.compile(r"(?<!\\)\|")


def numbers(text: str) -> list[str]:
    return re.findall(NUMBER, text)


def tables(page: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the name of each table of a page, and the cells of each of its rows."""
    for ident, lines in TABLE.findall(page):
        yield ident, [[cell.strip() for cell in BAR.split(line.strip("|"))] for line in lines.splitlines()[2:]]


def _strange_rows(page: str, data: Any) -> list[str]:
    """Return each row whose numbers the summary does not have in a row of that table."""
    strange = []
    for ident, rows in tables(page):
        expected = [list(map(numbers, row)) for row in data["tables"].get(ident, {}).get("rows", [])]
        strange += [f"{ident}: {' | '.join(row)}" for row in rows if list(map(numbers, row)) not in expected]
    return strange


def _strange_words(page: str, data: Any) -> list[str]:
    """Return each number with a unit, outside of tables, that the summary has in no sentence and no caption."""
    prose = "\n".join(line for line in page.splitlines() if not line.startswith("|"))
    around = [text for table in data["tables"].values() for text in (table["caption"], table["where"], *table["missing"])]
    expected = measured("\n".join([*data["sentences"], *around]))
    return [word for word in measured(prose) if word not in expected]


def measured(text: str) -> list[str]:
    """Return the numbers with a unit, each once."""
    return list(dict.fromkeys(" ".join(match[0].split()) for match in MEASURED.finditer(text)))


def complaints(folder: Path) -> list[str]:
    """Return a line for each number of the pages in a folder that their summary does not have."""
    summary: Any = json.loads((folder / SUMMARY).read_text())
    lines: list[str] = []
    for path in sorted(folder.glob("*.md")):
        page, data = path.read_text(), summary["pages"].get(path.stem, {"tables": {}, "sentences": []})
        strange = _strange_rows(page, data) + _strange_words(page, data)
        lines += [f"{path.name}: '{text}' is not in {SUMMARY}" for text in strange]
    return lines
