# SPDX-License-Identifier: GPL-2.0-only
"""The program as its sources make it, plain and with the compiler's checks, and records of real guests."""

import copy
import json
import pathlib
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
SOURCES = TOP / "userspace"
RECORDS = sorted((HERE / "data").glob("*.json"))
CHECKS = "-fsanitize=address,undefined -fno-sanitize-recover=all"


def make(output, *words):
    subprocess.run(["make", "-s", "-C", SOURCES, f"O={output}", *words], check=True)
    return output / "bin"


@pytest.fixture(scope="session")
def plain():
    """As it is shipped: static."""
    return make(TOP / "build") / "lsmpmon"


@pytest.fixture(scope="session")
def checked():
    """Every access and every operation is looked at; one that is bad ends the program."""
    return make(TOP / "build/checked", "STATIC=", f"CFLAGS=-O1 -g {CHECKS}", "checked")


@pytest.fixture(scope="session")
def lsmpmon(checked):
    """Run it with the checks on; status 2 and a text on stderr are its own, anything else is a crash."""
    def run(*words, **options):
        done = subprocess.run([checked / "lsmpmon", *map(str, words)], capture_output=True, text=True,
                              errors="surrogateescape", stdin=subprocess.DEVNULL, **options)
        assert done.returncode in (0, 1, 2), done.stderr
        assert "runtime error" not in done.stderr and "Sanitizer" not in done.stderr, done.stderr
        return done
    return run


@pytest.fixture(scope="session")
def view(lsmpmon):
    """What a command shows, as --json has it."""
    def run(*words):
        done = lsmpmon(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    return run


@pytest.fixture(params=RECORDS, ids=lambda path: path.stem)
def record(request):
    return request.param


class Record:
    """A record that a test changes."""

    def __init__(self, path):
        self.content = json.loads(path.read_text())

    def edit(self, file, change):
        for run in self.content["runs"]:
            run["files"][file] = change(run["files"][file])

    def write(self, path):
        path.write_text(json.dumps(self.content))
        return path

    def copy(self):
        return copy.deepcopy(self)


@pytest.fixture
def apparmor():
    return Record(HERE / "data/6.12-uml-apparmor.json")


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
