# SPDX-License-Identifier: GPL-2.0-only
"""System calls and hooks of one machine, as lab/shell/host run saved them, with a column for each boot."""

from __future__ import annotations

import gzip
import json
import pathlib
import re
from dataclasses import dataclass

from .benchmarks import read_benchmarks
from .kernelfiles import FormatError, Info, files_of, parse_info, read, read_json
from .runs import Cost, called, merge
from .table import wrapped

WIDTH = 100

# Hooks called less often, on average over the repetitions, are left out: they are of the start of the program.
SHOWN_CALLS = 30

# Modules that take effect by themselves, and the options of a kernel that has them.
CHOICES = {name: f"CONFIG_SECURITY_{name.upper()}" for name in ("selinux", "apparmor", "smack", "tomoyo", "landlock")}


@dataclass(frozen=True)
class Boot:
    """One boot, with hooks in ticks and system calls in nanoseconds."""

    kernel: str
    modules: str
    facts: dict[str, str]
    info: Info
    hooks: dict[str, Cost]
    calls: dict[str, float]
    filesystem: str
    disturbances: list[str]


def load_boots(directory: pathlib.Path) -> list[Boot]:
    """Return the boots in DIRECTORY/RELEASE/MODULES/, those with the fewest modules first."""
    found = [_boot(path.parent) for path in directory.glob("*/*/record.json")]
    if not found:
        raise FormatError(f"{directory}: no results in it; expected {directory}/RELEASE/MODULES/record.json")
    return sorted(found, key=lambda boot: (boot.kernel, boot.modules.count(","), boot.modules))


def _boot(directory: pathlib.Path) -> Boot:
    record, latency = read_json(directory / "record.json"), directory / "latency.json"
    try:
        files = [files_of(run) for run in record["runs"]]
        return Boot(
            kernel=record["about"]["kernel"],
            modules=record["about"]["lsm"],
            facts=record["about"],
            info=parse_info(files[0]["info"], name=f"{directory}: info"),
            hooks=merge([called(each["result"], f"{directory}: result") for each in files]),
            calls=read_benchmarks(latency, "median", "ns"),
            filesystem=read_json(latency)["filesystem"],
            disturbances=read(directory / "disturbances").splitlines(),
        )
    except (KeyError, TypeError, IndexError) as error:
        raise FormatError(f"{directory}: not what lab/shell/host saves: {error}") from error


def render(boots: list[Boot], config: str = "") -> str:
    """Return all tables. `config` is the configuration of the running kernel, if it can be read."""
    last = boots[-1]
    about = f"This machine: {last.facts.get('processor', '?')}, clock {last.info.number('clock_khz') / 1e6:.3f} GHz"
    parts = [f"{about}\n" + "\n".join(_legend(boots))]
    parts.append(_grid("System calls, median ns, with the monitor off", [boot.calls for boot in boots]))
    hooks = [_averages(boot) for boot in boots]
    parts.append(_grid("Hooks, average ns of a call, most expensive first ('-': not called)", hooks, ranked=True))
    parts.append(wrapped("\n".join([*_notes(boots), *advice(boots, config)]), WIDTH))
    return "\n\n".join(parts) + "\n"


def _averages(boot: Boot) -> dict[str, float]:
    return {hook: boot.info.ns(cost.ave) for hook, cost in boot.hooks.items() if cost.calls >= SHOWN_CALLS}


def _legend(boots: list[Boot]) -> list[str]:
    return [
        f"boot {number}: Linux {boot.kernel}, {boot.modules}; {boot.facts.get('date', '?')[:10]}, on {boot.filesystem}"
        for number, boot in enumerate(boots, 1)
    ]


def _grid(title: str, columns: list[dict[str, float]], *, ranked: bool = False) -> str:
    """Return a table; if it is ranked, in the order of the largest value."""
    names = list(dict.fromkeys(name for column in columns for name in column))
    if ranked:
        names.sort(key=lambda name: -max(column.get(name, 0) for column in columns))
    width = max(map(len, names), default=0)
    rows = [f"{name:<{width}} " + " ".join(_cell(column.get(name)) for column in columns) for name in names]
    head = f"{'':<{width}} " + " ".join(f"{f'boot {number}':>9}" for number in range(1, len(columns) + 1))
    return "\n".join([title, head, *rows])


def _cell(value: float | None) -> str:
    return f"{'-':>9}" if value is None else f"{value:>9,.0f}"


def _notes(boots: list[Boot]) -> list[str]:
    found = []
    for number, boot in enumerate(boots, 1):
        empty = boot.info.ns(boot.info.number("overhead"))
        found.append(f"boot {number}: the empty span of {empty:.0f} ns is in every hook's time, not subtracted")
        found += [f"boot {number}: {text}" for text in boot.disturbances]
        if boot.info.get("lost", "0") != "0":
            found.append(f"boot {number}: LOST {boot.info['lost']} calls, which could not be stored")
    return found


def running_config(kernel: str) -> str:
    """Return the file that distributions have, or what the kernel itself says."""
    plain, packed = pathlib.Path(f"/boot/config-{kernel}"), pathlib.Path("/proc/config.gz")
    try:
        return plain.read_text() if plain.exists() else gzip.decompress(packed.read_bytes()).decode()
    except OSError:
        return ""


def advice(boots: list[Boot], config: str) -> list[str]:
    """Say what to boot with next: capability only, to compare with, then the modules that the kernel has."""
    measured = {name for boot in boots for name in boot.modules.split(",")}
    if all(_chosen(boot) for boot in boots):
        return ["Boot with lsm=capability next, and run this again: that is what the others are compared with."]
    built = [name for name, option in CHOICES.items() if re.search(rf"^{option}=y$", config, re.M)]
    missing = [name for name in built if name not in measured]
    return [f"Boot with lsm={missing[0]} next, and run this again."] if missing else []


def _chosen(boot: Boot) -> set[str]:
    return set(boot.modules.split(",")) & set(CHOICES)


def to_json(boots: list[Boot]) -> str:
    return json.dumps({"runner": "host", "boots": [_boot_json(boot) for boot in boots]}, indent=1)


def _boot_json(boot: Boot) -> dict[str, object]:
    return {
        "kernel": boot.kernel,
        "modules": boot.modules,
        "facts": boot.facts,
        "filesystem": boot.filesystem,
        "disturbances": boot.disturbances,
        "empty_span_ns": round(boot.info.ns(boot.info.number("overhead")), 1),
        "calls_ns": {name: round(value, 1) for name, value in boot.calls.items()},
        "hooks": {
            hook: {"calls": cost.calls, "min_ns": round(boot.info.ns(cost.min), 1), "ave_ns": round(boot.info.ns(cost.ave), 1)}
            for hook, cost in boot.hooks.items()
        },
    }
