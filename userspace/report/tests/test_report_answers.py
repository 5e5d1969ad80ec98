# SPDX-License-Identifier: GPL-2.0-only
"""The first page and those that it rests on: what is said follows from the results, and changes with them."""

import re

import pytest

pytest.importorskip("numpy")

from evaluation_results import constant, write_all, write_result
from lsmpmon_report.evaluation import svg
from test_report_evaluation import made, results  # noqa: F401 (fixtures)

def said(shown, page="README"):
    """A page in one line."""
    return " ".join(shown.pages[page].replace("\u00a0", " ").split())


def test_large_rises_are_factors(results, made):
    write_all(results)
    write_result(results, "rules", "6.12-landlock-10", constant(1000))
    write_result(results, "rules", "6.12-landlock-10000", constant(1000, open=74000))
    assert "open, +73,000 (74 times)" in said(made(), "rules")


def test_an_axis_has_no_label_twice():
    """0.1, 1 and 10 are 0, 1 and 10 when they are rounded, and 0.2 and 0.5 as well."""
    rows = {"a": [[svg.Point(0.1, "")]], "b": [[svg.Point(10, "")]]}
    plot = svg.dots(rows, [""], "ns", lambda value: f"{value:,.0f}", log=True)
    labels = re.findall(r'class="tick" text-anchor="middle">([^<]+)<', plot)
    assert len(labels) == len(set(labels)) and "0.1" in labels


def test_small_changes_show_beside_large_ones_of_both_signs():
    """On a linear axis, 20 and -20 of 2,400 would be 8 pixels apart."""
    scale = svg.Scale(*svg.limits([2400, 20, -20, -700]), 0, 800, signed=True)
    assert scale(-700) < scale(-20) < scale(0) < scale(20) < scale(2400) and scale(20) - scale(-20) > 80
    assert scale.ticks() == [-100, -10, 0, 10, 100, 1000]
