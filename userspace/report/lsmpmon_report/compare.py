# SPDX-License-Identifier: GPL-2.0-only
"""The same work on several kernels, side by side: calls of hooks, and what each call cost."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from dataclasses import dataclass

from .kernelfiles import FormatError
from .rounds import hook_calls
from .runs import Run, load
from .table import RANKED_CALLS


@dataclass(frozen=True)
class Kernel:
    """What `make run` saved for one kernel: a run per module, and the hook calls of each sub-benchmark."""

    runs: dict[str, Run]
    calls: dict[str, dict[str, float]]  # of one round; by module, by sub-benchmark

    @property
    def sample(self) -> Run:
        return next(iter(self.runs.values()))

    @property
    def release(self) -> str:
        return self.sample.about.get("kernel", "?")


def load_kernel(directory: pathlib.Path) -> Kernel:
    """Read a folder that has one folder per module."""
    runs = {path.parent.name: load(path.parent) for path in sorted(directory.glob("*/about"))}
    if not runs:
        raise FormatError(f"{directory}: no results in it; expected {directory}/MODULE/about")
    return Kernel(runs, {module: _calls(directory / module, run) for module, run in runs.items()})


def _calls(directory: pathlib.Path, run: Run) -> dict[str, float]:
    counted = run.about.get("counted", "")
    if not counted.isdigit():
        raise FormatError(f"{directory}/about: 'counted: {counted}' should be a number of rounds")
    return {path.name: hook_calls(path, int(counted)) for path in sorted(directory.glob("counts/*"))}


def render(kernels: list[Kernel]) -> str:
    first = kernels[0].sample
    if first.emulated:
        raise FormatError("software emulation: its cycles mean nothing; ACCEL=icount or RUNNER=uml reads what costs")
    modules = [m for m in _order(kernels) if all(m in kernel.runs for kernel in kernels)]
    parts = [_where(kernels)]
    for module in modules:
        parts += [_calls_table(kernels, module), _cost_table(kernels, module)]
    return "\n\n".join(parts) + "\n"


def _order(kernels: list[Kernel]) -> list[str]:
    """Capability first, since it is on under all others."""
    return sorted(kernels[0].runs, key=lambda module: (module != "capability", module))


def _unit(kernels: list[Kernel]) -> str:
    return "instructions" if kernels[0].sample.exact else "cycles"


def _where(kernels: list[Kernel]) -> str:
    about = kernels[0].sample.about
    accel = "" if about.get("accel", "none") == "none" else f", {about['accel']}"
    empty = ", ".join(str(kernel.sample.empty) for kernel in kernels)
    return (
        f"Linux {', '.join(kernel.release for kernel in kernels)} on {about.get('runner', '?')}{accel}\n"
        f"Work: {about.get('work', '?')}\n"
        f"Empty span: {empty} {_unit(kernels)}; it is in every figure below, not subtracted."
    )


def _table(kernels: list[Kernel], title: str, rows: dict[str, list[float | None]], digits: int) -> str:
    width = max(map(len, rows), default=0)
    head = f"{'':<{width}} " + " ".join(f"{kernel.release:>10}" for kernel in kernels)
    lines = [f"{name:<{width}} " + " ".join(_cell(value, digits) for value in row) for name, row in rows.items()]
    return "\n".join([title, head, *lines])


def _cell(value: float | None, digits: int) -> str:
    return f"{'-':>10}" if value is None else f"{value:>10,.{digits}f}"


def _calls_table(kernels: list[Kernel], module: str) -> str:
    names = dict.fromkeys(name for kernel in kernels for name in kernel.calls[module])
    rows = {name: [kernel.calls[module].get(name) for kernel in kernels] for name in names}
    rows["all"] = [sum(kernel.calls[module].values()) for kernel in kernels]
    return _table(kernels, f"{module}: hook calls of one round of each sub-benchmark", rows, 1)


def _cost_table(kernels: list[Kernel], module: str) -> str:
    """Hooks that were called often, the most expensive on the first kernel first; then their weighted mean."""
    runs = [kernel.runs[module] for kernel in kernels]
    hooks = {hook for run in runs for hook, cost in run.costs.items() if cost.calls >= RANKED_CALLS}
    rows = {hook: [_ave(run, hook) for run in runs] for hook in sorted(hooks, key=_most_expensive(runs))}
    common = [hook for hook in hooks if all(hook in run.costs for run in runs)]
    rows["a call"] = [_mean(run, run.costs, run) for run in runs]
    rows["a call of those that all have"] = [_mean(run, common, runs[0]) for run in runs]
    title = f"{module}: average {_unit(kernels)} a call ('-': never called)"
    return _table(kernels, title, rows, 1)


def _ave(run: Run, hook: str) -> float | None:
    return run.costs[hook].ave if hook in run.costs else None


def _most_expensive(runs: list[Run]) -> Callable[[str], tuple]:
    return lambda hook: (hook not in runs[0].costs, -(_ave(runs[0], hook) or 0), hook)


def _mean(run: Run, hooks: list[str], weights: Run) -> float:
    """Mean cost with equal weights on all kernels, so that only costs differ and not the mix of hooks."""
    calls = sum(weights.costs[hook].calls for hook in hooks)
    return sum(run.costs[hook].ave * weights.costs[hook].calls for hook in hooks) / max(calls, 1)
