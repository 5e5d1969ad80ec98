# SPDX-License-Identifier: GPL-2.0-only
"""All that nodes lead to, as bits of numbers: hooks, and the nodes with which work begins that is left for later.

This says what is reached, and not by which path. It is found for all nodes at once, from the last callees on; nodes that
call each other in a circle have the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsmlab.measure.hookmap.walk import Walk


def closure(roots: Iterable[int], out: Sequence[Sequence[int]], own: Sequence[int]) -> list[int]:
    """Return the bits of each node that some nodes lead to together with those of all nodes that it leads to itself."""
    bits, index, low = list(own), [0] * len(out), [0] * len(out)
    is_open, path, count = bytearray(len(out)), list[int](), 0
    for root in roots:
        if index[root]:
            continue
        calls: list[tuple[int, Iterator[int]]] = [(root, iter(out[root]))]
        count += 1
        index[root] = low[root] = count
        is_open[root] = 1
        path.append(root)
        while calls:
            node, following = calls[-1]
            for to in following:
                if not index[to]:
                    count += 1
                    index[to] = low[to] = count
                    is_open[to] = 1
                    path.append(to)
                    calls.append((to, iter(out[to])))
                    break
                bits[node] |= bits[to]
                if is_open[to] and index[to] < low[node]:
                    low[node] = index[to]
            else:
                calls.pop()
                if low[node] == index[node]:
                    _close(node, path, is_open, bits)
                if calls:
                    caller = calls[-1][0]
                    bits[caller] |= bits[node]
                    low[caller] = min(low[caller], low[node])
    return bits


def _close(first: int, path: list[int], is_open: bytearray, bits: list[int]) -> None:
    """Make the bits of a circle's nodes the same: they are at the end of a path, and `first` leads to all of them."""
    at = len(path) - 1
    while path[at] != first:
        at -= 1
    together = path[at:]
    del path[at:]
    for node in together:
        bits[node] = bits[first]
        is_open[node] = 0


class Masks:
    """The hooks that each node of a walk reaches along some kinds of edges, on one object."""

    def __init__(self, walk: Walk, kinds: Iterable[str], bit: int, across: str = "") -> None:
        """Follow edges of some kinds. `across` names a kind over which work is left for later, whose beginnings are noted."""
        tables = [walk.out[kind] for kind in kinds]
        out = [[to for table in tables for to, objects in table[number] if objects & bit] for number in range(len(walk.nodes))]
        self.names = sorted({name for events in walk.events for name in events})
        place = {name: 1 << number for number, name in enumerate(self.names)}
        own = [sum(place[name] for name in events) for events in walk.events]
        self.ends: list[int] = []
        if across:
            self.ends = sorted({to for edges in walk.out[across] for to, _objects in edges})
            begins = {to: 1 << len(self.names) + number for number, to in enumerate(self.ends)}
            for number, edges in enumerate(walk.out[across]):
                for to, objects in edges:
                    own[number] |= begins[to] if objects & bit else 0
        self.bits = closure(walk.useful, out, own)

    def hooks(self, number: int) -> Iterator[str]:
        """Yield the hooks that a node reaches."""
        bits = self.bits[number]
        yield from (name for place, name in enumerate(self.names) if bits >> place & 1)

    def beginnings(self, number: int) -> Iterator[int]:
        """Yield the nodes with which work begins that a node leaves for later."""
        bits = self.bits[number] >> len(self.names)
        yield from (end for place, end in enumerate(self.ends) if bits >> place & 1)
