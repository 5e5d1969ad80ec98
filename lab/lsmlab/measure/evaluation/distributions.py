# SPDX-License-Identifier: GPL-2.0-only
"""The cells of part distributions: stacks that people run, each module left out of them, and a container by its steps.

The kernels have IMA and EVM without rules and without a key, as those of Debian, Ubuntu and Fedora have, so the base has
them, too. What stands in for what is said in the report, in templates/distributions.jinja.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lsmlab.guest.settings import KVER
from lsmlab.measure.evaluation.cell import Cell

PART = "distributions"
# Auditing without rules; its records are notices, which go to no console.
AUDIT = "audit=1 loglevel=5"
# What is left out beside modules.
AUDITING = "audit"


@dataclass(frozen=True)
class Stack:
    """Modules in the order of the kernel, what decides, and auditing as a word of the command line or a policy."""

    lsm: tuple[str, ...]
    policies: dict[str, str] = field(default_factory=dict)
    kargs: str = ""

    def without(self, module: str) -> Stack:
        """Return the stack without a module and its policy, or without auditing."""
        policies = {policy: mode for policy, mode in self.policies.items() if policy.partition("-")[0] != module}
        lsm = tuple(name for name in self.lsm if name != module)
        return replace(self, lsm=lsm, policies=policies, kargs="" if module == AUDITING else self.kargs)

    def parts(self) -> list[str]:
        """Return what can be left out."""
        audited = self.kargs or any(policy.partition("-")[0] == AUDITING for policy in self.policies)
        return [*self.lsm, *([AUDITING] if audited else [])]

    def cell(self, name: str, measures: tuple[str, ...] = ("latency",), fs: str = "tmpfs") -> Cell:
        return Cell(PART, f"{KVER}-{name}", measures, "patched", ",".join(self.lsm), policies=self.policies,
                    kargs=self.kargs, fs=fs)


# The order of modules is that of CONFIG_LSM; of Debian's, TOMOYO has no policy, and SELinux does not come behind AppArmor.
DEBIAN = ("landlock", "lockdown", "yama", "apparmor", "tomoyo", "bpf", "ipe")
UBUNTU = ("landlock", "lockdown", "yama", "apparmor")
FEDORA = ("lockdown", "yama", "selinux", "bpf", "landlock", "ipe")
ANDROID = ("selinux", "lockdown")
# Most programs of a distribution with AppArmor are in no profile; those in one are beside them.
STACKS = {
    "debian": Stack(DEBIAN, {"apparmor-unconfined": "on"}),
    "debian-profile": Stack(DEBIAN, {"apparmor-debian": "on"}),
    "ubuntu": Stack(UBUNTU, {"apparmor-unconfined": "on"}),
    "ubuntu-profile": Stack(UBUNTU, {"apparmor-debian": "on"}),
    "fedora": Stack(FEDORA, {"audit-fedora": "on", "selinux-debian": "on"}),
    "android": Stack(ANDROID, {"selinux-debian": "on"}, AUDIT),
}
# Stacks of which each module is left out, and the hooks are counted.
TAKEN_APART = ("debian", "debian-profile", "fedora", "android")
# What a container adds to the host's stack, one after the other, the first behind all others.
CONTAINER = ("seccomp", "container", "userns")
STEPS = {"host": ("apparmor-unconfined",), "container": ("container",), "container-seccomp": ("seccomp", "container"),
         "container-seccomp-userns": CONTAINER}


def distributions() -> Iterator[Cell]:
    """Yield no LSM, capability, each stack, the stack without each of its modules, and a container on a host's stack."""
    yield Cell(PART, f"{KVER}-dac", ("latency",), "dac")
    yield Stack(()).cell("capability")
    for name, stack in STACKS.items():
        yield stack.cell(name)
    for name in TAKEN_APART:
        stack = STACKS[name]
        yield stack.cell(f"{name}-hooks", ("hooks",))
        for module in stack.parts():
            yield stack.without(module).cell(f"{name}-without-{module}")
    yield from containers()


def containers() -> Iterator[Cell]:
    """Yield the steps to a container, on overlayfs; a host's stack is Debian's.

    User namespaces are measured by themselves, too: on a tmpfs, and on overlayfs with files of who mounted it, and of others.
    """
    yield Cell(PART, f"{KVER}-overlayfs-dac", ("latency",), "dac", fs="overlayfs")
    yield Stack(()).cell("overlayfs-capability", fs="overlayfs")
    for name, policies in STEPS.items():
        yield Stack(DEBIAN, dict.fromkeys(policies, "on")).cell(f"overlayfs-{name}", fs="overlayfs")
    for policy, fs in (("userns", "tmpfs"), ("userns", "overlayfs"), ("userns-root", "overlayfs")):
        yield Stack((), {policy: "on"}).cell(policy if fs == "tmpfs" else f"{fs}-{policy}", fs=fs)
