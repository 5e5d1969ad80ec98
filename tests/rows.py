# SPDX-License-Identifier: GPL-2.0-only
"""The uses of the monitor's own files by each other: files that they include, and symbols that their objects call.

A unit is a header with the C file of the same name: a unit uses what either file includes, or what the object refers to.
"""

import re
from pathlib import Path

from kernels import DEFAULT, pristine

from lsmlab.kernel.objects import matrix, passed
from lsmlab.kernel.objects.build import Objects, compiler_version
from lsmlab.kernel.objects.tree import ours

FOLDER = "security/lsmpmon/"
# The kernel has headers of the same names, such as <linux/module.h>.
INCLUDE = re.compile(r'^#include (?:"|<linux/(?=lsmpmon))([\w/.]+)[">]', re.M)
STATIC = re.compile(r"^static (?!__always_inline\b)[\w \t\n*]*?\b(\w+)\([^;{]*\)\n\{", re.M)
# A row of the table of files in the document.
ROW = re.compile(r"^(\w+)\.[ch] +\S", re.M)


def sources(folder):
    return sorted(p for pattern in ("*.[ch]", "include/linux/*.h") for p in Path(folder).glob(pattern))


def uses(files):
    """Return {unit: the other units that it includes}."""
    units = {path.name: path.stem for path in files}
    used = {stem: set() for stem in units.values()}
    for path in files:
        names = (Path(name).name for name in INCLUDE.findall(path.read_text()))
        used[path.stem] |= {units[name] for name in names if name in units} - {path.stem}
    return used


def calls(symbols):
    """Return {unit: the other units whose symbols its object refers to}; `symbols` are as from
    Objects.listed_symbols().
    """
    owner = {name: Path(path).stem for path, kind, name in symbols if kind.isupper() and kind != "U"}
    used = {Path(path).stem: set() for path, _, _ in symbols}
    for path, kind, name in symbols:
        if kind == "U" and name in owner:
            used[Path(path).stem].add(owner[name])
    return used


def compiled():
    """Return what calls() does for the monitor's objects, compiled for the default kernel with all options."""
    def check():
        with ours(DEFAULT) as tree:
            objects = Objects(tree, config.arch)
            objects.configure(config.lines, config.wanted)
            objects.compile([FOLDER], "W=1", fresh=False)
            symbols = [row for row in objects.listed_symbols([FOLDER]) if Path(row[0]).parent.name == "lsmpmon"]
            return "\n".join(" ".join([unit, *sorted(used)]) for unit, used in calls(symbols).items())

    source, config = pristine(DEFAULT), matrix.configs(DEFAULT)["all"]
    key = passed.digest("rows", source.name, compiler_version(config.arch), *config.lines,
                        files=[*passed.inputs(DEFAULT), Path(__file__)])
    return {unit: set(used) for unit, *used in map(str.split, passed.once(key, check).splitlines())}


def both(included, called):
    """Return the uses in either of two ways."""
    return {unit: included.get(unit, set()) | called.get(unit, set()) for unit in {*included, *called}}


def circles(graph):
    """Return the units that use each other, directly or through others.

    They remain when units that use none of the remaining ones, or are used by none of them, are removed.
    """
    left = dict(graph)
    while True:
        used = set().union(*(left[unit] & set(left) for unit in left)) if left else set()
        outer = {unit for unit in left if not left[unit] & set(left) or unit not in used}
        if not outer:
            return sorted(left)
        left = {unit: left[unit] for unit in left if unit not in outer}


def order(document):
    """Return the units in the document's table of files, from the top."""
    _, _, table = document.partition("\nfile             content\n")
    return ROW.findall(table.partition("\n\n")[0])


def upward(graph, listed):
    """Return the uses of a unit that stands above. Headers in include/, which no table lists, are below all."""
    place = {unit: number for number, unit in enumerate(listed)}
    return sorted(f"{unit} uses {used}" for unit in graph for used in graph[unit]
                  if place.get(used, len(place)) < place.get(unit, len(place)))


def unprefixed(files):
    """Return the static functions whose names would stand in kallsyms without a prefix."""
    return [f"{path.name}: {name}" for path in files if path.suffix == ".c"
            for name in STATIC.findall(path.read_text()) if not name.startswith("lsmpmon_")]
