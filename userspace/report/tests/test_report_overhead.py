# SPDX-License-Identifier: GPL-2.0-only
import json
import re

import pytest

from lsmpmon_report import overhead
from lsmpmon_report.kernelfiles import FormatError

HOOKS = "hook min max ave count cs_count\n"
CALLBACKS = "module hook min max ave count cs_count sum\n"
NOTHING = HOOKS + "inode_permission\nfile_permission\n"

# Instructions of a round of stat; it has 4 hook calls, 2 callbacks and 1 system call.
TICKS = {"unpatched": 1000, "off": 1004, "on": 1200, "audit": 1500} | {
    "syscall": 1300,
    "audit-syscall": 1600,
    "histogram": 1272,
    "module": 1320,
    "stack": 1400,
    "stack-module": 1500,
    "stack-stack": 1600,
    "comm": 1480,
    "cgroup": 1400,
    "task": 1500,
    "slowest": 1900,
    "waits": 1200,
    "nested": 1200,
    "timed": 1084,
    "filter-s": 1150,
    "filter-o": 1200,
    "filter-path": 1200,
    "calls": 1290,
    "trace-exit": 4000,
    "trace-object": 9200,
    "trace": 9200,
}


@pytest.fixture
def ticks(tmp_path, write):
    """Return ticks(state, n): that is what a round of stat took in this state."""

    def set_ticks(state, number):
        text = json.dumps({"benchmarks": [{"name": "stat", "min": number}]})
        write(tmp_path / "overhead" / state / "run.json", text)

    return set_ticks


@pytest.fixture
def measured(tmp_path, write, ticks):
    """Write 100 rounds of one sub-benchmark in all states."""
    directory = tmp_path / "overhead"
    for state, number in TICKS.items():
        ticks(state, number)
        write(directory / state / "witness", NOTHING if state.startswith("filter") else "count\n7\n")
    result = HOOKS + (
        "inode_permission 1 1 1 290 10\n"
        "inode_getattr 1 1 1 100 0\n"
        "inode_free_security_rcu 1 1 1 77 0\n"
        "file_permission 1 1 1 1 0\n"
    )
    write(directory / "on" / "counts" / "stat", result)
    modules = CALLBACKS + (
        "capability inode_permission 1 1 1 190 10 9\n"
        "selinux inode_free_security_rcu 1 1 1 77 0 9\n"
        "selinux file_permission 1 1 1 1 0 9\n"
        "apparmor file_permission 1 1 1 1 0 9\n"
    )
    for state in ("module", "stack-module"):
        write(directory / state / "counts" / "stat", modules)
    write(directory / "calls" / "counts" / "stat", "syscall count sum hook_count hook_sum\nstat 100 9 9 9\nwrite 2 9 9 9\n")
    write(directory / "on" / "info", "overhead: 12\noverhead_min: 11\nmemory_per_cpu: 5000\n")
    write(directory / "all" / "info", "memory_per_cpu: 90000\n")
    write(directory / "code", "unpatched: 7000000\nmonitor: 7200000\n")
    write(directory / "tables", "unpatched: 600000\nmonitor: 700000\n")
    write(directory / "about", "rounds: 100\nkernel: 6.12.1\n")
    return directory


def features_of(found):
    return {feature.state.name: feature for feature in found.features}


def missed(found):
    """Return each missed target: of what, its value, and what it should be at most."""
    return [re.fullmatch(r"(.+): (\d[\d.]*) .*\btarget ([\d.]+)", miss).groups() for miss in found.misses()]


def numbers(found):
    """Return the numbers in the text."""
    return set(re.findall(r"\d+(?:[.,]\d+)*", overhead.render(found)))


def test_instructions_a_hook_call(measured):
    found = overhead.load_overhead(measured)
    assert found.rows[0].hooks == 4
    assert found.cost("off") == 1
    assert found.cost("on") == 50
    assert found.misses() == []


def test_growth_that_was_not_measured_is_no_target_met(measured):
    """Growth is not known where objects have no code, as those of LLVM."""
    for name in ("code", "tables"):
        (measured / name).unlink()
    found = overhead.load_overhead(measured)
    assert [miss.partition(":")[0] for miss in found.misses()] == ["growth"]
    assert {"growth", "code"}.isdisjoint(json.loads(overhead.to_json(found))) and "90,000" in numbers(found)


def test_what_an_empty_span_reads_is_inside_the_span(measured):
    found = overhead.load_overhead(measured)
    assert json.loads(overhead.to_json(found))["on_inside_the_span"] == 11 and "11" in numbers(found)


def test_a_missed_target_is_said(measured, ticks):
    ticks("on", 1204)
    found = overhead.load_overhead(measured)
    assert missed(found) == [("on", "51.00", "50")]
    assert "MISSED: on: 51.00" in overhead.render(found)


def test_growth_is_code_and_its_tables(measured, write):
    assert overhead.load_overhead(measured).footprint.growth == 300000
    write(measured / "tables", "unpatched: 600000\nmonitor: 710000\n")
    assert missed(overhead.load_overhead(measured)) == [("growth", "303", "300")]


@pytest.fixture
def boots(measured, write):
    """Write three boots on uml, in which two clock readings add 70 cycles to a hook call."""
    for boot, on in enumerate((10900, 11000, 12000), 1):
        line = f"[    1.0] hundredths of a cycle a hook call: off 3000 on {on} clocks 10000\n"
        write(measured / f"boots/{boot}/cycles", line)
        more = {"off": None, "on": 77.0, "stack": 140.0 + 7 * boot}
        rows = [{"state": state, "added": value} for state, value in more.items()]
        write(measured / f"boots/{boot}/bench.json", json.dumps({"view": "bench", "unit": "cycles", "rows": rows}))
    return measured


@pytest.mark.parametrize("column", ["added", "more"])
def test_cycles_of_each_feature(boots, column):
    for path in boots.glob("boots/*/bench.json"):
        path.write_text(path.read_text().replace('"added"', f'"{column}"'))
    found = overhead.load_overhead(boots)
    assert [(state.name, state.more) for state in found.benches] == [("on", [77] * 3), ("stack", [147, 154, 161])]
    rows = [line.split() for line in overhead.render(found).splitlines()]
    assert ["on", "77", "0%", "1.10"] in rows and ["stack", "154", "9%", "2.20"] in rows
    assert json.loads(overhead.to_json(found))["cycles_by_feature"]["stack"]["more"] == 154


@pytest.mark.parametrize("text, named", [
    (None, r"boots.*: 2 .*\b3\b"),
    ("no", "boots/2/bench.json"),
    ('{"view": "bench", "unit": "ns", "rows": []}', "boots/2/bench.json"),
])
def test_a_boot_without_cycles_of_features_is_an_error(boots, write, text, named):
    (boots / "boots/2/bench.json").unlink()
    if text:
        write(boots / "boots/2/bench.json", text)
    with pytest.raises(FormatError, match=named):
        overhead.load_overhead(boots)


def test_cycles_are_the_median_of_boots(boots):
    found = overhead.load_overhead(boots)
    assert [round(boot.ratio, 3) for boot in found.cycles] == [1.129, 1.143, 1.286]
    assert missed(found) == [("cycles", "1.14", "1.10")]
    cycles = json.loads(overhead.to_json(found))["cycles"]
    assert (cycles["off"], cycles["on"], cycles["clocks"]) == (30, 110, 100)
    assert {"30", "110", "100", "1.14", "1.13", "1.29"} <= numbers(found)


def test_cycles_that_nobody_printed_are_an_error(measured, write):
    write(measured / "boots/1/cycles", "no such suite\n")
    with pytest.raises(FormatError, match="boots/1/cycles"):
        overhead.load_overhead(measured)


def test_a_feature_is_compared_with_plain_on(measured):
    features = features_of(overhead.load_overhead(measured))
    assert features["syscall"].per_hook == features["syscall"].cost == 25
    assert features["histogram"].cost == 18
    assert features["trace"].cost == 2000
    assert features["trace-exit"].cost == 700


def test_a_feature_under_audit_is_compared_with_on_under_audit(measured):
    assert features_of(overhead.load_overhead(measured))["audit-syscall"].cost == 25


def test_modules_cost_by_callback_that_the_kernel_counted(measured):
    module = features_of(overhead.load_overhead(measured))["module"]
    assert (module.per_hook, module.cost) == (30, 60)


def test_what_a_hook_call_without_callbacks_costs_is_said(measured, write):
    for state, number in TICKS.items():
        benches = [{"name": "stat", "min": number}, {"name": "read", "min": 106 if state == "module" else 100}]
        write(measured / state / "run.json", json.dumps({"benchmarks": benches}))
    write(measured / "on" / "counts" / "read", HOOKS + "file_permission 1 1 1 301 0\n")
    for state in ("module", "stack-module"):
        write(measured / state / "counts" / "read", CALLBACKS)
    write(measured / "calls" / "counts" / "read", "syscall count sum hook_count hook_sum\nread 100 9 9 9\n")
    found = overhead.load_overhead(measured)
    assert (features_of(found)["module"].cost, features_of(found)["module"].fixed) == (63, 2)
    assert json.loads(overhead.to_json(found))["features"]["module"]["per_hook_without"] == 2
    assert re.search(r"^module: 2\.00 ", overhead.render(found), re.M)


def test_calls_cost_by_system_call_that_the_kernel_counted(measured):
    calls = features_of(overhead.load_overhead(measured))["calls"]
    assert (calls.per_hook, calls.cost) == (22.5, 90)


@pytest.mark.parametrize(
    ("state", "number", "what", "unit", "base", "cost", "target"),
    [
        ("syscall", 1301, "syscall", "hook call", "on", 25.25, 25),
        ("audit-syscall", 1602, "syscall, audit=1", "hook call", "audit", 25.5, 25),
        ("histogram", 1284, "histogram", "hook call", "on", 21, 18),
        ("module", 1321, "module", "callback", "on", 60.5, 60),
        ("stack-module", 1501, "module, several modules", "callback", "stack", 50.5, 50),
        ("filter-s", 1202, "filter 's nobody'", "hook call", "on", 0.5, 0),
    ],
)
def test_a_feature_that_misses_its_target_is_said(measured, ticks, state, number, what, unit, base, cost, target):
    ticks(state, number)
    found = overhead.load_overhead(measured)
    assert missed(found) == [(what, f"{cost:.2f}", str(target))] and f"MISSED: {found.misses()[0]}" in overhead.render(found)
    feature = json.loads(overhead.to_json(found))["features"][state]
    assert (feature["unit"], feature["above"], feature["per_unit"], feature["target"]) == (unit, base, cost, target)


def test_what_the_kernel_cannot_do_is_left_out_and_said(measured, write):
    write(measured / "trace" / "left_out", "no events\n")
    found = overhead.load_overhead(measured)
    assert "trace" not in features_of(found) and found.misses() == []
    assert json.loads(overhead.to_json(found))["left_out"] == {"trace": "no events"}
    assert re.search(r"^lsm_hook_enter and lsm_hook_exit .*: no events$", overhead.render(found), re.M)


def test_a_target_of_which_nothing_is_known_is_missed(measured, write):
    write(measured / "filter-s" / "left_out", "no filter\n")
    [miss] = overhead.load_overhead(measured).misses()
    assert miss.startswith("filter 's nobody': ") and miss.endswith(": no filter")


@pytest.mark.parametrize(
    ("state", "witness", "wanted"),
    [
        ("filter-o", HOOKS + "inode_permission 1 1 1 3 0\n", "counted no calls"),
        ("filter-o", HOOKS + "inode_permission 0 0 0 0 3\n", "counted no calls"),
        ("syscall", "syscall hook count cs_count\n", "counted calls"),
        ("trace", "count\n0\n", "counted calls"),
    ],
)
def test_a_state_that_was_not_what_it_should_be_is_an_error(measured, write, state, witness, wanted):
    write(measured / state / "witness", witness)
    with pytest.raises(FormatError, match=f"{state}/witness: .* {wanted}$"):
        overhead.load_overhead(measured)


def test_no_callbacks_is_an_error_and_no_division(measured, write):
    write(measured / "module" / "counts" / "stat", CALLBACKS)
    with pytest.raises(FormatError, match=r"module/counts: .*callback"):
        overhead.load_overhead(measured)


def test_an_empty_hook_is_compared_with_the_least_empty_span(measured, write):
    write(measured / "uml" / "info", "overhead: 40\noverhead_min: 38\n")
    write(
        measured / "uml" / "result",
        "hook min max ave count cs_count\ninode_permission 50 90 60 1000 0\nbpf\n"
        "inode_getattr 53 90 60 1000 0\nfile_permission 57 90 60 1000 0\n",
    )
    found = overhead.load_overhead(measured)
    assert found.empty == {"inode_permission": 12, "inode_getattr": 15, "file_permission": 19}
    assert found.misses() == []


@pytest.mark.parametrize("least, blind, missed", [(52, True, 0), (78, False, 1)])
def test_a_clock_of_coarse_steps_cannot_tell(measured, write, least, blind, missed):
    write(measured / "uml" / "info", "overhead: 52\noverhead_min: 26\n")
    lines = "".join(f"{hook} {least} 104 60 1000 0\n" for hook in overhead.EMPTY_HOOKS)
    write(measured / "uml" / "result", f"hook min max ave count cs_count\n{lines}bpf 104 130 110 3 0\n")
    found = overhead.load_overhead(measured)
    assert found.step == 26 and found.blind == blind and len(found.misses()) == missed
    assert ("steps of 26 cycles" in overhead.render(found)) == blind


def test_json_has_the_figures_and_the_misses(measured):
    figures = json.loads(overhead.to_json(overhead.load_overhead(measured)))
    assert figures["on_per_hook"] == 50 and figures["missed"] == []
    assert figures["benchmarks"][0]["unpatched"] == 1000
    assert figures["features"]["module"]["per_unit"] == 60 and figures["features"]["module"]["ticks"] == {"stat": 1320}


def test_a_program_executed_while_rounds_are_counted_is_an_error(measured, write):
    write(measured / "on" / "counts" / "stat", HOOKS + "bprm_check_security 1 1 1 1 0\n")
    with pytest.raises(FormatError, match=r"on/counts/stat: bprm_check_security was called"):
        overhead.load_overhead(measured)


def test_no_hook_calls_is_an_error_and_no_division(measured, write):
    write(measured / "on" / "counts" / "stat", "hook min max ave count cs_count\nfile_permission 1 1 1 1 0\n")
    with pytest.raises(FormatError, match=r"on/counts/stat: .*hook"):
        overhead.load_overhead(measured)


def test_a_result_that_is_no_json_is_named(measured, write):
    write(measured / "off" / "run.json", "Segmentation fault\n")
    with pytest.raises(FormatError, match=r"off/run.json"):
        overhead.load_overhead(measured)


def test_memory_of_code_and_of_counters(measured):
    found = overhead.load_overhead(measured)
    assert {"200,000", "7,000,000", "5,000", "90,000"} <= numbers(found)
    values = json.loads(overhead.to_json(found))
    assert values["code"]["more"] == 200_000 and values["memory_per_cpu"] == {"on": 5000, "all": 90000}
