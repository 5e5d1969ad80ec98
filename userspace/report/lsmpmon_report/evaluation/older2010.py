# SPDX-License-Identifier: GPL-2.0-only
"""Figures of 2010 that stand by themselves: those of the older kernel, and the form of `result`."""

from __future__ import annotations

from . import published
from .blocks import Block, Code, Heading, Table, Text
from .blocks import published as theirs
from .passages import passage

KERNEL = "2.6.19"


def blocks() -> list[Block]:
    caption, said = passage("older2010.files", kernel=KERNEL), passage("older2010.files_are")
    rows = [(operation, _cells(operation, times)) for operation, times in published.L10_FILES[KERNEL].items()]
    return [
        Heading(passage("older2010.title", kernel=KERNEL)),
        Table("files-2619", caption, said, "operation", list(map(theirs, published.L10_MODULES)), rows),
        Text(passage("older2010.form")),
        Code(published.L10_RESULT),
        Text(passage("older2010.places", number=published.L10_POINTS)),
    ]


def _cells(operation: str, times: tuple[float, ...]) -> list[str]:
    rises = published.L10_INCREASE[KERNEL][operation]
    said = [f"{time:.2f} ({rise:g} %)".replace("-", "−") for time, rise in zip(times[1:], rises)]
    return [theirs(each) for each in (f"{times[0]:.2f}", *said)]
