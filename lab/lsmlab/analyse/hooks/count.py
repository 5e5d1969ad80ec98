# SPDX-License-Identifier: GPL-2.0-only
"""Counts of a kernel's hooks and modules, as written to JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from lsmlab.analyse.hooks import categories, lines
from lsmlab.kernel.hooks import defs, modules
from lsmpmon_report.evaluation import files

FORMAT, VERSION = "lsmpmon-static", 1
# The paper's order; other modules follow, sorted by name.
ORDER = ("capability", "selinux", "apparmor", "smack", "tomoyo", "yama", "evm", "ima", "integrity")


class NotATree(Exception):
    """A folder is not a kernel source whose hooks can be read."""


def release(tree: Path) -> str:
    makefile = tree / "Makefile"
    numbers = re.findall(r"^(?:VERSION|PATCHLEVEL|SUBLEVEL) = (\d+)$",
                         makefile.read_text(errors="replace") if makefile.is_file() else "", re.M)
    if len(numbers) != 3:
        raise NotATree(f"{tree} is not a kernel tree")
    if not (tree / defs.PATH).is_file():
        raise NotATree(f"{tree}: Linux {'.'.join(numbers)} has no {defs.PATH}: its hooks cannot be read")
    return ".".join(numbers)


def _length(tree: Path, name: str, module: modules.Module) -> lines.Lines:
    """Count the lines of all parts of a module."""
    place = tree / module.folder
    paths = [place] if place.is_file() else list(lines.files(place))
    return lines.count(paths + [tree / path for path in modules.ELSEWHERE.get(name, ())])


def _described(hooks: Iterable[str], callbacks: list[str], module: modules.Module, length: lines.Lines) -> files.Module:
    """Describe a module. `callbacks` may contain a hook twice; `hooks` and categories count it once."""
    named = [name for name in hooks if name in callbacks]
    counted = categories.count(named)
    return {"hooks": named, "count": len(named), "callbacks": len(callbacks),
            "by_name": sorted(set(module.by_name)),
            "conditions": {name: condition for name, condition in module.initialised if condition},
            "files": length.files, "lines": length.all, "code_lines": length.code,
            "lines_per_hook": round(length.code / len(callbacks), 1) if callbacks else None,
            "categories": counted, "file_accessing": categories.file_accessing(counted)}


def _callbacks(by_name: dict[str, modules.Module], name: str) -> list[str]:
    """Return the callbacks of a module. The integrity module is the sum of its parts, as in the paper."""
    parts = [by_name[part] for part in modules.INTEGRITY if name == "integrity" and part in by_name]
    return [hook for module in (by_name[name], *parts) for hook in module.callbacks()]


def _order(name: str) -> tuple[int, str]:
    return ORDER.index(name) if name in ORDER else len(ORDER), name


def of(tree: Path) -> files.Static:
    """Return all counts for a tree."""
    version, hooks = release(tree), defs.read((tree / defs.PATH).read_text())
    by_name = modules.find(tree, hooks)
    described = {name: _described(hooks, _callbacks(by_name, name), by_name[name], _length(tree, name, by_name[name]))
                 for name in sorted(by_name, key=_order)}
    conditions = {hook.name: hook.condition for hook in hooks.values() if hook.condition}
    return {"format": FORMAT, "version": VERSION, "kernel": version,
            "framework": {"hooks": len(hooks), "categories": categories.count(hooks),
                          "other": [name for name in hooks if categories.of(name) == categories.OTHER],
                          "conditions": conditions},
            "modules": described}
