# SPDX-License-Identifier: GPL-2.0-only
"""The content of result files, as schema/result.json describes it, and of counts of a kernel's source."""

from __future__ import annotations

from typing import TypedDict


class Cell(TypedDict, total=False):
    """A cell as it was wanted."""

    part: str
    kver: str
    flavour: str
    runner: str
    accel: str
    cpu: str
    fs: str
    lsm: str
    boot: int
    layout: int


class State(TypedDict, total=False):
    """A kernel and a machine as they were."""

    kernel: str
    arch: str
    lsm: str
    processor: str
    filesystem: str
    date: str
    audit: str
    ima_rules: str
    mitigations: dict[str, str]


class Benchmark(TypedDict, total=False):
    """A sub-benchmark, as lmbench-hook prints it."""

    name: str
    calls: str
    min: float
    median: float
    samples: list[float]


class Latency(TypedDict, total=False):
    """All that lmbench-hook prints."""

    benchmarks: list[Benchmark]
    empty: Benchmark
    left_out: dict[str, str]


class Run(TypedDict):
    """Files of the monitor by name."""

    files: dict[str, str]


class Record(TypedDict, total=False):
    """A record of `lsmpmon record`."""

    command: list[str]
    runs: list[Run]


class Atomics(TypedDict):
    """Atomic operations of one call, in all and by function."""

    atomics: float
    functions: dict[str, float]


class Module(TypedDict):
    """Counts of a module's source. `callbacks` may contain a hook twice."""

    hooks: list[str]
    count: int
    callbacks: int
    by_name: list[str]
    conditions: dict[str, str]
    files: int
    lines: int
    code_lines: int
    lines_per_hook: float | None
    categories: dict[str, int]
    file_accessing: int


class Framework(TypedDict):
    """Counts of all hooks of a kernel."""

    hooks: int
    categories: dict[str, int]
    other: list[str]
    conditions: dict[str, str]


class Static(TypedDict):
    """Counts of a kernel's source."""

    format: str
    version: int
    kernel: str
    framework: Framework
    modules: dict[str, Module]


class Content(Static, total=False):
    """A result of a boot, or counts of a kernel's source. Mappings are by sub-benchmark, by module or by work."""

    cell: Cell
    state: State
    left_out: str
    latency: Latency | None
    openit: Latency | None
    records: dict[str, Record] | None
    atomics: dict[str, Atomics] | None
    denied: dict[str, Latency] | None
    cold: dict[str, Latency] | None
    proof: dict[str, dict[str, str]] | None
    not_done: dict[str, str] | None
    native: dict[str, list[dict[str, float]]] | None
    input: str
