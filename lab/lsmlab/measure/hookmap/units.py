# SPDX-License-Identifier: GPL-2.0-only
"""Runs the compiler with the plugin over the files that a built kernel is made of.

The commands are those that built it: kbuild keeps one beside each object. A
file whose facts are newer than its object is not read again.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lsmlab.measure.hookmap import Failed

PLUGIN = Path(__file__).resolve().parent / "plugin/facts.cc"
# C files that are compiled and not in the kernel: programs, code of its loader, code of user space.
OUTSIDE = ("scripts/", "tools/", "usr/", "certs/extract", "samples/", "arch/x86/boot/", "arch/x86/realmode/",
           "arch/x86/purgatory/", "arch/x86/entry/vdso/v", "arch/x86/entry/vdso/common/", "arch/x86/tools/", "arch/x86/um/vdso/",
           "arch/arm64/boot/", "arch/arm64/kernel/pi/", "arch/arm64/kernel/vdso/", "arch/arm64/kernel/vdso32/",
           "arch/arm64/kvm/hyp/", "drivers/firmware/efi/libstub/")
# Of what begins so, this is code of the kernel.
INSIDE = ("arch/x86/entry/vdso/vma.o", "arch/x86/entry/vdso/vdso32-setup.o")
# Options of warnings, and those of the preprocessor that write files: the plugin only reads.
DROPPED = ("-W",)
# Options that spare a sixth of the time: no notes of macros within macros, and no collection of garbage.
QUICK = ("-w", "-ftrack-macro-expansion=0", "--param=ggc-min-heapsize=1000000")
GCC = "gcc"


@dataclass(frozen=True)
class Unit:
    name: str       # of the object, below the output folder
    command: tuple[str, ...]


def headers(gcc: str) -> Path:
    """Return the headers of the compiler that the plugin is for."""
    done = subprocess.run([gcc, "-print-file-name=plugin"], stdout=subprocess.PIPE, text=True, check=True)
    folder = Path(done.stdout.strip()) / "include"
    if not (folder / "gcc-plugin.h").is_file():
        package = "-".join(filter(None, ("gcc-12-plugin-dev", gcc.removesuffix(GCC).rstrip("-"))))
        raise Failed(f"{folder}/gcc-plugin.h is missing: the package {package} has it")
    return folder


def build_plugin(folder: Path, gcc: str = GCC) -> Path:
    """Compile the plugin, unless that is done; return the file, in a folder named by its inputs."""
    digest = hashlib.sha256(PLUGIN.read_bytes()).hexdigest()[:12]
    made = Path(folder) / f"plugin-{digest}/facts.so"
    if made.is_file():
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    part = made.with_name(f"facts.{os.getpid()}.so")
    words = ["g++", "-shared", "-fPIC", "-fno-rtti", "-O2", f"-isystem{headers(gcc)}", "-o", str(part), str(PLUGIN)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"the plugin does not compile:\n{done.stderr}")
    part.replace(made)
    return made


def _command(path: Path) -> tuple[str, ...] | None:
    """Return the words that compile one C file, from the .cmd file beside its object; or None."""
    first = path.read_text(errors="replace").partition("\n")[0]
    _, assigned, command = first.partition(" := ")
    words = shlex.split(command.partition(" ; ")[0]) if assigned else []
    while words and not words[0].endswith(GCC):
        words.pop(0)
    if not words or "-c" not in words or not words[-1].endswith(".c"):
        return None
    return tuple(word for word in words if not word.startswith(DROPPED))


def units(objects: Path, below: Iterable[str] = ()) -> Iterator[Unit]:
    """Yield the units of a built kernel, those in some folders or files if any are named."""
    for path in sorted(Path(objects).rglob(".*.o.cmd")):
        name = (path.parent / path.name[1:-len(".cmd")]).relative_to(objects).as_posix()
        if (name.startswith(OUTSIDE) and name not in INSIDE) or (below and not name.startswith(tuple(below))):
            continue
        command = _command(path) if (Path(objects) / name).is_file() else None
        if command:
            yield Unit(name, command)


def read_by(command: Iterable[str], plugin: Path, tree: Path | str, out: Path) -> list[str]:
    """Return the same command for the plugin, which makes no code."""
    words = list(command)
    words[words.index("-o") + 1] = "/dev/null"
    words[words.index("-c")] = "-S"
    return [*words, *QUICK, f"-fplugin={plugin}", f"-fplugin-arg-facts-out={out}", f"-fplugin-arg-facts-tree={tree}"]


def is_newer(path: Path, *others: Path) -> bool:
    try:
        made = path.stat().st_mtime
    except FileNotFoundError:
        return False
    return all(made >= Path(other).stat().st_mtime for other in others)


def _read(unit: Unit, objects: Path, tree: Path | str, plugin: Path, folder: Path) -> None:
    out = folder / f"{unit.name}.facts"
    if is_newer(out, objects / unit.name, plugin):
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(f"{out.name}.{os.getpid()}.part")
    done = subprocess.run(read_by(unit.command, plugin, tree, part), cwd=objects, capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"})
    if done.returncode:
        raise Failed(f"{unit.name}: the compiler fails with the plugin:\n{done.stderr}")
    part.replace(out)


def read(objects: Path | str, tree: Path | str, folder: Path | str, below: Iterable[str] = (), gcc: str = GCC,
         note: Callable[[str], object] = lambda text: None,
         progress: Callable[[int, int], object] = lambda done, total: None) -> list[Path]:
    """Write the facts of each unit of a kernel that `gcc` compiled below `folder`, and return the files."""
    objects, folder = Path(objects), Path(folder)
    plugin = build_plugin(folder, gcc)
    wanted = list(units(objects, below))
    if not wanted:
        raise Failed(f"{objects}: no kernel was built here")
    note(f"reading {len(wanted)} files of {tree}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(_read, unit, objects, tree, plugin, folder) for unit in wanted]
        for number, job in enumerate(jobs, 1):
            job.result()
            progress(number, len(jobs))
    return [folder / f"{unit.name}.facts" for unit in wanted]
