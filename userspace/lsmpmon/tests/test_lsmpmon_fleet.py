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


# A minute of two pods, of one machine that times each call and of one that times a quarter of them: seconds by cgroup.
CGROUPS = {"each": (60, 60, {"/kubepods/a": 6, "/": 3, "other": 60}), "sampled": (60, 15, {"/kubepods/b": 1.5})}
PODS = {"/kubepods/a": "web", "/kubepods/b": "web"}


def pods():
    """Yield the counters of machines with pods, and what cAdvisor has of them, twice."""
    for instance, (calls, timed, cgroups) in CGROUPS.items():
        yield series("lsmpmon_hook_calls_total", instance, calls)
        yield series("lsmpmon_hook_timed_total", instance, timed)
        for name, number in cgroups.items():
            yield series("lsmpmon_cgroup_hook_seconds_sum", instance, number, f'cgroup="{name}"', 'state="own"')
    for name, pod in PODS.items():
        for job in ("kubelet", "cadvisor"):
            labels = f'job="{job}",id="{name}",namespace="shop",pod="{pod}-{name[-1]}",container="main"'
            yield {"series": f"container_start_time_seconds{{{labels}}}", "values": "1764300000+0x20"}
    yield {"series": 'container_start_time_seconds{id="/"}', "values": "1764200000+0x20"}


def trouble():
    """Yield what a machine has that lost a call, is off, exports nothing and has expensive hooks, and one that is well."""
    for instance, lost, on, mtime in (("bad", "0+1x80", 0, "0+0x80"), ("good", "7+0x80", 1, "0+60x80")):
        labels = f'instance="{instance}"'
        yield {"series": f"lsmpmon_lost_calls_total{{{labels}}}", "values": lost}
        yield {"series": f"lsmpmon_measuring{{{labels}}}", "values": f"{on}+0x80"}
        yield {"series": f'node_textfile_mtime_seconds{{{labels},file="/a/lsmpmon.prom"}}', "values": mtime}
        yield {**series("lsmpmon_hook_calls_total", instance, 60), "values": "0+60x80"}
        yield {**series("lsmpmon_hook_timed_total", instance, 60), "values": "0+60x80"}
        yield {**series("lsmpmon_hook_seconds_sum", instance, 0, 'state="own"'), "values": f"0+{12 if instance == 'bad' else 3}x80"}


def check_rules(tmp_path, *tests):
    """Run promtool on tests of the rules."""
    promtool = CACHE / "services/usr/bin/promtool"
    if not promtool.exists():
        pytest.skip("promtool is not there: scripts/deps --tests gets it where there is apt-get")
    path = tmp_path / "test.yml"
    path.write_text(json.dumps({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    done = subprocess.run([promtool, "test", "rules", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def answer(rule, *samples):
    return {"expr": rule, "eval_time": "15m", "exp_samples": [{"labels": labels, "value": value} for labels, value in samples]}


def test_rules_take_all_machines(tmp_path):
    hook, module = "instance_hook:lsmpmon_hook_seconds:rate", "instance_module:lsmpmon_callback_seconds:rate"
    waiting = "instance_hook_state:lsmpmon_hook_off_cpu_seconds:rate"
    answers = [
        answer(hook, *((f'{hook}{{instance="{name}",{HOOK}}}', value) for name, value in WANTED.items())),
        answer(module, *((f'{module}{{instance="{name}",module="apparmor"}}', value / 2) for name, value in WANTED.items())),
        answer(waiting, *((f'{waiting}{{instance="{name}",{HOOK},state="{state}"}}', value)
                          for name in NEW for state, value in (("slept", 0.2), ("preempted", 0.1)))),
    ]
    check_rules(tmp_path, {"interval": "1m", "input_series": [*machines()], "promql_expr_test": answers})


def test_rules_know_pods_by_their_cgroup(tmp_path):
    cgroup, pod = "instance_cgroup:lsmpmon_hook_seconds:rate", "instance_namespace_pod:lsmpmon_hook_seconds:rate"
    answers = [
        answer(cgroup, *((f'{cgroup}{{instance="{name}",cgroup="{path}"}}', value) for name, path, value in (
            ("each", "/kubepods/a", 0.1), ("each", "/", 0.05), ("sampled", "/kubepods/b", 0.1)))),
        answer(pod, *((f'{pod}{{instance="{name}",namespace="shop",pod="web-{letter}"}}', 0.1)
                      for name, letter in (("each", "a"), ("sampled", "b")))),
    ]
    check_rules(tmp_path, {"interval": "1m", "input_series": [*pods()], "promql_expr_test": answers})


def test_rules_have_a_histogram_by_modules(tmp_path):
    """Hooks of the same modules are added up, others are not."""
    rate = "instance_modules_le:lsmpmon_hook_duration_seconds_bucket:rate"
    buckets = [{"series": f'lsmpmon_hook_duration_seconds_bucket{{instance="one",hook="{hook}",modules="{modules}",le="1e-06"}}',
                "values": f"0+{number}x20"} for hook, modules, number in (("a", "selinux", 15), ("b", "selinux", 15), ("c", "yama", 60))]
    answers = [answer(rate, *((f'{rate}{{instance="one",modules="{modules}",le="1e-06"}}', value)
                              for modules, value in (("selinux", 0.5), ("yama", 1))))]
    check_rules(tmp_path, {"interval": "1m", "input_series": buckets, "promql_expr_test": answers})


@pytest.mark.parametrize("alert, text", [
    ("LsmpmonLostCalls", "lsmpmon could not store some hook calls on bad"),
    ("LsmpmonOff", "lsmpmon is off on bad"),
    ("LsmpmonExportOld", "the metrics of lsmpmon on bad are of 1h 18m 0s ago"),
    ("LsmpmonHooksExpensive", "hooks take 20% of one CPU on bad"),
])
def test_alerts_tell_of_the_machine_in_trouble(tmp_path, alert, text):
    labels = {"instance": "bad", **({"file": "/a/lsmpmon.prom"} if alert == "LsmpmonExportOld" else {})}
    check_rules(tmp_path, {"interval": "1m", "input_series": [*trouble()], "alert_rule_test": [
        {"eval_time": "78m", "alertname": alert, "exp_alerts": [{"exp_labels": labels, "exp_annotations": {"summary": text}}]}]})
