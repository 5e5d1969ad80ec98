# SPDX-License-Identifier: GPL-2.0-only
"""The supported kernels' pristine sources, parts of them to work in, and the variables that name a kernel for our
scripts.
"""

import functools
import os
import re
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from lsmlab.guest import settings
from lsmlab.kernel.hooks import defs, sites
from lsmlab.kernel.seam import rules
from lsmlab.kernel.series import numbered, plan
from lsmlab.kernel.series.resolve import at_least
from lsmlab.kernel.tree import source

REPO = Path(__file__).resolve().parents[1]

# Variables of scripts/check: the kernels to test, and the tier.
SHORT = os.environ.get("LSMPMON_TIER") == "short"
VERSIONS = os.environ.get("LSMPMON_KERNELS", "").split() or source.supported()
DEFAULT = settings.KVER
# Those that the numbered series are for.
NEWER = [version for version in VERSIONS if at_least(version, plan.read(numbered.TABLES["1"])["since"])]
VARIABLES = ("KVER", "KDIR", "RUNNER", "ARCH", "ACCEL", "FLAVOUR", "LAYOUT", "LLVM", "LSM", "KARGS", "CPUS", "TIMEOUT", "SHARE",
             "INITRD", "CMD", "CONFIG", "RANGE", "BEFORE", "AFTER", "BENCH", "FUNCTIONS", "CYCLES", "BOOTS", "SAMPLES", "SELFTEST", "FORMAT",
             "FAIL_ABOVE", "PROFILE", "RESULTS", "SERIES", "DEADLINE", "FRESH", "LSMPMON_TIER", "LSMPMON_KERNELS", "MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
CLEAN = {name: value for name, value in os.environ.items() if name not in VARIABLES}
# The status of lab/shell/get-source if the mirror does not have a version.
NOT_AVAILABLE = 3
# The deadline of .ci/run, in seconds since 1970, and the message of lab/shell/build-kernel after it.
DEADLINE = float(os.environ.get("DEADLINE") or "inf")
PAST_DEADLINE = 4
NOT_BEGUN = "not begun by the deadline"


def in_time(before=0):
    """Skip a test that would start after the deadline, or less than so many seconds before it."""
    if time.time() + before >= DEADLINE:
        pytest.skip(NOT_BEGUN)


def environment(**variables):
    return dict(CLEAN, **{name: str(value) for name, value in variables.items()})


@functools.cache
def _source(version):
    return subprocess.run([REPO / "lab/shell/get-source"], env=environment(KVER=version),
                          capture_output=True, text=True)


def pristine(version=DEFAULT):
    """Return the source tree of a version, not to be written to; skip the test if the mirror does not have it."""
    done = _source(version)
    if done.returncode == NOT_AVAILABLE:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def copy_files(version, folder, *more):
    """Copy the files that rules edit, those that call hooks, and those that are named."""
    tree = pristine(version)
    paths = {"Makefile", defs.PATH, *rules.files(), *sites.files(tree), *more}
    for path in filter(lambda path: (tree / path).is_file(), paths):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tree / path, folder / path)
    return folder


@contextmanager
def replaced(path, text):
    """Put a text in the place of a file, and the file back afterwards: it shares its content with other trees."""
    kept = path.with_suffix(".kept")
    path.rename(kept)
    try:
        path.write_text(text)
        yield
    finally:
        kept.replace(path)


def mails(version, which="all"):
    """Return the series, without its cover letter."""
    done = subprocess.run([REPO / "scripts/lab", "series"], env=environment(KVER=version, SERIES=which),
                          stdout=subprocess.PIPE, text=True, check=True)
    return sorted(Path(done.stdout.strip()).glob("*.patch"))[1:]


def undated(series):
    """Return the mails without their date, which is that of the last commit of the repository."""
    return [re.sub(r"^Date: .*\n", "", mail.read_text(), count=1, flags=re.M) for mail in series]
