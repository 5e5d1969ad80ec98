# SPDX-License-Identifier: GPL-2.0-only
"""Boots by image. Where the objects of a kernel are in its image moves times, so a kernel is measured in several images of
the same objects, in another order in each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .results import Result


def images(boots: Iterable[Result]) -> list[list[Result]]:
    """Return the boots of each image together. Those of a kernel as it is linked stay apart: there is no other image."""
    found: dict[object, list[Result]] = {}
    for boot in boots:
        found.setdefault(boot.layout or boot.name, []).append(boot)
    return list(found.values())


def varied(boots: Iterable[Result]) -> bool:
    """Return whether these are boots of several images."""
    return len({boot.layout for boot in boots} - {0}) > 1


def most_boots(groups: Iterable[Sequence[Result]]) -> int:
    """Return the number of boots that one image has at most."""
    return max((len(image) for boots in groups for image in images(boots)), default=0)
