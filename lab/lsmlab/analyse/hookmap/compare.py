# SPDX-License-Identifier: GPL-2.0-only
"""Compares maps of several kernels: the hooks that a call may reach, or must, in one of them only."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lsmlab.analyse.hookmap import document
from lsmlab.analyse.hookmap.document import Document

# The number of names that a line shows; the maps have them all.
FEW = 8


def _few(words: list[str]) -> str:
    more = len(words) - FEW
    return " ".join(words if more < 2 else [*words[:FEW], f"and {more} more"])


def _changes(old: Collection[str], new: Collection[str]) -> list[str]:
    """Return the words that only one of two lists has, with a sign."""
    return [*(f"+{hook}" for hook in new if hook not in old), *(f"-{hook}" for hook in old if hook not in new)]


def _of_calls(old: Document, new: Document) -> dict[tuple[str, ...], list[str]]:
    """Return {(what, changes): calls that have them} of calls that both kernels have.

    Hooks that only one of them has are left out: the text names them once.
    """
    common = set(old["hooks"]) & set(new["hooks"])
    by_change: dict[tuple[str, ...], list[str]] = {}
    for name, before in old["syscalls"].items():
        after = new["syscalls"].get(name)
        for what, pick in (("may", document.synchronous), ("must", lambda entry: entry["must"])):
            if after is not None:
                changes = _changes(*([hook for hook in pick(entry) if hook in common] for entry in (before, after)))
                if changes:
                    by_change.setdefault((what, *changes), []).append(name)
    return by_change


def text(old: Document, new: Document) -> Iterator[str]:
    """Yield what changed from one kernel to the next, the same changes of several calls together, those of few calls first."""
    yield f"From Linux {old['kernel']} to {new['kernel']}: + gained, - lost; hooks that the call itself calls"
    for what in ("hooks", "syscalls"):
        changes = _changes(old[what], new[what])
        if changes:
            yield f"{what}: {' '.join(changes)}"
    for (what, *changes), names in sorted(_of_calls(old, new).items(), key=lambda item: len(item[1])):
        yield f"{what}: {_few(changes)}: {_few(names)}"


def consecutive(maps: list[Document]) -> Iterator[str]:
    for old, new in zip(maps, maps[1:]):
        yield ""
        yield from text(old, new)
