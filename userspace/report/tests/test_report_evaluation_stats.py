# SPDX-License-Identifier: GPL-2.0-only
import re

import pytest

pytest.importorskip("numpy")

from lsmpmon_report.evaluation import stats, svg
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


@pytest.mark.parametrize("span,step", [(0.5, 0.1), (1.0, 0.2), (3.0, 0.5), (7.0, 1.0), (640, 100)])
def test_ticks_are_round(span, step):
    assert svg.nice_step(span) == pytest.approx(step)


@pytest.mark.parametrize(
    "values,wanted", [([1.02, 6.3], (1, 10)), ([0.9, 1.9], (0.5, 2)), ([1, 1], (1, 10)), ([3, 70000], (1, 100000))]
)
def test_a_logarithmic_axis_ends_at_steps(values, wanted):
    assert svg.log_limits(values) == wanted
    ticks = svg.Scale(*wanted, 0, 100, True).ticks()
    assert 2 <= len(ticks) <= 12 and set(ticks) <= {factor * 10.0**n for factor in (1, 2, 5) for n in range(-3, 9)}


def test_pieces_of_a_bar_follow_each_other():
    drawn = svg.stacked({"open": [100.0, -5.0, 50.0]}, ["a", "b", "c"], "t", str)
    pieces = [line for line in drawn.splitlines() if "<title>open, " in line]
    assert len(pieces) == 2 and ">145.0</text>" in drawn


def test_labels_do_not_touch():
    places = sorted(svg._apart({"a": 300.0, "b": 301.0, "c": 302.0, "d": 326.0}).values())
    assert all(after - before >= 15 for before, after in zip(places, places[1:]))


def test_labels_stand_around_their_lines():
    places = svg._apart({"a": 100.0, "b": 101.0, "c": 102.0, "d": 200.0})
    assert places == {"a": 86.0, "b": 101.0, "c": 116.0, "d": 200.0}


def test_a_module_looks_the_same_in_every_plot():
    """Whatever else is drawn, and in which order; a second series of it is hollow."""
    few, many = svg.looks(["with SELinux", "with Smack"]), svg.looks(["capability", "Smack", "SELinux, Debian's policy", "SELinux"])
    assert [many[2], many[1]] == few and many[3] == svg.Look(few[0].number, hollow=True)
    others = svg.looks(["median call", "SELinux", "largest", *"abcdef"])
    assert len({look.number for look in others[:8]}) == 8, "no look is taken twice while there are others"


def test_a_name_stands_beyond_all_points_of_its_row():
    drawn = svg.dots({"open": [[svg.Point(1, "", "named")], [svg.Point(2, "")]]}, ["a", "b"], "t", str)
    ends = [float(x) for x in re.findall(r'cx="([0-9.]+)"', drawn)] + [
        max(float(pair.split(",")[0]) for pair in points.split()) for points in re.findall(r'points="([^"]+)"', drawn)
    ]
    assert float(re.search(r'x="([0-9.]+)"[^>]*>named<', drawn)[1]) > max(ends)


def test_a_plot_escapes_names():
    assert "<b>" not in svg.dots({"<b>": [[svg.Point(1.0, '"<b>"', "<b>")]]}, ["x"], "t", str)
