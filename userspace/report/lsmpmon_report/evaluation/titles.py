# SPDX-License-Identifier: GPL-2.0-only
"""Names as people write them."""

from __future__ import annotations

from collections.abc import Iterable

TITLES = {
    "dac": "no LSM",
    "capability": "capability",
    "selinux": "SELinux",
    "selinux-debian": "SELinux, Debian's policy",
    "selinux-misses": "SELinux, cache misses",
    "selinux-work": "SELinux, for programs",
    "apparmor": "AppArmor",
    "apparmor-debian": "AppArmor, Debian's profiles",
    "apparmor-work": "AppArmor, for programs",
    "tomoyo": "TOMOYO",
    "tomoyo-few": "TOMOYO, few rules",
    "tomoyo-first": "TOMOYO, needed rules first",
    "tomoyo-last": "TOMOYO, needed rules last",
    "tomoyo-work": "TOMOYO, for programs",
    "smack": "Smack",
    "landlock": "Landlock",
    "landlock-work": "Landlock, for programs",
    "lids": "LIDS (model)",
    "bpf": "BPF LSM",
    "ima": "IMA",
    "evm": "EVM",
    "audit": "audit",
    "yama": "Yama",
    "integrity": "integrity",
    "lockdown": "Lockdown",
    "loadpin": "LoadPin",
    "safesetid": "SafeSetID",
    "ipe": "IPE",
    "debian": "Debian",
    "debian-profile": "Debian, in a profile",
    "ubuntu": "Ubuntu",
    "ubuntu-profile": "Ubuntu, in a profile",
    "fedora": "Fedora",
    "android": "Android",
    "container-seccomp-userns": "container",
}


def title(name: str) -> str:
    """Return a module's name as people write it."""
    return TITLES.get(name, name)


def stack_title(name: str) -> str:
    """Return the names of a stack's modules, which dots separate, as people write them."""
    return " + ".join(title(module) for module in name.split("."))


def listed(names: Iterable[str]) -> str:
    """Return names as a sentence lists them, each once."""
    *some, last = dict.fromkeys(names)
    return f"{', '.join(some)} and {last}" if some else last
