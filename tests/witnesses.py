# SPDX-License-Identifier: GPL-2.0-only
"""Traced functions that tell how often a hook was called, and with which certainty.

The function that dispatches a hook does, if all its calls do so once. If it
may return before, a module's callback does: it is called by every dispatch,
unless a module before it has decided. Both are read in the built kernel.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import controlflow


@dataclass
class Witness:
    hook: str
    functions: list = field(default_factory=list)   # those that dispatch the hook
    callbacks: list = field(default_factory=list)   # each called at most as often as the hook
    reasons: list = field(default_factory=list)     # why calls of `functions` may not be its own
    at_most: bool = True    # it cannot be called more often than `functions`


def callbacks(vmlinux):
    """Yield (module, hook, callback) as the modules of a kernel register them."""
    names = defaultdict(set)
    for address, name in vmlinux.symbols:
        names[address].add(name)
    often = Counter(name for _, name in vmlinux.symbols)
    for start, name in vmlinux.symbols:
        if not name.endswith("_hooks"):
            continue
        for at in range(start, start + 1000 * vmlinux.LIST_BYTES, vmlinux.LIST_BYTES):
            try:
                hook, callback = vmlinux.registered(at)
            except ValueError:
                break
            if hook is None:
                break
            for function in names[callback]:
                if often[function] == 1 and not function.startswith(("__pfx_", "__cfi_")):
                    yield name.removesuffix("_hooks"), hook, function


def witnesses(sites, modules):
    """Return the witnesses of each hook, in the kernel's order; `modules` are the active ones."""
    by_hook = {hook: Witness(hook) for hook in sites.vmlinux.hooks}
    by_function = defaultdict(list)
    for dispatch in controlflow.dispatches(sites):
        by_function[dispatch.function, dispatch.hook].append(dispatch)
    for (function, hook), several in by_function.items():
        by_hook[hook].functions.append(function)
        if len(several) > 1 or not all(d.once for d in several):
            by_hook[hook].at_most = False
            by_hook[hook].reasons.append(f"{function}() may call it several times")
        elif not several[0].always:
            by_hook[hook].reasons.append(f"{function}() may return before it")
    for module, hook, function in callbacks(sites.vmlinux):
        if module in modules:
            by_hook[hook].callbacks.append(function)
    return by_hook
