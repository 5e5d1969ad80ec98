# SPDX-License-Identifier: GPL-2.0-only
"""Figures over boots or images, as the captions of tables explain them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..stats import BOOTS_LEAST, LEVEL
from .images import images, most_boots, varied
from .intervals import DIGITS
from .passages import Passage, passage
from .results import Result


def averaged(groups: Collection[Sequence[Result]]) -> Passage:
    """Return what figures over each of these groups of boots are."""
    numbers = [len(images(boots)) for boots in groups]
    each = most_boots(groups) if all(varied(boots) for boots in groups) else 0
    return passage("boots.averaged", fewest=min(numbers), most=max(numbers), needed=BOOTS_LEAST, level=LEVEL, digits=DIGITS,
                   each=each)
