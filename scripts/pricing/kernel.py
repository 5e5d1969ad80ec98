# SPDX-License-Identifier: GPL-2.0-only
"""Builds the kernel of a boot, and says in one line why it cannot be built."""

import os
import re
import subprocess

from guest.settings import CACHE, REPO


class Failed(Exception):
    """A state whose kernel cannot be built, and why."""


# What of a log says why, in this order.
REASONS = (r"refused, nothing is changed: (.*)$", r"^(.*?:\d+:(?:\d+:)? (?:fatal )?error: .*)$",
           r"^(.*undefined reference to .*)$")


def reason(said):
    """With files as they are named in the tree of the user."""
    said = re.sub(rf"{re.escape(str(CACHE))}/trees/[^/\s]+/", "", said)
    for pattern in REASONS:
        match = re.search(pattern, said, re.M)
        if match:
            return match[1]
    lines = said.strip().splitlines() or ["no reason was given"]
    return lines[-1].removeprefix("lsmpmon: ")


def build(boot):
    env = dict(os.environ, **boot.kernel())
    done = subprocess.run([REPO / "scripts/build-kernel"], env=env, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise Failed(f"its {boot.flavour} kernel does not build: {reason(done.stderr)}")
    return done.stdout.strip()
