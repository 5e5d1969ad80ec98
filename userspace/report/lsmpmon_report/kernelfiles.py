# SPDX-License-Identifier: GPL-2.0-only
"""The one parser of the files of lsmmon/: tables with a header line, and `key: value` lines; errors name the file."""

from __future__ import annotations

import json
import pathlib


class FormatError(Exception):
    """A malformed file; the text names the file, the line and what was expected."""


def read(path: pathlib.Path, **options: str) -> str:
    """The text of a file; `options` are those of read_text()."""
    try:
        return path.read_text(**options)
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}") from error


def read_json(path: pathlib.Path) -> dict:
    try:
        return json.loads(read(path))
    except ValueError as error:
        raise FormatError(f"{path}: not JSON: {error}") from error


def _value(word: str) -> int | str:
    return int(word) if word.isascii() and word.lstrip("-").isdigit() else word


def parse_table(text: str, *, name: str = "table", needs: tuple[str, ...] = ()) -> list[dict[str, int | str]]:
    """One dict per line, by the header's column names.

    A line may end early: what was never measured has no values. The columns in `needs` must be in the header;
    other columns are returned as well.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise FormatError(f"{name}: empty; its first line should name the columns")
    columns = lines[0].split()
    missing = [column for column in needs if column not in columns]
    if missing:
        raise FormatError(f"{name}: header '{lines[0].strip()}' has no column {', '.join(missing)}")
    return [_row(columns, line, f"{name}:{number}") for number, line in enumerate(lines[1:], 2)]


def _row(columns: list[str], line: str, where: str) -> dict[str, int | str]:
    words = line.split()
    if len(words) > len(columns):
        raise FormatError(f"{where}: {len(words)} values for {len(columns)} columns: '{line.strip()}'")
    return {column: _value(word) for column, word in zip(columns, words)}


def parse_info(text: str, *, name: str = "info") -> dict[str, str]:
    """The `key: value` lines; values as they stand."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        key, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise FormatError(f"{name}:{number}: '{line.strip()}' is not 'key: value'")
        if line.strip():
            found[key.strip()] = value.strip()
    return found
