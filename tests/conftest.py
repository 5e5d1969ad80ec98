# SPDX-License-Identifier: GPL-2.0-only
"""In which kernel and on which runner each test works: those of one go together,
and a table at the end has them.
"""

from collections import Counter

import pytest
from guests import DEBUG, GUESTS, RUNNERS
from kernels import DEFAULT, VERSIONS

# A kernel's source alone; or none of the three in particular.
SOURCE, ELSEWHERE = "source", ("any", "")
OUTCOMES = ("passed", "failed", "skipped")


def pytest_configure(config):
    config.addinivalue_line("markers", "debug: works in the kernel that checks locks, DEBUG")


def place(item):
    """(kernel, runner) by what the test is parametrised with."""
    values = list(item.callspec.params.values()) if hasattr(item, "callspec") else []
    if item.get_closest_marker("debug"):
        return DEBUG
    guest = next((value for value in values if value in GUESTS), None)
    kver = next((value for value in values if value in VERSIONS), None)
    runner = next((value for value in values if value in RUNNERS), None)
    if guest or not (kver or runner):
        return guest or ELSEWHERE
    return kver or DEFAULT, runner or SOURCE


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """One process runs all tests of a guest: many share one boot. Meanwhile the
    other builds the kernel of the next, or tests it.
    """
    for item in items:
        where = place(item)
        item.user_properties.append(("place", where))
        item.add_marker(pytest.mark.xdist_group(" ".join(where)))


def outcomes(reporter):
    """How many of which outcome, by file and place; an error is a failure."""
    found = {}
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in reporter.stats.get(outcome, []):
            where = dict(getattr(report, "user_properties", [])).get("place")
            if where:
                where = tuple(where)
                name = report.nodeid.split("::")[0].rsplit("/", 1)[-1]
                counted = found.setdefault((name, where), Counter())
                counted[outcome.replace("error", "failed")] += 1
    return found


def pytest_terminal_summary(terminalreporter):
    found = outcomes(terminalreporter)
    columns = sorted({where for _, where in found}, key=lambda where: (where[0] not in VERSIONS, where))
    names = sorted({name for name, _ in found})
    width = max(map(len, names), default=0)
    terminalreporter.section("where tests ran: " + "/".join(OUTCOMES))
    terminalreporter.line(f"The kernel of {' '.join(DEBUG)} checks locks.")
    for line in range(2):
        heads = " ".join(f"{where[line]:>9}" for where in columns)
        terminalreporter.line(f"{'':<{width}} {heads}")
    for name in names:
        cells = [found.get((name, where)) for where in columns]
        texts = ["/".join(str(cell[o]) for o in OUTCOMES) if cell else "-" for cell in cells]
        terminalreporter.line(f"{name:<{width}} " + " ".join(f"{text:>9}" for text in texts))
