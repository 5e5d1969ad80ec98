# SPDX-License-Identifier: GPL-2.0-only
"""Functions that call modules by name, before or after the callbacks of a hook.

All of that is one call of the hook: a scope, in which each call by name has a
mark. The scope ends with the last of them: with the function, or with a block
that is made for it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from lsmlab.kernel.hooks.csource import Region
from lsmlab.kernel.seam import statements, vendor
from lsmlab.kernel.seam.text import TAB, WIDTH, Edit, Text
from lsmlab.kernel.tree import Refused
from lsmlab.places import REPO

LISTS = REPO / "lsmpmon/include/linux/lsmpmon_lists.h"
KNOWN = re.compile(r"^\s*X\((\w+),\s*\d,\s*(\w+),", re.M)
HOOK = r"(?:\bcall_(?:int|void)_hook\s*\(|\bsecurity_hook_heads\s*\.|\blsm_for_each_hook\s*\(\s*\w+\s*,)\s*(\w+)"
MODULES = {"cap": "capability"}


@functools.cache
def _known() -> set[tuple[str, str]]:
    """Return (hook, module) of each call by name that lsmpmon_lists.h has."""
    return set(KNOWN.findall(LISTS.read_text()))


def _close(code: str, opens: int) -> int:
    """Return the position behind the matching closing parenthesis."""
    depth = 0
    for at in range(opens, len(code)):
        depth += (code[at] == "(") - (code[at] == ")")
        if not depth:
            return at + 1
    raise Refused(f"a call has no end: {code[opens - 40:opens + 1].strip()}")


class Function:
    """A function that calls modules by name."""

    def __init__(self, text: Text, region: Region, names: list[str], vendors: dict[str, str]) -> None:
        """Find the calls of modules; `vendors` has the module by call."""
        self.text, self.region, self.vendors = text, region, vendors
        self.hooks: set[str] = set(re.findall(HOOK, region.text))
        self.calls = [(m.start(), _close(region.text, m.end() - 1), name) for name in names
                      for m in re.finditer(rf"\b{name}_\w+\s*\(", region.text)]
        self.theirs = [(m.start(), _close(region.text, m.end() - 1), module)
                       for call, module in vendors.items() for m in vendor.pattern(call).finditer(region.text)]
        self.calls = sorted(self.calls + [call for call in self.theirs if call not in self.calls])

    def where(self, at: int) -> str:
        return self.text.where(self.region.start + at)

    def hook(self) -> str:
        if len(self.hooks) != 1:
            raise Refused(f"{self.where(0)}: {self.region.name}() calls modules by name, "
                          f"and {len(self.hooks)} hooks: {', '.join(sorted(self.hooks))}")
        return next(iter(self.hooks))

    def _marked(self, start: int, end: int, name: str, inner: bool) -> Edit:
        """Mark a call with its hook and module; `inner` if its new place is one level deeper."""
        hook, module = self.hook(), MODULES.get(name, name)
        if (start, end, name) not in self.theirs and (hook, module) not in _known():
            raise Refused(f"{self.where(start)}: {hook} calls {module} by name, which {LISTS.name} does not know")
        void = re.search(r"[;{})]\s*$", self.region.text[:start]) and self.region.text[end:].lstrip().startswith(";")
        head = f"lsmpmon_named{'_void' * bool(void)}("
        at = self.region.start + start
        call = " ".join(self.text.text[at:self.region.start + end].split())
        column = self.text.column(at) + TAB * inner
        one = f"{head}{hook}, {module}, {call})"
        if column + len(one) + 1 <= WIDTH:
            return (at, self.region.start + end, one)
        blanks = "\t" * ((column + len(head)) // TAB) + " " * ((column + len(head)) % TAB)
        return (at, self.region.start + end, f"{head}{hook}, {module},\n{blanks}{call})")

    def _scope(self) -> tuple[int, int, bool]:
        """Return where the statements begin and end that are one call of the hook, and whether more follow.

        The scope begins with the dispatch before the first call by name, or with that call.
        """
        parts = statements.body(self.region)
        named = [n for n, (start, end) in enumerate(parts) if any(start <= at < end for at, *_ in self.calls)]
        hook = [n for n, (start, end) in enumerate(parts) if re.search(HOOK, self.region.text[start:end])]
        first = max((n for n in hook if n <= named[0]), default=named[0])
        last = max(named[-1], hook[-1])
        return parts[first][0], parts[last][1], last < len(parts) - 1

    def _indented(self, start: int, end: int) -> Iterator[Edit]:
        """Yield a tab more for all lines but the first, and those in calls that are marked."""
        for match in re.finditer(r"\n(?=[^\n#])", self.text.text[start:end]):
            at = start + match.end()
            if not any(call < at - self.region.start <= close for call, close, _ in self.calls):
                yield (at, at, "\t")

    def edits(self) -> Iterator[Edit]:
        hook = self.hook()
        start, end, more = self._scope()
        begins, ends = self.region.start + start, self.region.start + end
        line = begins - len(self.text.indent(begins) or "")
        if self.text.indent(begins) is None or statements.LABEL.search(self.region.text[start:end]):
            raise Refused(f"{self.where(start)}: a scope cannot begin here")
        for call in self.calls:
            yield self._marked(*call, more)
        if more:
            yield (line, line, f"\t{{\n\t\tLSMPMON_SCOPE({hook});\n\t")
            yield from self._indented(begins, ends)
            yield (ends, ends, "\n\t}")
        else:
            yield (line, line, f"\tLSMPMON_SCOPE({hook});\n")


def functions(text: Text, within: str, names: list[str], vendors: dict[str, str]) -> Iterator[Function]:
    """Yield the functions that call modules by name."""
    kind, name = within.split()
    for region in text.regions(kind, name):
        function = Function(text, region, names, vendors)
        if function.theirs or any(name in names[:-1] for *_, name in function.calls):
            yield function
