# SPDX-License-Identifier: GPL-2.0-only
"""The table of hook costs, for a terminal of 80 columns."""

from __future__ import annotations

import json
import textwrap

from .runs import OWNER, Cost, Run, arch_of
from .stats import noticeable

WIDTH = 80

# Hooks called less often are shown but not ranked: a single interrupt would decide their rank.
RANKED_CALLS = 30


# The row with the total cost of a column.
SUM = "all calls, in millions"

# With so many steps of the clock in a time, it is exact enough to need no word.
FEW_STEPS = 5


def render(runs: list[Run], top: int = 8) -> str:
    """Return everything that `make run` prints about `runs`, all from one runner."""
    parts = [_where(runs), _grid(runs), _notes(runs)]
    if not runs[0].emulated:
        parts[:0] = [_sentence(runs)]
        parts[2:2] = [_ranking(runs, top)]
    return "\n\n".join(parts) + "\n"


def to_json(runs: list[Run]) -> str:
    """Return the same figures by module and hook, with times where ticks are time."""
    about = {name: value for name, value in runs[0].about.items() if name not in ("module", "policy")}
    modules = {
        run.module: {
            "policy": run.about.get("policy", "none"),
            "empty_span": run.empty,
            "hooks": {hook: _cost_json(run, hook, cost) for hook, cost in run.costs.items()},
        }
        for run in runs
    }
    return json.dumps({"about": about, "unit": _unit(runs), "modules": modules}, indent=1)


def _cost_json(run: Run, hook: str, cost: Cost) -> dict[str, object]:
    found: dict[str, object] = {"calls": cost.calls}
    if hook in run.modules:
        found |= {"modules": list(run.modules[hook])}
    if not run.emulated:
        found |= {"min": cost.min, "ave": cost.ave}
    if not run.emulated and not run.exact:
        found |= {"min_ns": round(run.info.ns(cost.min), 1), "ave_ns": round(run.info.ns(cost.ave), 1)}
    return found


def _unit(runs: list[Run]) -> str:
    if runs[0].exact:
        return "instructions"
    return "cycles" if runs[0].info.get("clock", "tsc") == "tsc" else "ticks"


def ranked(runs: list[Run]) -> list[tuple[str, Run, Cost]]:
    """Return hooks whose cost their module raises, the highest average first."""
    found = [
        (hook, run, cost)
        for run in runs
        for hook, cost in run.costs.items()
        if cost.calls >= RANKED_CALLS and _adds(run, hook, runs)
    ]
    return sorted(found, key=lambda entry: -entry[2].ave)


def _adds(run: Run, hook: str, runs: list[Run]) -> bool:
    """Return whether the hook costs more than under capability, which may include IMA already."""
    if not run.owner(hook):
        return False
    for alone in runs:
        if alone.module == "capability" and alone is not run and hook in alone.costs:
            return run.implements(hook) and noticeable(run.costs[hook].ave, alone.costs[hook].ave)
    return True


def _time(run: Run, cost: Cost) -> str:
    if run.exact:
        return f"{cost.ave:,.0f} instructions"
    return f"{run.info.ns(cost.ave):,.0f} ns ({cost.ave:,.0f} {_unit([run])})"


def _times_empty(run: Run, cost: Cost) -> str:
    """Return the factor, or nothing where an empty span takes less than a tick."""
    return f", {cost.ave / run.empty:.1f} times the empty span of {run.empty}" if run.empty else ""


def _shortest_ns(run: Run, cost: Cost) -> str:
    """Return the time of a single call: less than a step of the clock is all that is known if it reads none."""
    return f"<{run.info.ns(run.step):,.0f}" if cost.min < run.step else f"{run.info.ns(cost.min):,.0f}"


def _sentence(runs: list[Run]) -> str:
    order = ranked(runs)
    if not order:
        return f"No hook was called {RANKED_CALLS} times or more: nothing to rank."
    hook, run, cost = order[0]
    return wrapped(
        f"Most expensive: {hook} in {run.owner(hook)}, ave {_time(run, cost)}{_times_empty(run, cost)}."
    )


def wrapped(text: str, width: int = WIDTH) -> str:
    return "\n".join(textwrap.fill(line, width, break_long_words=False) for line in text.split("\n"))


def _where(runs: list[Run]) -> str:
    about, info = runs[0].about, runs[0].info
    accel = "" if about.get("accel", "none") == "none" else f", {about['accel']}"
    clock = "" if runs[0].exact or runs[0].emulated else f", clock {int(info['clock_khz']) / 1e6:.3f} GHz"
    empties = sorted(run.empty for run in runs)
    spread = f"{empties[0]}" if empties[0] == empties[-1] else f"{empties[0]} to {empties[-1]}"
    span = "" if runs[0].emulated else f"\nEmpty span: {spread} {_unit(runs)}; it is in every figure below, not subtracted."
    return wrapped(
        f"Linux {about.get('kernel', '?')} on {about.get('runner', '?')}{arch_of(about)}{accel}, "
        f"{about.get('processor', '?')}{clock}\n"
        f"Work: {about.get('work', '?')}{span}"
    )


def _ranking(runs: list[Run], top: int) -> str:
    """Return the most expensive hooks, and the most expensive one of each module not among them."""
    order = ranked(runs)
    chosen, others = order[:top], _most_of_others(order, top)
    width = max([len(hook) for hook, _, _ in chosen + others], default=4)
    rows = [_ranking_head(runs, width)]
    rows += [_ranking_row(hook, run, cost, width) for hook, run, cost in chosen]
    if others:
        rows.append("and the most expensive of each other module:")
    rows += [_ranking_row(hook, run, cost, width) for hook, run, cost in others]
    return "\n".join(rows)


def _most_of_others(order: list[tuple[str, Run, Cost]], top: int) -> list[tuple[str, Run, Cost]]:
    seen = {run.owner(hook) for hook, run, _ in order[:top]}
    found = []
    for hook, run, cost in order[top:]:
        if run.owner(hook) not in seen:
            seen.add(run.owner(hook))
            found.append((hook, run, cost))
    return found


def _ranking_head(runs: list[Run], width: int) -> str:
    left = f"{'hook':<{width}} {'module':<10}"
    if runs[0].exact:
        over = f"{'':<{width}} {'':<10} {'instructions':>17} {'times':>6}\n"
        return f"{over}{left} {'min':>8} {'ave':>8} {'empty':>6} {'calls':>9}"
    over = f"{'':<{width}} {'':<10} {'nanoseconds':>13} {_unit(runs):>13} {'times':>6}\n"
    return f"{over}{left} {'min':>6} {'ave':>6} {'min':>6} {'ave':>6} {'empty':>6} {'calls':>7}"


def _ranking_row(hook: str, run: Run, cost: Cost, width: int) -> str:
    left = f"{hook:<{width}} {run.owner(hook):<{OWNER}}"
    ratio = f"{cost.ave / run.empty:>5.1f}x" if run.empty else f"{'-':>6}"
    if run.exact:
        return f"{left} {cost.min:>8,} {cost.ave:>8,.0f} {ratio} {cost.calls:>9,}"
    ns = f"{_shortest_ns(run, cost):>6} {run.info.ns(cost.ave):>6,.0f}"
    return f"{left} {ns} {cost.min:>6,} {cost.ave:>6,.0f} {ratio} {cost.calls:>7,}"


def _grid(runs: list[Run]) -> str:
    """Return averages by hook and module; counts on a runner whose clock means nothing."""
    hooks = _grid_order(runs)
    width = max([len(hook) for hook in hooks] + [len(SUM)])
    names = [_heading(run) for run in runs]
    columns = [max(len(name), 7) for name in names]
    if runs[0].emulated:
        title = "Calls of each hook, most first ('-': never called)"
    else:
        title = f"Average {_unit(runs)} a call, most expensive first ('-': never called)"
    head = f"{'hook':<{width}} " + " ".join(f"{name:>{c}}" for name, c in zip(names, columns))
    rows = [
        f"{hook:<{width}} " + " ".join(f"{_cell(run, hook):>{c}}" for run, c in zip(runs, columns))
        for hook in hooks
    ]
    if not runs[0].emulated:
        rows.append(_grid_sum(runs, width, columns))
    return "\n".join([title, head, *rows])


def _grid_sum(runs: list[Run], width: int, columns: list[int]) -> str:
    """Return the total cost of all hook calls of one repetition."""
    sums = [sum(cost.ave * cost.calls for cost in run.costs.values()) / 1e6 for run in runs]
    return f"{SUM:<{width}} " + " ".join(f"{total:>{c}.2f}" for total, c in zip(sums, columns))


def _heading(run: Run) -> str:
    return run.module if run.decides else f"{run.module}*"


def _weight(run: Run, hook: str) -> float:
    cost = run.costs.get(hook)
    if not cost:
        return 0
    return cost.calls if run.emulated else cost.ave


def _grid_order(runs: list[Run]) -> list[str]:
    """Return all hooks, last those that are too rare to be ranked."""
    hooks = dict.fromkeys(hook for run in runs for hook in run.costs)
    rare = {hook for hook in hooks if all(run.costs[hook].calls < RANKED_CALLS for run in runs if hook in run.costs)}
    return sorted(hooks, key=lambda hook: (hook in rare, -max(_weight(run, hook) for run in runs)))


def _cell(run: Run, hook: str) -> str:
    return f"{_weight(run, hook):,.0f}" if hook in run.costs else "-"


def _shared_modules(runs: list[Run]) -> str:
    """Return the modules that the kernel always calls: capability first; IMA and EVM, if built in, last."""
    lists = [run.info.get("modules", "").split(",") for run in runs]
    return ", ".join(module for module in lists[0] if all(module in modules for modules in lists))


def _policy(run: Run) -> str:
    return run.about["policy"] if run.decides else "* (no policy): the module was on, but had no policy to check"


def _step_note(runs: list[Run]) -> list[str]:
    """Return how exact a min is, where it has only a few steps of the clock."""
    run = runs[0]
    shortest = min((cost.min for each in runs for cost in each.costs.values()), default=0)
    if run.emulated or run.exact or shortest >= FEW_STEPS * run.step:
        return []
    return [f"The clock moves in steps of {run.info.ns(run.step):,.0f} ns: no min is more exact than that."]


def _notes(runs: list[Run]) -> str:
    notes = [f"On under every column: {_shared_modules(runs)}.", ""]
    notes += [f"{run.module}: {_policy(run)}" for run in runs if run.module != "capability"] + [""]
    about = runs[0].about
    if runs[0].emulated:
        notes.append("Software emulation: its cycles mean nothing, so none are shown and nothing is ranked.")
        notes.append("ACCEL=icount counts instructions exactly; RUNNER=uml reads real cycles.")
    elif about.get("runner") == "uml":
        notes.append("User-Mode Linux: hook code runs at the processor's own speed, system calls do not.")
    repetitions = about.get("repetitions", "1")
    if not runs[0].emulated:
        notes.append(
            f"min is the least, ave the median of the averages, of {repetitions} repetitions; "
            "calls with a context switch inside are in neither."
        )
    notes += _step_note(runs)
    lost = {run.module: run.info.get("lost", "0") for run in runs if run.info.get("lost", "0") != "0"}
    notes += [f"LOST in {module}: {count} calls could not be stored" for module, count in lost.items()]
    return wrapped("\n".join(notes))
