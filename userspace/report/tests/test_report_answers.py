# SPDX-License-Identifier: GPL-2.0-only
"""The first page and those that it rests on: what is said follows from the results, and changes with them."""

import re

import pytest

pytest.importorskip("numpy")

from lsmpmon_report.evaluation import svg

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
