# SPDX-License-Identifier: GPL-2.0-only
"""The hooks of a kernel, by its lsm_hook_defs.h."""

import re
from dataclasses import dataclass

from hooks import csource

PATH = "include/linux/lsm_hook_defs.h"


@dataclass(frozen=True)
class Hook:
    name: str
    returns: str
    default: str
    arguments: str
    condition: str      # the #if it is in, or nothing

    def __str__(self):
        when = f" [{self.condition}]" if self.condition else ""
        return f"{self.returns} {self.name}({self.arguments}) = {self.default}{when}"


def _statements(text):
    """Directives and LSM_HOOK()s, each in one line."""
    text = re.sub(r"\\\n", " ", csource.clean(text))
    return re.findall(r"^\s*#\s*(\w+)(.*)$|\bLSM_HOOK\(((?:[^()]|\([^()]*\))*)\)", text, re.M)


def read(text):
    """By name, in order."""
    found, conditions = {}, []
    for directive, rest, words in _statements(text):
        if directive in ("if", "ifdef", "ifndef"):
            conditions.append(f"{directive} {' '.join(rest.split())}")
        elif directive == "endif":
            conditions.pop()
        elif words:
            returns, default, name, *arguments = (" ".join(w.split()) for w in words.split(","))
            found[name] = Hook(name, returns, default, ", ".join(arguments), ", ".join(conditions))
    return found


@dataclass
class Difference:
    new: list       # Hook
    gone: list
    changed: list   # (Hook, Hook)


def compare(old, new):
    return Difference([new[n] for n in new if n not in old],
                      [old[n] for n in old if n not in new],
                      [(old[n], new[n]) for n in new if n in old and old[n] != new[n]])
