# SPDX-License-Identifier: GPL-2.0-only
"""Causes of changes between kernels that a case study proved: it switched the change off and measured again."""

from __future__ import annotations

from dataclasses import dataclass

from .passages import passage
from .results import version


@dataclass(frozen=True)
class Cause:
    """`before`: the newest kernel here that is known not to have it; `since`: the oldest that is known to have it.
    `calls`: instructions that each call takes more with it; where the study has it, in a boot that runs nothing else.
    """

    module: str
    what: str
    before: str
    since: str
    study: str
    calls: dict[str, float]

    @property
    def came(self) -> str:
        return passage("causes.came", what=self.what, study=self.study, before=self.before, since=self.since)

    def said(self, row: str) -> str:
        return passage("causes.switched_off", came=self.came, difference=self.calls[row])

    def whole(self) -> str:
        return passage("causes.calls", module=self.module, came=self.came, calls=self.calls)


LABELS = "a tmpfs that prints the names of labels"

CAUSES = (
    Cause(
        "selinux",
        "SELinux's cache of directories",
        "6.12",
        "7.2",
        "directory-cache",
        {
            "rename": -644,
            "creat": -320,
            "mkdir": -322,
            "stat": -246,
            "open": -234,
            "fstatat": -69,
            "openat": -57,
        },
    ),
    Cause("selinux", LABELS, "6.12", "7.2", "tmpfs-labels", dict.fromkeys(("creat", "mkdir", "symlink"), 787)),
    Cause("smack", LABELS, "6.12", "7.2", "tmpfs-labels", {"creat": 787, "mkdir": 1736, "symlink": 787}),
)


def between(cause: Cause, old: str, new: str) -> bool:
    """Return whether a change came between two kernels."""
    return bool(old) and version(old) <= version(cause.before) and version(cause.since) <= version(new)


def proved(module: str, row: str, change: float, old: str, new: str) -> Cause | None:
    """Return the cause that has the sign of a change; None where no case study measured this call."""
    found = (cause for cause in CAUSES if cause.module == module and cause.calls.get(row, 0) * change > 0)
    return next((cause for cause in found if between(cause, old, new)), None)
