# SPDX-License-Identifier: GPL-2.0-only
"""Sums up a map in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from lsmlab.analyse.hookmap import document
from lsmlab.analyse.hookmap.document import Call, Document

# CamFlow v0.6.3's table, of Linux 5.2: hooks of some calls.
CAMFLOW = {"open": 25, "stat": 15, "read": 6, "write": 6, "execve": 34, "connect": 5, "mprotect": 7}
CAMFLOW_WITHOUT = (29, 370)


def _native(said: Document) -> dict[str, Call]:
    return {name: entry for name, entry in said["syscalls"].items()
            if ":" not in name and name != "-" and entry["function"]}


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({100 * part / whole:.1f} %)" if whole else "none"


def _recall(said: Document) -> Iterator[str]:
    if not said["counted"]:
        yield "Nothing was counted: scripts/lab map-counts does it."
        return
    there, missed = said["recall"]["there"], said["recall"]["missed"]
    yield f"Recall: {_share(there, there + len(missed))} pairs that were counted are in the map"
    yield from (f"  missed: {name} {hook}" for name, hook in missed)
    yield f"Precision: {_share(said['precision']['seen'], said['precision']['synchronous'])} synchronous pairs were counted"
    yield f"Must: {said['must']['checked']} of calls that succeeded, {len(said['must']['broken'])} of them not called each time"
    yield from (f"  {name}: {hook}: {calls:,} successes, {counted:,} calls of it ({work})"
                for work, name, hook, calls, counted in said["must"]["broken"])


def text(said: Document) -> Iterator[str]:
    native = _native(said)
    without = [name for name, entry in native.items() if not document.synchronous(entry)]
    must = sum(len(entry["must"]) for entry in native.values())
    yield f"Linux {said['kernel']}: {len(native)} system calls, {len(without)} of them without a hook of their own"
    if document.objects(said):
        yield f"Only with {document.objects(said)}: pairs that were counted with other objects are missed"
    pairs = sum(len(document.synchronous(entry)) for entry in said["syscalls"].values())
    yield f"{pairs:,} synchronous pairs of a call and a hook; {must} of native calls must be called"
    yield ""
    yield f"{'':10}{'may':>6}{'must':>6}  CamFlow v0.6.3, Linux 5.2"
    for name, theirs in CAMFLOW.items():
        if name in native:
            entry = native[name]
            yield f"{name:10}{len(document.synchronous(entry)):6}{len(entry['must']):6}{theirs:8}"
    yield f"{'no hook':10}{len(without):6}{'':6}{CAMFLOW_WITHOUT[0]:8} of {CAMFLOW_WITHOUT[1]}"
    yield ""
    broken = said["paths"]["broken"]
    yield f"Paths: {said['paths']['checked']:,} looked up in the facts, {len(broken)} of them not there"
    yield from (f"  {name}: {hook}" for name, hook in broken)
    yield from _recall(said)
