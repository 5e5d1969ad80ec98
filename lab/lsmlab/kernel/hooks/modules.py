# SPDX-License-Identifier: GPL-2.0-only
"""The hooks that each security module of a kernel implements, from its source.

A module declares them with LSM_HOOK_INIT(). Before 6.9, IMA and EVM were not
modules: the framework called them by name in the functions that call hooks, and
these hooks count as theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lsmlab.kernel.hooks import csource, sites
from lsmlab.kernel.hooks.defs import Hook

INIT = r"\bLSM_HOOK_INIT\s*\(\s*(?P<hook>\w+)\s*,"
# All hooks at once, as BPF does: it defines LSM_HOOK() as an initialiser and includes the list.
GENERATOR = re.compile(r"^[ \t]*#[ \t]*define\s+LSM_HOOK\s*\(\s*\w+\s*,\s*\w+\s*,\s*(\w+)", re.M)
BY_NAME = re.compile(r"\b(ima|evm|integrity|cap)_\w+\s*\(")
CALLED = {"cap": "capability"}
INTEGRITY = ("ima", "evm")
# Files of a module outside its folder.
ELSEWHERE = {"bpf": ["kernel/bpf/bpf_lsm.c"]}


class Unknown(Exception):
    """A module implements a hook that does not exist in the framework."""


@dataclass
class Module:
    folder: str     # or file
    initialised: list[tuple[str, str]] = field(default_factory=list)    # (hook, the #if that it is in or nothing)
    by_name: list[str] = field(default_factory=list)                    # hooks in which the framework names it

    def callbacks(self) -> list[str]:
        """Return one hook for each of the module's functions that a hook calls."""
        return [hook for hook, _ in self.initialised] or self.by_name


def _place(path: str) -> tuple[str, str]:
    """Return (name, folder) of the module that owns a file under security/."""
    folders = path.split("/")[1:-1]
    if not folders:
        return ("capability" if path.endswith("/commoncap.c") else path.split("/")[-1][:-2]), path
    depth = 2 if folders[0] == "integrity" and len(folders) > 1 else 1
    return folders[depth - 1], "/".join(("security", *folders[:depth]))


def _initialised(path: str, text: str, hooks: dict[str, Hook]) -> Iterator[tuple[str, str]]:
    """Yield (hook, condition) of each LSM_HOOK_INIT()."""
    text = csource.clean(text)
    generators = GENERATOR.findall(text)
    for match, conditions in csource.conditional(text, INIT):
        if match["hook"] in generators:
            yield from ((hook.name, hook.condition) for hook in hooks.values())
        elif match["hook"] in hooks:
            yield match["hook"], ", ".join(conditions)
        else:
            raise Unknown(f"{path}: LSM_HOOK_INIT({match['hook']}): no such hook")


def _by_name(paths: list[str], read: Callable[[str], str], hooks: dict[str, Hook]) -> Iterator[tuple[str, str]]:
    """Yield (module, hook) where the framework calls a module by name."""
    called: dict[str, set[str]] = {}
    for site in sites.Reader(read).sites(paths):
        called.setdefault(site.function, set()).add(site.hook)
    for path in paths:
        for region in csource.regions(read(path)):
            own = region.name.removeprefix("security_")
            if region.kind != "function" or own == region.name:
                continue
            at = {own} if own in hooks else called.get(region.name, set()) & hooks.keys()
            for name in dict.fromkeys(BY_NAME.findall(region.text)):
                yield from ((CALLED.get(name, name), hook) for hook in sorted(at))


def _read(tree: Path) -> Callable[[str], str]:
    """Return a function that reads a file of the tree by its path."""
    return lambda path: (tree / path).read_text(errors="replace")


def find(tree: Path, hooks: dict[str, Hook]) -> dict[str, Module]:
    """Return the modules by name, without ours."""
    modules, read = {"integrity": Module("security/integrity")}, _read(tree)
    paths = sorted(p.relative_to(tree).as_posix() for p in (tree / "security").rglob("*.c"))
    for path in paths:
        if sites.OURS.match(path):
            continue
        name, folder = _place(path)
        for pair in _initialised(path, read(path), hooks):
            modules.setdefault(name, Module(folder)).initialised.append(pair)
    framework = [path for path in paths if sites.FRAMEWORK.match(path)]
    for name, hook in _by_name(framework, read, hooks):
        folder = f"security/integrity/{name}"
        modules.setdefault(name, Module(folder)).by_name.append(hook)
    return modules
