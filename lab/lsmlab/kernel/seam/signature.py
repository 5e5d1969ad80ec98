# SPDX-License-Identifier: GPL-2.0-only
"""The head of a function: what it returns, its name and its parameters."""

from __future__ import annotations

import re

from lsmlab.kernel.hooks.csource import Region
from lsmlab.kernel.seam.text import split
from lsmlab.kernel.tree import Refused

# What a head has besides, in front of the type.
STORAGE = re.compile(r"(?:(?:static|extern|inline|noinline|notrace|asmlinkage|__(?!(?:u|s|be|le)\d+\b)\w+)\s+)*")
NAMED = re.compile(r"\(\s*\*\s*(\w+)\s*\)|(\w+)\s*(?:\[[^]]*\]\s*)*$")


def _name(parameter: str) -> str:
    """Return the name of a parameter, or nothing if it has none."""
    match = NAMED.search(parameter)
    return (match[1] or match[2]) if match else ""


def words(region: Region, where: str) -> dict[str, str]:
    """Return the words that names in a template stand for."""
    head = " ".join(region.head.split())
    match = re.match(rf"(?P<returns>.*?\W)\s*{region.name}\s*\((?P<parameters>.*)\)", STORAGE.sub("", head, count=1))
    parameters = split(match["parameters"]) if match else []
    names = [_name(parameter) for parameter in parameters]
    if not match or not parameters or parameters == ["void"] or "" in names:
        raise Refused(f"{where}: the head of {region.name}() has no parameters, or is not understood: {head}")
    return {"RETURNS": match["returns"].strip(), "FUNCTION": region.name, "PARAMETERS": ", ".join(parameters),
            "ARGUMENTS": ", ".join(names)}
