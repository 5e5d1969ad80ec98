# SPDX-License-Identifier: GPL-2.0-only
"""Guests that make the same calls on one processor and on several, in a folder that a machine with more can measure."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from lsmlab.measure.evaluation import guest, initrds, plan
from lsmlab.measure.evaluation.cell import Cell
from lsmlab.measure.pipeline import kernel
from lsmlab.places import REPO

PART = "processors"
MODULES = ("capability", *plan.DECIDING)
BOOTS = 3
# What all guests are told: the kernel has tests of its own, which would run when it boots.
ALWAYS = "panic_on_warn=1 oops=panic panic=-1 kunit.enable=0"
# The files of a folder: the kernel, the guests' files, a line for each boot, and the script that boots them.
LINUX, INITRD, LINES, MEASURE = "linux", "initrd", "boots", "measure"


def cells() -> Iterator[Cell]:
    """Yield the boots, modules in turn, so that what changes on the machine meets all of them."""
    newest = plan.KERNELS[-1]
    for boot in range(1, BOOTS + 1):
        for module in MODULES:
            yield Cell(PART, f"{module}-{boot}", (PART,), "patched", "" if module == "capability" else module, newest, "uml",
                       "none", plan.deciding(module), boot=boot)


def _line(cell: Cell) -> str:
    """Return the name of a boot, and the words for its kernel."""
    lsm = ",".join(filter(None, ("capability", cell.lsm)))
    return f"{cell.name} {ALWAYS} lsm={lsm} {guest.arguments(cell, 1, ())}\n"


def prepare(folder: Path) -> None:
    """Make the folder, with all that its guests need."""
    boots = list(cells())
    built = kernel.build({**boots[0].kernel(), "CONFIG": str(REPO / "kconfigs/smp")})
    files = initrds.Initrds(boots)
    files.get_tools()
    files.make()
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(built / "kernel", folder / LINUX)
    shutil.copy(files.of(boots[0])[0], folder / INITRD)
    shutil.copy(REPO / "lab/shell/measure-processors", folder / MEASURE)
    (folder / LINES).write_text("".join(map(_line, boots)))
