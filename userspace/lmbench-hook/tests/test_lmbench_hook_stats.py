# SPDX-License-Identifier: GPL-2.0-only
"""lmbench-hook's statistics, against lists with known answers, and against numpy and scipy."""

import pathlib
import random
import subprocess

import numpy
import pytest
from scipy import stats as scipy_stats

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("stats") / "print_stats"
    lib = HERE.parents[1] / "lib"
    sources = [HERE / "print_stats.c", HERE.parent / "stats.c", lib / "student.c"]
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{lib}", "-o", path, *sources, "-lm"], check=True)
    return path


@pytest.fixture(scope="module")
def stats_of(program):
    def call(samples):
        done = subprocess.run([program, *(repr(float(x)) for x in samples)], capture_output=True, text=True, check=True)
        return {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}

    return call


KNOWN = [
    ([5], {"min": 5, "q1": 5, "median": 5, "q3": 5, "max": 5, "mean": 5, "variance": 0, "low": 5, "high": 5}),
    ([2, 1], {"min": 1, "median": 1.5, "max": 2, "mean": 1.5, "variance": 0.5, "low": -4.853102, "high": 7.853102}),
    ([2, 4, 4, 4, 5, 5, 7, 9], {"q1": 4, "median": 4.5, "q3": 5.5, "mean": 5, "variance": 32 / 7, "below": 0, "above": 1}),
    ([7] * 30 + [1000], {"median": 7, "below": 0, "above": 1, "max": 1000, "mean": (210 + 1000) / 31}),
    ([100, 107, 102, 103, 1, 104, 999, 101, 106, 105, 998], {"q1": 101.5, "q3": 106.5, "below": 1, "above": 2}),
    ([3, 3, 3, 3], {"variance": 0, "low": 3, "high": 3, "below": 0, "above": 0}),
]


@pytest.mark.parametrize(("samples", "wanted"), KNOWN, ids=[str(len(samples)) for samples, _ in KNOWN])
def test_known_lists(stats_of, samples, wanted):
    computed = stats_of(samples)
    assert {name: computed[name] for name in wanted} == pytest.approx(wanted, abs=1e-6)
    assert computed["count"] == len(samples)


def reference(samples):
    q1, median, q3 = numpy.percentile(samples, [25, 50, 75])
    fence = 1.5 * (q3 - q1)
    error = scipy_stats.sem(samples)
    low, high = scipy_stats.t.interval(0.95, len(samples) - 1, loc=numpy.mean(samples), scale=error)
    return {
        "count": len(samples), "min": min(samples), "q1": q1, "median": median, "q3": q3, "max": max(samples),
        "mean": numpy.mean(samples), "variance": numpy.var(samples, ddof=1), "low": low, "high": high,
        "below": sum(x < q1 - fence for x in samples), "above": sum(x > q3 + fence for x in samples),
    }


@pytest.mark.parametrize("count", [*range(2, 26), 50, 299, 300, 1000])
def test_the_same_as_numpy_and_scipy(stats_of, count):
    """The samples are heavy-tailed, as latencies are; small counts have the widest quantiles."""
    generator = random.Random(count)
    samples = [round(generator.lognormvariate(7, 1)) for _ in range(count)]
    computed, wanted = stats_of(samples), reference(samples)
    half = (wanted["high"] - wanted["low"]) / 2
    assert computed == pytest.approx(wanted, rel=1e-9, abs=half * 1e-9)
