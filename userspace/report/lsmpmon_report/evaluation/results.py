# SPDX-License-Identifier: GPL-2.0-only
"""Result files: RESULTS/PART/NAME.json, one for each boot. Merged from several machines by plain copying."""

from __future__ import annotations

import functools
import pathlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy

from ..kernelfiles import FormatError, Row, files_of, parse_table, read_json
from .files import Cell, Content, Latency, Record, State

# Parts for which the results of a quick run can stand in.
QUICK = ("modules", "kernels")
# Results that are not of boots.
NO_BOOTS = ("static", "native")


@dataclass(frozen=True, eq=False)
class Result:
    """One boot of one kernel with one stack of modules."""

    part: str
    name: str
    path: pathlib.Path
    data: Content

    @property
    def cell(self) -> Cell:
        return self.data["cell"]

    @property
    def state(self) -> State:
        return self.data["state"]

    @property
    def ident(self) -> str:
        return f"{self.part}/{self.name}"

    @property
    def exact(self) -> bool:
        """Return whether ticks are guest instructions."""
        return self.cell.get("accel") == "icount"

    @property
    def flavour(self) -> str:
        """Return which modules are built into the kernel, and whether lsmpmon is."""
        return str(self.cell.get("flavour") or "?")

    @property
    def arch(self) -> str:
        """Return the architecture of the guest, if that is not x86-64."""
        return self.state.get("arch", "")

    @property
    def runner(self) -> str:
        """Return the runner, and the architecture if it is not the usual one."""
        return f"{self.cell.get('runner') or '?'}{f', {self.arch}' if self.arch else ''}"

    @property
    def layout(self) -> int:
        """Return the number of the image's layout; 0 of a kernel as it is linked."""
        return self.cell.get("layout") or 0

    @property
    def fs(self) -> str:
        return str(self.state.get("filesystem") or self.cell.get("fs") or "?")

    @property
    def setting(self) -> tuple[str, ...]:
        """Return what is equal in results that can be compared: instructions from any machine, time from the same one."""
        processor = "" if self.exact else str(self.state.get("processor", ""))
        return self.runner, str(self.cell.get("accel")), self.fs, processor

    @property
    def kernel(self) -> str:
        return str(self.state.get("kernel", "?"))

    @functools.cached_property
    def _samples(self) -> dict[str, numpy.ndarray]:
        found = {}
        for latency in (self.data.get("latency"), self.data.get("openit")):
            for row in latency["benchmarks"] if latency else ():
                found[row["name"]] = numpy.array(row.get("samples") or [row["median"]], float)
        return found

    @property
    def benchmarks(self) -> list[str]:
        return list(self._samples)

    def samples(self, benchmark: str) -> numpy.ndarray:
        return self._samples[benchmark]

    def median(self, benchmark: str) -> float | None:
        found = self._samples.get(benchmark)
        return None if found is None else float(numpy.median(found))

    def total(self, benchmarks: Iterable[str]) -> float | None:
        """Return the sum of the medians of these; None where one of them was not measured."""
        found = [self.median(benchmark) or 0.0 for benchmark in benchmarks]
        return sum(found) if all(found) else None

    def left_out(self, benchmark: str) -> str:
        """Return why it has no samples, in lmbench-hook's words."""
        latency = self.data.get("latency") or {}
        return (latency.get("left_out") or {}).get(benchmark, "")

    @property
    def records(self) -> dict[str, Record]:
        return self.data.get("records") or {}

    def tables(self, record: str, file: str, needs: tuple[str, ...]) -> list[list[Row]]:
        """Return the kernel's `file` for each run of a record; empty if the kernel has no such file."""
        texts = [run["files"].get(file) for run in self.records[record]["runs"]] if record in self.records else []
        return [
            parse_table(text, name=f"{self.path}: {record}/{file}", needs=needs)
            for text in texts
            if text and text.strip()
        ]


def version(name: str) -> list[int]:
    """Return the numbers in a kernel's version, to sort by."""
    return [int(part) if part.isdigit() else 0 for part in name.split(".")]


class Results:
    """All that was measured, by part and name."""

    def __init__(self, found: list[Result]) -> None:
        self.absent = [result for result in found if "left_out" in result.data]
        self._all = {(result.part, result.name): result for result in found if "left_out" not in result.data}
        self.quick = not self.part("modules") and bool(self.part("quick"))

    def part(self, part: str) -> dict[str, Result]:
        return {name: result for (where, name), result in self._all.items() if where == part}

    def get(self, part: str, name: str) -> Result | None:
        found = self._all.get((part, name))
        if found is None and self.quick and part in QUICK:
            return self._all.get(("quick", name))
        return found

    def boots(self, part: str, name: str) -> list[Result]:
        """Return NAME-1, NAME-2 and so on, which are boots of the same cell."""
        found = self.part(part).items()
        return [result for each, result in found if re.fullmatch(re.escape(name) + r"-\d+", each)]

    @property
    def cells(self) -> list[Result]:
        return [result for result in self._all.values() if result.part not in NO_BOOTS]

    @property
    def static(self) -> dict[str, Result]:
        return self.part("static")

    @property
    def main(self) -> str:
        """Return the version with the most results."""
        cells = [result for result in self.cells if result.part in ("modules", "quick")]
        versions = [str(result.cell.get("kver")) for result in cells or self.part("yours").values()]
        return max(sorted(set(versions)), key=versions.count) if versions else "6.12"

    @property
    def kernels(self) -> list[str]:
        """Return all versions with results, oldest first."""
        versions = {str(result.cell.get("kver")) for result in self.cells if result.part != "yours"} | set(self.static)
        return sorted(versions, key=version)

    @property
    def yours_alone(self) -> bool:
        """Return whether all results are from the user's own tree."""
        return {part for part, _ in self._all} == {"yours"}


def medians(latency: Latency | None) -> dict[str, float]:
    """Return the median of each sub-benchmark."""
    return {row["name"]: row["median"] for row in latency["benchmarks"]} if latency else {}


def load_results(directory: pathlib.Path) -> Results:
    paths = sorted(directory.glob("*/*.json"))
    if not paths:
        raise FormatError(f"{directory}: no results in it; expected {directory}/PART/NAME.json")
    return Results([load_result(path) for path in paths])


def load_result(path: pathlib.Path) -> Result:
    data: Content = read_json(path)
    _check(path, data)
    if data.get("cell", {}).get("accel") == "tcg" and (data.get("latency") or data.get("openit")):
        raise FormatError(f"{path}: software emulation: its cycles mean nothing; ACCEL=icount reads what costs")
    return Result(path.parent.name, path.stem, path, data)


def _check(path: pathlib.Path, data: Content) -> None:
    wanted = "lsmpmon-static" if path.parent.name == "static" else "lsmpmon-result"
    if not isinstance(data, dict) or data.get("format") != wanted:
        raise FormatError(f"{path}: its format should be {wanted}")
    if data.get("version") != 1:
        raise FormatError(f"{path}: version {data.get('version')} of {wanted}; only 1 is known here")
    try:
        _check_static(data) if wanted == "lsmpmon-static" else _check_result(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{path}: not a {wanted}: {type(error).__name__}: {error}") from error


def _check_static(data: Content) -> None:
    data["kernel"], data["framework"]["hooks"]
    for module in data["modules"].values():
        module["count"], module["lines"], module["code_lines"], module["categories"].items()


def _check_result(data: Content) -> None:
    data["cell"].items()
    if "left_out" in data:
        return
    data["state"].items()
    for latency in (data.get("latency"), data.get("openit")):
        for row in latency["benchmarks"] if latency else ():
            numbers = row.get("samples") or [row["median"]]
            if not isinstance(row["name"], str) or not all(isinstance(number, (int, float)) for number in numbers):
                raise TypeError(f"samples of '{row['name']}' should be numbers")
    for record in (data.get("records") or {}).values():
        for run in record["runs"]:
            # Those of `lsmpmon record` have tables as data.
            run["files"] = files_of(run)
