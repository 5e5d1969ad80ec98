# SPDX-License-Identifier: GPL-2.0-only
"""Keeps the tests that passed by a hash of all that went into them, and passes them again without running them.

The key of a test file has the machine, Python, the kernels' sources and the content of the repository without the other
test files; without the documents of the site, too, if the test file does not read any; and with the tier, if the file
asks for it. This is a plugin, as deadline.py is. make check FRESH=1 runs everything.
"""

import functools
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import boots
import inputs
import pytest

from lsmlab.kernel.objects import passed
from lsmlab.places import CACHE

FOLDER = CACHE / "tests"
DAYS = 14
# Documents that kernels, tools and packages are not made of.
DOCUMENT = re.compile(r"\.md$|^Documentation/(evaluation|figures|pictures|static)/|^CITATION|^LICENSES/")
TEST = re.compile(r"(^|/)test_[^/]*\.py$")
# A test file that has one of these looks at all documents or files. Others look at those documents whose names they have.
ALL = re.compile(r"ls-files|copytree\(REPO,|\bREPO\.r?glob\(|DOCUMENTS|lsmlab\.publish\.(documents|pictures)|"
                 r"make (docs|deb|release|figures)\b(?!-)")
# Programs that these tests start read documents.
WHOLE = ("tests/test_scripts.py",)
# A test file that has this does less in the short tier.
TIER = re.compile(r"\bSHORT\b|LSMPMON_")
VARIABLES = ("LSMPMON_TIER", "LSMPMON_KERNELS")
# The repository that the tests are in, and the document that was opened last.
_seen = SimpleNamespace(top=Path(), document=None)


def pytest_configure(config):
    """Find the repository: the folder of pytest.ini."""
    _seen.top = config.rootpath


@functools.cache
def _files():
    """Return the files of the repository, tracked or new; none outside of git."""
    done = subprocess.run(["git", "ls-files", "-zco", "--exclude-standard"], cwd=_seen.top, capture_output=True, text=True)
    return sorted(name for name in set(done.stdout.split("\0")) if name and (_seen.top / name).is_file())


@functools.cache
def _hash(name):
    return passed.digest(oct((_seen.top / name).lstat().st_mode), files=[_seen.top / name])


@functools.cache
def _text(name):
    return (_seen.top / name).read_text()


def reads_all(name):
    """Return whether a test file may read any document, or look at all files of the repository."""
    return name.startswith(WHOLE) or bool(ALL.search(_text(name)))


def is_input(name, other):
    """Return whether a file of the repository may go into the tests of a file."""
    if other == name or reads_all(name):
        return True
    return Path(other).name in _text(name) if DOCUMENT.search(other) else not TEST.search(other)


@functools.cache
def key(name):
    """Return the key of a test file; None if its inputs are not known."""
    if inputs.machine() is None or not _files():
        return None
    variables = VARIABLES if TIER.search(_text(name)) else ()
    read = [other for other in _files() if is_input(name, other)]
    sources = sorted(path.name for path in (CACHE / "sources").glob("*"))
    return passed.digest(name, inputs.machine(), sys.version, *sources, *(os.environ.get(one, "") for one in variables),
                         *(f"{one} {_hash(one)}" for one in read))


@functools.cache
def _kept(key):
    """Return the tests of a file that passed with this key."""
    try:
        os.utime(FOLDER / key)
        return frozenset((FOLDER / key).read_text().splitlines())
    except FileNotFoundError:
        return frozenset()


def _file(item):
    return str(item.path.relative_to(_seen.top))


def _name(item):
    """Return the name of a test, without the group that workers of xdist append."""
    groups = [mark.args[0] for mark in item.iter_markers("xdist_group") if mark.args]
    return item.nodeid.removesuffix(f"@{groups[0]}") if groups else item.nodeid


def is_kept(item):
    """Return whether a test passed before, with all that goes into it as it is now."""
    return not boots.FRESH and bool(key(_file(item))) and _name(item) in _kept(key(_file(item)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Report a kept test as passed, and tear down what only tests before it needed."""
    if not is_kept(item):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    properties = [*item.user_properties, ("kept", True)]
    for when in ("setup", "call", "teardown"):
        item.ihook.pytest_runtest_logreport(report=pytest.TestReport(
            item.nodeid, item.location, dict.fromkeys(item.keywords, 1), "passed", None, when, user_properties=properties))
    item.session._setupstate.teardown_exact(nextitem)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


# The tests that have had an outcome other than a pass in one of their steps.
_unsound = set()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Keep a test when its last step has passed; in the process that runs it, which knows the file."""
    report = yield
    if report.outcome != "passed":
        _unsound.add(item.nodeid)
    if report.when == "teardown" and item.nodeid not in _unsound and key(_file(item)):
        FOLDER.mkdir(parents=True, exist_ok=True)
        with open(FOLDER / key(_file(item)), "a") as kept:
            kept.write(f"{_name(item)}\n")
    return report


def pytest_sessionfinish(session):
    """Remove keys that nobody has used for long."""
    for path in FOLDER.glob("*"):
        if path.stat().st_mtime < time.time() - DAYS * 86400:
            path.unlink(missing_ok=True)


def summary(reports):
    """Return a line that says how many tests were passed without running them."""
    kept = sum(dict(report.user_properties).get("kept", False) for report in reports)
    return f"Tests: {kept} as in an earlier run with the same inputs, the others run" + " (FRESH=1)" * boots.FRESH


def _watch(event, args):
    """Note a document that this process opens."""
    if event == "open" and isinstance(args[0], str) and args[0].startswith(f"{_seen.top}/"):
        name = args[0][len(f"{_seen.top}/"):]
        if DOCUMENT.search(name) and not name.startswith("build/"):
            _seen.document = name


sys.addaudithook(_watch)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Check that a test reads no document that its file is not taken to read."""
    _seen.document = None
    result = yield
    if _seen.document and not is_input(_file(item), _seen.document):
        pytest.fail(f"{_file(item)} reads {_seen.document}: tests/kept.py has to know that")
    return result
