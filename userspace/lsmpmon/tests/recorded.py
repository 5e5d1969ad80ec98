# SPDX-License-Identifier: GPL-2.0-only
"""Records of real guests, and their tables, by a parser that is not the program's."""

import copy
import json
import pathlib
from collections import Counter
from operator import itemgetter

from lsmpmon_report import kernelfiles
from lsmpmon_report.kernelfiles import add_up, parse_features, parse_info, parse_table, record_of

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
SOURCES = TOP / "userspace"
RECORDS = sorted((HERE / "data").glob("*.json"))


class Record:
    """A record that a test changes, with all files as text."""

    def __init__(self, path):
        self.content = record_of(json.loads(path.read_text()))

    @property
    def files(self):
        """Return the files of the first run."""
        return self.content["runs"][0]["files"]

    def edit(self, file, change):
        for run in self.content["runs"]:
            run["files"][file] = change(run["files"][file])

    def write(self, path):
        """Write it as the first version does, which has text only."""
        runs = [{key: value for key, value in run.items() if key not in ("tables", "keys")} for run in self.content["runs"]]
        path.write_text(json.dumps({**self.content, "version": 1, "runs": runs}))
        return path

    def copy(self):
        return copy.deepcopy(self)


def rows(path, file, *needs):
    """Return the rows of a table in all runs. The columns in `needs` must be there."""
    runs = Record(path).content["runs"]
    return [row for run in runs for row in parse_table(run["files"][file], name=f"{path}: {file}", needs=needs)]


def counts(path, file="result", *by, of=("count", "cs_count")):
    """Return the sums of columns of a table in all runs, which must have them."""
    return add_up(rows(path, file, *by, *of), *by, of=of)


def has_times(path):
    """Return whether the kernel had the times of all calls: its tables have the columns of disturbed calls."""
    return all("cs_own" in row for row in rows(path, "verdicts"))


def times(path, file, *by, of=kernelfiles.own):
    """Return the sums of the ticks that a function of the parser gives, by hook or by the columns in `by`."""
    key, found = itemgetter(*by or ("hook",)), Counter()
    for row in rows(path, file):
        found[key(row)] += of(row)
    return found


def info(path):
    """Return the keys of `info` of the first run."""
    return parse_info(Record(path).files["info"], name=f"{path}: info")


def features(path):
    """Return the features in the state that a guest saved: control, two lines of filter, features."""
    return parse_features(path.read_text().split("\n", 3)[3])


def header(output, first):
    """Return the line with the names of the columns, of which this is the first, and the lines after it."""
    lines = output.splitlines()
    number = next(number for number, line in enumerate(lines) if line.startswith(f"{first} "))
    return lines[number], lines[number + 1:]


def as_text(rows):
    """Return a table as the kernel writes it, with these rows, of which one has all columns."""
    lines = [max(rows, key=len), *(row.values() for row in rows)]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)
