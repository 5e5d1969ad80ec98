# SPDX-License-Identifier: GPL-2.0-only
"""Colours and markers. Each module has the same ones in every picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

# What is not of a series: its colour on a light page, and on a dark one.
BASIC = {
    "paper": ("#ffffff", "#16181b"),
    "ink": ("#1b1b1b", "#e4e4e1"),
    "soft": ("#5c5c5c", "#a5a5a0"),
    "rule": ("#d4d4d4", "#3c4046"),
    "typed": ("#0550ae", "#79c0ff"),
}


@dataclass(frozen=True)
class Look:
    """Colour on a light page and on a dark one, and marker, of a series; `hollow`: of a second one that would look the same."""

    name: str
    light: str
    dark: str
    marker: str
    hollow: bool = False


# By the name that people write.
MODULES = {
    "capability": Look("capability", "#666666", "#aaaaaa", "plus"),
    "SELinux": Look("selinux", "#1f6fb4", "#6cb2f0", "circle"),
    "AppArmor": Look("apparmor", "#c4501b", "#f08a55", "square"),
    "TOMOYO": Look("tomoyo", "#2b8a4b", "#6fcf90", "triangle"),
    "Smack": Look("smack", "#8e4bb0", "#c795e6", "diamond"),
    "Landlock": Look("landlock", "#a67c00", "#e0bd4d", "pointer"),
    "BPF LSM": Look("bpf", "#b3285f", "#f07ba8", "wide"),
}
# Of what is not a module: shades of a colour that no module has.
SHADES = (
    Look("shade-1", "#5fb8b6", "#2a7a79", "circle"),
    Look("shade-2", "#45a3a1", "#3a908e", "square"),
    Look("shade-3", "#2f8f8e", "#4ea6a3", "triangle"),
    Look("shade-4", "#1f7b7b", "#66bab7", "diamond"),
    Look("shade-5", "#146868", "#82cdc9", "pointer"),
    Look("shade-6", "#0c5657", "#9fddd9", "wide"),
    Look("shade-7", "#074546", "#bdebe8", "high"),
    Look("shade-8", "#033436", "#dcf8f5", "plus"),
)
COLOURS = BASIC | {look.name: (look.light, look.dark) for look in (*MODULES.values(), *SHADES)}

PLUS = ((-0.4, -1.3), (0.4, -1.3), (0.4, -0.4), (1.3, -0.4), (1.3, 0.4), (0.4, 0.4))
# Corners of the markers around their middle; a circle has none.
MARKERS: dict[str, Sequence[tuple[float, float]]] = {
    "circle": (),
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "triangle": ((0, -1.25), (1.15, 0.9), (-1.15, 0.9)),
    "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "pointer": ((0, 1.25), (1.15, -0.9), (-1.15, -0.9)),
    "wide": ((-1.3, -0.5), (1.3, -0.5), (1.3, 0.5), (-1.3, 0.5)),
    "high": ((-0.5, -1.3), (0.5, -1.3), (0.5, 1.3), (-0.5, 1.3)),
    "plus": (*PLUS, *((-x, -y) for x, y in PLUS)),
}


def look_of(name: str) -> Look | None:
    """Return the look of the module that a series begins with ("with SELinux", "Landlock open"), or None."""
    bare = re.sub(r"^(with|over) ", "", name)
    return next((look for module, look in MODULES.items() if re.match(rf"{module}\b(?! \+)", bare)), None)


def _shades(number: int) -> list[Look]:
    """Return shades as far apart as so many can be."""
    last = len(SHADES) - 1
    if number == 1:
        return [SHADES[last // 2]]
    return [SHADES[round(at * last / (number - 1)) if number <= len(SHADES) else at % len(SHADES)] for at in range(number)]


def looks(series: Iterable[str]) -> list[Look]:
    """Return a look for each series: a module's own, or a shade."""
    of = [look_of(name) for name in series]
    left = iter(_shades(of.count(None)))
    found: list[Look] = []
    for each in of:
        look = each or next(left)
        found.append(replace(look, hollow=True) if look in found else look)
    return found
