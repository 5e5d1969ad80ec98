# SPDX-License-Identifier: GPL-2.0-only
"""The cost of the monitor itself: one boot for each state of it, the same file operations in each."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from lsmlab.measure.pipeline import initrd, kernel, printed
from lsmlab.measure.pipeline.initrd import INSIDE
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import request
from lsmlab.measure.plans.request import Work

# Counted in instructions under QEMU, one boot each; inside/overhead explains them.
STATES = ("unpatched", "off", "on", "syscall", "audit", "audit-syscall", "histogram", "module", "stack", "stack-module",
          "stack-stack", "comm", "cgroup", "task", "slowest", "waits", "nested", "timed", "filter-s", "filter-o", "filter-path",
          "calls", "trace-exit", "trace-object", "trace", "all")
# Without these there is no result; the kernel may lack what others need, and say so.
KERNELS = ("unpatched", "off", "on")
# Modules that implement the same hooks, stacked as distributions do, so that callbacks dominate.
STACK = "landlock,lockdown,yama,selinux,bpf"
# Boots whose hook calls are timed in cycles: in each, code and data lie at other addresses.
TIMED = 5
SAMPLES = 400
CYCLES = "kunit.enable=1 kunit.filter_glob=lsmpmon_cycles"
# Distributions let KUnit tests run at boot. Those of the monitor leave counts, and a key that stays on.
UNTESTED = "kunit.enable=0"
TOOLS = ("lmbench-hook", "lsmpmon")
# Patterns of sections with code, and with the kernel's tables about it, in security.o and the monitor's objects, by file.
SECTIONS = {"code": r"[.](.*[.])?text", "tables": r"(__jump_table|[.]static_call_sites|[.]orc_unwind|[.]orc_unwind_ip)$"}


def counted(results: Path, work: Work) -> Iterator[Boot]:
    """Yield the boots that count instructions.

    The state is on the kernel's command line, so that all guests have the same initramfs, byte for byte.
    """
    script = initrd.script(("counts", "overhead"), samples=work.samples, loop=work.loop, rounds=work.rounds)
    files = initrd.make(results / "initrd", script, [request.tools() / TOOLS[0]])
    for state in STATES:
        guest = {"ACCEL": "icount", "LSM": STACK if state.startswith("stack") else os.environ.get("LSM", ""),
                 "KARGS": request.kargs(UNTESTED, f"overhead={state}", "audit=1" if state.startswith("audit") else ""),
                 "INITRD": str(results / "initrd")}
        machine = request.kernel("qemu", "unpatched" if state == "unpatched" else "monitor")
        yield Boot(state, str(results / state), machine, guest, files, needs=("run.json", "kernel") if state in KERNELS else ())


def timed(results: Path) -> Iterator[Boot]:
    """Yield the boots that read a clock: one with hooks that no module implements, and several that time calls of a hook.

    They are in User-Mode Linux, which is for x86-64 and our own configuration, and which LLVM doesn't compile here.
    """
    if request.suffix():
        return
    tools = [request.tools() / name for name in TOOLS]
    machine, files = request.kernel("uml", "monitor"), printed.digest([*tools, INSIDE / "empty-hooks", INSIDE / "cycles"])
    empty = {"LSM": "capability", "KARGS": request.kargs(), "CMD": "lab/inside/empty-hooks"}
    yield Boot("empty-hooks", str(results / "uml"), machine, empty, files, needs=("result", "info"))
    cycles = {"LSM": os.environ.get("LSM") or "selinux", "KARGS": request.kargs(CYCLES), "CMD": "lab/inside/cycles"}
    for boot in range(1, TIMED + 1):
        yield Boot(f"cycles-{boot}", str(results / f"boots/{boot}"), machine, cycles, files, boot, ("cycles", "bench.json"))


def _bytes(sizes: str, pattern: str) -> int:
    """Return the bytes of the sections whose names match, from the output of `size -A`."""
    rows = (line.split() for line in sizes.splitlines())
    return sum(int(row[1]) for row in rows if len(row) == 3 and re.match(pattern, row[0]))


def write_sizes(results: Path) -> None:
    """Write how many bytes of code and tables there are, with the monitor and without. LLVM leaves no objects to tell them by."""
    if os.environ.get("LLVM"):
        return
    sizes = {flavour: (kernel.build(request.kernel("qemu", flavour)) / "sizes").read_text()
             for flavour in ("unpatched", "monitor")}
    for name, pattern in SECTIONS.items():
        lines = (f"{flavour}: {_bytes(text, pattern)}\n" for flavour, text in sizes.items())
        (results / name).write_text("".join(lines))


def write_about(results: Path, work: Work) -> None:
    """Write which work was measured, and in which kernel."""
    request.write_about(results, {"kernel": (results / "on/kernel").read_text().strip(),
                                  "arch": request.arch(), "compiler": request.compiler(),
                                  **request.configuration(),
                                  "lsm": os.environ.get("LSM") or "capability", "stack": STACK, **vars(work)})
