# SPDX-License-Identifier: GPL-2.0-only
"""Figures of 2010 that stand by themselves: those of the older kernel, and the form of `result`."""

from __future__ import annotations

from . import published
from .blocks import Code, Heading, Table, Text
from .blocks import published as theirs

KERNEL = "2.6.19"


def blocks() -> list:
    return [
        Heading(f"As published: {KERNEL} (Table 5), and the form of a result (Figure 3)"),
        Table("files-2619", f"File operations on {KERNEL}", "published: µs on a Pentium 4", "operation", _header(), _rows()),
        Text("The published `result` has the same columns as today's, in cycles of a Pentium 4:"),
        Code(published.L10_RESULT),
        Text(f"Linux 2.6.30 called hooks in {published.L10_POINTS} places."),
    ]


def _header() -> list[str]:
    return [theirs(name) for name in published.L10_MODULES]


def _rows() -> list[tuple[str, list[str]]]:
    return [(operation, _cells(operation, times)) for operation, times in published.L10_FILES[KERNEL].items()]


def _cells(operation: str, times: tuple[float, ...]) -> list[str]:
    rises = published.L10_INCREASE[KERNEL][operation]
    said = [f"{time:.2f} ({rise:g} %)".replace("-", "−") for time, rise in zip(times[1:], rises)]
    return [theirs(each) for each in (f"{times[0]:.2f}", *said)]
