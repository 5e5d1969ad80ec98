# SPDX-License-Identifier: GPL-2.0-only
"""The pages: figures in, the same figures out; what is not there is named; they need nothing else."""

import json
import pathlib
import re
import subprocess
import sys

import pytest
from pictures import colourless, unsaid

pytest.importorskip("numpy")

from evaluation_results import COUNTS, constant, hooks, latency, record, write_all, write_kernels, write_result, write_static

from lsmlab.publish.documents import report
from lsmpmon_report.evaluation import page, table3
from lsmpmon_report.evaluation.blocks import EMPTY
from lsmpmon_report.evaluation.records import in_syscall
from lsmpmon_report.evaluation.results import load_results
from lsmpmon_report.kernelfiles import FormatError

TOP = pathlib.Path(__file__).resolve().parents[3]


def test_the_model_of_lids_is_over_capability_in_its_own_kernel(results, made):
    write_all(results)
    close, read = {"close": [7]}, {"read": [3], "write": [3]}
    write_result(results, "modules", "6.12-capability", constant(1100) | close | read)
    write_result(results, "modules", "6.12-selinux-enforcing", constant(1210) | close | read)
    for module, ticks in (("capability", 1000), ("lids", 1250)):
        write_result(results, "lids", f"6.12-{module}-latency", constant(ticks), cell={"flavour": "lids"})
    boot = {"work-1": record({"result": hooks(inode_permission=77)}, "*", 1000)}
    cell = {"runner": "uml", "accel": "none", "lsm": "lids", "flavour": "lids"}
    write_result(results, "lids", "6.12-lids-1", records=boot, cell=cell, state={"processor": "P"})
    shown = made()
    page = shown.pages["paper-2010"].replace("\u00a0", " ")
    assert "LIDS (model)" in page and "| stat | 1,100 | 1,210 (+10 %) | 1,250 (+25 % of 1,000) | *1.79*" in page
    assert any(row[0] == "stat" and "+25\u00a0%" in row for row in shown.table("files-kernels-lids")["rows"])
    assert re.search(r"^\| inode_permission \|.* 38", page, re.M), "77 cycles at 2 GHz"


def test_a_known_difference_comes_out(shown):
    assert shown.ratios("framework")["stat", "capability"]["change"] == pytest.approx(0.1)
    one = shown.ratios("state-enforcing")["open", "SELinux"]
    assert one["change"] == pytest.approx(1.0)
    assert (one["file"], one["base_file"]) == ("modules/6.12-selinux-enforcing.json", "modules/6.12-capability.json")
    assert (one["unit"], one["runner"], one["accel"], one["exact"]) == ("instructions", "qemu", "icount", True)


def compared(summary):
    """Yield (cell, difference, row) of each cell of a table whose columns are comparisons."""
    for shown in summary["pages"].values():
        for ident, table in shown["tables"].items():
            ratios = {(each["row"], each["column"]): each for each in summary["tables"].get(ident, {}).get("ratios", ())}
            for name, *cells in table["rows"]:
                for title, cell in zip(table["header"][1:], cells, strict=True):
                    if (name, title) in ratios:
                        yield cell, ratios[name, title]


def test_each_cell_of_a_comparison_is_its_difference_in_the_summary(shown):
    cells = list(compared(shown.summary))
    assert len(cells) > 100
    for cell, ratio in cells:
        difference = round(ratio["value"] - ratio["base"])
        wanted = "0" if not difference else f"{difference:+,d} ({100 * ratio['change']:+.1f}\u00a0%)".replace("-", "−")
        assert cell == ("within its spread" if ratio["within_spread"] else wanted)


# In sentences and in no table: limits and sizes, figures of the papers, and two that are computed from cells.
ONLY_SAID = {"512 bytes", "512 instructions", "95 %", "12.5 %", "60 ns", "1.40 µs", "1.18 µs", "16 %", "99 %", "60 %", "36 %", "61 %",
             "9,000 instructions", "1.36 µs", "0.04 µs", "0.09 µs", "20.7 µs", "43.0 µs"}


def known(summary):
    """Return all numbers of cells, and of differences as they may be rounded."""
    pages = summary["pages"].values()
    cells = [cell for each in pages for table in each["tables"].values() for row in table["rows"] for cell in row]
    yield from report.numbers(" ".join(cells))
    for table in summary["tables"].values():
        for each in table["ratios"]:
            for number in (each["base"], each["value"], each["value"] - each["base"]):
                yield f"{number:,.0f}".replace("-", "−")
            yield from (f"{100 * each['change']:.{digits}f}".replace("-", "−") for digits in (0, 1))


def test_each_number_of_a_sentence_is_in_a_table_or_a_difference(shown):
    summary = shown.summary
    said = report.measured("\n".join(text for each in summary["pages"].values() for text in each["sentences"]))
    numbers = {number.lstrip("+") for number in known(summary)}
    assert len(said) > 20
    assert [word for word in said if word not in ONLY_SAID and report.numbers(word)[0].lstrip("+") not in numbers] == []


def test_each_number_of_the_pages_is_in_the_summary(results, made):
    write_all(results)
    folder = made().folder
    assert report.complaints(folder) == []
    path = folder / "modules.md"
    path.write_text(path.read_text().replace("| open | 1,000 |", "| open | 1,007 |") + "\nIt takes 77 ns more.\n")
    found = report.complaints(folder)
    assert found[-1].startswith("modules.md: '77 ns' ") and len(found) > 1 and all("1,007" in line for line in found[:-1])


def test_an_exact_difference_has_no_test_and_no_interval(shown):
    assert not {"p", "p_holm", "low", "high", "noise"} & set(shown.ratios("state-enforcing")["open", "SELinux"])
    assert ["SELinux + TOMOYO", "+20.0\u00a0%", "+20.0\u00a0%", "+20.0\u00a0%", "open, +220 (+20.0\u00a0%)"] in shown.rows
    assert not re.search(r"Mann|Holm|Cliff|noise", shown.text)


def test_states_are_steps_that_add_up(shown):
    """No LSM is 1,000, the framework adds 100, no policy 30, permissive 80, enforcing 0, or 990 on open."""
    rows = [row for row in shown.rows if row[:2] == ["open", "1,000"]]
    assert ["open", "1,000", "+100", "+30", "+80", "+990", "+1,200", "+120.0\u00a0%"] in rows


def test_a_state_is_over_the_kernel_that_it_is_measured_on(results, made):
    """A flavour other than capability's needs capability on that flavour."""
    write_all(results)
    write_result(results, "modules", "6.12-selinux-dispatch", constant(2015), cell={"flavour": "other"})
    assert "state-dispatch" not in made().summary["tables"]
    write_result(results, "modules", "6.12-capability-other", constant(2000), cell={"flavour": "other"})
    rows = [row for row in made().rows if row[:2] == ["open", "1,000"]]
    assert ["open", "1,000", "+100", "+15", "+15", "+80", "+990", "+1,200", "+120.0\u00a0%"] in rows


def test_atomic_operations_are_over_capability_in_the_same_kernel(results, made):
    write_all(results)
    for name, number in (("capability-btf", 6), ("bpf", 8)):
        opened = {"instructions": 9, "atomics": number, "functions": {"lockref_get": number}}
        write_result(results, "atomics", f"6.12-{name}", atomics={"open": opened}, cell={"flavour": "btf"})
    shown = made()
    assert ["open", "4", "+3", "+2"] in shown.rows
    [data] = shown.data("atomics.atomics_are")
    assert {"module": "bpf", "functions": {"lockref_get": 2}} in data["added"] and not data["barriers"]


def test_a_policy_that_costs_the_same_is_said_and_not_drawn(results, made):
    write_all(results)
    for state, value in (("permissive", 1210), ("enforcing", 2200)):
        write_result(results, "modules", f"6.12-selinux-debian-{state}", constant(1210, open=value))
    shown = made()
    assert shown.data("states.same") == [{"policy": "selinux-debian", "other": "selinux"}]
    assert "states-selinux-debian.svg" not in shown.pages["modules"]
    write_result(results, "modules", "6.12-selinux-debian-enforcing", constant(1211, open=2200))
    shown = made()
    assert shown.data("states.same") == [] and "states-selinux-debian.svg" in shown.pages["modules"]


def test_the_first_page_has_four_questions_with_a_picture_each(shown):
    first = shown.pages["README"]
    parts = first.split("\n## ")[1:]
    assert [part.partition("\n")[0][-1] for part in parts[:4]] == ["?"] * 4
    assert all(re.search(r"!\[.+\]\((\w|-)+\.svg\)", part) for part in parts[:4])
    assert "| SELinux | +10.0\u00a0% | open, +1,100 (+100.0\u00a0%) |" in first
    [of_files], [of_work] = (shown.data(f"{part}.most_expensive_hook", "README") for part in ("paper2010", "work"))
    assert (of_files["hook"], of_files["module"], of_work["hook"], of_work["work"]) == ("file_open", "tomoyo", "file_open", "git status")


def test_what_changed_is_a_difference_of_differences(shown):
    """LSM with SELinux costs 300 on 6.1 (900 to 1,200), and 250 on 6.12 (950 to 1,200)."""
    found = {tuple(row[:4]) for row in shown.rows}
    assert ("stat", "+300 (+33\u00a0% of 900)", "+250 (+26\u00a0% of 950)", "−50") in found


def test_callbacks_are_only_those_that_the_module_has(results, made):
    write_all(results)
    for kver, records in (
        ("7.2", {"stat": record(COUNTS)}),
        (
            "6.12",
            {
                "stat": record(
                    COUNTS | {
                        "modules": (
                            "module hook min max ave count cs_count sum\nselinux inode_permission 20 20 20 10 0 200\n"
                        )
                    }
                )
            },
        ),
    ):
        write_result(results, "kernels", f"{kver}-selinux-exact", records=records)
        write_result(results, "kernels", f"{kver}-dac-latency", constant(1000), cell={"flavour": "dac"})
        write_result(results, "kernels", f"{kver}-selinux-latency", constant(1300))
    shown = made()
    assert ["SELinux", "inode_permission", "20.0", "30.0", "+50\u00a0%"] in shown.rows


def test_every_link_and_picture_is_there(shown):
    targets = set(re.findall(r"\]\(([^)]+)\)", shown.text))
    assert {"modules.md", "costs.svg", "states-selinux.svg"} <= targets
    for target in targets:
        assert (shown.folder / target).is_file(), target
    assert {path.name for path in shown.folder.glob("*.svg")} <= targets


def test_pictures_are_well_formed_and_need_nothing_else(shown):
    for path in shown.folder.glob("*.svg"):
        text = path.read_text()
        assert colourless(text) == unsaid(text) == [], path.name
        assert "href" not in text and "url(" not in text and text.count("http") == 1
        assert "prefers-color-scheme: dark" in text


def test_tables_are_of_at_most_ten_columns(shown):
    assert max(map(len, shown.rows)) <= 10
    lines = shown.text.splitlines()
    heads = [pair for pair in zip(lines, lines[1:]) if pair[1].startswith("| --- |")]
    assert heads and all(head.count("|") == marks.count("|") for head, marks in heads)


def test_files_of_an_earlier_report_are_removed(results, made):
    write_all(results)
    out = made().folder
    (out / "gone.md").write_text("")
    (out / "gone.svg").write_text("")
    made()
    assert not (out / "gone.md").exists() and not (out / "gone.svg").exists()


def test_each_table_says_runner_accelerator_unit_and_flavour(shown):
    qemu = {"runner": "qemu", "accelerator": "icount", "unit": "instructions", "filesystem": "tmpfs"}
    uml = {"runner": "uml", "accelerator": "none", "unit": "cycles", "filesystem": "tmpfs"}
    captions = [(each["settings"], each["flavours"]["data"]["names"]) for each in shown.data("cells.where")]
    assert ([qemu], ["lsm"]) in captions and any(settings == [uml] for settings, _ in captions)
    bases = [(each["cells"], each["flavours"]["data"]["names"]) for each in shown.data("cells.base")]
    assert (["modules/6.12-capability"], ["lsm"]) in bases


def test_a_denial_by_the_first_of_a_stack_is_beside_one_by_the_second(shown):
    assert ["Landlock", "1,200", "1,040", EMPTY] in shown.rows
    assert ["Landlock + TOMOYO", "9,200", "1,040", "10,100"] in shown.rows
    assert ["TOMOYO + Landlock", "9,200", "10,000", "10,040"] in shown.rows
    [data] = shown.data("denials.denials_are")
    assert data["most"] == {"denies": "landlock", "other": "tomoyo", "before": 1040, "after": 10040}


def test_atomic_operations_that_a_module_adds_are_named(shown):
    assert ["open", "4", "+3"] in shown.rows
    [data] = shown.data("atomics.atomics_are")
    assert data["added"] == [{"module": "apparmor", "functions": {"_raw_spin_lock": 1, "aa_get_buffer": 2}}]


def test_the_files_of_work_are_named(results, made):
    """Results of before the files had a version are of other ones."""
    write_all(results)
    assert made().data("work.input") == [{"named": None}]
    path = results / "native/work.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"input": "work-1"}))
    assert made().data("work.input") == [{"named": "work-1"}]


def test_the_share_of_work_is_calls_times_times(shown):
    """There are 1,000 calls of 50 ns in 5 ms."""
    assert shown.table("work-share")["header"][2:] == ["with capability", "with SELinux"]
    assert ["git status", "5.0", "10 (0.2)", "50 (1)"] in shown.rows
    assert ["work", "SELinux"] in shown.rows and ["git status", "+40 (+0.8)"] in shown.rows, "over capability"
    most = {"work": "git status", "kernel": "with SELinux", "ratio": pytest.approx(0.01)}
    assert shown.data("work.most", "README") == shown.data("work.most", "work") == [most]
    [data] = shown.data("work.said")
    assert data["added"] == {"selinux": pytest.approx(0.8)} and data["runs"] == [3]
    assert data["disturbed"] == {"median": pytest.approx(0.3), "most": pytest.approx(0.5)}
    assert shown.data("work.not_done") == [{"work": "shell", "modules": ["capability", "selinux"], "why": "there is no sed here"}]
    assert [data["numbers"] for data in shown.data("work.where")] and all(data["numbers"] == [3] for data in shown.data("work.where"))
    assert ["git status", "9.0", "2.0", "4.0", "3"] in shown.rows
    assert "7.0-host" not in shown.pages["README"]


def test_each_sub_benchmark_of_files_is_in_one_group(results, made):
    names = ["stat", "stat/depth-8", "open/symlink", "symlink", "read/4k", "mkdir/many", "openat/fcntl", "net/socket"]
    found = page.variations.grouped(names)
    assert sorted(name for group in found.values() for name in group) == sorted(names[:-1]), "each once, and no socket"
    assert found["Without variation"] == ["stat", "symlink"]
    write_all(results)
    for name, ticks in (("dac", 1000), ("capability", 1100), ("selinux-enforcing", 1210)):
        cell = {"flavour": name} if name == "dac" else {}
        write_result(results, "modules", f"6.12-{name}", constant(ticks) | {"stat/depth-8": [ticks] * 5}, cell=cell)
    rows = [[cell.replace("\u00a0", " ") for cell in row] for row in made().rows]
    assert ["stat/depth-8", "+100 (+10.0 %)", "+110 (+10.0 %)"] in rows


def test_one_hook_says_how_cold_the_times_of_works_are(results, made):
    """The same inode_getattr takes 50 ns in git status and 200 ns in a shell: 140 and 440 ticks of 2 GHz, 40 the clock's."""
    write_all(results)
    for path in [*results.glob("work/*"), *results.glob("native/*")]:
        data = json.loads(path.read_text().replace("file_open", "inode_getattr"))
        data["not_done"] = {}
        for name, value in list(data["records"].items()):
            slower = json.loads(re.sub(r" 10 0 (\d+) 1 5000", lambda row: f" 10 0 {int(row[1]) + 2700} 1 5000", json.dumps(value)))
            data["records"][name.replace("status", "shell")] = slower if "status-none" in name else value
            data["records"][name] = value
        data["native"] = {**data["native"], "shell": data["native"]["status"]} if data.get("native") else None
        path.write_text(json.dumps(data))
    [cold] = made().data("work.cold")
    assert (cold["hook"], cold["module"], cold["least"], cold["most"]) == ("inode_getattr", "selinux", 50, 200)


def test_tails_are_quantiles_of_the_histogram(shown):
    """A million has 999,000 of 100 ticks by own time, 900 of 300, 100 of 5,000. Of the first, three were switched out."""
    assert ["SELinux", "1,000,000", "100", "100", "100", "300", "4,000", "8,500", "7", "3"] in shown.rows
    assert ["SELinux", "1,000,000", "50", "50", "50", "150", "2,000", "4,200", "7", "3"] in shown.rows, "ns at 2 GHz"
    [data] = shown.data("tails.furthest")
    assert (data["policy"], data["hook"], data["bench"]) == ("selinux", "inode_permission", "open")
    assert (data["tail"]["quantiles"][0], data["tail"]["quiet"]) == (100, 4000)


def test_the_longest_call_of_several_boots_is_one_of_them(results, made):
    """4,000 and 10,000 ticks in two boots: no call took their mean."""
    write_all(results)
    path = results / "tails/6.12-selinux-1.json"
    path.with_name("6.12-selinux-2.json").write_text(path.read_text().replace("4000", "10000").replace("8500", "12000"))
    [row] = [row for row in made().table("tails-time-inode_permission")["rows"] if row[0] == "SELinux"]
    assert row[1:] == ["1,000,000", "50", "50", "50", "150", "5,000", "6,000", "7", "3"]


def test_integrity_on_ext4_is_over_the_same_without_it(shown):
    assert shown.ratios("ext4-selinux-more")["chmod", "IMA"]["change"] == pytest.approx(0.5)
    assert shown.ratios("ext4-capability-more")["chmod", "IMA"]["change"] == pytest.approx(1.0)
    assert shown.ratios("ext4-selinux-more")["chmod", "IMA"]["base_file"] == "ext4/6.12-selinux.json"
    assert ["read, 4k", "4,096", "2,048", "1,365"] in shown.rows


def test_what_was_published_over_no_lsm_has_that_base(results, made):
    """135 % on chmod is of SELinux with audit, IMA and EVM, over a kernel without LSM on ext4; Table 1's SELinux has audit on."""
    write_all(results)
    column = "SELinux, audit, IMA and EVM over no LSM"
    assert column not in made().table("table-3")["header"]
    for name, value in (("dac", 1000), ("selinux.ima.evm-audit", 2350)):
        write_result(results, "ext4", f"6.12-{name}", constant(value), state={"filesystem": "ext4"})
    write_result(results, "modules", "6.12-selinux-bare-audit", constant(1300))
    shown = made()
    table = shown.table("table-3")
    [chmod] = [row for row in table["rows"] if row[0] == "chmod"]
    assert chmod[table["header"].index(column)].replace("\u00a0", " ") == "+135.0 %"
    assert shown.ratios("published-2021")["open", "SELinux, no policy, audit=1"]["change"] == pytest.approx(0.3)
    assert "SELinux, no policy, audit=1" in shown.table("table-1")["header"]


def test_a_cold_start_of_the_cache(results, made):
    write_all(results)
    cold = {"kept": latency({"stat": [4000] * 9}), "flushed": latency({"stat": [174000] * 9})}
    write_result(results, "modules", "6.12-selinux-debian-cold", cold=cold)
    assert ["stat", "4,000", "174,000", "+170,000 (44 times)"] in made().rows


def test_the_walk_has_the_five_configurations_of_2008(shown):
    rows = shown.rows
    assert ["SELinux, after", "*1.1973*", "*+8.4\u00a0%*", "33", "+200.0\u00a0%"] in rows
    assert ["LSM off, before", "*1.1264*", "*0\u00a0%*", "10", "0\u00a0%"] in rows
    assert ["SELinux", "11", "+10.0\u00a0%"] in rows, "of one kernel"


def test_two_orders_of_one_list_tell_what_the_list_costs(results, made):
    write_all(results)
    cells = ["6.12-tomoyo-first-enforcing", "6.12-tomoyo-last-enforcing"]
    assert made().data("openit.no_orders") == [{"cells": cells}]
    for policy, opened, walk in (("first", 1300, 12), ("last", 2600, 31)):
        write_result(results, "modules", f"6.12-tomoyo-{policy}-enforcing", constant(1200, open=opened))
        write_result(results, "openit", f"6.12-tomoyo-{policy}", openit=latency({"openit": [walk] * 9}))
    shown = made()
    assert ["open", "+200 (+18.2\u00a0%)", "+1,500 (+136.4\u00a0%)", "+1,300 (+100.0\u00a0%)"] in shown.rows
    [data] = shown.data("openit.orders_are")
    assert data["worst"] == {"call": "open", "base": 1300, "value": 2600, "difference": 1300, "change": 1}
    assert data["walk"] == {"difference": 19, "first": pytest.approx(0.2), "last": pytest.approx(2.1)}


def test_stacks_without_policies_are_apart(shown):
    assert {key[1] for key in shown.ratios("stacks")} == {"SELinux + TOMOYO", "TOMOYO + SELinux"}
    assert shown.ratios("stacks")["open", "SELinux + TOMOYO"]["value"] == 1320
    assert shown.ratios("stacks-bare")["open", "SELinux + TOMOYO"]["value"] == 1111


def test_what_the_cache_of_access_vectors_saves(results, made):
    write_all(results)
    before = made().summary
    assert "misses" not in before["tables"]
    for policy, value in (("debian", 1500), ("misses", 301500)):
        write_result(results, "modules", f"6.12-selinux-{policy}-enforcing", constant(value))
    shown = made()
    assert shown.ratios("misses")["open", "cache_threshold 0"]["change"] == pytest.approx(200)
    not_run = [summary["pages"]["modules"]["not_run"].count("modules") for summary in (before, shown.summary)]
    assert not_run[0] == not_run[1] + 1


def test_figures_for_other_documents_are_of_a_whole_run(results, made):
    write_all(results)
    out = made().folder
    assert json.loads((out / "evaluation.json").read_text()) == {"operations": 14, "median": {"SELinux": 10.0}}
    assert (out / "evaluation.txt").read_text() == "SELinux +10.0 %\n"
    for path in (results / "openit").iterdir():
        path.unlink()
    made()
    assert not (out / "evaluation.json").exists()


@pytest.mark.parametrize(
    "part", ["distributions", "stacking", "denials", "atomics", "integrity", "growth", "rules", "kernels", "mitigations", "openit", "work", "tails", "calls", "ext4", "static"]
)
def test_a_part_that_was_not_run_is_named(results, made, part):
    write_result(results, "modules", "6.12-dac", constant(1000))
    write_result(results, "modules", "6.12-capability", constant(1100))
    shown = made()
    pages = [name for name, page in shown.summary["pages"].items() if part in page["not_run"]]
    assert pages and all(f"part `{part}`" in shown.pages[name] for name in pages)
    assert any(row[0] == part and row[-1] == "not run" for row in shown.rows)


def test_a_policy_of_real_size_is_beside_that_of_the_benchmark(results, made):
    write_all(results)
    write_result(results, "modules", "6.12-selinux-debian-enforcing", constant(1320))
    rules = made().pages["rules"].replace("\u00a0", " ")
    assert "| SELinux | +10.0 % |" in rules and "| SELinux, Debian's policy | +20.0 % |" in rules
    assert "modules/6.12-apparmor-debian-enforcing" in rules


def test_a_cell_that_was_not_run_is_named(shown):
    assert "modules/6.12-apparmor-enforcing" in shown.text


@pytest.mark.parametrize(
    "write",
    [
        lambda d: write_static(d, "6.12"),
        write_kernels,
        lambda d: write_result(d, "quick", "6.12-capability", constant(9)),
    ],
)
def test_one_part_alone_makes_pages(results, made, write):
    write(results)
    assert len(made().pages) == 15


def test_a_tree_of_ones_own_is_answered_for(results, made):
    """Nothing else is said where nothing else was run."""
    for name, value, lsm in (("dac", 1000, ""), ("capability", 1010, "capability"), ("stack", 1200, "capability,yama")):
        others = {"mkdir": 1900} if name == "stack" else {}
        write_result(results, "yours", name, constant(value, **others), cell={"kver": "6.1"}, state={"lsm": lsm})
    records = {"stat": record(COUNTS)}
    write_result(results, "yours", "stack-hooks", records=records, cell={"kver": "6.1", "flavour": "patched"})
    shown = made()
    costs = {data["boot"]: data for data in shown.data("yours.costs", "README")}
    assert set(costs) == {"capability (capability)", "stack (capability,yama)"}
    assert {data["base"] for data in costs.values()} == {"dac (no LSM)"}
    assert [data["median"] for data in costs.values()] == pytest.approx([0.01, 0.2])
    assert [data["worst"]["change"] for data in costs.values()] == pytest.approx([0.01, 0.9])
    assert costs["stack (capability,yama)"]["worst"]["call"] == "mkdir"
    assert shown.data("yours.most", "README") == [{"hook": "inode_getattr", "calls": 128, "average": 60, "unit": "instructions"}]
    assert set(shown.pages) == {"README", "method", "yours"}


def test_the_architecture_of_guests_is_named(results, made):
    for name, value in (("6.12-dac", 1000), ("6.12-capability", 1100)):
        write_result(results, "quick", name, constant(value), state={"arch": "arm64"})
    shown = made()
    assert [data["arches"] for data in shown.data("answers.about")] == [["arm64"]] and "qemu, arm64" in shown.text
    assert "ERMS" not in shown.text


def test_a_quick_run_stands_in_and_says_so(results, made):
    write_result(results, "quick", "6.12-dac", constant(1000))
    write_result(results, "quick", "6.12-capability", constant(1100))
    shown = made()
    assert [data["quick"] for data in shown.data("answers.about")] == [True] and "A quick run" in shown.text
    assert shown.ratios("framework")["stat", "capability"]["change"] == pytest.approx(0.1)


def test_other_machines_are_never_compared(results, made):
    write_result(results, "modules", "6.12-dac", constant(1000))
    write_result(results, "modules", "6.12-capability", constant(1100), cell={"accel": "kvm"}, state={"processor": "P"})
    shown = made()
    assert "framework" not in shown.summary["tables"]
    assert {"cell": "modules/6.12-capability", "base": "modules/6.12-dac"} in shown.data("cells.apart")


def test_a_row_with_two_places_is_named(results, made):
    write_result(results, "modules", "6.12-dac", constant(1000) | {"read": [100, 100, 100, 150, 150, 150]})
    assert ["read", "100", "150", "50.0\u00a0%", "modules/6.12-dac"] in made().rows


def test_shares_and_observed_hooks(results, made):
    cell = {"flavour": "patched", "lsm": "selinux"}
    write_result(results, "modules", "6.12-selinux-enforcing-hooks", records={"stat": record(COUNTS)}, cell=cell)
    rows = made().rows
    assert ["stat", "50.0\u00a0%"] in rows
    assert ["stat", "inode_getattr", "2", "*d*", "*1/1/1/1*"] in rows
    assert ["sendfile", "file_permission", "–", "*2*", "*2/2/0/0*"] in rows, "nothing calls it here"
    executed = next(row for row in rows if row[0] == "stat" and "inode_permission 50\u00a0%" in row)
    assert executed[1:3] == ["4", "100\u00a0%"]


def test_the_write_that_stops_the_monitor_is_not_one_of_the_benchmark(results, made):
    head, hook = "syscall hook min max ave count cs_count sum\n", "file_permission 9 9 9"
    wrote = {
        "syscalls": f"{head}write {hook} 65 0 585\n",
        "calls": "syscall count sum hook_count hook_sum cs_count\nwrite 64 6400 64 576 1\n",
        "hooks": "hook modules\nfile_permission selinux\n",
    }
    copied = wrote | {
        "syscalls": f"{wrote['syscalls']}read {hook} 64 0 576\n",
        "calls": f"{wrote['calls']}read 64 6400 64 576 0\n",
    }
    records = {"write/4k": record(wrote), "copy/4k": record(copied)}
    cell = {"flavour": "patched", "lsm": "selinux"}
    write_result(results, "modules", "6.12-selinux-enforcing-hooks", records=records, cell=cell)
    assert ["write", "file_permission", "1", "*1*", "*1/1/0/0*"] in made().rows
    [result] = load_results(results).part("modules").values()
    assert in_syscall(result, "copy/4k") == {"file_permission": 2}


def test_a_round_of_2021_is_the_sum_of_its_calls(results, made):
    """read opens and closes its file: what IMA and EVM do there is not in the timed call."""
    write_all(results)
    opened = {"close": [500] * 5}
    write_result(results, "modules", "6.12-dac", constant(1000) | opened, cell={"flavour": "dac"}, state={"lsm": ""})
    write_result(results, "modules", "6.12-capability", constant(1000, open=2000) | opened)
    unsure = {"mkdir": [1000, 1000, 1100, 2000, 2000]}
    for name, value, mkdir in (("selinux", 1000, {}), ("selinux.ima.evm", 3000, unsure)):
        found = constant(1000, open=value) | opened | mkdir
        write_result(results, "ext4", f"6.12-{name}", found, state={"filesystem": "ext4"})
    shown = made()
    drawn = (shown.folder / "ext4-integrity.svg").read_text()
    assert "IMA + EVM, creat" in drawn and "IMA + EVM, mkdir" not in drawn, "what is within its spread is not drawn"
    rows = [[cell.replace("\u00a0", " ") for cell in row] for row in shown.rows]
    assert ["read", "*open, read, close*", "lseek [read]", "2,500", "+40.0 %", "0 %", "+80.0 %", "*over 50 %*"] in rows
    within = ["within its spread"] * 2
    assert ["mkdir", "*mkdir*", "[mkdir] rmdir", "1,000", "0 %", *within, "*over 50 %*"] in rows, "as on the other pages"
    assert ["open", "*1.5 µs (7.5 %)*", "*2.2 µs (87 %)*", "1,000", "2,000 (+100.0 %)", "1,130 (+13.0 %)"] in rows
    assert ["all", "0 % to +100.0 %", "+13.0 %", "*within 15 %*"] in rows


def test_figures_of_2010_that_stand_by_themselves(shown):
    assert ["read/write", "*0.58*", "*1.49 (157 %)*", "*0.58 (−1 %)*", "*0.58 (−1 %)*"] in shown.rows
    assert "inode_create    97  67103  105  2725605         0" in shown.pages["paper-2010"]


def test_what_is_timed_here_is_what_the_benchmark_says():
    sources = "".join(path.read_text() for path in (TOP / "userspace/lmbench-hook").glob("*.c"))
    calls = dict(re.findall(r'\.name = "([\w/]+)",\s*\.calls = "([^"]+)"', sources))
    known = {row: calls[row] for row in table3.TIMED if row in calls and row not in ("read", "write")}
    assert len(known) >= 8 and known == {row: table3.TIMED[row] for row in known}


def test_a_call_with_a_context_switch_is_a_call(results, made):
    """One of 64, in which SELinux was asked twice as well."""
    calls = COUNTS["calls"].replace("stat 64 28160 256 14080 0", "stat 63 28160 256 14080 1")
    write_result(results, "modules", "6.12-selinux-enforcing-hooks", records={"stat": record(COUNTS | {"calls": calls})},
                 cell={"flavour": "patched", "lsm": "selinux"})
    assert ["inode_permission", "2"] in [row[1:3] for row in made().rows if row[0] == "stat"]


def test_a_check_of_a_module_that_does_not_implement_it_is_not_there(results, made):
    """SELinux implements both hooks here, AppArmor one."""
    cell = {"flavour": "patched", "lsm": "apparmor"}
    write_result(results, "modules", "6.12-apparmor-enforcing-hooks", records={"stat": record(COUNTS)}, cell=cell)
    rows = {row[1]: row for row in made().rows if row[0] == "stat" and row[1].startswith("inode_")}
    assert rows["inode_getattr"][2] == "2" and rows["inode_permission"][2] == "0"


def write_boots(results, kver, ticks, number, layouts=True):
    for boot in range(1, number + 1):
        files = {
            "result": hooks(inode_create=ticks + boot, path_truncate=2 * ticks),
            "hooks": "hook modules\ninode_create selinux\n",
        }
        write_result(
            results,
            "kernels",
            f"{kver}-selinux-{boot}",
            records={"work-1": record(files, "*", 1000)},
            cell={"runner": "uml", "accel": "none", "lsm": "selinux", "layout": boot if layouts else 0},
            state={"processor": "P"},
        )


def test_intervals_are_over_boots_and_need_ten(results, made):
    write_boots(results, "6.12", 400, 9, layouts=False)
    shown = made()
    [averaged] = {tuple(data.items()) for data in shown.data("boots.averaged")}
    assert dict(averaged) == {"fewest": 9, "most": 9, "needed": 10, "level": 0.95, "digits": 2, "each": 0}
    assert "not implemented" in shown.text and not re.search(r"inode_create \| [\d.]+ \(", shown.text)
    write_boots(results, "6.12", 400, 10, layouts=False)
    shown = made()
    assert {data["fewest"] for data in shown.data("boots.averaged")} == {10}
    assert re.search(r"inode_create \| 203 \(20\d to 20\d\)", shown.text)


def test_a_change_is_said_only_of_hooks_that_the_module_implements(results, made):
    """path_truncate, which SELinux does not implement, doubles as well."""
    write_boots(results, "6.1", 400, 10)
    write_boots(results, "6.12", 800, 10)
    shown = made()
    [data] = shown.data("paper2010.changed")
    assert (data["module"], data["first"], data["last"], data["sure"], data["common"]) == ("selinux", "6.1", "6.12", 1, 1)
    assert data["most"]["hook"] == "inode_create" and data["most"]["change"]["median"] == pytest.approx(0.99, abs=0.005)


def test_no_change_is_said_of_one_image_of_each_kernel(results, made):
    write_boots(results, "6.1", 400, 10, layouts=False)
    write_boots(results, "6.12", 800, 10)
    shown = made()
    assert shown.data("paper2010.changed") == []
    assert shown.data("paper2010.not_varied") == [{"module": "selinux", "first": "6.1", "last": "6.12"}]


def test_boots_of_the_real_processor_are_ns(results, made):
    write_kernels(results)
    rows = [row for row in made().rows if row[0] == "inode_create"]
    assert any(row[1].startswith("100") for row in rows), rows


def test_time_in_hooks_is_counts_times_cycles(results, made):
    """A call takes 2 x (50 - 40) + 2 x (60 - 40) ticks of 2 GHz."""
    cell = {"flavour": "patched", "lsm": "selinux"}
    write_result(results, "modules", "6.12-selinux-enforcing-hooks", records={"stat": record(COUNTS)}, cell=cell)
    files = {"result": hooks(inode_permission=50, inode_getattr=60)}
    write_result(
        results,
        "kernels",
        "6.12-selinux-1",
        records={"work-1": record(files, "*", 1000), "times-1/stat": record({"syscalls": COUNTS["syscalls"]}, "stat", 200)},
        cell={"runner": "uml", "accel": "none", "lsm": "selinux"},
        state={"processor": "P"},
    )
    assert ["stat", "30"] in made().rows


def test_hooks_of_source(results, made):
    write_static(results, "6.12")
    rows = made().rows
    assert ["SELinux", "4", "*204*"] in rows
    assert any(row[0] == "inode" and row[2] == "3 (*31*)" and row[1] == f"{EMPTY} (*3*)" for row in rows)
    path = write_static(results, "6.12")
    found = json.loads(path.read_text())
    found["modules"] |= {name: found["modules"]["selinux"] | {"callbacks": 6} for name in ("integrity", "bpf")}
    path.write_text(json.dumps(found))
    rows = made().rows
    assert ["integrity", "6", "*12*"] in rows, "IMA and EVM, each with its own"
    assert ["BPF LSM", "4", EMPTY] in rows


def test_the_same_results_give_the_same_pages(results, made):
    write_all(results)
    assert made().pages == made().pages


BAD = {
    "empty": "",
    "not JSON": "{",
    "another format": '{"format": "x", "version": 1}',
    "a list": "[]",
    "a newer version": '{"format": "lsmpmon-result", "version": 2}',
    "no cell": '{"format": "lsmpmon-result", "version": 1, "state": {}}',
    "samples are words": (
        '{"format": "lsmpmon-result", "version": 1, "cell": {}, "state": {}, "latency": {"benchmarks": [{"name":'
        ' "stat", "samples": ["a"]}]}}'
    ),
    "a run without files": (
        '{"format": "lsmpmon-result", "version": 1, "cell": {}, "state": {}, "records": {"stat": {"runs": [{}]}}}'
    ),
}


@pytest.mark.parametrize("text", BAD.values(), ids=list(BAD))
def test_a_bad_file_is_named(tmp_path, results, write, text):
    write(results / "modules" / "6.12-broken.json", text)
    with pytest.raises(FormatError, match=r"6.12-broken.json"):
        page.write(results, tmp_path / "out")


def test_a_bad_table_in_a_record_is_named(tmp_path, results):
    write_result(
        results, "modules", "6.12-selinux-enforcing-hooks", records={"stat": record({"result": "what is this\n"})}
    )
    with pytest.raises(FormatError, match=r"6.12-selinux-enforcing-hooks.json: stat/result"):
        page.write(results, tmp_path / "out")


def test_cycles_of_emulation_are_refused(tmp_path, results):
    write_result(results, "modules", "6.12-dac", constant(1000), cell={"accel": "tcg"})
    with pytest.raises(FormatError, match=r"6.12-dac.json: software emulation"):
        page.write(results, tmp_path / "out")


def command(*arguments):
    package = pathlib.Path(__file__).resolve().parents[1]
    return subprocess.run(
        [sys.executable, "-m", "lsmpmon_report", "evaluation", *map(str, arguments)],
        cwd=package,
        capture_output=True,
        text=True,
    )


def test_status_and_messages(tmp_path, results, write):
    done = command(tmp_path, "-o", tmp_path / "out")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"lsmpmon_report: {tmp_path}: ") and done.stderr.count("\n") == 1
    write_all(results)
    done = command(results, "-o", tmp_path / "out")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path}/out/README.md\n", "")
    write(results / "rules" / "bad.json", "{")
    done = command(results, "-o", tmp_path / "out")
    assert done.returncode == 1 and f"{results}/rules/bad.json" in done.stderr


def test_boots_that_cannot_be_are_named_with_their_reason(tmp_path):
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels/6.1-landlock-1.json").write_text(
        json.dumps(
            {
                "format": "lsmpmon-result",
                "version": 1,
                "key": "",
                "left_out": "Linux 6.1 on uml has no landlock",
                "cell": {"part": "kernels", "name": "6.1-landlock-1"},
            }
        )
    )
    found = load_results(tmp_path)
    assert found.cells == [] and [result.ident for result in found.absent] == ["kernels/6.1-landlock-1"]
