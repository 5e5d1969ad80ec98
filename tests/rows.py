# SPDX-License-Identifier: GPL-2.0-only
"""Which of the monitor's own files use which, by what they include.

A unit is a header with the C file of the same name: what either includes, the
unit uses.
"""

import re
from pathlib import Path

# The kernel has headers of the same names, such as <linux/module.h>.
INCLUDE = re.compile(r'^#include (?:"|<linux/(?=lsmpmon))([\w/.]+)[">]', re.M)
STATIC = re.compile(r"^static (?!__always_inline\b)[\w \t\n*]*?\b(\w+)\([^;{]*\)\n\{", re.M)


def sources(folder):
    return sorted(p for pattern in ("*.[ch]", "include/linux/*.h") for p in Path(folder).glob(pattern))


def uses(files):
    """Of each unit, the other units that it uses."""
    units = {path.name: path.stem for path in files}
    found = {stem: set() for stem in units.values()}
    for path in files:
        names = (Path(name).name for name in INCLUDE.findall(path.read_text()))
        found[path.stem] |= {units[name] for name in names if name in units} - {path.stem}
    return found


def circles(found):
    """Units that use each other by whatever way: what is left without those that use, or are used by, none left."""
    left = dict(found)
    while True:
        used = set().union(*(left[unit] & set(left) for unit in left)) if left else set()
        outer = {unit for unit in left if not left[unit] & set(left) or unit not in used}
        if not outer:
            return sorted(left)
        left = {unit: left[unit] for unit in left if unit not in outer}


def unprefixed(files):
    """Static functions whose names would stand in kallsyms without a prefix."""
    return [f"{path.name}: {name}" for path in files if path.suffix == ".c"
            for name in STATIC.findall(path.read_text()) if not name.startswith("lsmpmon_")]
