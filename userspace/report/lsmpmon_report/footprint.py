# SPDX-License-Identifier: GPL-2.0-only
"""What the monitor takes of memory: code, and counters for each possible CPU."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

from .kernelfiles import parse_info


@dataclass(frozen=True)
class Footprint:
    """In bytes. `text` is the kernel's whole .text section, by flavour; `per_cpu` by the monitor's state."""

    text: dict[str, int]
    per_cpu: dict[str, int]

    @property
    def more_text(self) -> int:
        return self.text["monitor"] - self.text["unpatched"]


def load_footprint(directory: pathlib.Path) -> Footprint:
    """What scripts/overhead saved: text, and info of the plain monitor and of one with all features."""
    text = parse_info((directory / "text").read_text(), name=str(directory / "text"))
    return Footprint(
        {flavour: int(size) for flavour, size in text.items()},
        {state: _per_cpu(directory / state / "info") for state in ("on", "all")},
    )


def _per_cpu(info: pathlib.Path) -> int:
    return int(parse_info(info.read_text(), name=str(info))["memory_per_cpu"])


def render_footprint(footprint: Footprint) -> list[str]:
    return [
        f"Code: {footprint.more_text:,} bytes more in .text of vmlinux, {footprint.text['unpatched']:,} without the monitor.",
        f"Counters: {footprint.per_cpu['on']:,} bytes for each possible CPU,"
        f" {footprint.per_cpu['all']:,} once all features and a filter were on.",
    ]


def footprint_json(footprint: Footprint) -> dict:
    return {"text": {**footprint.text, "more": footprint.more_text}, "memory_per_cpu": footprint.per_cpu}
