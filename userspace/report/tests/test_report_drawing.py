# SPDX-License-Identifier: GPL-2.0-only
"""Plots: where things are, what modules look like, and that a file has its colours and says what its figures are of."""

import pathlib
import re
import xml.etree.ElementTree

import pytest
from pictures import colourless, unsaid

from lsmpmon_report.drawing import looks, plots, svg
from lsmpmon_report.drawing.scale import Scale, limits, log_limits, nice_step

DOCUMENTS = pathlib.Path(__file__).resolve().parents[3] / "Documentation"
COMMITTED = sorted(DOCUMENTS.rglob("*.svg"))
# Drawn when colours were in styles only, of results that are not in the repository. `make figures` after a complete
# `make eval` draws them again; take them from this list then.
EARLIER = {
    f"{name}.svg"
    for name in (
        "advice costs ext4-integrity plot-delays plot-growth plot-integrity plot-kernels plot-others plot-share plot-slopes"
        " plot-stacks rules-calls states-apparmor states-bpf states-landlock states-selinux states-selinux-debian"
        " states-smack states-tomoyo states-tomoyo-few work-share"
    ).split()
}
# What it says is the session's own.
SESSION = "session.svg"


def file_of(drawing):
    return svg.document(drawing, "A title", "Linux 6.12; runner uml, cycles")


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: str(path.relative_to(DOCUMENTS)))
def test_a_committed_picture_has_its_colours_and_says_what_it_is_of(path):
    text = path.read_text()
    earlier = path.parent.name == "report" and path.name in EARLIER
    assert bool(colourless(text)) == earlier
    assert earlier or path.name == SESSION or not unsaid(text)


def test_all_earlier_pictures_are_there():
    assert {path.name for path in COMMITTED} >= EARLIER


def test_what_lacks_colours_or_words_is_found():
    drawn = file_of(plots.dots({"open": [[plots.Point(1, "")]]}, [""], "t", str))
    assert colourless(drawn) == unsaid(drawn) == []
    without = drawn.replace(f'fill="{looks.SHADES[3].light}"', "")
    assert [each.split()[0] for each in colourless(without)] == ["polygon"]
    assert colourless(drawn.replace(f".fill-{looks.SHADES[3].name} ", ".gone "))
    assert unsaid(drawn.replace("uml", "")) == ["runner"] and unsaid(drawn.replace("cycles", "")) == ["unit"]
    assert unsaid(drawn.replace("Linux 6.12", "")) == ["kernel"]


@pytest.mark.parametrize("span,step", [(0.5, 0.1), (1.0, 0.2), (3.0, 0.5), (7.0, 1.0), (640, 100)])
def test_ticks_are_round(span, step):
    assert nice_step(span) == pytest.approx(step)


@pytest.mark.parametrize(
    "values,wanted", [([1.02, 6.3], (1, 10)), ([0.9, 1.9], (0.5, 2)), ([1, 1], (1, 10)), ([3, 70000], (1, 100000))]
)
def test_a_logarithmic_axis_ends_at_steps(values, wanted):
    assert log_limits(values) == wanted
    ticks = Scale(*wanted, 0, 100, True).ticks()
    assert 2 <= len(ticks) <= 12 and set(ticks) <= {factor * 10.0**n for factor in (1, 2, 5) for n in range(-3, 9)}


def test_an_axis_has_no_label_twice():
    """0.1, 1 and 10 are 0, 1 and 10 when they are rounded, and 0.2 and 0.5 as well."""
    labels = [label for _, label in Scale(0.1, 10, 0, 100, True).labelled(lambda value: f"{value:,.0f}")]
    assert len(labels) == len(set(labels)) and "0.1" in labels


def test_small_changes_show_beside_large_ones_of_both_signs():
    """Values of 20 and -20 would be 8 pixels apart on a linear axis to 2,400."""
    scale = Scale(*limits([2400, 20, -20, -700]), 0, 800, signed=True)
    assert scale(-700) < scale(-20) < scale(0) < scale(20) < scale(2400) and scale(20) - scale(-20) > 80
    assert scale.ticks() == [-100, -10, 0, 10, 100, 1000]


def test_pieces_of_a_bar_follow_each_other():
    drawn = "\n".join(plots.stacked({"open": [100.0, -5.0, 50.0]}, ["a", "b", "c"], "t", str).body)
    assert len(re.findall("<title>open, ", drawn)) == 2 and ">145.0</text>" in drawn
    bars = [(float(x), float(wide)) for x, wide in re.findall(r'<rect [^>]*x="([0-9.]+)"[^>]*width="([0-9.]+)"', drawn)]
    assert len(bars) == 2 and sum(bars[0]) == pytest.approx(bars[1][0])


def test_a_bar_has_the_colour_of_its_module():
    drawn = plots.bars({"TOMOYO": plots.Point(19.1, "tooltip", "19 µs"), "other": plots.Point(1, "")}, "t", str)
    bars = [line for line in drawn.body if "<rect" in line]
    assert looks.MODULES["TOMOYO"].light in bars[0] and "<title>tooltip</title>" in bars[0]
    assert not any(look.light in bars[1] for look in looks.MODULES.values())
    assert any(">19 µs</text>" in line for line in drawn.body)


def test_labels_do_not_touch():
    places = sorted(plots._apart({"a": 300.0, "b": 301.0, "c": 302.0, "d": 326.0}, 24, 330).values())
    assert all(after - before >= 15 for before, after in zip(places, places[1:])) and places[-1] <= 330


def test_labels_stand_around_their_lines():
    places = plots._apart({"a": 100.0, "b": 101.0, "c": 102.0, "d": 200.0}, 24, 330)
    assert places == {"a": 86.0, "b": 101.0, "c": 116.0, "d": 200.0}


def test_labels_stay_in_the_plot():
    assert plots._apart({"a": 24.0, "b": 24.0, "c": 25.0}, 24, 330) == {"a": 24.0, "b": 39.0, "c": 54.0}
    assert plots._apart({"a": 24.0, "b": 330.0, "c": 329.0}, 24, 330) == {"a": 24.0, "c": 315.0, "b": 330.0}


def test_many_lines_have_room_for_their_names():
    one = [(0.0, plots.Point(1, "")), (1.0, plots.Point(1, ""))]
    few, many = (plots.lines({f"s{n}": one for n in range(number)}, "t", "a", str) for number in (2, 40))
    assert many.height - few.height >= (40 - 20) * plots.LABEL
    ends = [float(y) for y in re.findall(r'y="([-0-9.]+)"[^>]*>s\d+<', "\n".join(many.body))]
    assert len(ends) == 40 and min(ends) > 0 and max(ends) < many.height


def test_every_module_has_a_colour_and_a_marker_of_its_own():
    found = looks.MODULES.values()
    for ours in ({look.light for look in found}, {look.dark for look in found}, {look.marker for look in found}):
        assert len(ours) == len(found)
    assert not {look.light for look in found} & {look.light for look in looks.SHADES}
    assert {look.marker for look in (*found, *looks.SHADES)} == set(looks.MARKERS)


def test_a_module_looks_the_same_in_every_plot():
    """A look does not depend on what else is drawn, and in which order; a second series of it is hollow."""
    few = looks.looks(["with SELinux", "over Smack"])
    many = looks.looks(["capability", "Smack", "SELinux, Debian's policy", "SELinux", "BPF LSM open"])
    assert [many[2], many[1]] == few == [looks.MODULES["SELinux"], looks.MODULES["Smack"]]
    assert many[3].hollow and many[3].light == few[0].light and many[4] == looks.MODULES["BPF LSM"]


def test_what_is_not_a_module_looks_like_none():
    found = looks.looks(["median call", "SELinux + TOMOYO", "host-1 (capability,selinux)", "", *"abcd"])
    assert set(found) == set(looks.SHADES), "none is taken twice while there are others"
    more = looks.looks([str(number) for number in range(10)])
    assert [look.hollow for look in more] == [False] * 8 + [True] * 2
    assert looks.looks("ab") == [looks.SHADES[0], looks.SHADES[-1]], "as far apart as they can be"


def test_a_name_stands_beyond_all_points_of_its_row():
    drawn = "\n".join(plots.dots({"open": [[plots.Point(1, "", "named")], [plots.Point(2, "")]]}, ["a", "b"], "t", str).body)
    ends = [float(x) for x in re.findall(r'cx="([0-9.]+)"', drawn)] + [
        max(float(pair.split(",")[0]) for pair in points.split()) for points in re.findall(r'points="([^"]+)"', drawn)
    ]
    assert float(re.search(r'x="([0-9.]+)"[^>]*>named<', drawn)[1]) > max(ends)


def test_nothing_is_drawn_of_nothing():
    assert plots.dots({"open": [[], []]}, ["a", "b"], "t", str) is None
    assert plots.lines({}, "t", "a", str) is plots.stacked({}, ["a"], "t", str) is plots.bars({}, "t", str) is None


def test_a_plot_escapes_names():
    text = svg.document(plots.dots({"<b>": [[plots.Point(1.0, '"<b>"', "<b>")]]}, ["x"], "t", str), "<b>", "<b>")
    xml.etree.ElementTree.fromstring(text)
    assert "<b>" not in text


def test_long_lines_about_the_figures_are_wrapped():
    drawing = plots.dots({"open": [[plots.Point(1, "")]]}, [""], "t", str)
    short, long = (svg.document(drawing, "t", "; ".join(["Linux 6.12"] * number)) for number in (1, 40))
    assert long.count(">Linux 6.12") > 1
    height = [int(re.search(r'height="(\d+)"', text)[1]) for text in (short, long)]
    assert height[1] > height[0]
