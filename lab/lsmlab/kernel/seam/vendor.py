# SPDX-License-Identifier: GPL-2.0-only
"""Calls of a vendor's in functions security_*() that somebody asked to have measured, NAMED= of make apply."""

import re
from collections import Counter

from lsmlab.kernel.tree import Refused
from lsmlab.places import REPO

HEADER = "include/linux/lsmpmon_named.h"
WORD = re.compile(r"(?P<call>\w+(?:(?:->|\.)\w+)*)(?:=(?P<module>[A-Za-z]\w*))?$")
FIRST = re.compile(r"#define LSMPMON_VENDOR_FIRST\t(\d+)$", re.M)


def parse(words):
    """{call: module} of 'CALL[=MODULE] ...'. A module is called what its function's name begins with."""
    found = {}
    for word in words.split():
        match = WORD.match(word)
        if not match:
            raise Refused(f"NAMED has '{word}'; accepted: a call as it is listed, such as "
                          "vendor_check or vendor_ops->check, and behind it =MODULE")
        found[match["call"]] = match["module"] or re.match("_*[^_.-]*", match["call"])[0]
    return found


def pattern(call):
    """A call in code, up to its parenthesis."""
    words = r"\s*".join(map(re.escape, re.split(r"(->|\.)", call)))
    return re.compile(rf"(?<![\w.>]){words}\s*\(")


def header(told):
    """The bytes of the header for pairs of a hook and a module."""
    text = (REPO / "lsmpmon" / HEADER).read_text()
    rows, seen, first = [], Counter(), int(FIRST.search(text)[1])
    for hook, module in told:
        if any((hook, module) == (row[0], row[2]) for row in rows):
            raise Refused(f"NAMED: {hook} calls {module} twice; =MODULE gives one of them another name")
        rows.append((hook, first + seen[hook], module))
        seen[hook] += 1
    lines = " \\\n".join(["#define LSMPMON_VENDOR_CALLBACKS(X)"] +
                         [f"\tX({hook}, {when}, {module}, CONFIG_SECURITY)" for hook, when, module in rows])
    modules = "".join(f",{module}" for module in dict.fromkeys(module for _, module in told))
    for old, new in ((r"#define LSMPMON_VENDOR_CALLBACKS\(X\)$", lines),
                     (r"#define LSMPMON_VENDOR_WHENS\t0$", f"#define LSMPMON_VENDOR_WHENS\t{max(seen.values())}"),
                     (r'#define LSMPMON_VENDOR_MODULES\t""$', f'#define LSMPMON_VENDOR_MODULES\t"{modules}"')):
        text, number = re.subn(old, lambda _, new=new: new, text, flags=re.M)
        assert number == 1, old
    return text.encode()
