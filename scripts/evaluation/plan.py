# SPDX-License-Identifier: GPL-2.0-only
"""The cells of each part of the evaluation."""

from itertools import permutations

from evaluation.cell import Cell
from guest.settings import KVER
from kerneltree import source

# Exclusive modules: the kernel takes only the first of them in lsm=.
EXCLUSIVE = ("selinux", "apparmor", "smack")
FREE = ("tomoyo", "landlock")
# Modules with a policy that lsm-setup can make, in the order of the tables.
DECIDING = ("selinux", "apparmor", "smack", "tomoyo", "landlock")
# In the order in which `growth` adds them: modules without a policy first. BPF comes last, since it implements every
# hook and would answer for the process attributes that SELinux should.
STACK = ("yama", "loadpin", "safesetid", "lockdown", "ipe", "landlock", "tomoyo", "selinux", "bpf")
KERNELS = source.supported()
BOOTS = 3
RULES = (10, 100, 1000, 10000)


def deciding(*modules):
    """The policies of a cell with these modules."""
    return {module: "on" for module in modules if module in (*DECIDING, "bpf")}


def modules():
    """Each module on top of capability: with enforcement on, and with its hooks but enforcement off."""
    yield Cell("modules", f"{KVER}-dac", ("latency",), "dac")
    yield Cell("modules", f"{KVER}-capability", ("latency",), "lsm")
    yield Cell("modules", f"{KVER}-capability-hooks", ("hooks",), "patched")
    for module in DECIDING:
        for mode in ("on", "off"):
            policies, name = {module: mode}, f"{KVER}-{module}-{mode}"
            yield Cell("modules", name, ("latency",), "lsm", module, policies=policies)
            yield Cell("modules", f"{name}-hooks", ("hooks",), "patched", module, policies=policies)
    for mode in ("on", "off"):
        policies = {"selinux-debian": mode}
        yield Cell("modules", f"{KVER}-selinux-debian-{mode}", ("latency",), "lsm", "selinux", policies=policies)
        yield Cell("modules", f"{KVER}-bpf-{mode}", ("latency",), "btf", "bpf", policies={"bpf": mode})


def _stacks():
    for exclusive in EXCLUSIVE:
        for free in FREE:
            yield from permutations((exclusive, free))
    yield from permutations(FREE)
    yield from permutations(("selinux", *FREE))


def stacking():
    """Pairs and triples, in every order that these kernels allow."""
    for stack in _stacks():
        yield Cell("stacking", f"{KVER}-{'.'.join(stack)}", ("latency",), "lsm", ",".join(stack), policies=deciding(*stack))


def integrity():
    """IMA, EVM and audit: without rules, each with rules, and IMA and EVM together."""
    yield Cell("integrity", f"{KVER}-none", ("latency",), "unpatched")
    for module in ("audit", "ima", "evm"):
        for mode in ("on", "off"):
            name = f"{KVER}-{module}" + ("" if mode == "on" else "-off")
            yield Cell("integrity", name, ("latency",), "unpatched", policies={module: mode})
    yield Cell("integrity", f"{KVER}-ima.evm", ("latency",), "unpatched", policies={"ima": "on", "evm": "on"})


def growth():
    """From no framework on, one module more each time. IMA and EVM cannot be left out; `integrity` covers them."""
    yield Cell("growth", f"{KVER}-0", ("latency",), "dac")
    for number in range(len(STACK) + 1):
        stack = STACK[:number]
        yield Cell("growth", f"{KVER}-{number + 1}", ("latency",), "btf", ",".join(stack), policies=deciding(*stack))


def rules():
    for module in ("landlock", "tomoyo", "apparmor"):
        for number in RULES:
            yield Cell("rules", f"{KVER}-{module}-{number}", ("latency",), "lsm", module,
                       policies=deciding(module), rules=number)


def kernels():
    """The same work on each kernel: hook times in cycles, everything else in instructions."""
    for kver in KERNELS:
        for module in ("capability", *DECIDING):
            lsm, policies = ("" if module == "capability" else module), deciding(module)
            yield Cell("kernels", f"{kver}-{module}-latency", ("latency",), "unpatched", lsm, kver, policies=policies)
            yield Cell("kernels", f"{kver}-{module}-exact", ("hooks",), "patched", lsm, kver, policies=policies)
            for boot in range(1, BOOTS + 1):
                yield Cell("kernels", f"{kver}-{module}-{boot}", ("hooks", "repeated"), "patched", lsm, kver,
                           "uml", "none", policies, boot=boot)


def openit():
    """The walk through a tree, as in the measurement of 2008."""
    yield Cell("openit", f"{KVER}-dac", ("openit",), "dac")
    for module in ("capability", *DECIDING):
        lsm = "" if module == "capability" else module
        yield Cell("openit", f"{KVER}-{module}", ("openit",), "lsm", lsm, policies=deciding(module))


def quick():
    """A small part of everything, on kernels that the tests build anyway."""
    for module in ("capability", "selinux", "tomoyo"):
        lsm, policies = ("" if module == "capability" else module), deciding(module)
        yield Cell("quick", f"{KVER}-{module}", ("latency", "hooks"), "patched", lsm, policies=policies)
    yield Cell("quick", f"{KVER}-selinux-uml", ("hooks", "repeated"), "patched", "selinux", KVER, "uml", "none",
               deciding("selinux"))


def yours(kver, lsm):
    """A user's tree and stack: without the framework, with capability only, with the stack; and its hooks."""
    stack = [module for module in lsm.split(",") if module]
    yield Cell("yours", "dac", ("latency",), "dac", "", kver)
    yield Cell("yours", "capability", ("latency",), "lsm", "", kver)
    yield Cell("yours", "stack", ("latency",), "lsm", lsm, kver, policies=deciding(*stack))
    yield Cell("yours", "stack-hooks", ("hooks",), "patched", lsm, kver, policies=deciding(*stack))


def stands_alone(part):
    """A part, whose cells are compared only with each other."""
    return part not in PARTS


PARTS = {part.__name__: part for part in (modules, stacking, integrity, growth, rules, kernels, openit)}
