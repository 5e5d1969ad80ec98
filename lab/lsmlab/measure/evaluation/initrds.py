# SPDX-License-Identifier: GPL-2.0-only
"""The files of the guests, on either runner."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from lsmlab.guest.settings import ARCHES
from lsmlab.measure.evaluation import elsewhere, plan
from lsmlab.measure.evaluation.cell import Cell
from lsmlab.measure.evaluation.guest import MADE
from lsmlab.measure.pipeline import initrd
from lsmlab.places import REPO

# The file that LMbench opens and stats, for open/lmbench.
HEADER = Path("/usr/include/x86_64-linux-gnu/sys/types.h")

# The programs that make a file system in the guest, by their places there.
MAKERS = {"ext4": "/sbin/mke2fs"}

# stderr goes to the console, where it is shown if the guest fails.
SCRIPT = """sh /repo/lab/inside/eval 2>/tmp/stderr || {
	status=$?
	tail -n 20 /tmp/stderr | sed 's/^/stderr: /'
	exit $status
}
"""


def _root(arch: str) -> str:
    """Return the folder of the programs of guests: this machine's own, or that of another architecture."""
    if arch == ARCHES[0]:
        return ""
    return subprocess.run([REPO / "lab/shell/foreign-programs"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def _make(out: Path, policies: Iterable[str], programs: Iterable[str], root: str) -> str:
    """Make the file, and return a digest of it. Programs come from a folder `root`."""
    command = [str(REPO / "lab/shell/guest-repo"), *policies]
    words = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    words.append(f"{REPO}/lab/inside/eval:/repo/lab/inside/eval")
    if HEADER.exists():
        words.append(f"{HEADER}:{HEADER}")
    words += [f"{root}{program}:{program}" for program in programs]
    return initrd.make(out, SCRIPT, filter(None, words))


class Initrds:
    """The files of all guests of a part.

    Guests that are compared must have the same files, whichever cells are measured now and whatever else was made on this
    machine. So the guests of a part have the files that any policy and any file system of the part needs.
    """

    def __init__(self, cells: Sequence[Cell], arch: str = ARCHES[0]) -> None:
        self.arch = arch
        self.cells = self._possible(cells)
        self.made: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[Path, str]] = {}

    def _possible(self, cells: Iterable[Cell]) -> list[Cell]:
        return [cell for cell in cells if not elsewhere.why_not(cell, self.arch)]

    def policies(self, part: str) -> tuple[str, ...]:
        """Return the words of MADE whose files the guests of this part have."""
        if plan.stands_alone(part):
            cells = [cell for cell in self.cells if cell.part == part]
        else:
            cells = self._possible(cell for cells in plan.PARTS.values() for cell in cells())
        return tuple(module for module in MADE if any(module in cell.policies for cell in cells))

    def makers(self, part: str) -> tuple[str, ...]:
        """Return the programs that make the file systems of this part."""
        return tuple(sorted({MAKERS[cell.fs] for cell in self.cells if cell.part == part and cell.fs in MAKERS}))

    def _files(self, cell: Cell) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.policies(cell.part), self.makers(cell.part)

    def get_tools(self) -> None:
        """Build policies. Debian's takes a minute and BPF needs a compiler. lsm-tools names what is not available."""
        wanted = {module for cell in self.cells for module in self.policies(cell.part)}
        subprocess.run([REPO / "lab/shell/lsm-tools", *sorted(wanted)])

    def make(self) -> None:
        root, kind = _root(self.arch), "initrd" if self.arch == ARCHES[0] else f"initrd-{self.arch}"
        for policies, makers in {self._files(cell) for cell in self.cells}:
            out = REPO / "build/eval" / "-".join((kind, *policies, *(Path(maker).name for maker in makers)))
            self.made[policies, makers] = out, _make(out, policies, makers, root)

    def of(self, cell: Cell) -> tuple[Path, str]:
        """Return the file, and a digest of it."""
        return self.made[self._files(cell)]
