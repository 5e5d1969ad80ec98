# SPDX-License-Identifier: GPL-2.0-only
"""All that nodes lead to, as bits of numbers: hooks, and the nodes with which work begins that is left for later.

This says what is reached, and not by which path. It is found for all nodes at once, from the last callees on; nodes that
call each other in a circle have the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

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
        beneath = Masks(walk, kinds, walk.pair(bit) ^ bit, across) if walk.pair(bit) != bit else None
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
        if beneath:
            self._leave(walk, bit, beneath, tables, out, own)
        self.bits = closure(walk.useful, out, own)

    @staticmethod
    def _leave(walk: Walk, bit: int, beneath: Masks, tables: Iterable[list[list[tuple[int, int]]]], out: list[list[int]],
               own: list[int]) -> None:
        """Add what calls on the object beneath lead to, and leave out what these would lead to on this one."""
        lower = walk.pair(bit) ^ bit
        for number, calls in walk.down.items():
            left = {to for to, pairs in calls.items() if (bit, lower) in pairs}
            out[number] = [to for to in out[number] if to not in left]
            for to, objects in chain.from_iterable(table[number] for table in tables):
                if to in left and objects & lower:
                    own[number] |= beneath.bits[to]

    def hooks(self, number: int) -> Iterator[str]:
        """Yield the hooks that a node reaches."""
        bits = self.bits[number]
        yield from (name for place, name in enumerate(self.names) if bits >> place & 1)

    def beginnings(self, number: int) -> Iterator[int]:
        """Yield the nodes with which work begins that a node leaves for later."""
        bits = self.bits[number] >> len(self.names)
        yield from (end for place, end in enumerate(self.ends) if bits >> place & 1)
