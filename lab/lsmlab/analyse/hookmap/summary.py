# SPDX-License-Identifier: GPL-2.0-only
"""Sums up a map in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from lsmlab.analyse.hookmap import document
from lsmlab.analyse.hookmap.document import Call, Document

# CamFlow v0.6.3's table, of Linux 5.2: hooks of some calls.
CAMFLOW = {"open": 25, "openat": 25, "stat": 15, "read": 6, "write": 6, "execve": 34, "connect": 5, "mprotect": 7}
CAMFLOW_WITHOUT = (29, 370)
# Lines of a list that would be too long.
FEW = 20


def _on_object(entry: Call) -> tuple[int, int]:
    """Return how many hooks a call may call itself, and must, on the object that it is shown on."""
    for one in entry["on"]:
        if entry["object"] in one["objects"]:
            return len(one["kinds"].get("sync", ())), len(one["must"])
    return len(document.synchronous(entry)), len(entry["must"])


def _by_object(content: Document) -> Iterator[str]:
    held = content["by_object"]
    pairs = held["there"] + len(held["missed"])
    if not pairs:
        return
    yield ""
    yield f"By object: recall {_share(held['there'], pairs)}"
    yield from (f"  missed: {name}: {call} {hook}" for name, call, hook in held["missed"])
    for name, share in held["shares"].items():
        yield f"  {name:18}{_share(share['seen'], share['synchronous'])} pairs that its calls may make themselves were counted"
    yield f"  must: {held['musts']} of calls that succeeded, {len(held['broken'])} of them not called each time"
    yield from (f"  {name}: {call}: {hook}: {calls} successes, {seen} calls of it"
                for name, call, hook, calls, seen in held["broken"])
    shown = {name: entry["object"] for name, entry in content["syscalls"].items() if name in CAMFLOW}
    yield from (f"  {call} called {hook} as often as it succeeded, or more often, and need not: on {name}"
                for name, call, hook in held["always"] if shown.get(call) == name)


def _native(content: Document) -> dict[str, Call]:
    return {name: entry for name, entry in content["syscalls"].items()
            if ":" not in name and name != "-" and entry["function"]}


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({100 * part / whole:.1f} %)" if whole else "none"


def _recall(content: Document) -> Iterator[str]:
    if not content["counted"]:
        yield "Nothing was counted: scripts/lab map-counts does it."
        return
    present, missed = content["recall"]["there"], content["recall"]["missed"]
    yield f"Recall: {_share(present, present + len(missed))} pairs that were counted are in the map"
    yield from (f"  missed: {name} {hook}" for name, hook in missed)
    seen, synchronous = content["precision"]["seen"], content["precision"]["synchronous"]
    yield f"Precision: {_share(seen, synchronous)} synchronous pairs were counted"
    must, broken = content["must"]["checked"], content["must"]["broken"]
    yield f"Must: {must} of calls that succeeded, {len(broken)} of them not called each time"
    yield from (f"  {name}: {hook}: {calls:,} successes, {counted:,} calls of it ({work})"
                for work, name, hook, calls, counted in broken)


def text(content: Document) -> Iterator[str]:
    native = _native(content)
    without = [name for name, entry in native.items() if not document.synchronous(entry)]
    must = sum(len(entry["must"]) for entry in native.values())
    yield f"Linux {content['kernel']}: {len(native)} system calls, {len(without)} of them without a hook of their own"
    if document.objects(content):
        yield f"Only with {document.objects(content)}: pairs that were counted with other objects are missed"
    pairs = sum(len(document.synchronous(entry)) for entry in content["syscalls"].values())
    yield f"{pairs:,} synchronous pairs of a call and a hook; {must} of native calls must be called"
    yield ""
    yield f"{'':10}{'may':>6}{'must':>6}{'any':>6}{'CamFlow':>9}"
    for name, theirs in CAMFLOW.items():
        if name in native:
            entry = native[name]
            may, must = _on_object(entry)
            yield f"{name:10}{may:6}{must:6}{len(document.synchronous(entry)):6}{theirs:9}"
    yield f"{'no hook':10}{'':6}{'':6}{len(without):6}{CAMFLOW_WITHOUT[0]:9} of {CAMFLOW_WITHOUT[1]}"
    yield "may, must: on a regular file of ext4, or a TCP socket; any: may, on all objects; CamFlow: v0.6.3, of Linux 5.2"
    yield ""
    broken = content["paths"]["broken"]
    yield f"Paths: {content['paths']['checked']:,} looked up in the facts, {len(broken)} of them not there"
    yield from (f"  {name}: {hook}" for name, hook in broken[:FEW])
    if len(broken) > FEW:
        yield f"  and {len(broken) - FEW:,} more: paths.broken in map.json has them"
    yield from _recall(content)
    yield from _by_object(content)
