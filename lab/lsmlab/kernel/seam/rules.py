# SPDX-License-Identifier: GPL-2.0-only
"""The rules, and their choice for a kernel: patches/rules.toml explains them."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from lsmlab import toml
from lsmlab.kernel.hooks import defs
from lsmlab.kernel.tree.source import Reader, number
from lsmlab.places import REPO

PATH = REPO / "patches" / "rules.toml"


@dataclass(frozen=True)
class Rule:
    name: str
    seam: str
    file: str | list[str]
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
    inside: dict[str, str] | None = None
    unless: str = ""
    named: list[str] | None = None
    times: str = "once"
    where: str = ""
    since: str = ""
    until: str = ""

    @property
    def files(self) -> list[str]:
        return [self.file] if isinstance(self.file, str) else self.file

    def is_for(self, version: str, features: set[str]) -> bool:
        return not ((self.where and self.where not in features)
                    or (self.since and number(version) < number(self.since))
                    or (self.until and number(version) >= number(self.until)))


@functools.cache
def _table() -> tuple[dict[str, dict[str, str]], list[Rule]]:
    """Return the signs of each feature that a kernel may have, and the rules."""
    table = toml.loads(PATH.read_text())
    return table["where"], [Rule(**row) for row in table["rule"]]


def _features(signs: dict[str, dict[str, str]], read: Reader) -> set[str]:
    """Return the features of a kernel, by the files that show them."""
    return {name for name, sign in signs.items()
            if sign["has"].encode() in (read(sign["file"]) or b"")}


def files() -> list[str]:
    """Return all files that a rule may edit or ask."""
    signs, rules = _table()
    named = {path for rule in rules for path in rule.files}
    return sorted(named | {defs.PATH} | {sign["file"] for sign in signs.values()})


def chosen(version: str, read: Reader) -> list[Rule]:
    """Return the rules for a kernel. `read` returns the bytes of a file, or None."""
    signs, rules = _table()
    features = _features(signs, read)
    return [rule for rule in rules if rule.is_for(version, features)]
