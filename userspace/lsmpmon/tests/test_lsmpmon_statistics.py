# SPDX-License-Identifier: GPL-2.0-only
"""Tests of lsmpmon diff --stat and --fail-total: which statistic is compared, and what a gate judges."""

import random
import statistics

import pytest
from scipy import stats as scipy_stats
from test_lsmpmon_diff import record, side, side_of

FEATURES = "histogram 1\n"


def width(tick):
    """Return how wide the bucket of a tick is: one tick below 16, else an eighth of the power of two."""
    return 1 if tick < 16 else 2 ** (tick.bit_length() - 1) // 8


def histogram(**calls):
    """Return the kernel's table of these ticks by hook."""
    lines = ["hook le count own wall\n"]
    for hook, ticks in calls.items():
        ends = [tick // width(tick) * width(tick) + width(tick) - 1 for tick in ticks]
        lines += [f"{hook} {end} {ends.count(end)} {ends.count(end)} {ends.count(end)}\n" for end in sorted(set(ends))]
    return "".join(lines)


def medians(path, **calls):
    hooks = {hook: (len(ticks), sum(ticks) // len(ticks)) for hook, ticks in calls.items()}
    return record(path, hooks, features=FEATURES, histogram=histogram(**calls))


@pytest.mark.parametrize("low, high", [(1, 15), (40, 80), (900, 5000)])
def test_the_median_is_inside_its_bucket(view, tmp_path, low, high):
    """The median differs from that of all calls by less than a bucket, and is exact where a bucket has one tick."""
    ticks = [random.Random(low + number).randint(low, high) for number in range(2001)]
    path = medians(tmp_path / "r", capable=ticks, file_open=[tick * 3 for tick in ticks])
    shown = view("diff", path, path, "--stat", "p50")
    by_hook = {row["hook"]: row["p50 A"] for row in [shown["total"], *shown["rows"]]}
    wanted = {"capable": statistics.median(ticks), "file_open": 3 * statistics.median(ticks),
              "(all)": statistics.median_low(ticks + [tick * 3 for tick in ticks])}
    for hook, median in wanted.items():
        assert abs(by_hook[hook] - median) <= (width(int(median)) if median > 15 else 0), hook


def test_a_median_needs_a_distribution(lsmpmon, tmp_path):
    a = record(tmp_path / "a", {"capable": (10, 100)})
    done = lsmpmon("diff", a, a, "--stat", "p50")
    assert done.returncode == 2 and "A ('" in done.stderr and "lsmpmon record -f histogram" in done.stderr
    done = lsmpmon("diff", a, a, "--stat", "p50", "--by", "verdict")
    assert done.returncode == 2 and "--stat p50" in done.stderr and done.stderr.count("\n") == 1
    assert "give ave, p50, min or total" in lsmpmon("diff", a, a, "--stat", "p51").stderr


def test_the_time_of_a_run_is_a_statistic(view, tmp_path):
    """Welch's test is of totals of boots, whatever the mean call does."""
    first, second = [10, 12, 11, 13], [20, 22, 21, 25]
    a = side_of(tmp_path / "a", *([{"capable": (count, 100)}] for count in first))
    b = side_of(tmp_path / "b", *([{"capable": (count, 100)}] for count in second))
    (row,) = view("diff", a, b, "--stat", "total")["rows"]
    totals = [[100 * count for count in counts] for counts in (first, second)]
    assert (row["total A"], row["total B"]) == tuple(map(statistics.mean, totals))
    assert row["p"] == pytest.approx(scipy_stats.ttest_ind(*totals, equal_var=False).pvalue, rel=1e-6)
    (row,) = view("diff", a, b)["rows"]
    assert row["change"] == 0


def test_the_shortest_call_is_a_statistic(view, tmp_path):
    """A record of the tests has calls of one tick as its shortest."""
    a, b = record(tmp_path / "a", {"capable": (10, 100)}), record(tmp_path / "b", {"capable": (10, 300)})
    (row,) = view("diff", a, b, "--stat", "min")["rows"]
    assert (row["min A"], row["min B"], row["change"]) == (1, 1, 0)


def test_a_gate_judges_the_statistic_that_is_asked_for(lsmpmon, tmp_path):
    """The mean call is the same and there are more calls: only the time of a run is above the limit, or the mean is."""
    a = side_of(tmp_path / "a", *([{"capable": (count, 100)}] for count in (10, 12, 11, 13)))
    b = side_of(tmp_path / "b", *([{"capable": (count, 100)}] for count in (20, 22, 21, 25)))
    assert lsmpmon("diff", a, b, "--fail-above", "5", "--stat", "total").returncode == 1
    assert lsmpmon("diff", a, b, "--fail-above", "5", "--stat", "min").returncode == 0
    assert lsmpmon("diff", a, b, "--fail-above", "5").returncode == 1


def test_a_gate_on_totals_leaves_rows_alone(lsmpmon, tmp_path):
    """One hook takes twice as long, and another less by the same: in all, nothing was added."""
    def boots(path, *pairs):
        return side_of(path, *([{"capable": (10, one), "file_open": (10, other)}] for one, other in pairs))
    a = boots(tmp_path / "a", (100, 301), (101, 300), (102, 303), (99, 299))
    b = boots(tmp_path / "b", (200, 202), (201, 200), (202, 201), (199, 202))
    assert lsmpmon("diff", a, b, "--fail-above", "5").returncode == 1
    assert lsmpmon("diff", a, b, "--fail-total", "5").returncode == 0
    more = side(tmp_path / "more", [900], [901], [902], [899])
    done = lsmpmon("diff", a, more, "--fail-total", "5", "--width", "200")
    assert done.returncode == 1 and "Above the limit: (all): the time of a run" in done.stdout
    assert "Above the limit: capable" not in done.stdout
    assert lsmpmon("diff", a, more, "--fail-total", "5", "--fail-above", "5").stdout.count("Above the limit") == 2


def test_a_gate_on_totals_needs_boots(lsmpmon, tmp_path):
    a = record(tmp_path / "a", {"capable": (10, 100)})
    done = lsmpmon("diff", a, a, "--fail-total", "5")
    assert done.returncode == 2 and "--fail-total: one boot a side" in done.stderr
