# SPDX-License-Identifier: GPL-2.0-only
"""Builds the kernel of a boot, and says in one line why it cannot be built."""

import os
import re
import subprocess

from guest.settings import REPO

REFUSED = 2


class Failed(Exception):
    """A state whose kernel cannot be built, and why."""


def _reason(said):
    for pattern in (r"^.*?(?:refused, nothing is changed): (.*)$", r"^(.*?:\d+:(?:\d+:)? (?:fatal )?error: .*)$",
                    r"^(.*undefined reference to .*)$", r"^(?:lsmpmon: )?(.*)$"):
        found = re.findall(pattern, said.strip(), re.M)
        if found:
            return found[-1] if pattern.endswith("?(.*)$") else found[0]
    return "unknown"


def build(boot):
    env = dict(os.environ, **boot.kernel())
    done = subprocess.run([REPO / "scripts/build-kernel"], env=env, capture_output=True, text=True, errors="replace")
    if done.returncode:
        reason = _reason(done.stderr).replace(f"{boot.tree}/", "")
        raise Failed(f"its {boot.flavour} kernel does not build: {reason}")
    return done.stdout.strip()
