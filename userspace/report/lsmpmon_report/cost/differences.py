# SPDX-License-Identifier: GPL-2.0-only
"""Differences between two prices, in a module, in the framework, or outside of hooks."""

from __future__ import annotations

from dataclasses import dataclass

from .prices import Price, Spent

FRAMEWORK, OUTSIDE = "framework", "outside of hooks"
# Where the code of modules is that have no folder of their own name.
FOLDERS = {"capability": "security/commoncap.c", "ima": "security/integrity/", "evm": "security/integrity/"}
DISPATCH = ("security/security.c", "security/lsm", "include/linux/lsm", "include/linux/security.h")


@dataclass(frozen=True)
class Part:
    """`where` is a module, or one of the above; `hook` is empty outside of hooks."""

    where: str
    hook: str
    before: Spent
    after: Spent

    @property
    def change(self) -> float:
        return round(self.after.instructions - self.before.instructions, 2)

    @property
    def calls(self) -> float:
        return round(self.after.calls - self.before.calls, 2)

    @property
    def name(self) -> str:
        if not self.hook:
            return self.where
        return f"the framework's {self.hook}" if self.where == FRAMEWORK else f"{self.where}'s {self.hook}"

    def kind(self, files: tuple[str, ...]) -> str:
        """Return what kind of change it is, for a commit that touches these files."""
        if self.calls:
            number = f"{abs(self.calls):g} {'more' if self.calls > 0 else 'fewer'}"
            return f"{number} {'call' if abs(self.calls) == 1 else 'calls'}"
        if self._touched(files):
            return "code that the commit touches"
        header = any(name.startswith("include/") for name in files)
        return "a header that the commit touches" if header else "inlining or layout elsewhere"

    def _touched(self, files: tuple[str, ...]) -> bool:
        if self.where == OUTSIDE:
            return any(not name.startswith("security/") or name.startswith(DISPATCH) for name in files)
        if self.where == FRAMEWORK:
            return any(name.startswith(DISPATCH) for name in files)
        return any(name.startswith(FOLDERS.get(self.where, f"security/{self.where}/")) for name in files)


@dataclass(frozen=True)
class Difference:
    """One sub-benchmark under one stack. `parts` are only those that changed, and add up to the whole change."""

    benchmark: str
    stack: str
    before: float
    after: float
    parts: tuple[Part, ...]

    @property
    def change(self) -> float:
        return self.after - self.before

    @property
    def percent(self) -> float:
        return 100 * self.change / self.before

    @property
    def file_name(self) -> str:
        """Return how lsmlab's pricing/boot.py names what it measures of a sub-benchmark under a stack."""
        return f"{self.stack}-{self.benchmark.replace('/', '.')}"


def _parts(before: Price, after: Price) -> list[Part]:
    found, inside = [], 0.0
    for hook in sorted({*before.hooks, *after.hooks}):
        found.append(Part(FRAMEWORK, hook, before.framework(hook), after.framework(hook)))
        inside += after.hooks.get(hook, Spent()).instructions - before.hooks.get(hook, Spent()).instructions
    for hook, module in sorted({*before.callbacks, *after.callbacks}):
        key = hook, module
        found.append(Part(module, hook, before.callbacks.get(key, Spent()), after.callbacks.get(key, Spent())))
    rest = after.instructions - before.instructions - inside
    return [*found, Part(OUTSIDE, "", Spent(), Spent(0, rest))]


def difference(stack: str, before: Price, after: Price) -> Difference:
    parts = [part for part in _parts(before, after) if part.change or part.calls]
    parts.sort(key=lambda part: (-abs(part.change), part.name))
    return Difference(before.benchmark, stack, before.instructions, after.instructions, tuple(parts))


def differences(stack: str, before: dict[str, Price], after: dict[str, Price]) -> list[Difference]:
    """Return the sub-benchmarks that changed, in the total or in calls of hooks; the largest first."""
    found = [difference(stack, before[name], after[name]) for name in before if name in after]
    return [each for each in found if each.change or each.parts]
