# SPDX-License-Identifier: GPL-2.0-only
import re

import pytest

pytest.importorskip("numpy")

from lsmpmon_report import stats
from lsmpmon_report.evaluation import boots, comparison, intervals
from lsmpmon_report.evaluation.results import Result


def boot(samples, accel="icount"):
    rows = [{"name": "stat", "median": 0, "samples": samples}]
    cell = {"runner": "qemu", "accel": accel}
    return Result("p", "n", None, {"cell": cell, "state": {"filesystem": "tmpfs"}, "latency": {"benchmarks": rows}})


def test_instructions_are_exact():
    found = comparison.compare(boot([100, 100, 101]), boot([150, 150, 151]), "stat")
    assert (found.difference, found.change, found.exact) == (50, 0.5, True)


def test_what_was_not_measured_alike_is_not_compared():
    assert comparison.compare(boot([100]), boot([150], "kvm"), "stat") is None
    assert comparison.compare(boot([100]), boot([150]), "open") is None


@pytest.mark.parametrize(
    "value,wanted",
    [(0, "0"), (35883, "36,000"), (998, "1,000"), (551, "550"), (15.06, "15"), (1.746, "1.7"), (0.0352, "0.035"), (-4.2, "−4.2")],
)
def test_without_an_interval_there_are_two_digits(value, wanted):
    assert intervals.few(value) == wanted and intervals.printed(stats.over_boots([value] * 9)) == wanted
    assert intervals.few_more(abs(value)) == ("+" if value else "") + wanted.lstrip("−")


def test_with_an_interval_there_are_all():
    assert intervals.printed(stats.over_boots([551] * 10)) == "551 (551 to 551)"
    assert intervals.printed_more(stats.over_boots([-551] * 10)) == "−551 (−551 to −551)"


@pytest.mark.parametrize(
    "numbers,printed",
    [([1], ["2"]), ([2, 2], ["2", "2"]), ([10, 12], ["10", "12", "95"]), ([2, 10], ["2", "10", "10", "95"])],
)
def test_how_many_boots_there_are_is_said(numbers, printed):
    """A caption names the digits of figures without an interval; of others the level, and the boots needed if some have fewer."""
    text = boots.averaged([booted([0] * number) for number in numbers])
    assert re.findall(r"\d+", text) == printed and ("in brackets" in text) == ("95" in printed)


def booted(layouts):
    """Return boots of images with these layouts."""
    return [Result("p", f"n-{n}", None, {"cell": {"layout": layout}}) for n, layout in enumerate(layouts, 1)]


def test_a_caption_says_images_only_where_all_are_of_several():
    """Five boots are of three images, one of which has a single boot."""
    text = boots.averaged([booted([1, 2, 3, 1, 2])])
    assert text.startswith("median of 3 images of each kernel") and "2 boots of each" in text
    assert "images" not in boots.averaged([booted([1, 2]), booted([0, 0])]) and "boots of each" not in boots.averaged([booted([1, 2])])
    assert boots.averaged([booted(range(1, 11))]).endswith("in brackets its 95 % interval over images")


def test_samples_in_two_places_are_two_modes():
    """Three fifths at 53,557 and two at 83,758: the median is one of them, and says nothing of the other."""
    assert stats.modes([53557] * 60 + [83758] * 40) == [stats.Mode(53557, 0.6), stats.Mode(83758, 0.4)]
    assert stats.modes([100, 100, 101, 100, 250]) == [stats.Mode(100, 1.0)], "a few far away are not a mode"
    assert stats.modes([1] * 2 + [53557] * 58 + [83758] * 40) == [stats.Mode(53557, 0.6), stats.Mode(83758, 0.4)]
