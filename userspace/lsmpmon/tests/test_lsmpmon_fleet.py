# SPDX-License-Identifier: GPL-2.0-only
"""The rules of userspace/fleet give the same answers whichever monitor a machine has, and however many calls it times."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from recorded import SOURCES

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lsmpmon"
RULES = SOURCES / "fleet/rules.yml"
HOOK = 'hook="file_open"'
# A minute of each machine: calls, those with times, those with a switch, seconds by state.
NEW = {"new": (60, 60, 6, {"own": 30, "slept": 12, "preempted": 6, "interrupted": 3}),
       "new sampled": (60, 15, 3, {"own": 7.5, "slept": 3, "preempted": 1.5, "interrupted": 1})}
# The calls with a switch have no times: of 54 and 48 others, all or a quarter have.
OLD = {"old": (60, 54, 6, 27), "old sampled": (60, 12, 12, 6)}
WANTED = {"new": 30 / 60, "new sampled": 30 / 60, "old": 27 / 60, "old sampled": 24 / 60}


def series(name, instance, number, *labels):
    """Return a counter that grows by a number each minute."""
    return {"series": f'{name}{{{",".join([f"instance={json.dumps(instance)}", HOOK, *labels])}}}', "values": f"0+{number}x20"}


def seconds(instance, number, *state):
    """Yield the time of a hook, and half of it of a module."""
    verdict, module = 'verdict="allow"', 'module="apparmor"'
    yield series("lsmpmon_hook_seconds_sum", instance, number, verdict, *state)
    yield series("lsmpmon_callback_seconds_sum", instance, number / 2, module, *state)


def machines():
    for instance, (calls, timed, switched, states) in NEW.items():
        yield series("lsmpmon_hook_calls_total", instance, calls)
        yield series("lsmpmon_hook_timed_total", instance, timed)
        yield series("lsmpmon_hook_switched_total", instance, switched)
        yield series("lsmpmon_hook_seconds_count", instance, timed, 'state="own"')
        for state, number in states.items():
            yield from seconds(instance, number, f'state="{state}"')
    for instance, (calls, timed, switched, number) in OLD.items():
        yield series("lsmpmon_hook_calls_total", instance, calls)
        yield series("lsmpmon_hook_switched_total", instance, switched)
        yield series("lsmpmon_hook_seconds_count", instance, timed)
        yield from seconds(instance, number)


def answer(rule, *samples):
    return {"expr": rule, "eval_time": "15m", "exp_samples": [{"labels": labels, "value": value} for labels, value in samples]}


def test_rules_take_all_machines(tmp_path):
    promtool = CACHE / "services/usr/bin/promtool"
    if not promtool.exists():
        pytest.skip("promtool is not there: scripts/deps --tests gets it where there is apt-get")
    hook, module = "instance_hook:lsmpmon_hook_seconds:rate", "instance_module:lsmpmon_callback_seconds:rate"
    waiting = "instance_hook_state:lsmpmon_hook_off_cpu_seconds:rate"
    answers = [
        answer(hook, *((f'{hook}{{instance="{name}",{HOOK}}}', value) for name, value in WANTED.items())),
        answer(module, *((f'{module}{{instance="{name}",module="apparmor"}}', value / 2) for name, value in WANTED.items())),
        answer(waiting, *((f'{waiting}{{instance="{name}",{HOOK},state="{state}"}}', value)
                          for name in NEW for state, value in (("slept", 0.2), ("preempted", 0.1)))),
    ]
    test = {"rule_files": [str(RULES)], "evaluation_interval": "1m",
            "tests": [{"interval": "1m", "input_series": [*machines()], "promql_expr_test": answers}]}
    path = tmp_path / "test.yml"
    path.write_text(json.dumps(test))
    done = subprocess.run([promtool, "test", "rules", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
