# SPDX-License-Identifier: GPL-2.0-only
"""This is the one parser in Python of the files of lsmmon/: tables with a header line, and lines with a key.

A name stays as the kernel shows it, with a backslash and three octal digits for a blank, a backslash and what cannot be
printed. So it is one word, and no command or cgroup is shown as "-" or "other", which the kernel says itself.
"""

from __future__ import annotations

import json
import pathlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from operator import itemgetter
from typing import Any

# Columns of names. One that is all digits, as a command may be called, is not a number.
NAMES = frozenset(("benchmark", "cgroup", "comm", "errno", "error", "hook", "kind", "module", "modules", "object", "objects",
                   "outer", "syscall", "tid", "verdict"))

# Columns of disturbed calls. A table has all of them, or is of an older lsmpmon, which has no time of calls with a context
# switch inside.
DISTURBED = ("irq_time", "cs_sum", "cs_own", "cs_max", "slept", "preempted", "unknown")

# By the header's column names: numbers, and names as text.
Row = dict[str, Any]


class FormatError(Exception):
    """A file is malformed: the text names the file, the line and what was expected."""


class Info(dict[str, str]):
    """These are the values of a file by their keys, as they stand. Errors name the file, which is `name`."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def number(self, key: str, default: str | None = None) -> int:
        value = self.get(key, default)
        if value is None or not _is_number(value):
            raise FormatError(f"{self.name}: '{key}: {value}' should be a number")
        return int(value)

    def ns(self, ticks: float) -> float:
        return ticks * 1e6 / self.number("clock_khz")


def read(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}") from error


def read_json(path: pathlib.Path) -> Any:   # of the types that the format of the file has
    try:
        return json.loads(read(path))
    except ValueError as error:
        raise FormatError(f"{path}: not JSON: {error}") from error


def _table_text(columns: dict[str, list[Any]]) -> str:
    """Return a table as the kernel writes it, from its columns in a record. A line ends with its last value."""
    lines = [list(columns), *([cell for cell in row if cell is not None] for row in zip(*columns.values()))]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def _keys_text(name: str, values: dict[str, Any]) -> str:
    between = ": " if name == "info" else " "
    return "".join(f"{key}{between}{value}\n" for key, value in values.items())


def files_of(run: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of lsmmon/ after a run of a record as text, also of a record that has them as data."""
    return {**{name: _table_text(columns) for name, columns in run.get("tables", {}).items()},
            **{name: _keys_text(name, values) for name, values in run.get("keys", {}).items()}, **run["files"]}


def record_of(content: Any) -> Any:
    """Return a record whose runs have all files as text, from what `lsmpmon record` of any version wrote."""
    return {**content, "runs": [{**run, "files": files_of(run)} for run in content["runs"]]}


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _lines(text: str) -> list[tuple[int, str]]:
    """Return the lines that are not blank, with their numbers."""
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _names(columns: list[str]) -> frozenset[str]:
    """Return which columns are of names. A process is a number in `slowest`; with threads, it may be "-" or "other"."""
    return NAMES | {"pid"} if "tid" in columns else NAMES


def parse_table(text: str, *, name: str = "table", needs: tuple[str, ...] = ()) -> list[Row]:
    """Return one row per line, by the header's column names.

    A line may end early: what was never measured has no values. The columns in `needs` must be in the header, and have
    numbers unless they are of names; other columns are returned as well, whatever they have.
    """
    if not text.strip():
        raise FormatError(f"{name}: empty; its first line should name the columns")
    (_, header), *lines = _lines(text)
    columns = header.split()
    missing = [column for column in needs if column not in columns]
    if missing:
        raise FormatError(f"{name}: header '{header.strip()}' has no column {', '.join(missing)}")
    names = _names(columns)
    numbers = tuple(column for column in needs if column not in names)
    return [_row(columns, names, line, f"{name}:{number}", numbers) for number, line in lines]


def _row(columns: list[str], names: frozenset[str], line: str, where: str, numbers: tuple[str, ...]) -> Row:
    words = line.split()
    if len(words) > len(columns):
        raise FormatError(f"{where}: {len(words)} values for {len(columns)} columns: '{line.strip()}'")
    row = {column: int(word) if column not in names and _is_number(word) else word for column, word in zip(columns, words)}
    for column in numbers:
        if isinstance(row.get(column), str):
            raise FormatError(f"{where}: {column} is '{row[column]}'; it should be a whole number")
    return row


def read_table(path: pathlib.Path, *needs: str) -> list[Row]:
    return parse_table(read(path), name=str(path), needs=needs)


def calls(row: Row) -> int:
    """Return the number of all calls of a row, without a context switch inside and with one."""
    return int(row.get("count", 0)) + int(row.get("cs_count", 0))


def own(row: Row) -> int:
    """Return the own ticks of all calls of a row that were timed: on the CPU and without interrupts.

    Where the row lacks the columns of disturbed calls, these are the ticks of the calls without a context switch inside.
    """
    return int(row.get("sum", 0)) - int(row.get("irq_time", 0)) + int(row.get("cs_own", 0))


def wall(row: Row) -> int:
    """Return the ticks of the same calls from begin to end."""
    return int(row.get("sum", 0)) + int(row.get("cs_sum", 0))


def timed(row: Row) -> int:
    """Return how many calls wall() is of."""
    without_switch = row["timed"] if "timed" in row else row.get("count", 0)
    return int(without_switch) + (int(row.get("cs_count", 0)) if "cs_sum" in row else 0)


def known(row: Row) -> int:
    """Return how many calls own() is of."""
    return timed(row) - int(row.get("unknown", 0))


def add_up(rows: Iterable[Row], *by: str, of: Collection[str] = ("count", "cs_count")) -> Counter[Any]:
    """Add up all calls, or the columns in `of`, by hook or by the columns in `by`. The order is that of the rows."""
    key, found = itemgetter(*by or ("hook",)), Counter[Any]()
    for row in rows:
        found[key(row)] += sum(row.get(column, 0) for column in of)
    return found


def parse_info(text: str, *, name: str = "info") -> Info:
    """Return what lines of the form `key: value` say."""
    found = Info(name)
    for number, line in _lines(text):
        key, colon, value = line.partition(":")
        if not colon:
            raise FormatError(f"{name}:{number}: '{line.strip()}' is not 'key: value'")
        found[key.strip()] = value.strip()
    return found


def read_info(path: pathlib.Path) -> Info:
    return parse_info(read(path), name=str(path))


def parse_features(text: str, *, name: str = "features") -> dict[str, int]:
    """Return what each feature is: 1 or 0, or of `timed`, that one call in so many is timed."""
    found = {}
    for number, line in _lines(text):
        feature, _, value = line.partition(" ")
        if not _is_number(value):
            raise FormatError(f"{name}:{number}: '{line}' is not 'NAME NUMBER'")
        found[feature] = int(value)
    return found
