# SPDX-License-Identifier: GPL-2.0-only
"""The cost of counting the calls of all hooks, with lsmpmon and with other tools of Linux: one boot for each tool."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsmlab.guest.settings import BadSetting
from lsmlab.measure.pipeline import initrd
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import request
from lsmlab.measure.plans.request import Work
from lsmlab.places import REPO

# Several in one boot leave traces of each other; inside/tools explains them. Those of BPF without probes need a kernel with
# BTF, and programs of the whole call Linux 7.0, so there are up to three kernels, each with a boot without any tool.
EVERYWHERE = ("off", "lsmpmon", "profiler", "graph", "kprobes", "fprobes", "multi", "bpftrace")
TYPED = ("off", "multi", "fentry", "stats")
WHOLE_CALLS = "fsession"
# The version for programs of the whole call, unless KVER has them; SESSIONS is another one, or empty.
SESSIONS = "7.2"
# Fewer than for the overhead, since some tools are slow.
SAMPLES = 10
# Seconds, at most.
TIMEOUT = "3000"


def flavour() -> str:
    """Return FLAVOUR, the kernel that has the monitor."""
    value = request.flavour()
    if value not in ("patched", "monitor"):
        raise BadSetting(f"FLAVOUR='{value}' is not accepted; one of: patched monitor")
    return value


def tools() -> Iterator[tuple[str, str, str]]:
    """Yield version, flavour and tool of all guests, those of one kernel after the other."""
    kver, sessions = request.version(), os.environ.get("SESSIONS", SESSIONS)
    yield from ((kver, flavour(), tool) for tool in EVERYWHERE)
    yield from ((kver, "btf", tool) for tool in TYPED)
    if int(kver.partition(".")[0]) >= 7:
        yield kver, "btf", WHOLE_CALLS
    elif sessions:
        yield from ((sessions, "btf", tool) for tool in ("off", "fentry", WHOLE_CALLS))


def kernels() -> Iterable[str]:
    """Return the names of the kernels, as those of folders of results."""
    return dict.fromkeys(f"{kver}-{flavour}" for kver, flavour, _ in tools())


def _initrds(results: Path, work: Work) -> dict[str, tuple[Path, str]]:
    """Make the initramfs of all tools but one, and that of bpftrace, which is large with its libraries."""
    script = initrd.script(("counts", "tools", "peers"), samples=work.samples, loop=work.loop, rounds=work.rounds)
    hook, programs = REPO / "build/bin/lmbench-hook", REPO / "build/bin/bpf-hooks"
    bpftrace = shutil.which("bpftrace") or "bpftrace"
    files = {"": (hook, programs, f"{REPO}/build/bpf-hooks:/programs"), "bpftrace": (hook, bpftrace)}
    return {tool: (path, initrd.make(path, script, words)) for tool, words in files.items()
            for path in (results / f"initrd{'.' * bool(tool)}{tool}",)}


def boots(results: Path, work: Work) -> Iterator[Boot]:
    """Yield a boot for each tool. The tree of KDIR is of the version that is asked for, and of no other."""
    made = _initrds(results, work)
    for kver, flavour, tool in tools():
        path, files = made.get(tool, made[""])
        machine = request.kernel("qemu", flavour, kver)
        if kver != request.version():
            machine["KDIR"] = ""
        guest = {"ACCEL": "icount", "LSM": os.environ.get("LSM", ""), "KARGS": request.kargs(f"peers={tool}"),
                 "INITRD": str(path), "TIMEOUT": os.environ.get("TIMEOUT") or TIMEOUT}
        name = f"{kver}-{flavour}/{tool}"
        yield Boot(name, str(results / name), machine, guest, files, needs=("run.json", "counted", "kernel"))


def write_about(results: Path, work: Work) -> None:
    """Write which work was measured."""
    request.write_about(results, {"kernels": " ".join(kernels()), "lsm": os.environ.get("LSM") or "capability",
                                  "samples": work.samples, "rounds": work.rounds})
