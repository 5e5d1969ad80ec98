# SPDX-License-Identifier: GPL-2.0-only
"""The series that SERIES may ask for."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from lsmlab import toml
from lsmlab.kernel.series import numbered, plan
from lsmlab.kernel.series.plan import Step
from lsmlab.kernel.tree import Refused

# All series, and what the name of the folder of each has behind the version.
SERIES = {**{name: f"-{name}" for name in numbered.TABLES}, "1": "", "monitor": "-monitor", "all": "-all"}


@dataclass
class Series:
    """A series, and what it is applied on."""

    table: toml.Table                                       # with its cover letter
    steps: list[Step]
    base: str = ""                                          # what it is applied on, but for the kernel
    earlier: list[Step] = field(default_factory=list)       # the patches of that


def which() -> str:
    """Return the name of the series that SERIES asks for."""
    name = os.environ.get("SERIES") or "1"
    if name not in SERIES:
        raise Refused(f"SERIES='{name}' is not accepted; one of: {' '.join(SERIES)}")
    return name


def _numbered(name: str, version: str) -> Series:
    """Return one of the numbered series, which is applied on those before it."""
    tables = numbered.read()
    steps = numbered.steps(version, tables)
    before = [*steps][:[*steps].index(name)]
    base = f"series {' to '.join(dict.fromkeys((before[0], before[-1])))}" if before else ""
    return Series(tables[name], steps[name], base, [step for one in before for step in steps[one]])


def chosen(name: str, version: str) -> Series:
    """Return the series of that name for a version."""
    if name in numbered.TABLES:
        return _numbered(name, version)
    whole = plan.read()
    return Series(whole, plan.steps(whole, version, whole=name == "all"))
