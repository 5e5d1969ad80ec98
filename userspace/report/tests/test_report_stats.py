# SPDX-License-Identifier: GPL-2.0-only
"""The module of statistics, with numbers whose answer is known, and with scipy and statsmodels as witnesses."""

import random
import subprocess
import sys

import numpy
import pytest
import scipy.stats
import statsmodels.api

from lsmpmon_report import stats


def test_spread_is_of_all_values():
    assert stats.spread([100, 101, 110]) == pytest.approx(10 / 101)


def test_quartiles_are_samples():
    assert stats.quartiles([4, 1, 2, 3, 100]) == (2, 3, 4)


@pytest.mark.parametrize("difference, distance, within", [(0, 5, False), (4, 5, True), (-4, 5, True), (5, 5, False), (1, 0, False)])
def test_a_difference_is_within_quartiles_that_are_further_apart(difference, distance, within):
    assert stats.within_quartiles(difference, distance) == within


@pytest.mark.parametrize("changes, agree", [([1, 2], True), ([-1, -2], True), ([1, -2], False), ([0, 2], False)])
def test_passes_agree_if_all_have_one_sign(changes, agree):
    assert stats.agree(changes) == agree


def test_noticeable_is_a_fifth_more():
    assert stats.noticeable(121, 100) and not stats.noticeable(120, 100)


def test_what_changes_from_turn_to_turn_is_in_no_difference_of_turns():
    before, after = [100 * turn for turn in range(10)], [100 * turn + 7 for turn in range(10)]
    found = stats.difference_over_turns(before, after)
    assert (found.median, found.low, found.high) == (7, 7, 7) and stats.difference_over_boots(before, after).low < 0
    assert stats.difference_over_turns(before[1:], after[1:]).low is None


def test_an_interval_needs_ten_boots():
    assert stats.over_boots(range(9)).low is None
    found = stats.over_boots(range(10))
    assert found.low < found.median == 4.5 < found.high


def test_a_change_is_certain_if_0_is_outside():
    before = [100 + boot % 3 for boot in range(10)]
    assert stats.change_over_boots(before, [value * 2 for value in before]).sure
    assert not stats.change_over_boots(before, before).sure
    assert not stats.change_over_boots(before[:9], [value * 2 for value in before]).sure


def test_a_difference_over_boots():
    """The difference is the median of the differences of three figures a boot."""
    before = [(10 + boot % 3, 20, 30) for boot in range(10)]
    after = [(before[0] + 100, 25, 30) for before in before]
    found = stats.difference_over_boots(before, after)
    assert found.median == 5 and found.low == 5 == found.high
    one = stats.difference_over_boots([row[0] for row in before], [row[0] for row in after])
    assert one.low <= 100 == one.median <= one.high and one.low < one.high
    assert stats.difference_over_boots(before[:9], after).low is None


def test_the_interval_is_the_same_each_time():
    assert stats.over_boots(range(20)) == stats.over_boots(range(20))


def test_an_interval_with_0_inside_may_be_chance():
    """Nothing is said if there is no interval."""
    assert stats.Interval(1, -1, 3).chance and not stats.Interval(1, 1, 3).chance and not stats.Interval(1).chance


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 10, 30, 299, 1000])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_student_is_that_of_scipy(level, freedom):
    assert stats.student(level, freedom) == pytest.approx(scipy.stats.t.ppf((1 + level) / 2, freedom), rel=1e-11)


@pytest.mark.parametrize("count", [4, 5, 12, 13, 50])
@pytest.mark.parametrize("width", [1, 2])
def test_a_regression_is_that_of_statsmodels(count, width):
    chance = random.Random(count)
    variables = [[10000 * chance.randrange(12) for _ in range(count)] for _ in range(width)]
    values = [1000 + 3 * sum(row) + chance.gauss(0, 300) for row in zip(*variables)]
    wanted = statsmodels.api.OLS(values, statsmodels.api.add_constant(numpy.column_stack(variables))).fit()
    found = stats.regress(values, variables)
    assert (found.constant, found.r2) == pytest.approx((wanted.params[0], wanted.rsquared), rel=1e-10)
    for slope, value, ends in zip(found.slopes, wanted.params[1:], wanted.conf_int(1 - stats.LEVEL)[1:], strict=True):
        assert slope == pytest.approx((value, *ends), rel=1e-10)


def test_a_regression_on_what_does_not_vary_is_flat():
    """There is no warning: latencies of what waits for nothing are equal, where ticks are instructions."""
    found = stats.regress([932.1] * 12, [range(0, 120000, 10000)])
    assert found.constant == pytest.approx(932.1) and found.slopes[0] == pytest.approx((0, 0, 0), abs=1e-9)


def test_what_needs_no_numpy_does_without_it():
    """make run, overhead and host have only Python's own library."""
    code = "import sys; sys.modules['numpy'] = None; from lsmpmon_report import __main__, stats; print(stats.spread([1, 2, 3]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=stats.__file__.rsplit("/", 2)[0], capture_output=True, text=True)
    assert done.stdout == "1.0\n", done.stderr
