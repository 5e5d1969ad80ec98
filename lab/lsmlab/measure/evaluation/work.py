# SPDX-License-Identifier: GPL-2.0-only
"""Everyday work: what it needs, and how long it takes on this machine, outside of guests and unmeasured."""

from __future__ import annotations

import hashlib
import platform
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from lsmlab.guest import memory
from lsmlab.measure.evaluation import frozen, machine, result
from lsmlab.measure.evaluation.cell import WORK, Cell
from lsmlab.measure.pipeline import jobs, printed
from lsmlab.measure.pipeline.jobs import Json
from lsmlab.places import REPO

PART = "work"
SCRIPT = REPO / "lab/inside/work"
FILES = REPO / "build/work"
# It has a folder of its own, since it is not a boot.
NATIVE = Path("native/work.json")
RUNS = 21


def wanted(cells: Iterable[Cell]) -> bool:
    return any(measure in WORK for cell in cells for measure in cell.measures)


def make_files() -> None:
    subprocess.run([REPO / "lab/shell/work-files"], check=True)


def _said(*words: str) -> list[str]:
    return subprocess.run([SCRIPT, *words], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def _programs() -> list[Path]:
    """Return the programs of this machine that the works run; other programs come with the files."""
    paths = (shutil.which(name) for name in ("tar", "git", "gcc", "sed", "curl", "sh"))
    return [Path(path).resolve() for path in filter(None, paths)]


def digest() -> str:
    """Return a digest of all that the works run and read."""
    inputs = FILES.glob(f"{frozen.VERSION}*.tar")
    paths = [SCRIPT, REPO / "build/bin/lsmpmon", *inputs, *FILES.glob("programs/usr/*bin/*"), *_programs()]
    return printed.digest(path for path in paths if path.is_file())


def _processors() -> tuple[float, float]:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime, used.ru_stime


def _once(name: str, directory: str) -> dict[str, float]:
    """Do a work and return its times. Processor time is that of all processes that the work has started and waited for."""
    user, system = _processors()
    began = time.monotonic()
    done = subprocess.run([SCRIPT, "run", name, directory], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    elapsed, (user_after, system_after) = time.monotonic() - began, _processors()
    if done.returncode:
        raise result.BadOutput(f"it fails: {done.stderr.strip().splitlines()[-1:]}")
    return {"elapsed": elapsed, "user": user_after - user, "system": system_after - system}


def _time_all(directory: str) -> tuple[dict[str, list[dict[str, float]]], dict[str, str]]:
    native: dict[str, list[dict[str, float]]] = {}
    not_done: dict[str, str] = {}
    for name in _said("list"):
        missing = " ".join(_said("missing", name))
        try:
            if missing:
                raise result.BadOutput(f"there is no {missing} here")
            _once(name, directory)
            native[name] = [_once(name, directory) for _ in range(RUNS)]
        except result.BadOutput as reason:
            not_done[name] = str(reason)
    return native, not_done


def _place() -> str | None:
    """Return a tmpfs with room for programs, as in the guests, or None."""
    return None if memory.unfit("/dev/shm") else "/dev/shm"


def _filesystem(directory: str) -> str:
    return subprocess.run(["stat", "-f", "-c", "%T", directory], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def _modules() -> str:
    path = Path("/sys/kernel/security/lsm")
    return path.read_text().strip() if path.exists() else ""


def _state(directory: str) -> Json:
    """Return the state of this machine. Its configuration and its command line are its owner's."""
    mitigations = {path.name: path.read_text().strip() for path in Path("/sys/devices/system/cpu/vulnerabilities").glob("*")}
    return {"kernel": platform.release(), "cmdline": "", "config": "", "lsm": _modules(), "mitigations": mitigations,
            "filesystem": _filesystem(directory), **machine.about()}


def measure_native(results: Path) -> None:
    """Measure unless the result is there."""
    cell = Cell(PART, "native", ("work_times",), "native", kver=platform.release(), runner="host", accel="none")
    key = hashlib.sha256(f"{digest()} {cell.kver} {machine.about()['processor']}".encode()).hexdigest()[:16]
    if result.read_key(results / NATIVE) == key:
        return
    with tempfile.TemporaryDirectory(prefix="lsmpmon.", dir=_place()) as directory:
        subprocess.run([SCRIPT, "prepare", directory], check=True)
        native, not_done = _time_all(directory)
        state = _state(directory)
    jobs.write(results / NATIVE, {"format": "lsmpmon-result", "version": 1, "cell": cell.json(), "key": key,
                                  "state": state, "input": frozen.VERSION, "native": native, "not_done": not_done})
