# SPDX-License-Identifier: GPL-2.0-only
"""Documentation/fleet.md: Prometheus over two machines, compared with their kernels."""

import json
import os
import re
import shutil
import subprocess
from bisect import bisect_left
from collections import Counter, defaultdict
from contextlib import ExitStack
from math import inf, isclose
from types import SimpleNamespace

import pytest
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard
from guests import output
from kernels import REPO
from servers import node_exporter, program, prometheus

from lsmpmon_report.kernelfiles import calls, known, own, read_info, read_table, timed

pytestmark = pytest.mark.last
MODULES = ("apparmor", "tomoyo")
# The module of each machine, and N, of which one call is timed.
MACHINES = {"apparmor": ("apparmor", 1), "tomoyo": ("tomoyo", 1), "sampled": ("apparmor", 64)}
FLEET = REPO / "userspace/fleet"
DOCUMENT = (REPO / "Documentation/fleet.md").read_text()
DASHBOARD = json.loads((FLEET / "dashboard.json").read_text())
DURATION = "lsmpmon_hook_duration_seconds"
# What cAdvisor has of each container, and of the cgroup around it.
CADVISOR = """container_start_time_seconds{{id="/kubepods/{pod}",namespace="default",pod="{pod}",container="main"}} 1764300000
container_start_time_seconds{{id="/kubepods"}} 1764200000
"""


def machine(folder, lsm, timed):
    """Return a guest's export and its tables, with the seconds of a tick and the address that is scraped."""
    folder.mkdir()
    output(f"TIMED={timed} sh $REPO/tests/guest/fleet.sh", RUNNER="uml", LSM=lsm, SHARE=folder)
    seconds = 1 / (read_info(folder / "info").number("clock_khz") * 1000)
    tables = {name: read_table(folder / name) for name in ("hooks", "verdicts", "modules", "histogram", "cgroups")}
    pod = f"pod-{lsm}-{timed}"
    (folder / "cadvisor.prom").write_text(CADVISOR.format(pod=pod))
    return SimpleNamespace(folder=folder, timed=timed, seconds=seconds, pod=pod, **tables)


def show(one, export):
    """Have node_exporter show an export from now on, at once, as lsmpmon export -o does."""
    shutil.copy(one.folder / export, one.folder / "new")
    os.replace(one.folder / "new", one.folder / "lsmpmon.prom")


def configuration(folder, machines):
    """Write the example's configuration for these machines, with a shorter interval.

    The interval is also how long a scrape may take on a busy machine.
    """
    text = (FLEET / "prometheus.yml").read_text().replace("15s", "5s")
    first, *others = (one.instance for one in machines)
    for name, instances in (("host-a:9100", [first]), ("host-b:9100", others)):
        assert name in text
        text = text.replace(name, "', '".join(instances))
    folder.mkdir()
    (folder / "prometheus.yml").write_text(text)
    shutil.copy(FLEET / "rules.yml", folder)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fleet")
    machines = [machine(folder / name, *words) for name, words in MACHINES.items()]
    with ExitStack() as stack:
        for one in machines:
            show(one, "first")
            one.instance = stack.enter_context(node_exporter(one.folder))
        configuration(folder / "prometheus", machines)
        server = stack.enter_context(prometheus(folder / "prometheus"))
        server.wait(f"sum(lsmpmon_measuring) == {len(machines)}")
        for one in machines:
            show(one, "last")
        server.wait(f"sum(lsmpmon_measuring) == 0 and count(lsmpmon_measuring) == {len(machines)}")
        server.wait("hook_modules:lsmpmon_hook_duration_seconds:p99 > 0")
        server.wait("count(sum by (instance) (instance_module:lsmpmon_callback_seconds:rate) > 0) == "
                    f"{len(machines)}")
        server.stay("instance_hook:lsmpmon_hook_seconds:rate")
        yield SimpleNamespace(machines=machines, server=server)


def values(fleet, one, metric, *labels):
    """Return the values of one machine, by labels. Of times, they are own time, or what an older kernel has."""
    answer = fleet.server.query(f'{metric}{{instance="{one.instance}",state=~"own|"}}')
    assert answer, metric
    return {tuple(dict(key).get(label, "") for label in labels): value
            for key, value in answer.items()}


def same(actual, expected):
    assert actual.keys() == expected.keys()
    assert all(isclose(actual[key], expected[key], rel_tol=1e-12) for key in expected)


@pytest.mark.parametrize("table, metric, labels", [
    ("verdicts", "lsmpmon_hook_seconds", ("hook", "verdict")),
    ("modules", "lsmpmon_callback_seconds", ("module", "hook"))])
def test_counts_and_sums_are_the_kernels(fleet, table, metric, labels):
    for one in fleet.machines:
        kernel = {tuple(row[label] for label in labels): row for row in getattr(one, table)}
        # Modules have rows of timed calls only: 20 to 30 of 53 where one in 64 is.
        assert len(kernel) > (20 if one.timed == 1 else 5)
        assert values(fleet, one, f"{metric}_count", *labels) == {
            key: known(row) for key, row in kernel.items()}
        same(values(fleet, one, f"{metric}_sum", *labels),
             {key: own(row) * one.seconds for key, row in kernel.items()})


def by_time(one):
    """Return the calls of each hook by the upper limit of their own time, in seconds."""
    buckets = {}
    for row in one.histogram:
        if count := row.get("own", row["count"]):
            buckets.setdefault(row["hook"], []).append((row["le"] * one.seconds, count))
    return buckets


def test_buckets_hold_the_kernels_calls(fleet):
    for one in fleet.machines:
        buckets = values(fleet, one, f"{DURATION}_bucket", "hook", "le")
        for hook, kernel in by_time(one).items():
            assert buckets[hook, "+Inf"] == sum(count for _, count in kernel)
        for (hook, le), count in buckets.items():
            # One that ends where the kernel's does may miss it by a rounding.
            least, most = (sum(number for end, number in by_time(one)[hook] if end <= float(le) * near)
                           for near in (1 - 1e-12, 1 + 1e-12))
            assert least <= count <= most


def implementing(one):
    return {row["hook"]: row["modules"] for row in one.hooks}


def of_all(machines):
    """Return the calls by time of all machines together, for each pair of hook and modules."""
    buckets = {}
    for one in machines:
        modules = implementing(one)
        for hook, kernel in by_time(one).items():
            buckets.setdefault((hook, modules[hook]), []).extend(kernel)
    return buckets


def kernel_quantile(kernel, share):
    """Return the end of the bucket that has this quantile."""
    rank, seen = share * sum(count for _, count in kernel), 0
    for end, count in sorted(kernel):
        seen += count
        if seen >= rank:
            return end
    return inf


def documented(first):
    """Return the query of the document that begins so."""
    return next(line.strip() for line in DOCUMENT.splitlines()
                if line.startswith("    ") and line.strip().startswith(first))


def test_p99_of_each_hook_and_module_over_both(fleet):
    """The quantile is in the same bucket of the export as by the kernel's own, finer histogram."""
    query = documented("histogram_quantile(0.99,")
    assert f"({DURATION}_bucket)" in query
    quantiles = {(dict(key)["hook"], dict(key).get("modules", "")): value
                 for key, value in fleet.server.query(query).items() if value == value}
    kernel = {key: some for key, some in of_all(fleet.machines).items()
              if sum(count for _, count in some)}
    assert quantiles.keys() == kernel.keys()
    assert {("path_mkdir", module) for module in MODULES} <= quantiles.keys()
    assert quantiles.keys() & {("inode_mkdir", "-")}
    ends = sorted({float(dict(key)["le"]) for key in fleet.server.query(f"{DURATION}_bucket")})
    for key, value in quantiles.items():
        right = min(kernel_quantile(kernel[key], 0.99), ends[-2])
        bucket, expected = (bisect_left(ends, one * (1 - 1e-9)) for one in (value, right))
        assert bucket == expected, key


def per_timed(one):
    """Return calls that could have times per timed call, by hook, from the kernel's own table."""
    count, number = defaultdict(int), defaultdict(int)
    for row in one.verdicts:
        count[row["hook"]] += calls(row) if "cs_sum" in row else row["count"]
        number[row["hook"]] += timed(row)
    return {hook: count[hook] / number[hook] for hook in count if number[hook]}


def recorded(fleet, name):
    """Return the result of a recording rule over all counts instead of the last five minutes, without other rules."""
    rules = {rule["name"]: rule["query"] for group in fleet.server.ask("rules")["groups"] for rule in group["rules"]}
    expression = rules[name]
    for other in rules:
        if other in expression:
            expression = expression.replace(other, f"({recorded(fleet, other)})")
    return re.sub(r"rate\((\w+(?:\{[^}]*\})?)\[5m\]\)", r"\1", expression)


@pytest.mark.parametrize("table, rule, key", [
    ("verdicts", "instance_hook:lsmpmon_hook_seconds:rate", "hook"),
    ("modules", "instance_module:lsmpmon_callback_seconds:rate", "module")])
def test_time_is_of_all_calls(fleet, table, rule, key):
    """This holds whether each call was timed or one in 64."""
    for one in fleet.machines:
        scale, wanted = per_timed(one), defaultdict(float)
        for row in getattr(one, table):
            if row["hook"] in scale:
                wanted[row[key]] += own(row) * one.seconds * scale[row["hook"]]
        rates = {dict(labels)[key]: value for labels, value in fleet.server.query(recorded(fleet, rule)).items()
                 if dict(labels)["instance"] == one.instance}
        assert rates.keys() == wanted.keys()
        assert all(isclose(rates[name], wanted[name], rel_tol=1e-9) for name in wanted)
        # That is much more than the sums of the timed calls, and the same if all are timed.
        sums = sum(own(row) * one.seconds for row in getattr(one, table))
        factor = sum(rates.values()) / sums
        assert isclose(factor, 1) if one.timed == 1 else factor > 8


def test_time_of_pods(fleet):
    """Each pod has the time of its cgroup, for all calls, whether they were timed or not."""
    rates = {dict(labels)["pod"]: (dict(labels)["instance"], value) for labels, value in
             fleet.server.query(recorded(fleet, "instance_namespace_pod:lsmpmon_hook_seconds:rate")).items()}
    assert rates.keys() == {one.pod for one in fleet.machines}
    for one in fleet.machines:
        ticks = sum(own(row) for row in one.cgroups if row["cgroup"] == f"/kubepods/{one.pod}")
        scale = sum(map(calls, one.verdicts)) / sum(map(timed, one.verdicts))
        instance, value = rates[one.pod]
        assert instance == one.instance and isclose(value, ticks * one.seconds * scale, rel_tol=1e-9) and value > 0


def test_the_dashboard_asks_for_the_time_of_all_calls(fleet):
    """No panel, document or rule adds up times of only the timed calls."""
    texts = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    for text in texts:
        assert not re.search(r"(hook|callback)_seconds_sum", text) or "_seconds_count" in text
    shown = {panel["title"]: panel["targets"][0]["expr"] for panel in DASHBOARD["panels"]}
    for title in ("Time in hooks", "Hooks that take most time"):
        assert "instance_hook:lsmpmon_hook_seconds:rate" in shown[title]
    for one in fleet.machines:
        (rate,) = fleet.server.query(f'sum(instance_hook:lsmpmon_hook_seconds:rate{{instance="{one.instance}"}})').values()
        times = f'lsmpmon_hook_seconds_sum{{instance="{one.instance}",state=~"own|"}}'
        (sampled,) = fleet.server.query(f"sum(rate({times}[5m]))").values()
        assert isclose(rate, sampled, rel_tol=0.2) if one.timed == 1 else rate > 8 * sampled


def test_rules_work(fleet):
    groups = fleet.server.ask("rules")["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    assert len(rules) == 13 and {rule["health"] for rule in rules} == {"ok"}
    recorded = fleet.server.query("hook_modules:lsmpmon_hook_duration_seconds:p99 > 0")
    labels = [dict(key) for key in recorded]
    assert {("path_mkdir", module) for module in MODULES} <= {
        (label["hook"], label["modules"]) for label in labels}


def test_each_panel_is_of_the_chosen_machines():
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            selectors = re.findall(r"\b\w*lsmpmon\w*(?::\w+)*(\{[^}]*\})?", re.sub(r"(\w+:)(\w*lsmpmon)", r"\2", target["expr"]))
            assert selectors and all('instance=~"$instance"' in one for one in selectors), panel["title"]


def test_panels_have_answers(fleet):
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            expression = target["expr"].replace("$instance", ".*")
            assert "$" not in expression
            assert fleet.server.query(expression), panel["title"]


@pytest.mark.parametrize("export", ["first", "last"])
def test_promtool_accepts_the_metrics(fleet, export):
    for one in fleet.machines:
        done = subprocess.run([program("promtool"), "check", "metrics"], text=True,
                              input=(one.folder / export).read_text(), capture_output=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_promtool_accepts_the_configuration():
    done = subprocess.run([program("promtool"), "check", "config", FLEET / "prometheus.yml"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "13 rules found" in done.stdout


# What makes the rows of an export that the document has a number of series for.
ROWS = {"hook": ("hook_duration_seconds", {"hook"}), "hook and verdict": ("hook_(?:seconds|calls|switched|timed)", {"hook", "verdict"}),
        "module and hook": ("callback_seconds", {"module", "hook"}), "cgroup": ("cgroup_hook_seconds", {"cgroup"}),
        "hook and error that it denied with": ("denials", {"hook", "errno"})}


def test_the_document_has_the_number_of_series(fleet):
    """Each row of an export has as many series as its table says."""
    stated = {what.split(",")[0]: int(number) for number, what in re.findall(r"^\| (\d+) \| (.+?) \|", DOCUMENT, re.M)}
    assert stated.keys() == ROWS.keys()
    shown = "".join((one.folder / "last").read_text() for one in fleet.machines[:1])
    for what, (name, labels) in ROWS.items():
        series = re.findall(rf"^lsmpmon_{name}_(?:bucket|sum|count|total)\{{(.*)\}} ", shown, re.M)
        rows = Counter(tuple(pair for pair in re.findall(r'(\w+)="([^"]*)"', one) if pair[0] in labels) for one in series)
        assert set(rows.values()) == {stated[what]}, what


def lost(given, kept, path="dashboard"):
    """Return the differences between two dashboards."""
    if isinstance(given, dict) and isinstance(kept, dict):
        return [name for key, value in given.items()
                for name in (lost(value, kept[key], f"{path}.{key}") if key in kept
                             else [f"{path}.{key}"])]
    if isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        return [name for at, (one, other) in enumerate(zip(given, kept))
                for name in lost(one, other, f"{path}[{at}]")]
    return [] if given == kept else [path]


def through_grafana(dashboard):
    """Return a dashboard after Grafana's own models, made from its schema, have read and written it: they know no
    other keys.
    """
    register_default_plugins()
    return json.loads(JSONEncoder().encode(Dashboard.from_json(dashboard)))


def test_dashboard_is_what_grafana_knows():
    assert lost(DASHBOARD, through_grafana(DASHBOARD)) == []
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"]) > 5


@pytest.mark.parametrize("wrong", ['"exprr": "up"', '"legendFormatt": ""'])
def test_dashboard_with_a_wrong_key_is_refused(wrong):
    text = re.sub(r'"expr": ', f'{wrong}, "expr": ', json.dumps(DASHBOARD), count=1)
    assert lost(json.loads(text), through_grafana(json.loads(text))) == [
        "dashboard.panels[0].targets[0]." + wrong.split('"')[1]]
