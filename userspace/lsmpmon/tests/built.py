# SPDX-License-Identifier: GPL-2.0-only
"""Programs built for tests, and the compiler's checks for them."""

import fcntl
import subprocess

from recorded import SOURCES

CHECKS = "-fsanitize=address,undefined -fno-sanitize-recover=all"


def make(output, *words):
    """Build once: the linker removes a program that it makes again, which another worker may be starting."""
    output.mkdir(parents=True, exist_ok=True)
    with open(output / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-s", "-C", SOURCES, f"O={output}", *words], check=True)
    return output / "bin"
