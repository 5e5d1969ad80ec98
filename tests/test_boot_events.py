# SPDX-License-Identifier: GPL-2.0-only
"""A trace event that is enabled at boot, with the monitor switched on later: disturbances of a call are detected.

The kernel's command line names the event, or in the real-time kernel a boot configuration.
"""

import functools
import re
import shutil
import subprocess

import pytest
from guests import GUESTS, REALTIME, output
from kernels import REPO, VERSIONS

PHASES = ("since-boot", "with-event", "without-event", "once-more", "at-last")
SCRIPT = REPO / "tests/guest/boot-events.sh"


@functools.cache
def printed(kver, runner):
    return output(f"sh {SCRIPT.relative_to(REPO)}", KVER=kver, RUNNER=runner, LSM="tunable",
                  KARGS="trace_event=lsmpmon:lsm_hook_exit")


def configured(initrd, text):
    """Append a boot configuration to an initramfs, in the format of the kernel's Documentation/admin-guide/bootconfig.rst."""
    text += b"\0" * (-(initrd.stat().st_size + len(text)) % 4 or 4)
    numbers = len(text).to_bytes(4, "little") + sum(text).to_bytes(4, "little")
    with open(initrd, "ab") as file:
        file.write(text + numbers + b"#BOOTCONFIG\n")
    return initrd


@pytest.fixture(scope="module")
def of_configuration(tmp_path_factory):
    initrd = tmp_path_factory.mktemp("initrd") / "initrd"
    subprocess.run([REPO / "lab/shell/make-initrd", initrd, SCRIPT, shutil.which("cat")], check=True)
    kver, runner = REALTIME
    return output("", KVER=kver, RUNNER=runner, LSM="tunable", KARGS="bootconfig",
                  INITRD=configured(initrd, b"ftrace.event.lsmpmon.lsm_hook_exit.enable\n"))


@pytest.mark.once
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_the_event_is_on_since_the_boot(kver, runner):
    assert printed(kver, runner).startswith("1\n")


@pytest.mark.once
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_long_calls_are_seen_to_be_disturbed(kver, runner, phase):
    """Each call lasts 200 ms, longer than two ticks of any timer."""
    calls, disturbed = map(int, re.search(rf"^{phase}: (\d+) (\d+)$", printed(kver, runner), re.M).groups())
    assert calls == disturbed > 0, printed(kver, runner)


@pytest.mark.guest(*REALTIME)
@pytest.mark.skipif(REALTIME[0] not in VERSIONS, reason=f"Linux {REALTIME[0]} is not tested")
def test_of_a_boot_configuration(of_configuration):
    """Calls of 200 ms are recorded as disturbed where a boot configuration enables the event."""
    first, *others = of_configuration.splitlines()
    calls = {phase: tuple(map(int, numbers)) for phase, *numbers in (line.replace(":", "").split() for line in others)}
    assert first == "1" and calls.keys() == set(PHASES)
    assert all(number == disturbed > 0 for number, disturbed in calls.values()), calls
