# SPDX-License-Identifier: GPL-2.0-only
"""The program as its sources make it, plain and with the compiler's checks."""

import json
import re
import subprocess

import pytest
from built import CHECKS, make
from recorded import HERE, RECORDS, TOP, Record, as_text

from lsmpmon_report.kernelfiles import DISTURBED, parse_table


@pytest.fixture(scope="session")
def plain():
    """Build the program as it is shipped: static."""
    return make(TOP / "build") / "lsmpmon"


@pytest.fixture(scope="session")
def checked():
    """Build the program with every access and every operation checked; a bad one ends it."""
    return make(TOP / "build/checked", "STATIC=", f"CFLAGS=-O1 -g {CHECKS}", "checked")


@pytest.fixture(scope="session")
def lsmpmon(checked):
    """Return a function that runs the program with the checks on.

    Status 2 with a text on stderr is the program's own, and any other failure is a crash.
    """
    def run(*words, **options):
        done = subprocess.run([checked / "lsmpmon", *map(str, words)], capture_output=True, text=True,
                              errors="surrogateescape", stdin=subprocess.DEVNULL, **options)
        assert done.returncode in (0, 1, 2), done.stderr
        assert "runtime error" not in done.stderr and "Sanitizer" not in done.stderr, done.stderr
        return done
    return run


@pytest.fixture(scope="session")
def view(lsmpmon):
    """Return a function that returns what a command shows, read from its --json."""
    def run(*words):
        done = lsmpmon(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    return run


@pytest.fixture(params=RECORDS, ids=lambda path: path.stem)
def record(request):
    return request.param


@pytest.fixture
def apparmor():
    return Record(HERE / "data/6.12-uml-apparmor.json")


TIMES = ("min", "max", "ave", "sum", "irq_sum", "quiet_max", "le", *DISTURBED[:-1])


def slower(text):
    """Return the same table of a clock of 19.2 MHz, of which one tick is as long as 135 of the original."""
    return as_text([{key: value // 135 if key in TIMES else value for key, value in row.items()} for row in parse_table(text)])


@pytest.fixture
def coarse(tmp_path):
    """Make a record of a clock of 19.2 MHz, whose empty span reads 0."""
    record = Record(HERE / "data/6.12-uml-selinux.json")
    for key, value in (("clock", "cntvct"), ("clock_khz", "19200"), ("overhead", "0"), ("overhead_min", "0")):
        record.edit("info", lambda text, key=key, value=value: re.sub(rf"^{key}: .*", f"{key}: {value}", text, flags=re.M))
    record.edit("info", lambda text: text + "clock_step: 1\n")
    for file in ("result", "verdicts", "histogram"):
        record.edit(file, slower)
    return record.write(tmp_path / "coarse.json")
