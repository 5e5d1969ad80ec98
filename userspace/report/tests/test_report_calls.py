# SPDX-License-Identifier: GPL-2.0-only
"""Whole calls in time: what a module adds in its hooks and elsewhere, and whether instructions predict it."""

import json

import pytest
from evaluation_results import constant, steps, write_called, write_calls, write_result

from lsmpmon_report.evaluation.book import FILES


def table(shown, ident):
    found = shown.table(ident)
    return [found["header"], *found["rows"]]


@pytest.fixture
def boots(results, made):
    """Return the report of eleven boots."""
    write_calls(results, 11)
    return made()


def test_what_a_module_adds_is_hooks_and_elsewhere(boots):
    """The eighth call is a symlink: 300 cycles and seven times as much more, a third of all in hooks. That each turn takes longer
    changes nothing.
    """
    header, *rows = table(boots, "calls-selinux")
    symlink = dict(zip(header, next(row for row in rows if row[0] == "symlink")))
    assert symlink["adds, cycles"] == "+2,400 (+2,400 to +2,400)"
    assert symlink["in hooks, cycles"] == "+800 (+800 to +800)" and symlink["elsewhere, cycles"] == "+1,600 (+1,600 to +1,600)"
    assert symlink["adds, ns"] == "+1,200", "the clock has 2 GHz"
    exact = [symlink[name] for name in ("adds, instructions", "in hooks, instructions", "elsewhere, instructions")]
    assert exact == ["+800", "+400", "+400"]


def test_all_calls_together(boots):
    """All differences, from 300 to 4,200 cycles, are 31,500; a copy is two system calls, each of which counts."""
    header, [name, *cells] = table(boots, "calls-modules")
    row = dict(zip(header[1:], cells))
    assert name == "SELinux" and row["adds, instructions"] == f"+{10500 + 1400:,}"
    assert row["elsewhere, of the added instructions"] == "50\u00a0%"
    assert row["adds, ns"].startswith(f"+{(31500 + 4200) / 2:,.0f} (") and row["elsewhere, of the added time"] == "67\u00a0%"
    assert row["cycles an instruction"] == "3.00"
    [rates] = boots.data("calls.rates")
    assert (rates["base"], rates["least"], rates["most_rate"]) == (2.3, 3, 3) and rates["most"] == "selinux"
    assert (rates["change"], rates["change_exact"]) == (pytest.approx(35700 / 34500), pytest.approx(11900 / 15000))


def test_the_call_that_stops_the_monitor_is_in_no_figure(boots):
    rows = {row[0]: row for row in table(boots, "calls-base")[1:]}
    assert rows["write"][1:3] == rows["stat"][1:3] and rows["write"][1].startswith("2,300 (")
    assert rows["copy"][1].startswith("4,600 (") and rows["stat"][-1] == rows["write"][-1] == "4"


def test_an_interrupt_is_not_in_a_call(results, made):
    """The records of which one is disturbed differ in what was interrupted only, which own time does not have."""
    write_calls(results, 1)
    assert [data["spread"] for data in made().data("calls.exactly")] == [0]


def test_instructions_predict_cycles_by_place(boots):
    """An instruction of a module takes three cycles, two in hooks and four elsewhere; so the residuals are none."""
    header, *rows = table(boots, "calls-predicted")
    slopes = {row[0]: row[header.index("cycles an instruction")] for row in rows}
    assert slopes["what a module adds"] == "3.00 (3.00 to 3.00)"
    assert (slopes["what it adds in hooks"][:4], slopes["what it adds elsewhere"][:4]) == ("2.00", "4.00")
    assert {row[0]: row[1] for row in rows}["whole calls"] == "28"
    [within] = boots.data("predicted.within")
    assert within["most"] == pytest.approx(0, abs=1e-6) and within["rates"] == pytest.approx([3, 3])


def test_a_call_that_instructions_do_not_predict_is_named(results, made):
    write_calls(results, 11)
    for boot in range(1, 12):
        ticks = steps(2300, 300)
        ticks[list(FILES).index("chmod")] += 5000
        write_called(results, f"selinux-{boot}", ticks, steps(300, 100), accel="none", boot=boot)
    assert table(made(), "calls-missed")[1][0] == "chmod, SELinux"


@pytest.mark.parametrize("apart, swapped", [(2000, 14), (0, 0)])
def test_modules_that_change_places_are_named(results, made, apart, swapped):
    """Smack executes 100 instructions less than SELinux in each call, and takes more cycles, or as many."""
    write_calls(results, 11)
    write_called(results, "smack-exact", steps(1000, 100), steps(100, 50))
    for boot in range(1, 12):
        write_called(results, f"smack-{boot}", steps(2300 + 50 * boot + apart, 300), steps(300, 100), accel="none", boot=boot)
    [said] = made().data("predicted.swapped_are")
    assert (said["pairs"], said["swapped"]) == (14, swapped)


def test_few_boots_have_no_interval(results, made):
    write_calls(results, 3)
    row = next(row for row in table(made(), "calls-selinux") if row[0] == "rename")
    assert row[1] == "+900" and "certain" in made().pages["calls"]
    assert [data["sure"] for data in made().data("calls.sure")] == [[]]


def test_cycles_without_instructions_predict_nothing(results, made):
    write_calls(results, 11)
    for module in ("capability", "selinux"):
        (results / f"calls/7.3-{module}-exact.json").unlink()
    shown = made()
    assert "calls-predicted" not in shown.pages["calls"] and shown.summary["pages"]["calls"]["not_run"] == ["calls"]
    assert table(shown, "calls-selinux")[1][-4:] == ["–"] * 4


def test_a_report_without_whole_calls_says_so(results, made):
    write_result(results, "modules", "6.12-capability", constant(1100))
    assert made().summary["pages"]["calls"]["not_run"] == ["calls"]


def test_what_other_documents_quote_is_of_all_modules(results, made):
    write_calls(results, 11)
    folder = made().folder
    assert not list(folder.glob("calls.[jt]*"))
    for module in ("apparmor", "tomoyo", "smack", "landlock"):
        write_called(results, f"{module}-exact", steps(1100, 100), steps(150, 50))
        for boot in range(1, 12):
            write_called(results, f"{module}-{boot}", steps(2300 + 50 * boot, 300), steps(300, 100), accel="none", boot=boot)
    made()
    values = json.loads((folder / "calls.json").read_text())
    assert values["modules"]["Smack"] == {"ns": 17850, "percent": 103.5, "hooks_ns": 5950, "elsewhere_ns": 11900, "instructions": 11900,
                                          "percent_of_instructions": 79.3, "elsewhere_instructions": 5950}
    assert values["cycles"]["added"] == 3 and values["r2"]["added"] == 1
    assert (folder / "calls.txt").read_text().splitlines()[2].split() == [
        "SELinux", "+17,850", "+103.5", "%", "+5,950", "+11,900", "+11,900", "+79.3", "%"]
