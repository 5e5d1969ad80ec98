# SPDX-License-Identifier: GPL-2.0-only
"""A limit of what a system call may cost more."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .differences import Difference
    from .steps import Range, Step


@dataclass(frozen=True)
class Limit:
    """A number of instructions, or of percent."""

    text: str
    value: float
    share: bool

    def exceeded(self, change: Difference) -> bool:
        return (change.percent if self.share else change.change) > self.value

    def over(self, found: Range) -> list[tuple[Step, Difference]]:
        """Return what exceeds it, in a commit or in the whole range."""
        steps = (*found.steps, found.whole) if len(found.steps) > 1 else found.steps
        return [(step, each) for step in steps for each in step.changes if self.exceeded(each)]


def parse(text: str) -> Limit:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(%?)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not accepted; instructions, as 50, or a share, as 1%")
    return Limit(text, float(match[1]), bool(match[2]))
