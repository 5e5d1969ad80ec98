# SPDX-License-Identifier: GPL-2.0-only
"""A trace event on the kernel's command line, and the monitor after it: what disturbs a call is seen."""

import functools
import re

import pytest
from guests import GUESTS, output

PHASES = ("since-boot", "with-event", "without-event", "once-more", "at-last")


@functools.cache
def said(kver, runner):
    return output("sh tests/guest/boot-events.sh", KVER=kver, RUNNER=runner, LSM="tunable",
                  KARGS="trace_event=lsmpmon:lsm_hook_exit")


@pytest.mark.once
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_the_event_is_on_since_the_boot(kver, runner):
    assert said(kver, runner).startswith("1\n")


@pytest.mark.once
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_long_calls_are_seen_to_be_disturbed(kver, runner, phase):
    """Each lasts 200 ms, longer than two ticks of any timer."""
    calls, disturbed = map(int, re.search(rf"^{phase}: (\d+) (\d+)$", said(kver, runner), re.M).groups())
    assert calls == disturbed > 0, said(kver, runner)
