# SPDX-License-Identifier: GPL-2.0-only
"""Memory that the monitor takes: code, and counters for each CPU that runs."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

from .kernelfiles import read_info

# KiB of code and its tables, without KUnit tests.
TARGET_GROWTH_KIB = 300


@dataclass(frozen=True)
class Footprint:
    """Sizes in bytes. `code` is that of security.o and of the monitor, `tables` what the kernel keeps about it: jump
    labels, static calls, unwinding; both by flavour, and empty where the compiler leaves no code in objects. `per_cpu` is
    by the monitor's state.
    """

    code: dict[str, int]
    tables: dict[str, int]
    per_cpu: dict[str, int]

    @property
    def more_code(self) -> int:
        return self.code["monitor"] - self.code["unpatched"]

    @property
    def growth(self) -> int:
        return self.more_code + self.tables["monitor"] - self.tables["unpatched"]


def load_footprint(directory: pathlib.Path) -> Footprint:
    """Read what make overhead saved: code, and info of the plain monitor and of one with all features."""
    return Footprint(
        _sizes(directory / "code"),
        _sizes(directory / "tables"),
        {state: read_info(directory / state / "info").number("memory_per_cpu") for state in ("on", "all")},
    )


def _sizes(path: pathlib.Path) -> dict[str, int]:
    if not path.exists():
        return {}
    sizes = read_info(path)
    return {flavour: sizes.number(flavour) for flavour in sizes}


def _render_code(footprint: Footprint) -> list[str]:
    return [
        f"Code: {footprint.more_code:,} bytes more than the {footprint.code['unpatched']:,} of security.o without the monitor.",
        f"With its tables (jump labels, static calls, unwinding): {footprint.growth / 1024:,.0f} KiB more;"
        f" target {TARGET_GROWTH_KIB}.",
    ]


def render_footprint(footprint: Footprint) -> list[str]:
    return [
        *(_render_code(footprint) if footprint.code else []),
        f"Counters: {footprint.per_cpu['on']:,} bytes for each CPU that runs,"
        f" {footprint.per_cpu['all']:,} with all features and a filter on.",
    ]


def footprint_json(footprint: Footprint) -> dict[str, object]:
    values: dict[str, object] = {"memory_per_cpu": footprint.per_cpu}
    if footprint.code:
        values["code"] = {**footprint.code, "more": footprint.more_code}
        values["growth"] = {"bytes": footprint.growth, "target_kib": TARGET_GROWTH_KIB}
    return values


def footprint_misses(footprint: Footprint) -> list[str]:
    if not footprint.code:
        return ["growth: not measured, since the compiler left no code in objects"]
    kib = footprint.growth / 1024
    return [f"growth: {kib:.0f} KiB of code and its tables, target {TARGET_GROWTH_KIB}"] if kib > TARGET_GROWTH_KIB else []
