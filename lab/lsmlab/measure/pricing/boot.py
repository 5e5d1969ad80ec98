# SPDX-License-Identifier: GPL-2.0-only
"""The boots of a state: cells as of the evaluation, of a tree of the user's, one for each stack and kind."""

from lsmlab.measure.evaluation import plan
from lsmlab.measure.evaluation.cell import Boot

# What is measured, and in which kernel: whole system calls where nothing of ours is, then hooks and callbacks.
KINDS = {"latency": "unpatched", "callbacks": "monitor"}


def named(benchmark, stack):
    """What the file of a sub-benchmark under a stack is called."""
    return f"{stack}-{benchmark.replace('/', '.')}"


def boots(state, tree, kver, stacks, kinds=tuple(KINDS)):
    for stack in stacks:
        modules = [module for module in stack.split(",") if module != "capability"]
        for kind in kinds:
            yield Boot(state.ident, f"{stack}-{kind}", (kind,), KINDS[kind], ",".join(modules), kver,
                       policies=plan.deciding(*modules), tree=str(tree))
