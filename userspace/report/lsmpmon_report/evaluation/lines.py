# SPDX-License-Identifier: GPL-2.0-only
"""JSON with a line for each row, so that what changes in a published summary can be read."""

from __future__ import annotations

import json


def lines(found: object, indent: str = "") -> str:
    """Return JSON in which a list or an object is on one line unless it has another one in it."""
    inner = list(found.values()) if isinstance(found, dict) else found
    if not isinstance(inner, list) or not any(isinstance(each, (dict, list)) for each in inner):
        return json.dumps(found, ensure_ascii=False)
    names = [f"{json.dumps(name, ensure_ascii=False)}: " for name in found] if isinstance(found, dict) else [""] * len(inner)
    written = ",\n".join(f"{indent} {name}{lines(each, indent + ' ')}" for name, each in zip(names, inner))
    opens, closes = "{}" if isinstance(found, dict) else "[]"
    return f"{opens}\n{written}\n{indent}{closes}"
