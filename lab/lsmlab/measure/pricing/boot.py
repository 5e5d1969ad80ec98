# SPDX-License-Identifier: GPL-2.0-only
"""The boots of a state: cells like those of the evaluation, of a tree of the user's, one for each stack and kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lsmlab.measure.evaluation import plan
from lsmlab.measure.evaluation.cell import Boot
from lsmlab.measure.pricing.states import State

# The measurements, and their kernels: whole system calls in one without our code, then hooks and callbacks.
KINDS = {"latency": "unpatched", "callbacks": "monitor"}


def named(benchmark: str, stack: str) -> str:
    """Return the name of the file of a sub-benchmark under a stack."""
    return f"{stack}-{benchmark.replace('/', '.')}"


def boots(state: State, tree: Path, kver: str, stacks: Iterable[str], kinds: Iterable[str] = tuple(KINDS)) -> Iterator[Boot]:
    for stack in stacks:
        modules = [module for module in stack.split(",") if module != "capability"]
        for kind in kinds:
            yield Boot(state.ident, f"{stack}-{kind}", (kind,), KINDS[kind], ",".join(modules), kver,
                       policies=plan.deciding(*modules), tree=str(tree))
