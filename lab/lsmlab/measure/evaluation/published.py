# SPDX-License-Identifier: GPL-2.0-only
"""The kernels that the published report is of: a mirror moves on, and a point release may execute other instructions."""

from __future__ import annotations

import re
from collections.abc import Iterable

# By supported kernel. ARTIFACT.md has the digests of their sources.
KERNELS = {"6.1": "6.1.192", "6.12": "6.12.117", "7.2": "7.2.13", "7.3": "7.3.4"}
STUDY = "Documentation/case-studies/point-releases.md"


def release(directory: str) -> tuple[str, str]:
    """Return the supported kernel and the point release from the name of a folder: `6.12-6.12.117-1~deb12u1-uml-patched-KEY`."""
    found = re.match(r"(\d+\.\d+)-(\d+\.\d+(?:\.\d+)?)-", directory)
    return (found[1], found[2]) if found else ("", "")


def others(directories: Iterable[str]) -> list[str]:
    """Return a remark on each kernel of another point release than the published report's."""
    found = dict.fromkeys(release(directory) for directory in directories)
    return [f"Linux {point}: the published report is of {KERNELS[kver]}; {STUDY} says what point releases change"
            for kver, point in found if KERNELS.get(kver, point) != point]
