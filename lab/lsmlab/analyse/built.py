# SPDX-License-Identifier: GPL-2.0-only
"""The cost of modules that are built in and off, over the same kernel without them, and of enabling them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median_low

from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.pipeline.printed import read

Values = dict[str, int]
# Sections of an image that its boot gives back, and those about its code: unwinding, warnings, exceptions.
INIT = re.compile(r"[.](init|exit|alt|x86_cpu_dev|apicdrivers|re(tpoline|turn)_sites|smp_locks)|runtime_")
TABLES = re.compile(r"[.]orc_|__bug_table|__ex_table")
DATA = re.compile(r"[.](data|bss|brk|vvar)")
# Sections that are padded for pages of 2 MiB, and the symbols that what fills them is between.
PADDED = {".text": ("_stext", "__entry_text_start"), ".bss": ("__bss_start", "__start_bss_decrypted")}
# Sections of an object that are not in the image.
UNLINKED = (".comment", ".note", ".discard")
# Fields of meminfo, in KiB.
MEMORY = {"total": "MemTotal", "slab": "SUnreclaim", "percpu": "Percpu"}


def _kind(section: str) -> str:
    """Return the kind of bytes in a section."""
    if INIT.match(section):
        return "init"
    if TABLES.match(section):
        return "tables"
    return "data" if DATA.match(section) else "constants"


def sizes(text: str) -> Values:
    """Return the bytes of each kind in the output of `size -A -d` about an image, without sections that are padded."""
    found: Values = {}
    for name, size, *_ in (line.split() for line in text.splitlines() if re.search(r"\s\d+\s+\d+$", line)):
        if name not in (*PADDED, ".comment"):
            found[_kind(name)] = found.get(_kind(name), 0) + int(size)
    return found


def filled(text: str, first: str, end: str) -> int:
    """Return the bytes from one symbol to the last one before another, in a System.map."""
    at = {name: int(address, 16) for address, _, name in map(str.split, text.splitlines())}
    if first not in at or end not in at:
        raise Failed(f"System.map has no {first} and {end}")
    return max(address for address in at.values() if address < at[end]) - at[first]


def dispatch(text: str) -> int:
    """Return the bytes of security.o, code and tables, in the output of `size -A` about several objects."""
    found = re.search(r"^\./security\.o\b.*\n((?:.+\n)+)", text, re.M)
    if not found:
        raise Failed("there is no size of security.o")
    sections = re.findall(r"^([._]\S+) +(\d+) +\d+$", found[1], re.M)
    return sum(int(size) for name, size in sections if not name.startswith(UNLINKED))


def image(folder: Path) -> Values:
    """Return the bytes of an image by kind."""
    symbols, found = read(folder / "symbols"), sizes(read(folder / "sections"))
    code, zeroes = (filled(symbols, *bounds) for bounds in PADDED.values())
    return {**found, "code": code, "data": found["data"] + zeroes, "security": dispatch(read(folder / "security.o"))}


def calls(folder: Path) -> Values:
    """Return the instructions of each call: the fewest of all samples, which no interrupt was in."""
    rows = json.loads(read(folder / "run.json"))["benchmarks"]
    return {row["name"]: int(row["min"]) for row in rows}


def _phases(folder: Path) -> list[Path]:
    """Return the folders of the boots of a state that make no calls."""
    return sorted(folder.parent.glob(f"{folder.name}-[0-9]"))


def memory(folder: Path) -> Values:
    """Return some fields of meminfo, in KiB."""
    fields = dict(re.findall(r"^(\w+): +(\d+)", read(folder / "memory"), re.M))
    return {name: int(fields[field]) for name, field in MEMORY.items()}


def _boot(folder: Path) -> Values:
    """Return the instructions until the kernel is initialised, in thousands, as its clock has them."""
    text = read(folder / "boot").strip()
    if not text.isdigit():
        raise Failed(f"{folder}: the kernel did not say when it was initialised")
    return {"kinstructions": int(text)}


def _median(found: Iterable[Values]) -> Values:
    """Return the median of each value, of an odd number of boots."""
    boots = list(found)
    return {name: median_low(values[name] for values in boots) for name in boots[0]}


def _state(folder: Path) -> dict[str, Values]:
    return {"calls": calls(folder), "memory": _median(map(memory, _phases(folder))), "boot": _median(map(_boot, _phases(folder)))}


def _more(state: Mapping[str, Values], base: Mapping[str, Values]) -> dict[str, Values]:
    """Return how much more a state has of everything than its base."""
    return {kind: {name: value - base[kind].get(name, 0) for name, value in values.items()} for kind, values in state.items()}


def figures(results: Path, every: str, others: Mapping[str, str], enabled: Iterable[str]) -> dict[str, object]:
    """Return what is in a kernel with all modules, and what each adds: built in and off, and enabled over that.

    `every` is the kernel with all modules, and its boot; `others` are the kernels without modules, by what each lacks.
    """
    def whole(name: str) -> dict[str, Values]:
        return {**_state(results / name), "image": image(results / "kernels" / name)}

    base = whole(every)
    return {"every": base, "off": {lacks: _more(base, whole(name)) for lacks, name in others.items()},
            "enabled": {name: _more(_state(results / name), _state(results / every)) for name in enabled}}
