# SPDX-License-Identifier: GPL-2.0-only
"""The first page and those that it rests on: what is said follows from the results, and changes with them."""

import re

import pytest

pytest.importorskip("numpy")

from evaluation_results import constant, record, write_all, write_result
from lsmpmon_report.evaluation import svg
from test_report_evaluation import made, results  # noqa: F401 (fixtures)

MODULES = "module hook min max ave count cs_count sum\n"
SYSCALLS = "syscall hook min max ave count cs_count sum\n"
CALLS = "syscall count sum hook_count hook_sum cs_count\n"


def said(shown, page="README"):
    """A page in one line."""
    return " ".join(shown.pages[page].replace("\u00a0", " ").split())


def counted(syscall, module, hook, number, ave):
    """64 calls, each with `number` calls of a hook, whose callback takes `ave` with the clock's 40."""
    return record(
        {
            "syscalls": f"{SYSCALLS}{syscall} {hook} 1 1 {ave} {64 * number} 0 {64 * number * ave}\n",
            "modules": f"{MODULES}{module} {hook} 1 1 {ave} {64 * number} 0 {64 * number * ave}\n",
            "calls": f"{CALLS}{syscall} 64 6400 {64 * number} 640 0\n",
        },
        syscall,
    )


def write_kernel(results, kver, module, latency, **records):
    write_result(results, "kernels", f"{kver}-dac-latency", constant(1000), cell={"flavour": "dac"})
    write_result(results, "kernels", f"{kver}-{module}-latency", latency)
    write_result(results, "kernels", f"{kver}-{module}-exact", records=records, cell={"flavour": "patched"})


def write_selinux(results, kver, ave, **latency):
    """rename checks 10 directories, creat one."""
    records = {"rename": counted("rename", "selinux", "inode_permission", 10, ave)}
    records["creat"] = counted("creat", "selinux", "inode_permission", 1, ave)
    write_kernel(results, kver, "selinux", constant(2000, **latency), **records)


def test_a_difference_smaller_than_the_spread_is_not_printed(results, made):
    """key/add: quartiles of 5,900 and 9,100, and 1,400 fewer at the median; net/socket is 500 more in each sample."""
    write_result(results, "modules", "6.12-dac", constant(1000), cell={"flavour": "dac"})
    base = constant(1000) | {"key/add": [5900, 5900, 7700, 9100, 9100], "net/socket": [4000] * 5}
    write_result(results, "modules", "6.12-capability", base)
    shifted = {"key/add": [5900, 5900, 6300, 9100, 9100], "net/socket": [4500] * 5}
    write_result(results, "modules", "6.12-tomoyo-enforcing", constant(1200) | shifted)
    shown = made()
    assert ["key/add", "within its spread"] in shown.rows and ["net/socket", "+500 (+12.5\u00a0%)"] in shown.rows
    assert "The most expensive of them is net/socket under TOMOYO" in said(shown, "others")
    assert "is not affected" not in shown.text
    assert shown.ratios("others")["key/add", "TOMOYO"]["within_spread"]
    assert not shown.ratios("others")["net/socket", "TOMOYO"]["within_spread"]


def test_what_mitigations_add_is_a_difference_of_differences(results, made):
    """With them, capability costs 186 on 6.1, and 100 without: 86 of them are for its indirect calls. On 6.12, none is."""
    for kver, on, off in (("6.1", 1186, 1000), ("6.12", 1110, 1010)):
        write_result(results, "kernels", f"{kver}-dac-latency", constant(1000), cell={"flavour": "dac"})
        write_result(results, "kernels", f"{kver}-capability-latency", constant(on))
        write_result(results, "mitigations", f"{kver}-dac-off", constant(900), cell={"flavour": "dac"})
        write_result(results, "mitigations", f"{kver}-capability-off", constant(off))
    shown = made()
    assert ["stat", "+86 (to +186)", "0 (to +110)"] in shown.rows
    assert "the sum over these calls: +1,290 on 6.1, 0 on 6.12." in said(shown, "kernels")


def test_captions_name_the_kernel_and_pages_their_dates(results, made):
    write_all(results)
    shown = made()
    assert "Linux 6.12.1; runner qemu, accelerator icount, instructions, tmpfs; flavour lsm" in said(shown, "modules")
    for name, text in shown.pages.items():
        assert name == "README" or re.search(r"\n\nResults that this page is made of.*2026-01-01", text, re.S), name
    assert "openit 4, of 2026-01-01" in said(shown, "openit")


def test_the_method_agrees_with_the_pages(results, made):
    write_all(results)
    method = said(made(), "method")
    assert "random.trust_cpu=on" in method and "ext4" in method and "is not here" not in method


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
