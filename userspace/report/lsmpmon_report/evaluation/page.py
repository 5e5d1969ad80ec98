# SPDX-License-Identifier: GPL-2.0-only
"""index.html and summary.json, from results."""

from __future__ import annotations

import functools
import json
import math
import os
import pathlib
import shutil
from collections.abc import Sequence
from urllib.parse import quote

import jinja2

from ..sweep import load_sweep
from . import answers, beyond, method, paper2010, paper2021, places, yours
from .blocks import Section
from .book import Book, Entry, unit
from .results import load_results

TEMPLATES = pathlib.Path(__file__).parent / "templates"


def sections(book: Book) -> list[Section]:
    """Renders the answers first, though they are known last."""
    parts = [] if book.results.yours_alone else [paper2010.section(book), paper2021.section(book), beyond.section(book)]
    body = [places.section(book), *parts, yours.section(book)]
    body += [method.statistics(book), method.method(book), places.boots(book)]
    return [answers.section(book), *(section for section in body if section)]


@functools.cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("report.html")


def render(book: Book) -> str:
    dates = sorted({str(result.state.get("date", "")) for result in book.results.cells} - {""})
    return _template().render(
        sections=sections(book),
        style=(TEMPLATES / "style.css").read_text(),
        kernel=book.results.main,
        kernels=sorted({result.kernel for result in book.results.cells}),
        boots=len(book.results.cells),
        quick=book.results.quick,
        dates=dates[:1] + (dates[-1:] if len(dates) > 1 else []),
    )


def summary(book: Book) -> dict:
    """All ratios. Members may be added without a new version."""
    return {
        "format": "lsmpmon-summary",
        "version": 1,
        "tables": {ident: _table(entry) for ident, entry in book.entries.items() if entry.found},
    }


def _table(entry: Entry) -> dict:
    ratios = []
    for (row, title), found in entry.found.items():
        column = entry.of(title)
        numbers = {
            key: _number(getattr(found, key)) for key in ("base", "value", "change", "low", "high", "delta", "p")
        }
        ratios.append(
            {
                "row": row,
                "column": title,
                **numbers,
                "p_holm": _number(found.corrected),
                "exact": found.exact,
                "noise": found.noise,
                "unit": unit(column.other),
                "runner": column.other.cell.get("runner"),
                "accel": column.other.cell.get("accel"),
                "base_file": f"{column.base.ident}.json",
                "file": f"{column.other.ident}.json",
            }
        )
    return {"ratios": ratios}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 9)


def write(results: pathlib.Path, out: pathlib.Path, *, copy: bool = False, slopes: Sequence[pathlib.Path] = ()) -> Book:
    """With `copy`, copies the raw files; otherwise the page links to them."""
    sweeps = [(f"{_address(path, out)}/about", load_sweep(path)) for path in slopes]
    book = Book(load_results(results, "results" if copy else _address(results, out)), sweeps)
    page = render(book)
    out.mkdir(parents=True, exist_ok=True)
    if copy:
        shutil.copytree(results, out / "results", dirs_exist_ok=True)
    (out / "index.html").write_text(page)
    (out / "summary.json").write_text(json.dumps(summary(book), indent=1, ensure_ascii=False) + "\n")
    return book


def _address(path: pathlib.Path, out: pathlib.Path) -> str:
    return quote(os.path.relpath(path.resolve(), out.resolve()))
