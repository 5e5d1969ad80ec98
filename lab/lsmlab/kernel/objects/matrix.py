# SPDX-License-Identifier: GPL-2.0-only
"""The configurations of kconfigs/matrix.toml, and the checks in each."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lsmlab import toml
from lsmlab.kernel.objects import Failed, passed
from lsmlab.kernel.objects.build import FOLDERS, Objects, alternatives, compiler_version, fragment, warnings
from lsmlab.kernel.objects.tree import ours, pristine
from lsmlab.kernel.tree.source import files, patches
from lsmlab.kernel.tree.staging import touched
from lsmlab.places import REPO

TABLE = REPO / "kconfigs/matrix.toml"
# Files that include the headers touched by seams.
ALWAYS = ("kernel/softirq.o", "security/security.o", "security/commoncap.o")
# min(), max() and clamp() as older kernels have them.
STRICT = Path(__file__).with_name("strict.h")
# Our folders, by the option that builds them.
OURS = {"CONFIG_SECURITY_LSMPMON": "security/lsmpmon/", "CONFIG_SECURITY_TUNABLE": "security/tunable/",
        "CONFIG_SECURITY_LIDS": "security/lids/"}


@dataclass
class Config:
    name: str
    arch: str
    lines: list[str]        # all of them, in order
    wanted: list[str]       # those that must be set in the end
    needs: str | None       # the option without which a kernel has no such configuration
    only: str               # the beginning of the objects' names, if the others cannot differ
    strict: bool            # our folders are compiled with STRICT
    llvm: str               # the suffix of LLVM's programs, which compile with W=1; without it, gcc compiles

    def exists(self, version: str) -> bool:
        return not self.needs or self.needs in _options(pristine(version), self.arch)


@functools.cache
def _options(tree: Path, arch: str) -> set[str]:
    """Return the names of a kernel's security options, including ours, and of those that its architecture selects."""
    kconfigs = [*(tree / "security").rglob("Kconfig*"), tree / "kernel/bpf/Kconfig",
                *(path for name, path in files().items() if Path(name).name == "Kconfig")]
    names = {name for path in kconfigs for name in re.findall(r"^(?:menu)?config (\w+)$", path.read_text(), re.M)}
    selects = (tree / "arch" / FOLDERS.get(arch, arch) / "Kconfig").read_text()
    return names | set(re.findall(r"^\tselect (\w+)$", selects, re.M))


def _none_of(modules: Iterable[str]) -> list[str]:
    return [f"CONFIG_{module}=n" for module in modules]


def _rows(table: toml.Table) -> Iterator[toml.Table]:
    """Yield the configurations in the file, and one for each module."""
    yield from table["config"]
    for module in table["modules"]:
        name = module.removeprefix("SECURITY_").removesuffix("_LSM").lower()
        yield {"name": f"{name}-alone", "needs": module,
               "lines": [f"CONFIG_{module}=y", "CONFIG_KUNIT=n"], "only": "security/"}


def configs(version: str) -> dict[str, Config]:
    """Return the configurations by name. A version may need its own fragment, which is also that of its point releases."""
    table, by_name = toml.loads(TABLE.read_text()), {}
    series = ".".join(version.split(".")[:2])
    own = [series] if (REPO / "kconfigs" / series).exists() else []
    common = [line for name in table["fragments"] + own for line in fragment(name)]
    for row in _rows(table):
        arch, wanted = row.get("arch", "x86_64"), row["lines"]
        off = [] if row.get("every_module") else _none_of(table["modules"])
        lines = [*common, *table["arch"][arch], *off, *(each for line in wanted for each in alternatives(line))]
        by_name[row["name"]] = Config(row["name"], arch, lines, wanted, row.get("needs"),
                                      row.get("only", ""), row.get("strict", False), row.get("llvm", ""))
    return by_name


def targets(objects: Objects, version: str) -> list[str]:
    """Return the objects in this configuration that are ours or that seams touch."""
    names = {f"{path[:-2]}.o" for p in patches(version) for path in touched(p) if path.endswith(".c")}
    wanted = [name for name in sorted({*names, *ALWAYS}) if objects.wants(name)]
    return wanted + [folder for option, folder in OURS.items() if objects.config.get(option) == "y"]


def mine(output: str, version: str, tree: Path) -> list[tuple[str, str]]:
    """Return the warnings in our files or in files that a seam touches."""
    touched_files = {path for p in patches(version) for path in touched(p)}
    return [(path, what) for path, what in warnings(output, tree)
            if path in files() or path in touched_files]


def all_there(objects: Objects, names: list[str]) -> None:
    """Check that every used symbol of the monitor is defined."""
    defined, undefined = objects.symbols(names)
    missing = {name for name in undefined if "lsmpmon" in name} - defined
    if missing:
        raise Failed(f"used but not defined: {' '.join(sorted(missing))}")


def base(objects: Objects, config: Config, version: str) -> set[tuple[str, str]]:
    """Compile with W=1 what patches touch, in a tree without them; return the warnings."""
    objects.configure(config.lines, [])
    return {*mine(objects.compile(targets(objects, version), "W=1"), version, objects.tree)}


def step(objects: Objects, config: Config, version: str, changed: Iterable[str], known: set[tuple[str, str]]) -> str:
    """Compile with W=1 what has changed since the last time; return the objects. A warning that is not known is a failure."""
    if any(Path(path).name.startswith("Kconfig") for path in changed):
        objects.configure(config.lines, [])
    names = targets(objects, version)
    output = objects.compile(names, "W=1", fresh=False)
    if {*mine(output, version, objects.tree)} - known:
        raise Failed(output)
    all_there(objects, names)
    return " ".join(names)


def _output(objects: Objects, config: Config, names: list[str]) -> str:
    """Compile the objects and return what the compiler says."""
    own = [name for name in names if config.strict and name in OURS.values()]
    words = ["W=1"] if config.llvm else []
    output = objects.compile([name for name in names if name not in own], *words)
    return output + (strictly(objects, own) if own else "")


def strictly(objects: Objects, names: list[str]) -> str:
    """Compile with the strict min() of older kernels; return what the compiler says."""
    return objects.compile(names, f"KCFLAGS=-include {STRICT}")


def compile(version: str, config: Config) -> str:
    """Return the names of the compiled objects, or raise Failed."""
    def check() -> str:
        with ours(version) as tree:
            objects = Objects(tree, config.arch, llvm=config.llvm)
            objects.configure(config.lines, config.wanted)
            names = [name for name in targets(objects, version) if name.startswith(config.only)]
            output = _output(objects, config, names)
            if mine(output, version, tree):
                raise Failed(output)
            all_there(objects, names)
            return " ".join(names)

    key = passed.digest("matrix", pristine(version).name, compiler_version(config.arch, config.llvm),
                        config.arch, *config.lines, "wanted", *config.wanted, "strict", config.strict,
                        files=[*passed.inputs(version), STRICT])
    return passed.once(key, check)
