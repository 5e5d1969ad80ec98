# SPDX-License-Identifier: GPL-2.0-only
"""Times of hooks in the pages: of what they are, how sure they are, and what they stand beside."""

import pathlib
import re

import pytest

pytest.importorskip("numpy")

from evaluation_results import constant, hooks, record, write_all, write_result

from lsmpmon_report.evaluation.book import FILES
from lsmpmon_report.evaluation.paper2010 import LIDS_HOOKS

REPO = pathlib.Path(__file__).resolve().parents[3]
UML = {"runner": "uml", "accel": "none"}


def table(shown, ident):
    """Return the rows of one table, its head first."""
    text = shown.text.partition(f'<a id="{ident}">')[2].partition("\n\n|")[2].partition("\n\n")[0]
    rows = [line.strip("| ").replace("\u00a0", " ").split(" | ") for line in text.splitlines()]
    return [rows[0], *rows[2:]]


def write_boot(results, name, files, part="kernels", times=(), **cell):
    """Write a boot. `times`: by benchmark, lines of SYSCALL HOOK TICKS, of 200 calls each."""
    records = {"work-1": record(files, "*", 1000)}
    for benchmark, lines in dict(times).items():
        records[f"times-1/{benchmark}"] = record(ticks(*lines), benchmark, 200)
    write_result(results, part, name, records=records, cell=UML | cell, state={"processor": "P"})


def counts(*lines):
    """Return files of a benchmark of 64 rounds, whose lines are SYSCALL HOOK COUNT."""
    rows = [f"{syscall} {hook} 1 1 1 {count} 0 {count}" for syscall, hook, count in map(str.split, lines)]
    return {"syscalls": "\n".join(["syscall hook min max ave count cs_count sum", *rows]) + "\n"}


def ticks(*lines):
    """Return files whose lines are SYSCALL HOOK TICKS, of 200 calls each."""
    rows = [f"{syscall} {hook} 1 1 1 200 0 {200 * int(each)}" for syscall, hook, each in map(str.split, lines)]
    return {"syscalls": "\n".join(["syscall hook min max ave count cs_count sum", *rows]) + "\n"}


def write_counts(results, module, **benchmarks):
    cell = "capability-hooks" if module == "capability" else f"{module}-enforcing-hooks"
    records = {name.replace("_", "/"): record(counts(*lines)) for name, lines in benchmarks.items()}
    write_result(results, "modules", f"6.12-{cell}", records=records, cell={"flavour": "patched", "lsm": module})


def write_times(results, number, **ticks):
    """Write times of one hook: 40 ticks of the clock, so many of its own, and one or two more in some boots. 2 ticks are 1 ns."""
    for module, own in ticks.items():
        write_counts(results, module, stat=["stat inode_getattr 128"], chmod=["chmod inode_getattr 64"])
        for boot in range(1, number + 1):
            each = 40 + own + boot % 3
            times = {call: [f"{call} inode_getattr {each}"] for call in ("stat", "chmod")}
            files = {"result": hooks(inode_getattr=each)}
            write_boot(results, f"6.12-{module}-{boot}", files, times=times, lsm=module, flavour="patched")


def test_the_dispatch_beside_the_published_has_nothing_else_in_it(results, made):
    """The framework is 100 of 1,000. The dispatch is measured on a kernel that takes 900 more, and adds 15 there."""
    write_all(results)
    write_result(results, "modules", "6.12-selinux-dispatch", constant(2015), cell={"flavour": "patched"})
    write_result(results, "modules", "6.12-capability-patched", constant(2000), cell={"flavour": "patched"})
    shown = made()
    rows = table(shown, "published-2021")
    assert rows[0][2:5] == ["SELinux, no policy", "SELinux, permissive", "SELinux, framework and dispatch only"]
    ours = ["+100 (+10.0 %)", "+130 (+13.0 %)", "+210 (+21.0 %)", "+115 (+11.5 %)"]
    assert ["open", *ours, "*7.5 %*", "*87 %*"] in rows
    assert {key[1] for key in shown.ratios("published-2021")} == {"capability", "SELinux, no policy", "SELinux, permissive"}
    [why] = shown.data("states.why")
    assert (why["dispatch"], why["published"]) == (pytest.approx(0.115), 87)


def test_the_list_of_hooks_of_the_model_of_lids_is_that_of_its_source():
    text = "".join(path.read_text() for path in (REPO / "modules/lids").glob("*.c"))
    assert set(re.findall(r"LSM_HOOK_INIT\((\w+),", text)) == LIDS_HOOKS


def test_a_hook_is_not_credited_to_the_model_of_lids_that_does_not_implement_it(results, made):
    """inode_init_security doubles, which is EVM's; inode_permission rises by a half."""
    for kver, other, own in (("6.1", 40, 60), ("6.12", 80, 90)):
        for boot in range(1, 11):
            files = {"result": hooks(inode_init_security=other, inode_permission=own)}
            write_boot(results, f"{kver}-lids-{boot}", files, "lids", lsm="lids", flavour="lids", layout=boot)
    shown = made()
    [data] = shown.data("paper2010.changed")
    assert (data["module"], data["sure"], data["common"], data["most"]["hook"]) == ("lids", 1, 1, "inode_permission")
    assert data["most"]["change"]["median"] == pytest.approx(0.5)
    rows = {row[0]: row for row in table(shown, "hooks-kernels-lids")}
    assert rows["inode_init_security"][1] == "20 (20 to 20), not implemented"
    assert rows["inode_permission"][1] == "30 (30 to 30)"


def test_a_change_is_more_than_other_modules_make_where_they_do_nothing(results, made):
    """inode_getattr is the control: no module here implements it, and it takes 30 ns more with one of them. What
    capability implements is none.
    """
    ticks = {"capability": 40, "selinux": 100, "tomoyo": 40}
    for kver, rise in (("6.1", 0), ("6.12", 50), ("6.13", 70)):
        for module, control in ticks.items():
            for boot in range(1, 11):
                own = "hook modules\ninode_create selinux\ninode_need_killpriv capability\n"
                ticks_of = {"inode_getattr": control, "inode_create": 200 + rise, "inode_need_killpriv": 5 * control}
                files = {"result": hooks(**ticks_of), "hooks": own}
                write_boot(results, f"{kver}-{module}-{boot}", files, lsm=module, flavour="patched", layout=boot)
    [data] = made().data("paper2010.changed")
    unlike = {"ns": 30, "hook": "inode_getattr", "least": "capability", "most": "selinux", "kernel": "6.1"}
    assert (data["module"], data["last"], data["sure"], data["unlike"]["data"]) == ("selinux", "6.13", 1, unlike)
    for path in (results / "kernels").glob("6.13-*"):
        path.unlink()
    [data] = made().data("paper2010.changed")
    assert (data["last"], data["sure"], data["common"], data["unlike"]["data"]) == ("6.12", 0, 1, unlike)


def write_images(results, kver, ticks, control=40):
    """Write boots of SELinux, so many of each image: `ticks` has those of inode_create, by image. inode_getattr has no callback."""
    known, boot = "hook modules\ninode_create selinux\ninode_getattr -\n", 0
    for layout, each in enumerate(ticks, 1):
        for own in each:
            boot += 1
            files = {"result": hooks(inode_create=own, inode_getattr=control), "hooks": known}
            write_boot(results, f"{kver}-selinux-{boot}", files, lsm="selinux", flavour="patched", layout=layout)
    for module in ("dac", "selinux"):
        write_result(results, "kernels", f"{kver}-{module}-latency", constant(1000 if module == "dac" else 1100))


def test_boots_of_an_image_are_averaged_first(results, made):
    """Images of 200, 300 and 400 ticks of 2 GHz, whose boots are as many as there are with 400."""
    write_images(results, "6.12", [[100, 300], [300], [400] * 9])
    [row] = [row for row in table(made(), "hooks-2010") if row[0] == "inode_create"]
    assert row[1] == "150"


def test_an_image_that_deviates_makes_no_change_and_hides_none(results, made):
    """The hook takes 200 ns more on 7.3 in one image of ten; then 20 ns more in all but one, where it takes 50 less. One without
    a callback takes 5 ns more.
    """
    before = [[200 + layout] * 2 for layout in range(10)]
    write_images(results, "6.12", before)
    write_images(results, "7.3", [[600], *before[1:]])
    shown = made()
    [none] = shown.data("kernels.no_time", "README")
    assert (none["images"], none["hooks"], none["floor"]) == (10, 1, "")
    assert [row[-1] for row in table(shown, "kernels-times")[1:]] == ["no"] and "plot-kernels-times" not in shown.text
    write_images(results, "7.3", [[100], *([ticks + 40 for ticks in each] for each in before[1:])], control=50)
    shown = made()
    [held] = shown.data("kernels.time", "README")
    assert held["images"] == 10 and held["timed"]["more"]["median"] == pytest.approx(20, abs=1.5) and held["timed"]["holds"]
    assert [row[-1] for row in table(shown, "kernels-times")[1:]] == ["yes"]
    assert all("plot-kernels-times.svg" in shown.pages[page] for page in ("README", "kernels"))
    [floor] = {data["ns"] for data in shown.data("kernels.floor")}
    assert floor == 5


def test_a_change_that_hooks_without_a_callback_have_as_well_does_not_hold(results, made):
    before = [[200 + layout] for layout in range(10)]
    write_images(results, "6.12", before)
    write_images(results, "7.3", [[ticks + 40 for ticks in each] for each in before], control=100)
    [none] = made().data("kernels.no_time", "README")
    assert none["floor"]["data"] == {"ns": 30, "hook": "inode_getattr", "module": "selinux"}


def test_how_far_boots_are_apart_of_one_image_and_of_two(results, made):
    """The boots of an image take the same; those of two images differ in one of two hooks."""
    for kver in ("6.12", "7.3"):
        write_images(results, kver, [[200, 200], [300, 300], [500, 500]])
    [apart] = made().data("kernels.apart", "kernels")
    assert apart["apart"] == {"one": 0, "two": pytest.approx(0.2)} and apart["half"] is None


def test_where_no_boot_says_what_a_module_implements_nothing_is_credited(results, made):
    for kver, ticks in (("6.1", 40), ("6.12", 80)):
        for boot in range(1, 11):
            write_boot(results, f"{kver}-apparmor-{boot}", {"result": hooks(file_open=ticks)}, lsm="apparmor")
    shown = made()
    [cells] = [row[1:] for row in table(shown, "hooks-kernels-apparmor") if row[0] == "file_open"]
    assert shown.data("paper2010.changed") == []
    assert len(cells) == 2 and all(re.match(rf"{ns} \({ns} to {ns}\), not known\b", cell) for ns, cell in zip((20, 40), cells))


def test_published_averages_and_sums_are_copied(shown):
    """The paper says that 183,043.630 by 1,370,941 is 0.133, and six averages make 0.942."""
    rows = {row[0]: row for row in table(shown, "detail-close")}
    assert rows["file_free_security"][-2:] == ["*0.133*", "*0.104*"] and rows["inode_delete"][-2:] == ["*0.100*", "*0.058*"]
    by_call = list(rows)[-1]
    assert rows["average sum"][-2:] == ["*0.942*", "*1.206*"] and list(rows)[-2] == "average sum"
    assert rows[by_call][-2:] == ["0.137", "0.113"], "computed here: 187,864 us in 1,370,941 calls of close"
    rows = {row[0]: row for row in table(shown, "detail-creat")}
    assert rows["average sum"][-2:] == ["*38.830*", "*3.655*"] and rows["d_instantiate"][-1] == "*0.035*"
    assert ["cred_free", "–", "–", "*0.138 in 2*", "–"] in table(shown, "detail-creat-sums")


def test_the_most_expensive_hook_is_said_of_the_file_operations_and_of_work(shown):
    """TOMOYO's file_open takes 401 ticks of 2 GHz; SELinux's, in a work, 140 without the clock's 40."""
    [data] = shown.data("paper2010.most_expensive_hook")
    assert (data["hook"], data["module"], data["ns"]["median"]) == ("file_open", "tomoyo", 200.5)
    wanted = {"hook": "file_open", "kernel": "with SELinux", "ns": 50, "work": "git status"}
    assert shown.data("work.most_expensive_hook") == [wanted]


def test_a_copy_is_a_read_and_a_write(results, made):
    both = ["read file_permission 64", "write file_permission 65"]
    write_counts(results, "selinux", read_4k=both[:1], copy_4k=both)
    times = {"read/4k": ["read file_permission 70"], "copy/4k": ["read file_permission 70", "write file_permission 70"]}
    write_boot(results, "6.12-selinux-1", {"result": hooks(file_permission=70)}, times=times, lsm="selinux")
    rows = table(made(), "times")
    assert ["read", "15"] in rows and ["copy", "30"] in rows


def test_a_hook_takes_in_each_call_what_it_takes_there(results, made):
    """file_open: 470 ns in an open and 1,200 in a creat, in each of two records or more; its mean of both is in neither."""
    write_counts(results, "tomoyo", open=["open file_open 64"], creat=["creat file_open 64"])
    times = {"open": ["open file_open 980", "close file_open 9000"], "creat": ["creat file_open 2440"]}
    write_boot(results, "6.12-tomoyo-1", {"result": hooks(file_open=1708)}, times=times, lsm="tomoyo")
    rows = table(made(), "times")
    assert ["open", "470"] in rows and ["creat", "1,200"] in rows


def test_the_median_of_a_calls_records_is_what_its_hook_takes(results, made):
    write_counts(results, "tomoyo", open=["open file_open 64"])
    path = write_result(results, "kernels", "6.12-tomoyo-1", cell=UML | {"lsm": "tomoyo"}, state={"processor": "P"},
                        records={f"times-{n}/open": record(ticks(f"open file_open {each}"), "open", 200)
                                 for n, each in enumerate((980, 99999, 960, 1000, 980), 1)})
    assert path.exists() and ["open", "470"] in table(made(), "times")


def test_a_call_without_times_of_its_own_has_none(results, made):
    """A mean over all calls does not stand in for them, nor one hook of two for both."""
    write_counts(results, "tomoyo", open=["open file_open 64", "open inode_permission 320"], creat=["creat file_open 64"])
    times = {"open": ["open file_open 980"]}
    write_boot(results, "6.12-tomoyo-1", {"result": hooks(file_open=1708, inode_permission=60)}, times=times, lsm="tomoyo")
    shown = made()
    assert [data["main"] for data in shown.data("share.no_times", "modules")] == ["6.12"]
    assert 'id="times"' not in shown.pages["modules"]


def test_the_guest_times_what_the_report_looks_for():
    """Records of one call by itself are named times-N/BENCHMARK, and their command names the benchmark."""
    assert 'keep "times-$repetition/$bench" syscalls' in (REPO / "lab/inside/eval").read_text()


def test_the_first_page_has_no_times_where_calls_were_not_timed(results, made):
    write_all(results)
    shown = made()
    assert table(shown, "modules")[0][-1].startswith("calls that change")
    assert not shown.data("share.first_page", "README") and "not measured" in shown.pages["README"]


def test_the_hooks_of_each_file_operation_are_counted():
    """The guest counts all benchmarks without a / in their names, and these."""
    text = (REPO / "lab/inside/eval").read_text()
    named = re.search(r'^COUNTED_TOO="(.*)"$', text, re.M)[1].split()
    assert {benchmark for benchmark in FILES.values() if "/" in benchmark} <= set(named)


def test_a_call_in_detail_is_of_all_boots(results, made):
    """file_open takes 1,746 ns at 2 GHz in each of 10."""
    write_all(results)
    syscalls = "syscall hook min max ave count cs_count sum\ncreat file_open 1 1 1 100 0 349200\n"
    for boot in range(1, 11):
        records = {"by-syscall": record({"syscalls": syscalls}, "*", 200)}
        write_result(results, "kernels", f"6.12-tomoyo-{boot}", records=records, cell=UML | {"lsm": "tomoyo"},
                     state={"processor": "P"})
    shown = made()
    assert (1, 10) in [(each["fewest"], each["most"]) for each in shown.data("boots.averaged", "paper-2010")]
    assert ["file_open", "–", "1.746 (1.746 to 1.746)", "*24.942*", "–"] in table(shown, "detail-creat")
    assert next(r for r in table(shown, "detail-creat-sums") if r[0] == "file_open")[:3] == ["file_open", "–", "1,700 in 1,000"]


def test_times_of_ten_boots_have_an_interval(results, made):
    """A stat asks twice: 2 x 30 and 2 x 90 ticks of 2 GHz, and 1 more for each at the median."""
    write_times(results, 10, capability=30, selinux=90)
    shown = made()
    times, over = ({row[0]: row[1:] for row in table(shown, ident)} for ident in ("times", "times-over"))
    assert times["call"] == ["with capability", "with SELinux"] and over["call"] == ["SELinux"]
    assert re.fullmatch(r"31 \(3\d to 3\d\)", times["stat"][0]) and re.fullmatch(r"91 \(9\d to 9\d\)", times["stat"][1])
    assert re.fullmatch(r"\+60 \((\+59|\+60) to (\+60|\+61)\)", over["stat"][0])
    [averaged] = {tuple(data.items()) for data in shown.data("boots.averaged", "modules")}
    assert dict(averaged) == {"fewest": 10, "most": 10, "needed": 10, "level": 0.95, "digits": 2, "each": 0}


def test_the_first_page_has_times_over_capability(results, made):
    """A chmod asks once, a stat twice, 30 ns more each time: 45 at the median."""
    write_times(results, 9, capability=30, selinux=90)
    write_result(results, "modules", "6.12-capability", constant(1100))
    write_result(results, "modules", "6.12-selinux-enforcing", constant(1210, stat=2200))
    shown = made()
    assert "| SELinux | +10.0 % | stat, +1,100 (+100.0 %) | 14 of 14 | +45 | +60 |" in shown.pages["README"].replace("\u00a0", " ")
    [hooks] = shown.data("share.first_page", "README")
    assert (hooks["averaged"]["data"]["most"], hooks["averaged"]["data"]["needed"]) == (9, 10)


def test_tails_of_few_boots_say_how_many(shown):
    for caption in shown.data("cells.where", "tails"):
        if [each["unit"] for each in caption["settings"]] == ["instructions"]:
            assert caption["what"] == {"passage": "tails.exact_where", "data": {}}, "instructions are exact"
        else:
            assert caption["what"]["data"]["empty"] == 20 and caption["what"]["data"]["averaged"]["data"]["most"] == 1


def test_the_base_of_the_model_of_lids_is_beside_its_increase(results, made):
    write_all(results)
    write_result(results, "modules", "6.12-capability", constant(1100) | {"close": [7], "read": [3], "write": [3]})
    for module, ticks in (("capability", 1000), ("lids", 1250)):
        write_result(results, "lids", f"6.12-{module}-latency", constant(ticks), cell={"flavour": "lids"})
    rows = table(made(), "files-2010")
    place = rows[0].index("LIDS (model)")
    assert {row[0]: row for row in rows}["stat"][place] == "1,250 (+25 % of 1,000)"


def test_modules_that_the_paper_does_not_have_are_apart(results, made):
    write_all(results)
    more = {"close": [7], "read": [3], "write": [3]}
    write_result(results, "modules", "6.12-capability", constant(1100) | more)
    for module in ("selinux", "tomoyo", "landlock", "apparmor"):
        write_result(results, "modules", f"6.12-{module}-enforcing", constant(1210) | more)
        write_boot(results, f"6.12-{module}-1", {"result": hooks(file_open=70)}, lsm=module)
    shown = made()
    assert table(shown, "files-2010")[0][1:4] == ["capability", "SELinux", "TOMOYO"]
    assert table(shown, "files-2010-new")[0] == ["operation", "capability", "Landlock", "AppArmor"]
    assert table(shown, "hooks-2010-new")[0] == ["hook", "capability", "Landlock", "AppArmor"]
    assert max(map(len, shown.rows)) <= 10
