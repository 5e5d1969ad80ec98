# SPDX-License-Identifier: GPL-2.0-only
"""Compares maps of several kernels: the hooks that a call may reach, or must, in one of them only.

Only what comes of changed code is told. A hook is gained by a call of one function by another that the old kernel does not
have, and lost with one that the new kernel has no longer; what a call must call changes with a function on its path. Maps
differ otherwise, too: how much can be proved depends on code that is far away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lsmlab.analyse.hookmap import document, packed
from lsmlab.analyse.hookmap.code import Kernel
from lsmlab.analyse.hookmap.document import Document

# The numbers of names that a line shows; the maps have them all.
CALLS, HOOKS = 8, 12
# How functions begin that dispatch hooks.
DISPATCH = ("security_", "lsmpmon_")


def _few(words: Collection[str], most: int) -> str:
    """Return words on a line that is not too long."""
    shown = list(words) if len(words) < most + 2 else [*list(words)[:most], f"and {len(words) - most} more"]
    return " ".join(shown)


def _changes(old: Collection[str], new: Collection[str]) -> list[str]:
    """Return the words that only one of two lists has, with a sign."""
    return [*(f"+{hook}" for hook in new if hook not in old), *(f"-{hook}" for hook in old if hook not in new)]


class _Side:
    """One of two kernels: what its calls do on the object that they are shown on."""

    def __init__(self, content: Document) -> None:
        self.content, self.kernel = content, Kernel(content["code"], content["functions"])

    def paths(self, name: str) -> dict[str, list[str]]:
        """Return {hook: path} of those that a call calls itself."""
        entry = self.content["syscalls"][name]
        ends = next((one["paths"] for one in entry["on"] if entry["object"] in one["objects"]), None)
        if ends is None:
            ends = {hook: entry["paths"][hook] for hook in document.synchronous(entry)}
        return {hook: packed.path(self.content["functions"], self.content["steps"], end) for hook, end in ends.items()}

    def must(self, name: str) -> list[str]:
        entry = self.content["syscalls"][name]
        return next((one["must"] for one in entry["on"] if entry["object"] in one["objects"]), entry["must"])


# {why: ({hook with a sign: nothing}, {call: nothing})}, in order.
Causes = dict[str, tuple[dict[str, None], dict[str, None]]]


class _Comparison:
    def __init__(self, old: Document, new: Document) -> None:
        self.old, self.new = _Side(old), _Side(new)
        self.common = set(old["hooks"]) & set(new["hooks"])
        self.causes: Causes = {}
        self.left_out = 0
        for name in old["syscalls"]:
            if name in new["syscalls"]:
                self._may(name)
                self._must(name)

    def _add(self, cause: str, change: str, name: str) -> None:
        hooks, calls = self.causes.setdefault(cause, ({}, {}))
        hooks[change] = calls[name] = None

    def _may(self, name: str) -> None:
        old, new = self.old.paths(name), self.new.paths(name)
        for sign, mine, other, kernel, says in (("+", new, old, self.old.kernel, "calls"),
                                                ("-", old, new, self.new.kernel, "no longer calls")):
            for hook in mine:
                if hook in self.common and hook not in other:
                    call = kernel.new_call(mine[hook])
                    self.left_out += call is None
                    if call:
                        self._add(f"may: {call[0]}() {says} {call[1]}()", sign + hook, name)

    def _must(self, name: str) -> None:
        paths = {**self.old.paths(name), **self.new.paths(name)}
        old, new = ([hook for hook in side.must(name) if hook in self.common] for side in (self.old, self.new))
        for change in _changes(old, new):
            # How a hook is dispatched is another matter than whether it is called.
            path = [name for name in paths.get(change[1:], ()) if not name.startswith(DISPATCH)]
            function = self.new.kernel.changed(path, self.old.kernel)
            self.left_out += function is None
            if function:
                self._add(f"must: {function}() {self._became(function)}", change, name)

    def _became(self, function: str) -> str:
        """Return what a function that differs is in the new kernel."""
        if function not in self.old.kernel.digests:
            return "is new"
        return "has changed" if function in self.new.kernel.digests else "is gone"

    def lines(self) -> Iterator[str]:
        """Yield what changed, that of few calls first."""
        for cause, (hooks, calls) in sorted(self.causes.items(), key=lambda item: len(item[1][1])):
            yield f"{cause}: {_few(hooks, HOOKS)}: {_few(calls, CALLS)}"
        if self.left_out:
            yield f"{self.left_out:,} differences of the maps come of no code on the path, and are left out"


def text(old: Document, new: Document) -> Iterator[str]:
    """Yield what changed from one kernel to the next."""
    yield (f"From Linux {old['kernel']} to {new['kernel']}: + gained, - lost; hooks that the call itself calls, on a file of "
           "ext4 or a TCP socket")
    for what in ("hooks", "syscalls"):
        changes = _changes(old[what], new[what])
        if changes:
            yield f"{what}: {' '.join(changes)}"
    yield from _Comparison(old, new).lines()


def consecutive(maps: list[Document]) -> Iterator[str]:
    for old, new in zip(maps, maps[1:]):
        yield ""
        yield from text(old, new)
