# SPDX-License-Identifier: GPL-2.0-only
"""make eval: measure the cells of an evaluation and write its report, build/report/README.md.

Each cell is one boot. Its result stays in build/eval/results/PART/NAME.json until one of its inputs changes, so an
interrupted evaluation continues where it was, and results of several machines can be merged by copying. Status 1 if
a cell could not be measured.

Variables: EVAL, the parts to run (default: all); KDIR and LSM, your own tree and the modules to enable in it, instead
of the parts; SAMPLES (101); PROFILE, a profile of Snakemake, which says on which machines cells are measured (default:
this one); RESULTS, the directory for results and report (build); RUNNER=host, this machine as it is booted: each boot
adds a result. RUNNER=qemu ARCH=arm64: guests of arm64, in build/eval-arm64 and build/report-arm64; what they cannot have is
named.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import tarfile
import time
from pathlib import Path

from lsmlab.console import progress, say
from lsmlab.guest.settings import BadSetting, Settings, number
from lsmlab.measure.evaluation import elsewhere, machine, measuring, plan, published, result, work
from lsmlab.measure.evaluation.cell import Cell
from lsmlab.measure.evaluation.initrds import Initrds
from lsmlab.measure.pipeline import jobs, kernel, processes, profile
from lsmlab.measure.pipeline.graph import Graph
from lsmlab.measure.plans import request
from lsmlab.places import CACHE, REPO

HOST = "host"
BASE = Path(os.environ.get("RESULTS") or REPO / "build").resolve()
FOLDER, REPORT = BASE / f"eval{request.suffix()}", BASE / f"report{request.suffix()}"
RESULTS = FOLDER / "results"
# The folder of the graph of jobs.
GRAPH = FOLDER / "graph"
# Results of scripts/lab slopes, if it has run.
SLOPES = REPO / "build/slopes"
PATTERNS = ("*", "*/*")
QUICK = "quick"
# The part that only counts in source trees and boots nothing.
STATIC = "static"
# Odd, so that the median is one of them.
SAMPLES = 101


def cells_of(part: str) -> list[Cell]:
    """Return the cells of a part, with those that guests of this architecture cannot have."""
    return [] if part == STATIC else list({**plan.PARTS, QUICK: plan.quick}[part]())


def parts_wanted() -> list[str]:
    """Return the parts that EVAL names, or all that guests of this architecture can have."""
    names = [*plan.PARTS, STATIC, QUICK]
    refused = {part: elsewhere.refusal(cells_of(part), request.arch()) for part in names}
    parts = os.environ.get("EVAL", "").split() or [part for part in names[:-1] if not refused[part]]
    for part in parts:
        if part not in names:
            raise BadSetting(f"EVAL='{part}' is not accepted; one or more of: {' '.join(names)}")
        if refused[part]:
            raise BadSetting(f"EVAL='{part}' is not accepted with ARCH='{request.arch()}': {refused[part]}")
    return parts


def cells_wanted() -> list[Cell]:
    """Return the cells of the parts that EVAL names, or of the user's own tree."""
    if os.environ.get("KDIR"):
        settings = Settings.from_environment("qemu")
        wanted = list(plan.yours(settings.kver, settings.lsm))
    else:
        wanted = [cell for part in parts_wanted() for cell in cells_of(part)]
    return [elsewhere.cell_for(cell, request.arch()) for cell in wanted]


def count_sources() -> None:
    """Count hooks and lines. hooks-count names the sources that the mirror does not have; they are left out."""
    for kver in plan.KERNELS:
        path = RESULTS / STATIC / f"{kver}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([REPO / "scripts/lab", "hooks-count", kver, "--json", path], stdout=subprocess.DEVNULL)
        if done.returncode not in (0, kernel.NOT_AVAILABLE):
            raise SystemExit(done.returncode)


def samples_wanted() -> int:
    return number("SAMPLES", SAMPLES, 5, 99999)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="only whether the variables are accepted")


class Evaluation:
    def __init__(self, cells: list[Cell], samples: int) -> None:
        self.cells = {cell.path.removesuffix(".json"): cell for cell in cells}
        self.samples = samples
        self.initrds = Initrds(cells, request.arch())
        self.failed, self.measured, self.ended = 0, 0, 0

    def leave_out(self) -> None:
        """Record the cells that guests of this architecture cannot have, and say why."""
        refused = {name: why for name, cell in self.cells.items() if (why := elsewhere.why_not(cell, request.arch()))}
        for name, why in refused.items():
            cell = self.cells.pop(name)
            jobs.write(RESULTS / cell.path, result.left_out(cell, "", why))
            say(f"{name.replace('/', ' ')}: left out: {why}")

    def prepare(self) -> None:
        """Make the files of the guests, which are inputs of results."""
        if not request.on_x86():
            request.programs("all", "contain")
        self.initrds.get_tools()
        if work.wanted(self.cells.values()):
            work.make_files()
        self.initrds.make()

    def missing(self) -> Graph:
        """Return the graph of cells that were not measured, or with other inputs."""
        graph = Graph(GRAPH, measuring.KIND, say)
        for cell in self.cells.values():
            path, directory, (initrd, files) = RESULTS / cell.path, kernel.find(cell.kernel()), self.initrds.of(cell)
            key = directory and measuring.key_of(cell, directory, self.samples, files)
            if not key or result.read_key(path) != key:
                measuring.add(graph, cell, directory, key=key, files=files, initrd=str(initrd), samples=self.samples,
                              patterns=PATTERNS, result=str(path))
        return graph

    def heard(self, rule: str, name: str, outcome: jobs.Outcome) -> None:
        """Record the outcome of a job."""
        if rule == jobs.KERNEL:
            progress(f"built {name}")
        else:
            self.ended += 1
            progress(f"measured {name} ({self.ended} of {len(self.graph)})")
            self.measured += outcome["status"] == jobs.MEASURED
            self.failed += outcome["status"] == jobs.FAILED
        if outcome["status"] == jobs.LEFT_OUT and rule != jobs.KERNEL:
            cell = self.cells[name]
            jobs.write(RESULTS / cell.path, result.left_out(cell, "", outcome["reason"]))
        elif "reason" in outcome:
            progress("")
            say(f"{name.replace('/', ' ')}: {outcome['reason']}")

    def run(self) -> None:
        self.leave_out()
        self.prepare()
        self.graph = self.missing()
        kernels = self.graph.jobs[jobs.KERNEL]
        if kernels:
            say(f"kernels to be built: {', '.join(kernels)}")
        self.graph.run(self.heard)
        progress("")
        self.say_other_kernels()

    def say_other_kernels(self) -> None:
        """Say which kernels are not those of the published report."""
        found = [directory for cell in self.cells.values() if (directory := kernel.find(cell.kernel()))]
        for remark in published.others(directory.name for directory in found) if not os.environ.get("KDIR") else ():
            say(remark)


def report(results: Path, out: Path) -> None:
    python = CACHE / "venv/bin/python"
    words: list[str | Path] = [python, "-m", "lsmpmon_report", "evaluation", results, "-o", out]
    for about in sorted(SLOPES.glob("*/about")):
        words += ["--slopes", about.parent]
    done = subprocess.run(words, env=dict(os.environ, PYTHONPATH=str(REPO / "userspace/report")))
    if done.returncode:
        raise SystemExit(done.returncode)


def complete() -> list[str]:
    """Return the parts of which each cell was measured, or cannot be: make figures publishes a part's pages from
    this list.
    """
    return [part for part in plan.PARTS if all((RESULTS / cell.path).exists() for cell in cells_of(part))]


def archive() -> None:
    """Pack results and report into one file, whose bytes depend on nothing else."""
    out = FOLDER / "evaluation.tar.gz"
    part = out.with_suffix(".part")
    names = [str(path.relative_to(RESULTS.parents[1])) for path in (RESULTS, REPORT)]
    with gzip.GzipFile(part, "wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for name in names:
            tar.add(RESULTS.parents[1] / name, name, filter=anonymous)
    part.rename(out)


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.isdir() else 0o644
    return member


def on_host() -> bool:
    return os.environ.get("RUNNER") == HOST


def measure_host() -> None:
    machine.measure(BASE / "eval" / HOST, samples_wanted())
    report(BASE / "eval" / HOST, BASE / "report" / HOST)


def check() -> None:
    """Check the variables before any work."""
    if on_host() and (os.environ.get("EVAL") or QUICK) != QUICK:
        raise BadSetting(f"EVAL='{os.environ['EVAL']}' is not accepted with RUNNER='host'; one of: {QUICK}")
    if on_host() and profile.wanted():
        raise BadSetting(f"PROFILE='{os.environ['PROFILE']}' is not accepted with RUNNER='host', which is this machine")
    if not on_host():
        Settings.from_environment("qemu")
    cells_wanted()
    samples_wanted()
    profile.wanted()


def main(options: argparse.Namespace) -> int:
    if options.check:
        check()
        return 0
    check()
    if on_host():
        measure_host()
        return 0
    processes.end_with_jobs()
    evaluation, began = Evaluation(cells_wanted(), samples_wanted()), time.monotonic()
    evaluation.run()
    if work.wanted(evaluation.cells.values()):
        work.measure_native(RESULTS)
    if not os.environ.get("KDIR") and STATIC in parts_wanted():
        count_sources()
    report(RESULTS, REPORT)
    (REPORT / "complete").write_text("".join(f"{part}\n" for part in complete()))
    archive()
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    say(f"measured {evaluation.measured} of {len(evaluation.cells)} cells in {minutes} min {seconds} s")
    if evaluation.failed:
        say(f"{evaluation.failed} of {len(evaluation.cells)} cells could not be measured")
    return int(bool(evaluation.failed))
