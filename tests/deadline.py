# SPDX-License-Identifier: GPL-2.0-only
"""Checks before each test that there is time for it and that its kernel is built.

This is a plugin, since such a hook in conftest.py does not run for the tests in userspace/.
"""

import builds
import pytest
import tiers
from guests import CLANG, DEBUG, KERNELS, RACES, flavour_of, kernel_directory
from kernels import in_time

# Seconds that some tests take longer than others, which end soon enough if they begin in time: tests with kernels that have
# sanitizers, and tests that are marked so.
SLOW = 900
# The kernels that are known to exist.
READY = set()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Build the kernel of a test before any fixture asks for it, or skip the test."""
    where = dict(item.user_properties)["place"]
    earlier = SLOW if where in (DEBUG, RACES) or item.get_closest_marker("slow") else 0
    in_time(earlier)
    if where[1] in KERNELS and where not in READY:
        kind = where[1] if where == CLANG else flavour_of(*where)
        in_time(earlier if tiers.built(*where) else max(earlier, builds.expected(kind)))
        kernel_directory(*where)
        READY.add(where)
        in_time(earlier)    # a build takes minutes
