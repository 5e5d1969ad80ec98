# SPDX-License-Identifier: GPL-2.0-only
"""What has to be so before a test begins: it is in time, and its kernel is there. A plugin, since such a hook in
conftest.py is only for the tests beside it, and not for those in userspace/.
"""

import builds
import pytest
import tiers
from guests import DEBUG, KERNELS, RACES, kernel_directory
from kernels import in_time

# Seconds: what takes that much longer than others, which end soon enough if they begin in time: kernels with sanitizers,
# and tests that are marked so.
SLOW = 900
# Where the kernel is known to exist.
READY = set()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """A kernel that is not there yet is built before any fixture asks for it, or not at all."""
    where = dict(item.user_properties)["place"]
    sanitizers = where in (DEBUG, RACES)
    earlier = SLOW if sanitizers or item.get_closest_marker("slow") else 0
    in_time(earlier)
    if where[1] in KERNELS and where not in READY:
        in_time(earlier if tiers.built(*where) else max(earlier, builds.expected(sanitizers)))
        kernel_directory(*where)
        READY.add(where)
        in_time(earlier)    # a build takes minutes
