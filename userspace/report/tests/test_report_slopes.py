# SPDX-License-Identifier: GPL-2.0-only
import json
import re

import numpy
import pytest
from pictures import colourless, unsaid
from scipy import stats

from lsmpmon_report import slopes, slopes_plot, slopes_text, spread, sweep
from lsmpmon_report.kernelfiles import FormatError

STEPS = range(0, 120000, 10000)
RATE = 2.5
SYSCALLS = """benchmark syscall hook min max ave count cs_count sum
stat/depth-8 stat inode_permission 1 1 1 799 1 9
stat/depth-8 mkdir inode_permission 1 1 1 70 0 9
open/depth-8 open inode_permission 1 1 1 900 0 9
copy/1k read file_permission 1 1 1 100 0 9
copy/1k write file_permission 1 1 1 101 0 9
"""
CALLS = {"stat/depth-8": "[stat]", "open/depth-8": "[open] close", "copy/1k": "lseek [read write]", "close": "open [close]"}


def latency(name, inode, file):
    """Return what a call takes that makes these checks, in ns."""
    checks = {"stat/depth-8": (8, 0), "open/depth-8": (9, 0), "copy/1k": (0, 2), "close": (0, 0)}[name]
    return 1000 + checks[0] * inode + checks[1] * file


@pytest.fixture
def save(tmp_path, write):
    """Return save(latency), which saves a sweep in which the calls take that."""

    def save_sweep(of):
        settings = [("delay", ns, ns) for ns in STEPS]
        settings += [("apart", ns, i * 5 % 12 * 10000) for i, ns in enumerate(STEPS)]
        for kind, inode, file in settings:
            rows = [{"name": name, "calls": calls, "min": RATE * of(name, inode, file), "median": 3} for name, calls in CALLS.items()]
            path = tmp_path / f"{kind},inode_permission={inode},file_permission={file}.json"
            write(path, json.dumps({"ticks_per_ns": RATE, "benchmarks": rows}))
        write(tmp_path / "syscalls", SYSCALLS)
        write(tmp_path / "about", "kernel: 6.12.1\nrunner: uml\naccel: none\nrounds: 100\nruns: 300\n")
        return tmp_path

    return save_sweep


def fits(directory, kind):
    return {fit.name: fit for fit in slopes.fits(sweep.load_sweep(directory), kind)}


def test_checks_are_of_the_timed_calls_alone(save):
    checks = sweep.load_sweep(save(latency)).checks
    assert checks["stat/depth-8"] == {"inode_permission": 8, "file_permission": 0}
    assert checks["copy/1k"] == {"inode_permission": 0, "file_permission": 2}
    assert checks["close"] == {"inode_permission": 0, "file_permission": 0}


def test_exact_latencies_have_exact_slopes(save):
    found = fits(save(latency), "delay")
    assert {name: fit.slopes[0].value for name, fit in found.items()} == pytest.approx(
        {"stat/depth-8": 8, "open/depth-8": 9, "copy/1k": 2, "close": 0}, abs=1e-9)
    assert found["stat/depth-8"].intercept == pytest.approx(1000)
    assert found["stat/depth-8"].r2 == pytest.approx(1)
    assert all(fit.agrees for fit in found.values())


def test_both_hooks_are_told_apart_by_one_regression(save):
    found = fits(save(latency), "apart")
    values = {name: [slope.value for slope in fit.slopes] for name, fit in found.items()}
    assert values["open/depth-8"] == pytest.approx([9, 0], abs=1e-9)
    assert values["copy/1k"] == pytest.approx([0, 2], abs=1e-9)
    assert all(fit.agrees for fit in found.values())


def noisy(name, inode, file):
    return latency(name, inode, file) + 500 * ((inode // 10000 * 7919) % 13 - 6)


def test_slope_interval_and_r2_are_those_of_scipy(save):
    found = fits(save(noisy), "delay")["stat/depth-8"]
    wanted = stats.linregress(list(STEPS), [noisy("stat/depth-8", ns, ns) for ns in STEPS])
    half = stats.t.ppf(0.975, len(STEPS) - 2) * wanted.stderr
    (slope,) = found.slopes
    assert (slope.value, found.intercept, found.r2) == pytest.approx((wanted.slope, wanted.intercept, wanted.rvalue**2))
    assert (slope.low, slope.high) == pytest.approx((wanted.slope - half, wanted.slope + half))


def test_multiple_regression_is_that_of_numpy(save):
    directory = save(noisy)
    points = sweep.load_sweep(directory).of("apart")
    design = [[1, p.delays["inode_permission"], p.delays["file_permission"]] for p in points]
    wanted = numpy.linalg.lstsq(design, [p.latency["copy/1k"] for p in points], rcond=None)[0]
    found = fits(directory, "apart")["copy/1k"]
    assert [found.intercept, *(slope.value for slope in found.slopes)] == pytest.approx(list(wanted))


@pytest.mark.parametrize(("factor", "agrees"), [(1.009, True), (1.011, False), (0.991, True), (0.989, False)])
def test_a_slope_agrees_to_one_percent(save, factor, agrees):
    found = fits(save(lambda name, inode, file: latency(name, factor * inode, factor * file)), "delay")
    assert found["stat/depth-8"].agrees == found["copy/1k"].agrees == agrees
    assert found["close"].agrees


def test_a_call_without_checks_must_not_wait(save):
    found = fits(save(lambda name, inode, file: latency(name, inode, file) + 0.02 * inode), "delay")
    assert not found["close"].agrees


@pytest.mark.parametrize(("slope", "agrees"), [(0.079, True), (0.081, False), (-0.079, True), (-0.081, False)])
def test_a_hook_that_is_not_called_agrees_to_one_percent_of_all_checks(save, slope, agrees):
    found = fits(save(lambda name, inode, file: latency(name, inode, file) + slope * file), "apart")
    called, uncalled = found["stat/depth-8"].slopes
    assert (called.checks, uncalled.checks) == (8, 0)
    assert uncalled.value == pytest.approx(slope)
    assert found["stat/depth-8"].agrees == agrees
    # A call without checks must not wait, and a hook that is called has only its own checks.
    assert not found["close"].agrees
    assert not slopes.Slope("inode_permission", 2 + slope, 0, 0, 2).agrees(8)


def test_text_says_what_missed_and_why_tables_differ(save):
    text = slopes_text.render([sweep.load_sweep(save(lambda name, inode, file: latency(name, inode, 1.5 * file)))])
    assert "Linux 6.12.1 on uml\n" in text
    assert "6 of 8 " in text and "MISSED: copy/1k, copy/1k" in text
    assert re.search(r"^stat/depth-8 +7.9 +8.000 \(8\)$", text, re.M)
    assert re.search(r"^depth-8 differs", text, re.M)


def test_in_brief_there_is_no_line_for_each_slope(save):
    sweeps = [sweep.load_sweep(save(latency))]
    whole, brief = slopes_text.render(sweeps), slopes_text.render(sweeps, brief=True)
    assert set(brief.splitlines()) < set(whole.splitlines()) and "8 of 8 regressions" in brief and "stat/depth-8 " in brief
    assert not [line for line in brief.splitlines() if line.startswith("copy/1k")] and "\ncopy/1k" in whole
    (found,), (rest,) = (json.loads(slopes.to_json(sweeps, brief=brief)) for brief in (True, False))
    assert (found["regressions"], found["agree"]) == (8, 8) and found["least_r2"] == pytest.approx(1)
    assert "fits" not in found and len(rest["fits"]) == 8


def test_other_statistics_can_be_asked_for(save):
    directory = save(latency)
    assert sweep.load_sweep(directory, "median").points[0].latency["close"] == pytest.approx(3 / RATE)


def test_of_all_passes_the_least_counts(save):
    """Each of them was disturbed under other delays."""
    for number in range(2):
        directory = save(lambda name, inode, file, at=number: latency(name, inode, file) + 9000 * (inode // 10000 % 3 == at))
        for path in list(directory.glob("*,*.json")):
            if "-" not in path.name.partition(",")[0]:
                path.rename(path.with_name(path.name.replace(",", f"-{number + 1},", 1)))
    assert len(sweep.load_sweep(directory).of("delay")) == len(STEPS)
    for kind in ("delay", "apart"):
        assert all(fit.agrees for fit in fits(directory, kind).values())


@pytest.mark.parametrize("name", ["delay,inode_permission=x.json", "delay,capable=5.json"])
def test_a_file_that_is_no_point_is_named(save, write, name):
    directory = save(latency)
    write(directory / name, '{"ticks_per_ns": 1, "benchmarks": []}')
    with pytest.raises(FormatError, match=name.split(",")[0]):
        sweep.load_sweep(directory)


def test_the_picture_has_a_plot_for_each_call(save):
    drawn = slopes_plot.picture(sweep.load_sweep(save(latency)))
    assert colourless(drawn) == unsaid(drawn) == []
    assert re.findall(r'font-weight="bold"[^>]*>(\w+)<', drawn) == ["stat", "open", "copy", "close"]
    assert ">depth-8: 8.00<" in drawn and "stat/depth-8, 110 µs: 881.0 µs" in drawn


def test_too_few_delays_are_an_error(save):
    directory = save(latency)
    for path in sorted(directory.glob("delay,*.json"))[3:]:
        path.unlink()
    with pytest.raises(FormatError, match="3 delays"):
        slopes.fits(sweep.load_sweep(directory), "delay")


def run_file(tmp_path, write, number, **medians):
    path = tmp_path / f"{number}.json"
    rows = [{"name": name, "median": median} for name, median in medians.items()]
    write(path, json.dumps({"ticks_per_ns": 2, "benchmarks": rows}))
    return path


def test_spread_is_of_the_medians(tmp_path, write):
    paths = [run_file(tmp_path, write, i, stat=200 + 2 * i, open=400, only=1) for i in range(5)]
    paths[4] = run_file(tmp_path, write, 4, stat=220, open=400)
    found = spread.load_spread(paths, "ns")
    assert [(s.name, s.medians) for s in found] == [("stat", [100, 101, 102, 103, 110]), ("open", [200] * 5)]
    assert found[0].percent == pytest.approx(100 * 10 / 102)
    assert "1 of 2 " in spread.render(found, "ns")
    assert spread.load_spread(paths, "ticks")[0].medians[0] == 200


def test_spread_of_nothing_in_common_is_an_error(tmp_path, write):
    paths = [run_file(tmp_path, write, 0, stat=1), run_file(tmp_path, write, 1, open=1)]
    with pytest.raises(FormatError, match="no sub-benchmark"):
        spread.render(spread.load_spread(paths, "ns"), "ns")


def test_slopes_are_in_the_page_of_the_evaluation(save, tmp_path_factory):
    from evaluation_results import constant, write_result

    from lsmpmon_report.evaluation import page

    place = tmp_path_factory.mktemp("evaluation")
    write_result(place / "results", "modules", "6.12-dac", constant(1000))
    page.write(place / "results", place / "out", slopes=[save(latency)])
    text = (place / "out" / "paper-2021.md").read_text()
    assert "| 8.000 (8) |" in text and "| 9.000 (9) |" in text
    said = {each["passage"]: each["data"] for each in json.loads((place / "out/summary.json").read_text())["pages"]["paper-2021"]["data"]}
    assert said["depths.differs"] == {"kind": "depth-8"}
    assert said["depths.fit"] == {"least": pytest.approx(1), "published": 0.999}
    assert "stat/depth-8, 110 µs: 88" in (place / "out" / "plot-delays.svg").read_text()
