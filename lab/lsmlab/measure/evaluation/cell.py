# SPDX-License-Identifier: GPL-2.0-only
"""One boot of one kernel, and the measurements in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from lsmlab.guest.settings import KVER
from lsmlab.measure.pipeline.graph import Place
from lsmlab.measure.pipeline.jobs import Json

# Cells measure some of these. `latency`: each sub-benchmark is timed; `atomics`: with that, the atomic operations in
# each; `denied`: an open that policy denies; `cold`: calls for which SELinux has forgotten its answers; `openit`: the
# walk through a tree; `hooks`: what the monitor counts in some rounds of each plain sub-benchmark; `repeated`: the hook
# times of all of them, in several repetitions; `callbacks`: hooks and callbacks by system call, in few and in more
# rounds of each sub-benchmark; `cycles`: the hook times of each, in many short records; `work_counts` and `work_times`:
# the hooks of everyday work; `tails`: the slowest of many calls; `calls`: whole calls and the hooks inside them.
# `processors`, which is not of the evaluation: see plans/processors.py.

# Under icount, QEMU counts each iteration of a REP instruction. Without these features the kernel copies 8 bytes an
# iteration, not 1.
CPU = "max,-erms,-fsrm"
# Measurements with programs of this machine.
WORK = ("work_counts", "work_times")
# Bytes of an inode of ext4. The first is what mke2fs makes; extended attributes have more room in the other.
INODES = ("256", "512")


@dataclass(frozen=True)
class Cell:
    part: str
    name: str
    measures: tuple[str, ...]
    flavour: str
    lsm: str = ""
    kver: str = KVER
    runner: str = "qemu"
    accel: str = "icount"
    policies: dict[str, str] = field(default_factory=dict)      # policy: on, or off: loaded, but not enforced
    rules: int | None = None                                    # those of the one module in `policies`
    boot: int = 1
    layout: int = 0                                             # of the kernel's image; 0 is as it is linked
    cpu: str = CPU                                              # of QEMU
    kargs: str = ""                                             # more words for the kernel's command line
    fs: str = "tmpfs"                                           # where the benchmark works
    inode: str = INODES[0]                                      # bytes of one, if that is ext4

    @property
    def path(self) -> str:
        return f"{self.part}/{self.name}.json"

    @property
    def exact(self) -> bool:
        """Say whether other load on the machine does not matter, so that several may run at once."""
        return self.accel == "icount"

    @property
    def of_host(self) -> bool:
        """Say whether the guest sees the files of this machine, and not only those of an initramfs."""
        return (self.runner == "uml" and not self.exact) or any(measure in WORK for measure in self.measures)

    def kernel(self) -> dict[str, str]:
        """Return the variables that tell build-kernel which kernel to boot."""
        layout = {"LAYOUT": str(self.layout)} if self.layout else {}
        return {"KVER": self.kver, "RUNNER": self.runner, "FLAVOUR": self.flavour, **layout}

    def place(self) -> Place:
        """Return the cell as a graph needs it."""
        return Place(self.path.removesuffix(".json"), self.exact, self.kernel(), self.boot)

    def json(self) -> Json:
        return asdict(self)


@dataclass(frozen=True)
class Boot(Cell):
    """A cell of a tree of the user's, for make cost.

    `tree` has the source, and `spans` is the file for the output of that plugin. How REP is counted does not matter for the
    price of a commit.
    """

    cpu: str = ""
    tree: str = ""
    spans: str = ""

    def kernel(self) -> dict[str, str]:
        """Return the variables of a cell, and with them those of the tree.

        `part` names the state of the tree, so that build-kernel need not look at the times of files.
        """
        return {**super().kernel(), "KDIR": self.tree, "LSMPMON_SOURCE": self.part, "SPANS": self.spans}
