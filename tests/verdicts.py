# SPDX-License-Identifier: GPL-2.0-only
"""Keeps the boots of guests whose files' tests have all passed. This is a plugin, as deadline.py is.

Tests of a file share boots by their own caches, so one failure drops all boots of the file.
"""

import boots
import pytest
from boots import requests

# The boots that each test asked for, in words; and the files that had a failure.
used, failed = {}, set()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item):
    """Add the boots to a report: they go to the process that has all reports, which may not be this one."""
    item.user_properties += [("boot", " ".join(one)) for one in requests]
    requests.clear()


def _file(test):
    return test.split("::")[0]


def pytest_runtest_logreport(report):
    """Collect the boots that a test has asked for: its last report has all of them."""
    used[report.nodeid] = [value for name, value in report.user_properties if name == "boot"]
    if report.failed:
        failed.add(_file(report.nodeid))


def pytest_sessionfinish(session):
    if not hasattr(session.config, "workerinput"):
        settle()
        boots.prune()


def _requested(files=None):
    """Return what was asked for, by these files or all."""
    return [tuple(value.split(" ")) for test, values in used.items() if files is None or _file(test) in files for value in values]


def settle():
    """Keep the boots that no failed file asked for, and drop kept ones that a failed file used."""
    bad = {key for _, key, _ in _requested(failed)}
    for _, key, name in _requested():
        if name and key not in bad:
            boots.keep(name)
        for gone in filter(None, (key, name) if key in bad else ()):
            boots.drop(gone)


def summary():
    """Return a line that says how many boots were reused."""
    reused = sum(how == boots.REUSED for how, _, _ in _requested())
    return f"Guests: {reused} boots reused, {len(_requested()) - reused} booted" + " (FRESH=1)" * boots.FRESH
