# SPDX-License-Identifier: GPL-2.0-only
"""The cost of each feature of the monitor: the same work as with plain "on", with one feature added."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable
from dataclasses import dataclass

from .benchmarks import read_benchmarks
from .kernelfiles import FormatError
from .rounds import counted, hook_calls, system_calls


@dataclass(frozen=True)
class State:
    """A state of the monitor that make overhead boots; `name` is its directory.

    `target` is in instructions above `base`, for each `unit`. A state with `matches` false must have counted nothing.
    """

    name: str
    what: str
    target: float | None = None
    unit: str = "hook call"
    base: str = "on"
    matches: bool = True


# With capability alone most hook calls have no callback, which dilutes the figure of "module": the cost of a callback
# is judged with several modules.
# A call that the filter excludes may cost as much as one that is counted, so nothing above "on".
STATES = (
    State("syscall", "syscall", 25),
    State("audit-syscall", "syscall, audit=1", 25, base="audit"),
    State("histogram", "histogram", 18),
    State("module", "module", 60, unit="callback"),
    State("stack-module", "module, several modules", 50, unit="callback", base="stack"),
    State("stack-stack", "stack, several modules", base="stack"),
    State("comm", "comm"),
    State("cgroup", "cgroup"),
    State("task", "task"),
    State("slowest", "slowest"),
    State("waits", "waits"),
    State("nested", "nested"),
    State("timed", "timed 64, a call not timed, above off", 20, base="off"),
    State("filter-s", "filter 's nobody'", 0, matches=False),
    State("filter-o", "filter 'o no-such-object'", 0, matches=False),
    State("filter-path", "filter 'o /no/such/path'", 0, matches=False),
    State("calls", "calls", unit="system call"),
    State("trace-exit", "trace event lsm_hook_exit", 700),
    State("trace-object", "lsm_hook_object and lsm_hook_exit"),
    State("trace", "lsm_hook_enter and lsm_hook_exit"),
)

# Units per round, from the table saved after an exact number of rounds.
UNITS = {"callback": hook_calls, "system call": system_calls}


@dataclass(frozen=True)
class Feature:
    """A measured state, by sub-benchmark. `extra` is the instructions of one round above the base."""

    state: State
    ticks: dict[str, float]
    extra: dict[str, float]
    hooks: dict[str, float]
    units: dict[str, float]

    @property
    def per_hook(self) -> float:
        return sum(self.extra.values()) / sum(self.hooks.values())

    @property
    def cost(self) -> float:
        """Return the cost per unit of the state."""
        return sum(self.extra.values()) / sum(self.units.values())

    @property
    def fixed(self) -> float | None:
        """Return the cost per hook call, in the sub-benchmarks without that unit."""
        bare = [name for name, units in self.units.items() if not units]
        if not bare:
            return None
        return sum(self.extra[name] for name in bare) / sum(self.hooks[name] for name in bare)

    @property
    def met(self) -> bool:
        return self.state.target is None or round(self.cost, 3) <= self.state.target

    def __str__(self) -> str:
        return f"{self.state.what}: {self.cost:.2f} instructions more a {self.state.unit} than {self.state.base}"


def load_features(directory: pathlib.Path, hooks: dict[str, float], rounds: int) -> tuple[list[Feature], dict[str, str]]:
    """Return the measured states, and why the others were not measured. `hooks`: hook calls per round, by sub-benchmark."""
    features, left_out = [], {}
    for state in STATES:
        why = _left_out(directory / state.name)
        if why:
            left_out[state.name] = why
        else:
            features.append(_load(directory, state, hooks, rounds))
    return features, left_out


def _left_out(directory: pathlib.Path) -> str:
    if not directory.exists():
        return "nothing was saved"
    reason = directory / "left_out"
    return reason.read_text().strip() if reason.exists() else ""


def _load(directory: pathlib.Path, state: State, hooks: dict[str, float], rounds: int) -> Feature:
    saved = directory / state.name
    _check(saved / "witness", state)
    ticks, base = (read_benchmarks(where / "run.json", "min") for where in (saved, directory / state.base))
    return Feature(
        state=state,
        ticks=ticks,
        extra={name: ticks[name] - base[name] for name in hooks},
        hooks=hooks,
        units=_units(saved / "counts", state, hooks, rounds) if state.unit in UNITS else hooks,
    )


def _check(witness: pathlib.Path, state: State) -> None:
    """Check with the kernel's tables that the feature or filter was in effect."""
    if (counted(witness) > 0) != state.matches:
        raise FormatError(f"{witness}: {state.what} should have counted {'calls' if state.matches else 'no calls'}")


def _units(directory: pathlib.Path, state: State, names: Iterable[str], rounds: int) -> dict[str, float]:
    units = {name: UNITS[state.unit](directory / name, rounds) for name in names}
    if not any(units.values()):
        raise FormatError(f"{directory}: no {state.unit} was counted")
    return units


def render_features(features: list[Feature], left_out: dict[str, str]) -> list[str]:
    lines = [
        "Features, in instructions above plain on (audit=1: above on under audit=1), over all sub-benchmarks;",
        "what `verdicts` shows is in every figure:",
        "",
        f"{'':<26} {'a hook call':>11} {'':>24} {'target':>7}",
    ]
    lines += [_line(feature) for feature in features]
    what = {state.name: state.what for state in STATES}
    lines += [f"{what[name]:<26} not measured: {why}" for name, why in left_out.items()]
    bare = [feature for feature in features if feature.fixed is not None]
    return lines + [f"{feature.state.what}: {feature.fixed:.2f} a hook call without a {feature.state.unit}" for feature in bare]


def _line(feature: Feature) -> str:
    state = feature.state
    per_unit = f"{feature.cost:.2f} a {state.unit}" if state.unit != "hook call" else ""
    target = "-" if state.target is None else f"{state.target:g}"
    verdict = "" if state.target is None else " met" if feature.met else " MISSED"
    return f"{state.what:<26} {feature.per_hook:>11.2f} {per_unit:>24} {target:>7}{verdict}"


def feature_misses(features: list[Feature], left_out: dict[str, str]) -> list[str]:
    """Return a sentence for each target that is missed or could not be checked."""
    misses = [f"{feature}, target {feature.state.target:g}" for feature in features if not feature.met]
    unknown = [state for state in STATES if state.name in left_out and state.target is not None]
    return misses + [f"{state.what}: not measured: {left_out[state.name]}" for state in unknown]


def features_json(features: list[Feature], left_out: dict[str, str]) -> dict[str, object]:
    return {
        "features": {
            feature.state.name: {
                "what": feature.state.what,
                "above": feature.state.base,
                "per_hook": feature.per_hook,
                "unit": feature.state.unit,
                "per_unit": feature.cost,
                "per_hook_without": feature.fixed,
                "target": feature.state.target,
                "ticks": feature.ticks,
                "units": feature.units,
            }
            for feature in features
        },
        "left_out": left_out,
    }
