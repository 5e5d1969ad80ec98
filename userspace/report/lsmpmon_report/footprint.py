# SPDX-License-Identifier: GPL-2.0-only
"""Memory that the monitor takes: code, and counters for each possible CPU."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

from .kernelfiles import parse_info


@dataclass(frozen=True)
class Footprint:
    """Sizes in bytes: `code` of all functions of the kernel, by flavour; `per_cpu` by state of the monitor."""

    code: dict[str, int]
    per_cpu: dict[str, int]

    @property
    def more_code(self) -> int:
        return self.code["monitor"] - self.code["unpatched"]


def load_footprint(directory: pathlib.Path) -> Footprint:
    """What scripts/overhead saved: code, and info of the plain monitor and of one with all features."""
    code = parse_info((directory / "code").read_text(), name=str(directory / "code"))
    return Footprint(
        {flavour: int(size) for flavour, size in code.items()},
        {state: _per_cpu(directory / state / "info") for state in ("on", "all")},
    )


def _per_cpu(info: pathlib.Path) -> int:
    return int(parse_info(info.read_text(), name=str(info))["memory_per_cpu"])


def render_footprint(footprint: Footprint) -> list[str]:
    return [
        f"Code: {footprint.more_code:,} bytes of functions on top of {footprint.code['unpatched']:,} without it.",
        f"Counters: {footprint.per_cpu['on']:,} bytes for each possible CPU,"
        f" {footprint.per_cpu['all']:,} once all features and a filter were on.",
    ]


def footprint_json(footprint: Footprint) -> dict:
    return {"code": {**footprint.code, "more": footprint.more_code}, "memory_per_cpu": footprint.per_cpu}
