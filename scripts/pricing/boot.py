# SPDX-License-Identifier: GPL-2.0-only
"""One boot of one state with one stack of modules: a cell as of the evaluation, of a tree of the user's."""

from dataclasses import dataclass

from evaluation import plan
from evaluation.cell import Cell

# What is measured, and in which kernel: whole system calls where nothing of ours is, then hooks and callbacks.
KINDS = {"latency": "unpatched", "callbacks": "monitor"}


@dataclass(frozen=True)
class Boot(Cell):
    """`tree` has the source, and `spans` is a file for what the plugin of that name finds. What a commit changes does
    not depend on how REP is counted.
    """

    cpu: str = ""
    tree: str = ""
    spans: str = ""

    def kernel(self):
        """`part` says which state is in the tree, so that build-kernel need not look at the times of files."""
        return {**super().kernel(), "KDIR": self.tree, "LSMPMON_SOURCE": self.part, "SPANS": self.spans}


def named(benchmark, stack):
    """What the file of a sub-benchmark under a stack is called."""
    return f"{stack}-{benchmark.replace('/', '.')}"


def boots(state, tree, kver, stacks, kinds=tuple(KINDS)):
    for stack in stacks:
        modules = [module for module in stack.split(",") if module != "capability"]
        for kind in kinds:
            yield Boot(state.ident, f"{stack}-{kind}", (kind,), KINDS[kind], ",".join(modules), kver,
                       policies=plan.deciding(*modules), tree=str(tree))
