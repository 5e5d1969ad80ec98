# SPDX-License-Identifier: GPL-2.0-only
"""The cells of each part of the evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from lsmlab.guest.settings import KVER
from lsmlab.kernel.tree import source
from lsmlab.measure.evaluation.cell import INODES, Cell
from lsmlab.measure.evaluation.distributions import distributions

# Exclusive modules: the kernel takes only the first of them in lsm=.
EXCLUSIVE = ("selinux", "apparmor", "smack")
FREE = ("tomoyo", "landlock")
# Modules with a policy that lsm-setup can make, in the order of the tables.
DECIDING = ("selinux", "apparmor", "smack", "tomoyo", "landlock")
# The order in which `growth` adds modules: those without a policy first. BPF comes last, since it implements every
# hook and would answer for the process attributes that SELinux should.
STACK = ("yama", "loadpin", "safesetid", "lockdown", "ipe", "landlock", "tomoyo", "selinux", "bpf")
KERNELS = source.supported()
# Images of each kernel for times, whose objects are in another order in each: as many as an interval needs. And boots of each.
LAYOUTS = 10
BOOTS = 2
RULES = (10, 100, 1000, 10000)


# Boots that time whole calls, all of one image: as many as an interval needs.
CALL_BOOTS = 10
TAIL_BOOTS = 2
# Boots that time the hooks of everyday work, each several times. More are better on a quiet machine.
WORK_BOOTS = 3
# Policies for that work, if that of the benchmark does not let a program of Debian run.
WORK_POLICIES = {"selinux": "selinux-work", "apparmor": "apparmor-work", "smack": "smack", "tomoyo": "tomoyo-work",
                 "landlock": "landlock-work"}


# The states of a module after capability and `dispatch`, the module's hooks with empty callbacks: each has more to do
# than the one before. `bare` is the module without a policy.
STATES = {"bare": "", "permissive": "off", "enforcing": "on"}
# Landlock has nothing between no ruleset and one. BPF programs that allow everything stand for a permissive policy.
PERMISSIVE = ("selinux", "apparmor", "smack", "tomoyo", "selinux-debian", "apparmor-debian", "bpf")
# Policies of a module that has another policy as well: they have no state of their own without one.
SECOND = {"selinux-debian": "selinux", "selinux-misses": "selinux", "apparmor-debian": "apparmor",
          "tomoyo-few": "tomoyo", "tomoyo-first": "tomoyo", "tomoyo-last": "tomoyo"}


# Auditing without rules.
AUDIT = "audit=1"


# Linux before 6.2 takes random numbers of the processor only if an option says so. Until it has enough others, each
# call that makes an inode draws one by itself, which costs more than the call.
SEEDED = {"6.1": "random.trust_cpu=on"}


def deciding(*modules: str) -> dict[str, str]:
    """Return the policies of a cell with these modules."""
    return {module: "on" for module in modules if module in (*DECIDING, "bpf")}


def states(policy: str) -> list[str]:
    """Return the states that a policy can be in."""
    without = {state for state in STATES if (state == "bare" and policy in SECOND) or
               (state == "permissive" and policy not in PERMISSIVE)}
    return [state for state in STATES if state not in without]


def dispatch() -> Iterator[Cell]:
    """Yield the hooks of each module with empty callbacks, by the tunable module of the patched kernel, and their base."""
    yield Cell("modules", f"{KVER}-capability-patched", ("latency",), "patched")
    for module in (*DECIDING, "bpf"):
        yield Cell("modules", f"{KVER}-{module}-dispatch", ("latency",), "patched", "tunable",
                   kargs=f"tunable.hooks={module}")


def modules() -> Iterator[Cell]:
    """Yield no LSM, the framework with capability, and each module on top of that in each of its states."""
    yield Cell("modules", f"{KVER}-dac", ("latency",), "dac")
    yield Cell("modules", f"{KVER}-capability", ("latency",), "lsm")
    yield Cell("modules", f"{KVER}-capability-btf", ("latency",), "btf")
    yield from dispatch()
    yield Cell("modules", f"{KVER}-capability-hooks", ("hooks",), "patched")
    for policy in (*DECIDING, *SECOND, "bpf"):
        flavour, module = "btf" if policy == "bpf" else "lsm", SECOND.get(policy, policy)
        for state in states(policy):
            policies = {policy: STATES[state]} if STATES[state] else {}
            yield Cell("modules", f"{KVER}-{policy}-{state}", ("latency",), flavour, module, policies=policies)
    # The SELinux of Zhang, Liu & Jaeger had auditing on.
    yield Cell("modules", f"{KVER}-selinux-bare-audit", ("latency",), "lsm", "selinux", kargs=AUDIT)
    yield Cell("modules", f"{KVER}-selinux-debian-cold", ("cold",), "lsm", "selinux", policies={"selinux-debian": "on"})
    for module in DECIDING:
        name, policies = f"{KVER}-{module}-enforcing-hooks", deciding(module)
        yield Cell("modules", name, ("hooks",), "patched", module, policies=policies)


def _stacks() -> Iterator[tuple[str, ...]]:
    for exclusive in EXCLUSIVE:
        for free in FREE:
            yield from permutations((exclusive, free))
    yield from permutations(FREE)
    yield from permutations(("selinux", *FREE))


def stacking() -> Iterator[Cell]:
    """Yield pairs and triples, in every order that these kernels allow, with policies and without."""
    for stack in _stacks():
        name, lsm = f"{KVER}-{'.'.join(stack)}", ",".join(stack)
        yield Cell("stacking", name, ("latency",), "lsm", lsm, policies=deciding(*stack))
        yield Cell("stacking", f"{name}-bare", ("latency",), "lsm", lsm)


def denials() -> Iterator[Cell]:
    """Yield an open that a single module denies.

    Each module does so by itself, which also shows that it allows the files of the others, and in pairs in both orders.
    """
    for stack in [*((module,) for module in DECIDING), *(stack for stack in _stacks() if len(stack) == 2)]:
        yield Cell("denials", f"{KVER}-{'.'.join(stack)}", ("denied",), "lsm", ",".join(stack), policies=deciding(*stack))


def atomics() -> Iterator[Cell]:
    """Yield cells that count atomic operations in each call: processors that run the same call wait for these."""
    measures = ("latency", "atomics")
    for module in ("capability", *DECIDING):
        lsm = "" if module == "capability" else module
        yield Cell("atomics", f"{KVER}-{module}", measures, "lsm", lsm, policies=deciding(module))
    yield Cell("atomics", f"{KVER}-capability-btf", measures, "btf")
    yield Cell("atomics", f"{KVER}-bpf", measures, "btf", "bpf", policies=deciding("bpf"))


def integrity() -> Iterator[Cell]:
    """Yield IMA, EVM and audit: without rules, each with rules, and IMA and EVM together."""
    yield Cell("integrity", f"{KVER}-none", ("latency",), "unpatched")
    for module in ("audit", "ima", "evm"):
        for mode in ("on", "off"):
            name = f"{KVER}-{module}" + ("" if mode == "on" else "-off")
            yield Cell("integrity", name, ("latency",), "unpatched", policies={module: mode})
    for number in RULES[:2]:
        yield Cell("integrity", f"{KVER}-audit-{number}", ("latency",), "unpatched", policies={"audit": "on"}, rules=number)
    yield Cell("integrity", f"{KVER}-ima.evm", ("latency",), "unpatched", policies={"ima": "on", "evm": "on"})


def growth() -> Iterator[Cell]:
    """Yield one module more each time, from no framework on. IMA and EVM cannot be left out; `integrity` covers them."""
    yield Cell("growth", f"{KVER}-0", ("latency",), "dac")
    for number in range(len(STACK) + 1):
        stack = STACK[:number]
        yield Cell("growth", f"{KVER}-{number + 1}", ("latency",), "btf", ",".join(stack), policies=deciding(*stack))


def rules() -> Iterator[Cell]:
    for module in ("landlock", "tomoyo", "apparmor", "smack", "bpf"):
        for number in RULES:
            yield Cell("rules", f"{KVER}-{module}-{number}", ("latency",), "btf" if module == "bpf" else "lsm", module,
                       policies=deciding(module), rules=number)


def images() -> Iterator[tuple[int, int]]:
    """Yield the number of each boot for times, and the layout of its image: each image once, and then again."""
    for boot in range(1, LAYOUTS * BOOTS + 1):
        yield boot, (boot - 1) % LAYOUTS + 1


def kernels() -> Iterator[Cell]:
    """Yield the same work on each kernel: hook times in cycles, everything else in instructions. Each kernel has its own base."""
    for kver in KERNELS:
        yield Cell("kernels", f"{kver}-dac-latency", ("latency",), "dac", "", kver, kargs=SEEDED.get(kver, ""))
        for module in ("capability", *DECIDING):
            lsm, policies = ("" if module == "capability" else module), deciding(module)
            yield Cell("kernels", f"{kver}-{module}-latency", ("latency",), "lsm", lsm, kver, policies=policies,
                       kargs=SEEDED.get(kver, ""))
            yield Cell("kernels", f"{kver}-{module}-exact", ("hooks",), "patched", lsm, kver, policies=policies)
            for boot, layout in images():
                measures = ("hooks", "repeated") if boot == 1 else ("repeated",)
                yield Cell("kernels", f"{kver}-{module}-{boot}", measures, "patched", lsm, kver, "uml", "none", policies,
                           boot=boot, layout=layout)


def lids() -> Iterator[Cell]:
    """Yield the tables of 2010 for the model of LIDS, in a kernel of its own.

    They are over capability in the same kernel, on the oldest kernel, the default and the newest.
    """
    for kver in dict.fromkeys((KERNELS[0], KVER, KERNELS[-1])):
        policies, kargs = {"lids": "on"}, SEEDED.get(kver, "")
        yield Cell("lids", f"{kver}-capability-latency", ("latency",), "lids", "", kver, kargs=kargs)
        yield Cell("lids", f"{kver}-lids-latency", ("latency",), "lids", "lids", kver, policies=policies, kargs=kargs)
        for boot, layout in images():
            yield Cell("lids", f"{kver}-lids-{boot}", ("repeated",), "lids", "lids", kver, "uml", "none", policies, boot=boot,
                       layout=layout)


def mitigations() -> Iterator[Cell]:
    """Yield what `kernels` measures with the mitigations that a processor with Spectre gets, without them."""
    for kver in KERNELS:
        for module in ("dac", "capability", "selinux"):
            lsm, flavour = (module if module == "selinux" else ""), ("dac" if module == "dac" else "lsm")
            yield Cell("mitigations", f"{kver}-{module}-off", ("latency",), flavour, lsm, kver,
                       policies=deciding(module), kargs=f"mitigations=off {SEEDED.get(kver, '')}".strip())


def openit() -> Iterator[Cell]:
    """Yield the walk through a tree, as in the measurement of 2008; and that of two kernels, without LSM and with SELinux."""
    yield Cell("openit", f"{KVER}-dac", ("openit",), "dac")
    yield Cell("openit", f"{KVER}-capability", ("openit",), "lsm")
    for policy in (*DECIDING, "tomoyo-few", "tomoyo-first", "tomoyo-last"):
        module = SECOND.get(policy, policy)
        yield Cell("openit", f"{KVER}-{policy}", ("openit",), "lsm", module, policies={policy: "on"})
    newest = KERNELS[-1]
    yield Cell("openit", f"{newest}-dac", ("openit",), "dac", "", newest)
    yield Cell("openit", f"{newest}-selinux", ("openit",), "lsm", "selinux", newest, policies={"selinux": "on"})


def work() -> Iterator[Cell]:
    """Yield work that people know: hook calls on x86-64, and what a hook takes on User-Mode Linux."""
    for module in ("capability", *DECIDING):
        lsm, policies = ("", {}) if module == "capability" else (module, {WORK_POLICIES[module]: "on"})
        yield Cell("work", f"{KVER}-{module}-counts", ("work_counts",), "patched", lsm, policies=policies)
        for boot in range(1, WORK_BOOTS + 1):
            yield Cell("work", f"{KVER}-{module}-{boot}", ("work_times",), "patched", lsm, KVER, "uml", "none", policies,
                       boot=boot)


def ext4() -> Iterator[Cell]:
    """Yield audit, IMA and EVM on ext4, with capability only and over SELinux; and all of them over no LSM, as published.

    The storage of attributes is measured too, with inodes that have room for those of all modules.
    """
    for module in ("capability", "selinux"):
        lsm = "" if module == "capability" else module
        for more in ((), ("audit",), ("ima",), ("evm",), ("ima", "evm")):
            policies = deciding(module) | dict.fromkeys(more, "on")
            for inode in INODES if not more or "evm" in more else INODES[:1]:
                name = f"{KVER}-{'.'.join((module, *more))}" + ("" if inode == INODES[0] else f"-{inode}")
                yield Cell("ext4", name, ("latency",), "patched", lsm, policies=policies, fs="ext4", inode=inode)
    yield Cell("ext4", f"{KVER}-dac", ("latency",), "dac", fs="ext4")
    yield Cell("ext4", f"{KVER}-selinux.ima.evm-audit", ("latency",), "patched", "selinux", fs="ext4", kargs=AUDIT,
               policies=deciding("selinux") | {"ima": "on", "evm": "on"})


def tails() -> Iterator[Cell]:
    """Yield the slowest of a million calls: of instructions, which nothing else on the machine makes more, and of cycles."""
    for policy in ("capability", "selinux", "selinux-debian", "selinux-misses", "apparmor", "tomoyo", "smack", "landlock"):
        lsm, policies = ("", {}) if policy == "capability" else (SECOND.get(policy, policy), {policy: "on"})
        yield Cell("tails", f"{KVER}-{policy}-exact", ("tails",), "patched", lsm, policies=policies)
        for boot in range(1, TAIL_BOOTS + 1):
            yield Cell("tails", f"{KVER}-{policy}-{boot}", ("tails",), "patched", lsm, KVER, "uml", "none", policies,
                       boot=boot)


def calls() -> Iterator[Cell]:
    """Yield whole calls and the hooks inside them on the newest kernel, in instructions and in cycles of one image."""
    kver = KERNELS[-1]
    for module in ("capability", *DECIDING):
        lsm, policies = ("" if module == "capability" else module), deciding(module)
        yield Cell("calls", f"{kver}-{module}-exact", ("calls",), "patched", lsm, kver, "uml", policies=policies)
        for boot in range(1, CALL_BOOTS + 1):
            yield Cell("calls", f"{kver}-{module}-{boot}", ("calls",), "patched", lsm, kver, "uml", "none", policies,
                       boot=boot)


def quick() -> Iterator[Cell]:
    """Yield a small part of everything, on kernels that the tests build anyway."""
    yield Cell("quick", f"{KVER}-capability", ("latency", "hooks"), "patched")
    for module in ("selinux", "tomoyo"):
        yield Cell("quick", f"{KVER}-{module}-enforcing", ("latency", "hooks"), "patched", module,
                   policies=deciding(module))
    yield Cell("quick", f"{KVER}-selinux-1", ("hooks", "repeated"), "patched", "selinux", KVER, "uml", "none",
               deciding("selinux"))


def yours(kver: str, lsm: str) -> Iterator[Cell]:
    """Yield a user's tree and stack: without the framework, with capability only, with the stack; and the hooks of the stack."""
    stack = [module for module in lsm.split(",") if module]
    yield Cell("yours", "dac", ("latency",), "dac", "", kver)
    yield Cell("yours", "capability", ("latency",), "lsm", "", kver)
    yield Cell("yours", "stack", ("latency",), "lsm", lsm, kver, policies=deciding(*stack))
    yield Cell("yours", "stack-hooks", ("hooks",), "patched", lsm, kver, policies=deciding(*stack))


def stands_alone(part: str) -> bool:
    """Say whether the cells of a part are compared only with each other."""
    return part not in PARTS


PARTS = {part.__name__: part for part in (distributions, modules, stacking, denials, atomics, integrity, growth, rules,
                                          kernels, lids, mitigations, openit, work, tails, ext4, calls)}
