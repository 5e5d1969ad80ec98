# SPDX-License-Identifier: GPL-2.0-only
"""Calls of a vendor's in functions security_*() that the user wants to be measured, NAMED= of make apply."""

from __future__ import annotations

import re
from collections import Counter

from lsmlab.kernel.tree import Refused
from lsmlab.places import REPO

HEADER = "include/linux/lsmpmon_named.h"
WORD = re.compile(r"(?P<call>\w+(?:(?:->|\.)\w+)*)(?:=(?P<module>[A-Za-z]\w*))?$")
FIRST = re.compile(r"#define LSMPMON_VENDOR_FIRST\t(\d+)$", re.M)


def parse(words: str) -> dict[str, str]:
    """Return {call: module} of 'CALL[=MODULE] ...'. By default, a module has the name that its function begins with."""
    modules: dict[str, str] = {}
    for word in words.split():
        match = WORD.match(word)
        if not match:
            raise Refused(f"NAMED has '{word}'; accepted: a call as it is listed, such as "
                          "vendor_check or vendor_ops->check, and behind it =MODULE")
        modules[match["call"]] = match["module"] or re.findall("_*[^_.-]*", match["call"])[0]
    return modules


def pattern(call: str) -> re.Pattern[str]:
    """Compile a pattern for a call in code, up to its parenthesis."""
    words = r"\s*".join(map(re.escape, re.split(r"(->|\.)", call)))
    return re.compile(rf"(?<![\w.>]){words}\s*\(")


def header(calls: list[tuple[str, str]]) -> bytes:
    """Return the bytes of the header for pairs of a hook and a module."""
    text = (REPO / "lsmpmon" / HEADER).read_text()
    rows: list[tuple[str, int, str]] = []
    seen: Counter[str] = Counter()
    first = int(FIRST.findall(text)[0])
    for hook, module in calls:
        if any((hook, module) == (row[0], row[2]) for row in rows):
            raise Refused(f"NAMED: {hook} calls {module} twice; =MODULE gives one of them another name")
        rows.append((hook, first + seen[hook], module))
        seen[hook] += 1
    lines = " \\\n".join(["#define LSMPMON_VENDOR_CALLBACKS(X)"] +
                         [f"\tX({hook}, {when}, {module}, CONFIG_SECURITY)" for hook, when, module in rows])
    modules = "".join(f",{module}" for module in dict.fromkeys(module for _, module in calls))
    for old, new in ((r"#define LSMPMON_VENDOR_CALLBACKS\(X\)$", lines),
                     (r"#define LSMPMON_VENDOR_WHENS\t0$", f"#define LSMPMON_VENDOR_WHENS\t{max(seen.values())}"),
                     (r'#define LSMPMON_VENDOR_MODULES\t""$', f'#define LSMPMON_VENDOR_MODULES\t"{modules}"')):
        text, number = re.subn(old, new.replace("\\", r"\\"), text, flags=re.M)
        assert number == 1, old
    return text.encode()
