# SPDX-License-Identifier: GPL-2.0-only
"""Records of real guests, and a reader of their tables that is not the program's."""

import copy
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
SOURCES = TOP / "userspace"
RECORDS = sorted((HERE / "data").glob("*.json"))


class Record:
    """A record that a test changes."""

    def __init__(self, path):
        self.content = json.loads(path.read_text())

    @property
    def files(self):
        """Of the first run."""
        return self.content["runs"][0]["files"]

    def edit(self, file, change):
        for run in self.content["runs"]:
            run["files"][file] = change(run["files"][file])

    def write(self, path):
        path.write_text(json.dumps(self.content))
        return path

    def copy(self):
        return copy.deepcopy(self)


def rows(path, file):
    """The lines of a table in all runs, by a reader of our own."""
    found = []
    for run in json.loads(path.read_text())["runs"]:
        header, *lines = (line.split() for line in run["files"][file].splitlines())
        found += [{key: int(word) if word.isdigit() else word for key, word in zip(header, words)}
                  for words in lines]
    return found


def info(path, key):
    text = json.loads(path.read_text())["runs"][0]["files"]["info"]
    return dict(line.split(": ", 1) for line in text.splitlines())[key]
