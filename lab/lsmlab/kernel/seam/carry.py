# SPDX-License-Identifier: GPL-2.0-only
"""Carries out the rules, all or none."""

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
    """The edits of a kernel's files by the rules."""

    texts: dict[str, Text] = field(default_factory=dict)                # the edited files by path
    vendor_calls: list[tuple[str, str]] = field(default_factory=list)   # (hook, module)
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
    """Yield the edits in the function of a place, which has to have one."""
    bound = match.groupdict()
    matches = list(pattern.compiled(inside["find"], bound).finditer(region.text))
    if not matches:
        raise Refused(f"{text.where(region.start + match.start())}: "
                      f"has no {pattern.filled(inside['find'], bound)}")
    for code in matches:
        start, end = region.start + code.start(), region.start + code.end()
        parts = {name: text.text[region.start + code.start(name):region.start + code.end(name)]
                 for name in code.groupdict()}
        template = inside["alone" if edit.before(text, start) in edit.ANYWHERE else "replace"]
        yield edit.call(text, start, end, template, {**bound, **parts})


def _code(text: Text, rule: Rule, defaults: dict[str, str]) -> Iterator[list[Edit]]:
    """Yield the edits at each place with the code of a rule."""
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
            edits = edit.at_code(text, rule, start, end, bound)
            yield [*edits, *(edit.head(text, rule.head, region) if rule.head else ()),
                   *(_inside(text, rule.inside, region, match) if rule.inside else ())]


def _named(text: Text, rule: Rule, names: list[str], seam: Seam, vendors: dict[str, str]) -> Iterator[list[Edit]]:
    """Yield the edits in each of the functions that call modules by name."""
    for function in named.functions(text, rule.within, names, vendors):
        seam.vendor_calls += [(function.hook(), module) for *_, module in function.theirs]
        yield list(function.edits())


def _places(text: Text, rule: Rule, seam: Seam, defaults: dict[str, str], vendors: dict[str, str]) -> list[list[Edit]]:
    """Return the edits at each place of a rule in a file. `defaults` has the default of each hook."""
    if rule.line:
        find = pattern.lines(rule.line)
        return [list(edit.at_lines(text, rule, match)) for match in find.finditer(text.text)]
    if rule.first:
        return list(_first(text, rule))
    if rule.named is not None:
        return list(_named(text, rule, rule.named, seam, vendors))
    return list(_code(text, rule, defaults))


def _defaults(text_of: Callable[[str], Text | None]) -> dict[str, str]:
    """Return the default of each hook in lsm_hook_defs.h: its answer if no module has an opinion."""
    text = text_of(defs.PATH)
    if not text:
        raise Refused(f"{defs.PATH} is not there")
    return {name: hook.default for name, hook in defs.read(text.text).items()}


def _carry_out(rule: Rule, seam: Seam, text_of: Callable[[str], Text | None], vendors: dict[str, str]) -> None:
    """Edit the files that a rule names."""
    defaults = _defaults(text_of) if rule.own_default else {}
    files = [(path, text, _places(text, rule, seam, defaults, vendors))
             for path in rule.files for text in [text_of(path)] if text]
    number = sum(len(places) for *_, places in files)
    where = f" in {rule.within.split()[1]}() of" if rule.within and "*" not in rule.within else " in"
    if not number and rule.times != "any" and (files or not rule.optional):
        raise Refused(f"nothing found{where} {' or '.join(rule.files)}")
    if number > 1 and rule.times == "once":
        raise Refused(f"found {number} times{where} {' and '.join(path for path, _, places in files if places)}")
    for path, text, places in files:
        edits = {one for place in places for one in place}
        if edits:
            text.edit(edits)
            seam.texts[path] = text
    seam.rules += bool(number)
    seam.places += number


def made(version: str, read: Reader, of: Callable[[Rule], bool] = lambda rule: True,
         vendors: dict[str, str] | None = None) -> Seam:
    """Return the seam of a kernel. `read` returns the bytes of a file, or None; `vendors` are as from vendor.parse()."""
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
