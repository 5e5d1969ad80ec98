# SPDX-License-Identifier: GPL-2.0-only
"""The head of a function: what it returns, its name and its parameters."""

import re

from lsmlab.kernel.seam.text import split
from lsmlab.kernel.tree import Refused

# What a head has besides, in front of the type.
STORAGE = re.compile(r"(?:(?:static|extern|inline|noinline|notrace|asmlinkage|__(?!(?:u|s|be|le)\d+\b)\w+)\s+)*")
NAMED = re.compile(r"\(\s*\*\s*(\w+)\s*\)|(\w+)\s*(?:\[[^]]*\]\s*)*$")


def _name(parameter):
    found = NAMED.search(parameter)
    return found[1] or found[2]


def words(region, where):
    """What the words of a template stand for."""
    head = " ".join(region.head.split())
    match = re.match(rf"(?P<returns>.*?\W)\s*{region.name}\s*\((?P<parameters>.*)\)", head[STORAGE.match(head).end():])
    parameters = split(match["parameters"]) if match else []
    if not parameters or parameters == ["void"]:
        raise Refused(f"{where}: the head of {region.name}() has no parameters, or is not understood: {head}")
    return {"RETURNS": match["returns"].strip(), "FUNCTION": region.name, "PARAMETERS": ", ".join(parameters),
            "ARGUMENTS": ", ".join(map(_name, parameters))}
