# SPDX-License-Identifier: GPL-2.0-only
"""Figures over boots, as the captions of tables explain them."""

from __future__ import annotations

from collections.abc import Collection

from ..stats import BOOTS_LEAST, LEVEL
from .intervals import DIGITS
from .passages import Passage, passage


def averaged(numbers: Collection[int]) -> Passage:
    """Return what figures of these numbers of boots are."""
    return passage("boots.averaged", fewest=min(numbers), most=max(numbers), needed=BOOTS_LEAST, level=LEVEL, digits=DIGITS)
