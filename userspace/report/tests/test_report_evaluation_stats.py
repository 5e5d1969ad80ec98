# SPDX-License-Identifier: GPL-2.0-only
import pytest

pytest.importorskip("numpy")

from lsmpmon_report.evaluation import stats
from lsmpmon_report.evaluation.results import Result


def boot(samples, accel="icount"):
    rows = [{"name": "stat", "median": 0, "samples": samples}]
    cell = {"runner": "qemu", "accel": accel}
    return Result("p", "n", None, {"cell": cell, "state": {"filesystem": "tmpfs"}, "latency": {"benchmarks": rows}})


def test_instructions_are_exact():
    found = stats.compare(boot([100, 100, 101]), boot([150, 150, 151]), "stat")
    assert (found.difference, found.change, found.exact) == (50, 0.5, True)


def test_what_was_not_measured_alike_is_not_compared():
    assert stats.compare(boot([100]), boot([150], "kvm"), "stat") is None
    assert stats.compare(boot([100]), boot([150]), "open") is None


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
    """Of three figures a boot, the median of their differences."""
    before = [(10 + boot % 3, 20, 30) for boot in range(10)]
    after = [(before[0] + 100, 25, 30) for before in before]
    found = stats.difference_over_boots(before, after)
    assert found.median == 5 and found.low == 5 == found.high
    one = stats.difference_over_boots([row[0] for row in before], [row[0] for row in after])
    assert one.low <= 100 == one.median <= one.high and one.low < one.high
    assert stats.difference_over_boots(before[:9], after).low is None


@pytest.mark.parametrize(
    "value,wanted",
    [(0, "0"), (35883, "36,000"), (998, "1,000"), (551, "550"), (15.06, "15"), (1.746, "1.7"), (0.0352, "0.035"), (-4.2, "−4.2")],
)
def test_without_an_interval_there_are_two_digits(value, wanted):
    assert stats.few(value) == wanted and stats.printed(stats.over_boots([value] * 9)) == wanted
    assert stats.few_more(abs(value)) == ("+" if value else "") + wanted.lstrip("−")


def test_with_an_interval_there_are_all():
    assert stats.printed(stats.over_boots([551] * 10)) == "551 (551 to 551)"
    assert stats.printed_more(stats.over_boots([-551] * 10)) == "−551 (−551 to −551)"


@pytest.mark.parametrize(
    "numbers,wanted",
    [
        ([1], "one boot: too few for an interval"),
        ([2, 2], "median of 2 boots: too few for an interval"),
        ([10, 12], "median of 10 to 12 boots, in brackets its 95 % interval"),
        ([2, 10], "median of 2 to 10 boots, with at least 10 in brackets its 95 % interval"),
    ],
)
def test_how_many_boots_there_are_is_said(numbers, wanted):
    assert stats.boots_said(numbers).startswith(wanted)


def test_the_interval_is_the_same_each_time():
    assert stats.over_boots(range(20)) == stats.over_boots(range(20))
