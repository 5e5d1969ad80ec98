# SPDX-License-Identifier: GPL-2.0-only
"""The rules, and which of them are for a kernel: patches/rules.toml explains them."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from lsmlab import toml
from lsmlab.kernel.hooks import defs
from lsmlab.kernel.tree.source import number
from lsmlab.places import REPO

PATH = REPO / "patches" / "rules.toml"


@dataclass(frozen=True)
class Rule:
    name: str
    seam: str
    file: str | list
    optional: bool = False
    within: str = ""
    find: str = ""
    line: str = ""
    first: bool = False
    before: str = ""
    after: str = ""
    prefix: str = ""
    head: str = ""
    own_default: bool = False
    replace: str = ""
    inside: dict | None = None
    unless: str = ""
    named: list | None = None
    times: str = "once"
    where: str = ""
    since: str = ""
    until: str = ""

    @property
    def files(self):
        return [self.file] if isinstance(self.file, str) else self.file

    def is_for(self, version, features):
        return not ((self.where and self.where not in features)
                    or (self.since and number(version) < number(self.since))
                    or (self.until and number(version) >= number(self.until)))


@functools.cache
def _table():
    return toml.loads(PATH.read_text())


def _features(table, read):
    """What a kernel has, by the file that shows it."""
    return {name for name, sign in table["where"].items()
            if sign["has"].encode() in (read(sign["file"]) or b"")}


def files():
    """All files that a rule may edit or ask."""
    table = _table()
    named = {path for row in table["rule"] for path in Rule(**row).files}
    return sorted(named | {defs.PATH} | {sign["file"] for sign in table["where"].values()})


def chosen(version, read):
    """Those for a kernel. `read` returns the bytes of a file, or None."""
    table = _table()
    features = _features(table, read)
    return [rule for rule in (Rule(**row) for row in table["rule"]) if rule.is_for(version, features)]
