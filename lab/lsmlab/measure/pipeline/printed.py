# SPDX-License-Identifier: GPL-2.0-only
"""Guests that print their results, a sequence of files, each after a line "==> NAME": a folder for each boot keeps them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from lsmlab.console import progress, say
from lsmlab.measure.pipeline import kernel, processes
from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.pipeline.graph import Graph, Place
from lsmlab.measure.pipeline.jobs import KEPT, KERNEL, MEASURED, Json, Kind, Outcome
from lsmlab.places import REPO

# The file in the folder of a boot, beside the guest's output, with a hash of its inputs.
KEY = "key"
# Variables that name files of this machine, or only limit how long a guest may take.
NO_INPUTS = ("INITRD", "TIMEOUT")
# Lines of a guest's complaint that are shown.
LINES = 5


def split(text: str) -> dict[str, str]:
    """Return the files in a guest's output, by their names. Lines before the first file are left out."""
    files: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in text.splitlines(keepends=True):
        if line.startswith("==> "):
            lines = files.setdefault(line[4:].strip(), [])
        elif lines is not None:
            lines.append(line)
    return {name: "".join(lines) for name, lines in files.items()}


def read(path: Path) -> str:
    """Return the text of a file of a result, which there has to be."""
    try:
        return path.read_text()
    except OSError as error:
        raise Failed(f"{path}: {error.strerror}") from error


def digest(paths: Iterable[Path]) -> str:
    """Return a digest of files, and of the files in folders, by their names in this repository and their content."""
    hashed = hashlib.sha256()
    for path in sorted(file for top in paths for file in ([top] if top.is_file() else top.rglob("*"))):
        if path.is_file() and path.suffix != ".pyc":
            name = path.relative_to(REPO) if path.is_relative_to(REPO) else path.name
            hashed.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return hashed.hexdigest()


@dataclass(frozen=True)
class Boot:
    """A boot whose results go to `out`.

    `kernel` has the variables of build-kernel, `guest` those of scripts/exec, and `files` is a digest of the files that the
    guest reads. `number` counts the boots of the same guest, from 1. `needs` are the files without which results are not
    whole.
    """

    name: str
    out: str
    kernel: Mapping[str, str]
    guest: Mapping[str, str]
    files: str
    number: int = 1
    needs: Sequence[str] = ()

    @property
    def exact(self) -> bool:
        """Say whether the guest counts instructions, so that other load on the machine does not matter."""
        return self.guest.get("ACCEL") == "icount"

    def place(self) -> Place:
        """Return the boot as a graph needs it."""
        return Place(self.name, self.exact, self.kernel, self.number)

    def key(self, directory: Path) -> str:
        """Return a hash of all inputs of the result. `directory` is that of the kernel, named by its inputs."""
        variables = {name: value for name, value in self.guest.items() if name not in NO_INPUTS}
        text = json.dumps([variables, directory.name, self.files, self.number], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def kept(out: Path) -> str | None:
    """Return the key of the results in a folder, or None."""
    path = out / KEY
    return path.read_text().strip() if path.exists() else None


def _write(out: Path, files: Mapping[str, str]) -> None:
    """Replace a folder by one with these files. An interruption leaves the folder as it was, or without a key."""
    part = out.with_name(out.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    for name, text in files.items():
        path = part / name
        if not path.resolve().is_relative_to(part.resolve()):
            raise Failed(f"the guest printed a file '{name}', which is not a name beneath its folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    # The kernel's own tests leave directories a thousand levels deep in a folder that guests share, too deep for rmtree().
    subprocess.run(["rm", "-rf", "--", out], check=True)
    os.replace(part, out)


def keep(out: Path, text: str, needs: Sequence[str], key: str = "") -> None:
    """Keep the files that were printed in a folder, under a key. Raise Failed if one that is needed is not among them."""
    files = split(text)
    missing = [name for name in needs if name not in files]
    if missing:
        raise Failed(f"{' '.join(missing)} was not printed")
    _write(out, {**files, KEY: f"{key}\n"})


def _reason(status: int, printed: str, errors: str) -> str:
    """Return why a guest failed. An initramfs prints its complaints among its output."""
    last = (errors.strip() or printed.strip()).splitlines()[-LINES:]
    return "\n".join([f"status {status} in the guest", *last])


def _measure(job: Json, directory: Path) -> str:
    boot = Boot(**job["boot"])
    out, key = Path(boot.out), boot.key(directory)
    if kept(out) == key:
        return KEPT
    done = processes.run([REPO / "scripts/exec"], kernel.environment(**boot.kernel, **boot.guest))
    if done.returncode:
        raise Failed(_reason(done.returncode, done.stdout, done.stderr))
    keep(out, done.stdout, boot.needs, key)
    return MEASURED


KIND = Kind("printed", _measure)


def add(graph: Graph, boot: Boot) -> bool:
    """Add a boot to a graph of this kind, unless its results are there. Return whether it was added."""
    directory = kernel.find(boot.kernel)
    if directory and kept(Path(boot.out)) == boot.key(directory):
        return False
    graph.add(boot.place(), directory, boot=asdict(boot))
    return True


def measure(boots: Sequence[Boot], folder: Path) -> None:
    """Measure the boots that are missing, and raise Failed if one of them fails. `folder` is for the graph."""
    graph = Graph(folder, KIND, say)
    total = sum(add(graph, boot) for boot in boots)
    ended, failed = [], []

    def heard(rule: str, name: str, outcome: Outcome) -> None:
        if rule != KERNEL:
            ended.append(name)
        progress(f"built {name}" if rule == KERNEL else f"measured {name} ({len(ended)} of {total})")
        if "reason" in outcome:
            # The boots of a kernel that does not build fail with it.
            if rule != KERNEL:
                failed.append(name)
            progress("")
            say(f"{name}: {outcome['reason']}")

    if graph.jobs[KERNEL]:
        say(f"kernels to be built: {', '.join(graph.jobs[KERNEL])}")
    if not total:
        say("all of this was measured before, with the same inputs; FRESH=1 measures again")
    progress(f"measuring: {total} boots")
    graph.run(heard)
    progress("")
    if failed:
        raise Failed(f"{len(failed)} of {total} boots could not be measured")


def forget(boots: Iterable[Boot]) -> None:
    """Have measure() measure these boots again, whatever is there. Their results stay until then."""
    for boot in boots:
        (Path(boot.out) / KEY).unlink(missing_ok=True)
