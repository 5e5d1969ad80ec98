# SPDX-License-Identifier: GPL-2.0-only
"""The answer, in words."""

from __future__ import annotations

from .differences import Difference
from .steps import Range, Step

NOTHING = "nothing changed"


def instructions(value: float) -> str:
    text = f"{value:+,.2f}".rstrip("0").rstrip(".")
    return f"{text} instruction{'' if abs(value) == 1 else 's'}"


def percent(value: float) -> str:
    return f"{value:+.1f} %" if abs(value) >= 0.05 else f"{value:+.2g} %"


def where(change: Difference) -> str:
    """In which part most of it is."""
    if not change.parts:
        return ""
    first = change.parts[0]
    if first.change == change.change:
        return f", all of it in {first.name}" if first.hook else f", all of it {first.name}"
    inside = f"in {first.name}" if first.hook else first.name
    return f", {instructions(first.change)} of it {inside}"


def amount(change: Difference) -> str:
    """What changed by how much, and where."""
    if not change.change:
        moved = f"as many instructions, but not where it did{where(change)}"
        return f"{change.benchmark} under {change.stack} executes {moved}"
    text = f"{instructions(change.change)} ({percent(change.percent)})"
    return f"{change.benchmark} under {change.stack} {text}{where(change)}"


def _others(changes: tuple[Difference, ...]) -> str:
    if not changes:
        return "nothing else changed"
    low, high = min(each.change for each in changes), max(each.change for each in changes)
    number = "1 more changed" if len(changes) == 1 else f"{len(changes)} more changed"
    return f"{number}, by {instructions(low)}" + (f" to {instructions(high)}" if low != high else "")


def _failures(step: Step) -> list[str]:
    return [f"under {stack}: {why.splitlines()[0]}" if stack else why for stack, why in step.failed.items()]


def told(step: Step) -> str:
    """Where it is clear which step is meant."""
    said = _failures(step)
    if step.changes:
        said.append(f"{amount(step.changes[0])}; {_others(step.changes[1:])}")
    elif step.compared:
        said.append(NOTHING)
    return f"{'; '.join(said)}."


def answer(step: Step) -> str:
    return f"{step.title}: {told(step)}"


def answers(found: Range) -> list[str]:
    """Of each commit that changed something or failed; the whole range last, if it is more than one commit."""
    steps = [step for step in found.steps if step.changes or step.failed]
    said = [answer(step) for step in steps]
    quiet = len(found.steps) - len(steps)
    if quiet:
        said.append(f"{quiet} of {len(found.steps)} commits: {NOTHING}.")
    if len(found.steps) > 1 or found.whole.failed:
        said.append(answer(found.whole))
    return said
