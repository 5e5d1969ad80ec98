# SPDX-License-Identifier: GPL-2.0-only
"""The edits of a rule at a place, in the style of the code around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lsmlab.kernel.hooks import csource
from lsmlab.kernel.seam import pattern, signature
from lsmlab.kernel.seam.rules import Rule
from lsmlab.kernel.seam.text import Edit, Text, continued, laid_out, split
from lsmlab.kernel.tree import Refused

# What stands before a statement, in a block and also elsewhere.
STARTS, ANYWHERE = ";{}:", ";{}:)"


def _indented(line: str, indent: str) -> str:
    return line if not line or line.startswith("#") else indent + line


def _lines(text: Text, at: int, template: str, bound: Mapping[str, str]) -> str:
    """Return the lines in front of the one that begins there."""
    indent, like = text.indent(at), text.continues(at)
    if indent is None:
        raise Refused(f"{text.where(at)}: is not the first of its line")
    lines = [_indented(line, indent) for line in pattern.filled(template, bound).split("\n")]
    return "".join(f"{continued(line, like) if like else line}\n" for line in lines)


def before(text: Text, at: int) -> str:
    """Return the last letter of code before a position."""
    return text.code[:at].rstrip("\\ \t\n")[-1:]


def _replaced(text: Text, start: int, end: int, template: str, bound: Mapping[str, str]) -> Edit:
    """Put code in place of other code. In a macro, lines that end are continued."""
    head, like = text.text[text.text.rfind("\n", 0, start) + 1:start], text.continues(start)
    *lines, last = pattern.filled(template, bound).split("\n")
    if like is None or text.indent(start) is None:
        if lines:
            raise Refused(f"{text.where(start)}: is not the first in its line of a macro")
    else:
        lines = [continued(head + line, like) for line in lines]
    return (start, end, "\n".join([*lines, head + last])[len(head):])


def call(text: Text, start: int, end: int, template: str, bound: Mapping[str, str]) -> Edit:
    """Put a call in place of another, with line breaks if necessary. A call with comments in it keeps its lines."""
    new = pattern.filled(template, bound)
    head, _, arguments = new.partition("(")
    if csource.uncommented(arguments) != arguments or text.continues(start):
        return (start, end, new)
    return (start, end, laid_out(text.column(start), f"{head}(", split(arguments[:-1])))


def head(text: Text, template: str, region: csource.Region) -> tuple[Edit, ...]:
    """Put a line behind the head of a function, unless it is there."""
    name = template.partition("(")[0]
    if re.search(rf"\b{name}\b", region.head):
        return ()
    new = pattern.filled(template, signature.words(region, text.where(region.start)))
    start, _, arguments = new.partition("(")
    line = laid_out(0, f"{start}(", split(arguments[:-1]))
    return ((region.start, region.start, f"{line}\n"),)


def at_lines(text: Text, rule: Rule, match: re.Match[str]) -> Iterator[Edit]:
    """Put whole lines in front of others, or behind them."""
    if rule.before:
        yield (match.start(), match.start(), f"{rule.before}\n")
    if rule.after:
        yield (match.end(), match.end(), f"\n{rule.after}")


def at_code(text: Text, rule: Rule, start: int, end: int, bound: Mapping[str, str]) -> Iterator[Edit]:
    """Yield the edits of a rule at a piece of code."""
    line = text.text.rfind("\n", 0, start) + 1
    if (rule.before or rule.after) and before(text, start) not in STARTS:
        raise Refused(f"{text.where(start)}: is not a statement of its own")
    if rule.before:
        yield (line, line, _lines(text, start, rule.before, bound))
    if rule.after:
        lines = pattern.filled(rule.after, bound).split("\n")
        yield (end, end, "".join(f"\n{_indented(one, text.indent(start) or '')}" for one in lines))
    if rule.prefix and text.indent(start) is None:
        yield (start, start, f"{pattern.filled(rule.prefix, bound)} ")
    elif rule.prefix:
        yield (line, line, _lines(text, start, rule.prefix, bound))
    if rule.replace:
        yield _replaced(text, start, end, rule.replace, bound)
