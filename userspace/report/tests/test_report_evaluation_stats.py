# SPDX-License-Identifier: GPL-2.0-only
import numpy
import pytest

pytest.importorskip("scipy")

from lsmpmon_report.evaluation import stats, svg
from lsmpmon_report.evaluation.stats import Comparison


def comparison(p, exact=False, low=0.1):
    return Comparison(1.0, 1.2, 0.2, low, 0.3, 1.0, p, exact)


def test_exact_samples_are_not_tested():
    found = stats.compare(numpy.full(5, 100.0), numpy.full(5, 150.0))
    assert (found.change, found.low, found.high, found.delta, found.exact, found.noise) == (
        0.5,
        0.5,
        0.5,
        1,
        True,
        False,
    )


def test_equal_samples_are_exactly_equal():
    found = stats.compare(numpy.full(5, 100.0), numpy.full(5, 100.0))
    assert (found.change, found.delta, found.p, found.noise) == (0, 0, 1, False)


def test_the_interval_has_the_change_in_it():
    base, value = numpy.arange(100.0, 131), numpy.arange(200.0, 231)
    found = stats.compare(base, value)
    assert found.low < found.change < found.high
    assert found.change == pytest.approx(100 / 115)
    assert (found.delta, found.noise) == (1, False)


def test_the_bootstrap_is_the_same_each_time():
    base, value = numpy.arange(100.0, 131), numpy.arange(105.0, 136)
    assert stats.compare(base, value) == stats.compare(base, value)
    assert stats.interval(base) == stats.interval(base)


def test_holm():
    """Of 4: the least times 4, the next times 3 and never below the one before it."""
    found = stats.holm({"a": comparison(0.01), "b": comparison(0.04), "c": comparison(0.03), "d": comparison(0.005)})
    assert [found[key].holm for key in "dacb"] == pytest.approx([0.02, 0.03, 0.06, 0.06])
    assert [found[key].noise for key in "dacb"] == [False, False, True, True]


def test_holm_leaves_out_what_was_not_tested():
    found = stats.holm({"a": comparison(0.04), "b": comparison(0.0, exact=True)})
    assert found["a"].holm == 0.04 and not found["a"].noise
    assert not found["b"].noise


def test_an_interval_with_0_in_it_is_noise():
    assert comparison(0.001, low=-0.1).noise


def test_one_sample_proves_nothing():
    assert stats.compare(numpy.array([1.0, 2.0]), numpy.array([9.0])).noise


def test_cliffs_delta():
    assert stats.compare(numpy.array([1.0, 3.0]), numpy.array([2.0, 4.0])).delta == pytest.approx(0.5)


@pytest.mark.parametrize("span,step", [(0.5, 0.1), (1.0, 0.2), (3.0, 0.5), (7.0, 1.0), (640, 100)])
def test_ticks_are_round(span, step):
    assert svg.nice_step(span) == pytest.approx(step)


def test_labels_do_not_touch():
    places = sorted(svg._apart({"a": 300.0, "b": 301.0, "c": 302.0, "d": 326.0}).values())
    assert all(after - before >= 15 for before, after in zip(places, places[1:]))


def test_a_plot_escapes_names():
    assert "<b>" not in svg.dots({"<b>": [[svg.Point(1.0, '"<b>"', 'a"b')]]}, ["x"], "t", str)
