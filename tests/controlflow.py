# SPDX-License-Identifier: GPL-2.0-only
"""Reads from a function's code how often one call of it dispatches a hook.

A dispatch begins at a branch of the monitor's static key. If no path through
the function leaves it out, and none comes there twice, then the function's
calls are the hook's calls.
"""

from dataclasses import dataclass

ENDS = ("ret", "jmp", "hlt")


@dataclass(frozen=True)
class Dispatch:
    function: str
    hook: str
    always: bool    # by every call of the function
    once: bool      # at most once in a call


class Flow:
    """The paths through one function; jump labels may go either way."""

    def __init__(self, sites, function):
        self.sites = sites
        self.function = function
        order = sorted(function.code)
        self.following = dict(zip(order, order[1:]))

    def next(self, address):
        """Return the addresses where code may go on; None stands for the end of the function.

        A function that has a frame to take down, as with KASAN, calls its twin and then ends.
        """
        instruction = self.function.code[address]
        inside = instruction.target if instruction.target in self.function.code else None
        calls_twin = instruction.name == "call" and inside is not None and inside == self.function.twin
        places = []
        if instruction.name not in ENDS and not calls_twin:
            places.append(self.following.get(address))
        if instruction.name.startswith("j") or calls_twin:
            places.append(inside)
        elif instruction.name == "ret":
            places.append(None)
        label = self.sites.vmlinux.labels.get(address)
        return places + ([label] if label in self.function.code else [])

    def reach(self, starts, without=()):
        """Return all addresses that can be reached from `starts` without passing those in `without`."""
        seen, todo = set(), [s for s in starts if s not in without]
        while todo:
            place = todo.pop()
            if place in seen:
                continue
            seen.add(place)
            if place is not None:
                todo += [n for n in self.next(place) if n not in without]
        return seen

    def hook_of(self, target):
        """Return the first hook that the measured copy at an address records.

        A call that the filter passes over leaves the copy, for dispatches of other copies.
        """
        exits, watched = self.function.exits, self.sites.vmlinux.watched
        seen, todo, numbers = set(), [target], set()
        while todo:
            place = todo.pop()
            if place in exits:
                numbers.add(exits[place][1])
            elif place is not None and place not in seen:
                seen.add(place)
                todo += [n for n in self.next(place) if n != watched.get(place)]
        assert len(numbers) == 1, (self.function.name, numbers)
        return self.sites.name(numbers.pop())

    def dispatches(self):
        watched = self.sites.vmlinux.watched
        for site in sorted(a for a in self.function.code if a in watched):
            missed = None in self.reach([self.function.start], without={site})
            again = site in self.reach(self.next(site))
            if self.function.twin in self.reach([watched[site]]):
                missed |= None in self.reach([watched[site]], without=self.function.exits)
                again |= any(at in self.reach(self.next(at)) for at in self.function.exits)
            yield Dispatch(self.function.name, self.hook_of(watched[site]), not missed, not again)


def dispatches(sites):
    """Return the dispatches in all functions of a kernel with jump labels."""
    return [d for function in sites.functions.values() if function.dispatched
            for d in Flow(sites, function).dispatches()]
