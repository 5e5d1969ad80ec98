# SPDX-License-Identifier: GPL-2.0-only
"""Carries the rules out, all or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lsmlab.kernel.hooks import csource, defs
from lsmlab.kernel.seam import edit, named, pattern, rules, statements
from lsmlab.kernel.seam.rules import Rule
from lsmlab.kernel.seam.text import Edit, Text
from lsmlab.kernel.tree import Refused
from lsmlab.kernel.tree.source import Reader


@dataclass
class Seam:
    """What the rules make of a kernel."""

    texts: dict[str, Text] = field(default_factory=dict)            # by path, of the files that are edited
    told: list[tuple[str, str]] = field(default_factory=list)       # (hook, module) of a vendor's calls
    rules: int = 0
    places: int = 0


def _first(text: Text, rule: Rule) -> Iterator[list[Edit]]:
    """Yield the edits at the first statement of each function."""
    kind, name = rule.within.split()
    for region in text.regions(kind, name):
        for start, end in statements.body(region):
            if not statements.is_declaration(region.text[start:end]):
                yield list(edit.at_code(text, rule, region.start + start, region.start + end, {}))
                break


def _inside(text: Text, inside: dict[str, str], region: csource.Region, match: re.Match[str]) -> Iterator[Edit]:
    """Yield the edits in the function of a place, of which there is one at least."""
    bound = match.groupdict()
    found = list(pattern.compiled(inside["find"], bound).finditer(region.text))
    if not found:
        raise Refused(f"{text.where(region.start + match.start())}: "
                      f"has no {pattern.filled(inside['find'], bound)}")
    for each in found:
        start, end = region.start + each.start(), region.start + each.end()
        parts = {name: text.text[region.start + each.start(name):region.start + each.end(name)]
                 for name in each.groupdict()}
        template = inside["alone" if edit.before(text, start) in edit.ANYWHERE else "replace"]
        yield edit.call(text, start, end, template, {**bound, **parts})


def _code(text: Text, rule: Rule, defaults: dict[str, str]) -> Iterator[list[Edit]]:
    """Yield the edits at each place where the code stands that a rule finds."""
    kind, name = rule.within.split()
    find = pattern.compiled(rule.find)
    for region in text.regions(kind, name):
        for match in find.finditer(region.text):
            bound = match.groupdict()
            if rule.unless and pattern.compiled(rule.unless, bound).search(region.text):
                continue
            if rule.own_default and defaults.get(bound["HOOK"], bound["DEFAULT"]) == bound["DEFAULT"]:
                continue
            start, end = region.start + match.start(), region.start + match.end()
            found = edit.at_code(text, rule, start, end, bound)
            yield [*found, *(edit.head(text, rule.head, region) if rule.head else ()),
                   *(_inside(text, rule.inside, region, match) if rule.inside else ())]


def _named(text: Text, rule: Rule, names: list[str], seam: Seam, vendors: dict[str, str]) -> Iterator[list[Edit]]:
    """Yield the edits in each of the functions that call modules by name."""
    for function in named.functions(text, rule.within, names, vendors):
        seam.told += [(function.hook(), module) for *_, module in function.theirs]
        yield list(function.edits())


def _places(text: Text, rule: Rule, seam: Seam, defaults: dict[str, str], vendors: dict[str, str]) -> list[list[Edit]]:
    """Return the edits at each place that a rule finds in a file. `defaults` has the default of each hook."""
    if rule.line:
        find = pattern.lines(rule.line)
        return [list(edit.at_lines(text, rule, match)) for match in find.finditer(text.text)]
    if rule.first:
        return list(_first(text, rule))
    if rule.named is not None:
        return list(_named(text, rule, rule.named, seam, vendors))
    return list(_code(text, rule, defaults))


def _defaults(text_of: Callable[[str], Text | None]) -> dict[str, str]:
    """Return what lsm_hook_defs.h says that each hook answers if no module has an opinion."""
    text = text_of(defs.PATH)
    if not text:
        raise Refused(f"{defs.PATH} is not there")
    return {name: hook.default for name, hook in defs.read(text.text).items()}


def _carry_out(rule: Rule, seam: Seam, text_of: Callable[[str], Text | None], vendors: dict[str, str]) -> None:
    """Edit the files that a rule names."""
    defaults = _defaults(text_of) if rule.own_default else {}
    found = [(path, text, _places(text, rule, seam, defaults, vendors))
             for path in rule.files for text in [text_of(path)] if text]
    number = sum(len(places) for *_, places in found)
    there = f" in {rule.within.split()[1]}() of" if rule.within and "*" not in rule.within else " in"
    if not number and rule.times != "any" and (found or not rule.optional):
        raise Refused(f"nothing found{there} {' or '.join(rule.files)}")
    if number > 1 and rule.times == "once":
        raise Refused(f"found {number} times{there} {' and '.join(path for path, _, places in found if places)}")
    for path, text, places in found:
        edits = {one for place in places for one in place}
        if edits:
            text.edit(edits)
            seam.texts[path] = text
    seam.rules += bool(number)
    seam.places += number


def made(version: str, read: Reader, of: Callable[[Rule], bool] = lambda rule: True,
         vendors: dict[str, str] | None = None) -> Seam:
    """Return the seam of a kernel. `read` returns the bytes of a file, or None; `vendors` are as vendor.parse() has them."""
    seam = Seam()
    texts: dict[str, Text | None] = {}

    def text_of(path: str) -> Text | None:
        if path not in texts:
            content = read(path)
            texts[path] = None if content is None else Text(path, content)
        return texts[path]

    for rule in rules.chosen(version, read):
        if not of(rule):
            continue
        try:
            _carry_out(rule, seam, text_of, vendors or {})
        except Refused as error:
            raise Refused(f"rule '{rule.name}': {error}") from None
    return seam
