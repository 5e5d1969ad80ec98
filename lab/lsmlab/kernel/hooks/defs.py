# SPDX-License-Identifier: GPL-2.0-only
"""The hooks of a kernel, from its lsm_hook_defs.h."""

from __future__ import annotations

from dataclasses import dataclass

from lsmlab.kernel.hooks import csource

PATH = "include/linux/lsm_hook_defs.h"
LSM_HOOK = r"\bLSM_HOOK\((?P<words>(?:[^()]|\([^()]*\))*)\)"


@dataclass(frozen=True)
class Hook:
    name: str
    returns: str
    default: str
    arguments: str
    condition: str      # the #if it is in, or nothing

    def __str__(self) -> str:
        when = f" [{self.condition}]" if self.condition else ""
        return f"{self.returns} {self.name}({self.arguments}) = {self.default}{when}"


def read(text: str) -> dict[str, Hook]:
    """Return the hooks by name, in order."""
    hooks = {}
    for match, conditions in csource.conditional(csource.clean(text), LSM_HOOK):
        words = csource.CONTINUED.sub(" ", match["words"]).split(",")
        returns, default, name, *arguments = (" ".join(word.split()) for word in words)
        hooks[name] = Hook(name, returns, default, ", ".join(arguments), ", ".join(conditions))
    return hooks


@dataclass
class Difference:
    new: list[Hook]
    gone: list[Hook]
    changed: list[tuple[Hook, Hook]]


def compare(old: dict[str, Hook], new: dict[str, Hook]) -> Difference:
    return Difference([new[n] for n in new if n not in old],
                      [old[n] for n in old if n not in new],
                      [(old[n], new[n]) for n in new if n in old and old[n] != new[n]])
