# SPDX-License-Identifier: GPL-2.0-only
"""The first page and those that it rests on: what is said follows from the results, and changes with them."""

import re

import pytest

pytest.importorskip("numpy")

from evaluation_results import constant, hooks, record, write_all, write_result

from lsmpmon_report.evaluation import causes
from lsmpmon_report.evaluation.book import FILES

MODULES = "module hook min max ave count cs_count sum\n"
SYSCALLS = "syscall hook min max ave count cs_count sum\n"
CALLS = "syscall count sum hook_count hook_sum cs_count\n"


def counted(syscall, module, hook, number, ave):
    """Return 64 calls, each with `number` calls of a hook, whose callback takes `ave` with the clock's 40."""
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
    """Let rename check 10 directories, creat one."""
    records = {"rename": counted("rename", "selinux", "inode_permission", 10, ave)}
    records["creat"] = counted("creat", "selinux", "inode_permission", 1, ave)
    write_kernel(results, kver, "selinux", constant(2000, **latency), **records)


def test_a_change_is_split_by_the_callbacks_of_its_own_call(results, made):
    """Rename's -685 has 10 times -65 in it; in creat's +832, the one callback says -65: its rise is elsewhere."""
    write_selinux(results, "6.12", 240)
    write_selinux(results, "7.3", 175, creat=2832, rename=1315)
    shown = made()
    [changed] = shown.data("kernels.changed")
    assert (changed["module"], changed["number"], changed["of"], changed["affected"]) == ("selinux", 2, 14, 0.01)
    calls = {each["call"]: each for each in shown.data("kernels.call")}
    assert calls["creat"]["change"] == 832 and calls["rename"]["change"] == -685
    in_callback = {"own": -65, "hook": "inode_permission", "most": -65}
    assert calls["creat"]["callbacks"] == {"inside": False} | in_callback
    assert calls["rename"]["callbacks"] == {"inside": True, "own": -650, "hook": "inode_permission", "most": -650}
    assert ["SELinux", "creat", "+832", "−65", "+897"] in shown.rows
    assert ["SELinux", "rename", "−685", "−650", "−35"] in shown.rows


def test_a_cause_is_named_only_where_a_case_study_switched_it_off(results, made):
    """SELinux's cache of directories: 7.2 has it, 6.12 has not; it makes calls shorter, never longer."""
    write_selinux(results, "6.12", 240)
    write_selinux(results, "7.3", 175, creat=2832, rename=1315)
    shown = made()
    switched = {each["call"]: each["cause"]["data"] for each in shown.data("kernels.call") if each["cause"]}
    assert switched["rename"]["difference"] == -644
    came = {call: data["came"]["data"] for call, data in switched.items()}
    assert (came["rename"]["study"], came["rename"]["before"], came["rename"]["since"]) == ("directory-cache", "6.12", "7.2")
    assert came["creat"]["study"] == "tmpfs-labels"
    links = re.findall(r"\]\(([^)]+/case-studies/directory-cache\.md)\)", shown.pages["README"])
    assert links and all((shown.folder / link).is_file() for link in links)
    assert causes.proved("selinux", "creat", +832, "6.12", "7.3").study == "tmpfs-labels"
    assert causes.proved("selinux", "creat", -832, "6.12", "7.3").study == "directory-cache"
    for module, row, change, *kernels in (("selinux", "rename", -1, "6.1", "6.12"), ("selinux", "rename", -1, "7.2", "7.3"),
                                          ("selinux", "rename", 1, "6.12", "7.3"), ("apparmor", "rename", -1, "6.12", "7.3"),
                                          ("selinux", "rmdir", -1, "6.12", "7.3")):
        assert not causes.proved(module, row, change, *kernels)


def test_where_callbacks_were_not_counted_none_is_blamed(results, made):
    write_selinux(results, "6.12", 240)
    write_selinux(results, "7.3", 175, rmdir=2500)
    assert {"call": "rmdir", "change": 500, "callbacks": {}, "cause": "", "rest": 0} in made().data("kernels.call")


def test_the_versions_of_a_change_are_those_that_were_looked_at(results, made):
    write_selinux(results, "6.12", 240)
    write_selinux(results, "7.3", 175, rename=1315)
    shown = made()
    assert shown.data("answers.changed", "README") == [{"old": "6.12", "new": "7.3", "images": 0}]
    assert len(re.findall(r"^## .*\b6\.12\b", shown.pages["README"], re.M)) == 1
    assert not re.search(r"[Ss]ince(?: Linux)? (?:6\.1|7\.2)\b|Since 6\.12 IMA", shown.text)


def write_landlock(results, kver, ticks, ave):
    """Write boots of ten images in cycles, and one whose callbacks are counted."""
    exact = {"open": counted("open", "landlock", "file_open", 1, ave)}
    write_kernel(results, kver, "landlock", constant(2000 + ave), **exact)
    for boot in range(1, 11):
        cell = {"runner": "uml", "accel": "none", "lsm": "landlock", "flavour": "patched", "layout": boot}
        files = {"result": hooks(file_open=ticks + boot, inode_create=2 * ticks)}
        records = {"work-1": record(files | {"hooks": "hook modules\nfile_open landlock\ninode_create evm\n"}, "*", 1000)}
        write_result(results, "kernels", f"{kver}-landlock-{boot}", records=records, cell=cell, state={"processor": "P"})


def test_time_stands_beside_instructions_where_they_differ(results, made):
    """Landlock implements file_open, which takes 50 % more cycles and fewer instructions; inode_create is not Landlock's."""
    write_landlock(results, "6.12", 200, 340)
    write_landlock(results, "7.3", 300, 240)
    shown = made()
    [call], [data] = shown.data("kernels.call"), shown.data("kernels.time")
    assert (call["call"], call["change"], call["callbacks"]["own"]) == ("open", -100, -100)
    timed = data["timed"]
    assert (timed["hook"], round(timed["before"]), round(timed["after"])) == ("file_open", 103, 153)
    assert 0.4 <= timed["change"]["low"] <= timed["change"]["median"] <= timed["change"]["high"] < 0.6
    assert data["instructions"] == [340, 240] and data["opposite"]
    write_landlock(results, "7.3", 300, 440)
    [data] = made().data("kernels.time")
    assert data["instructions"] == [340, 440] and not data["opposite"]


def write_integrity(results, **cells):
    write_result(results, "modules", "6.12-capability", constant(1000))
    for name, samples in cells.items():
        cell = {"flavour": "unpatched"}
        write_result(results, "integrity", f"6.12-{name.replace('_off', '-off').replace('_', '.')}", samples, cell=cell)


def cost(data):
    """Return the call with the largest increase, this increase, how many calls are affected, and of how many."""
    found = data["cost"]["data"]
    return found["largest"]["call"], found["largest"]["difference"], found["affected"], found["of"]


def test_advice_says_the_most_expensive_call_and_how_many_are_affected(results, made):
    ima = constant(1000, mkdir=1112, creat=1986)
    write_integrity(results, none=constant(1000, mkdir=1112), ima=ima, ima_off=ima)
    shown = made()
    idle, enforced = shown.data("advice.idle") + shown.data("advice.in_use")
    assert idle["affected"] and cost(idle) == ("mkdir", 112, 1, 14)
    assert enforced["name"] == "IMA, appraisal enforced" and cost(enforced) == ("creat", 986, 1, 14)
    assert enforced["logging_is_equal"]


def test_advice_changes_with_the_results(results, made):
    write_integrity(results, none=constant(1000), ima=constant(1000, creat=1986), ima_off=constant(1000, creat=1500))
    shown = made()
    idle, enforced = shown.data("advice.idle") + shown.data("advice.in_use")
    assert not idle["affected"] and idle["cost"]["data"]["affected"] == 0 and not enforced["logging_is_equal"]


def test_advice_on_audit(results, made):
    write_integrity(results, none=constant(1000), audit=constant(1470), audit_off=constant(1046, stat=1100))
    [audit] = made().data("advice.audit")
    assert audit["plain"]["affected"] and cost(audit["plain"]) == ("stat", 100, 14, 14)
    assert (audit["added"], audit["of"], audit["rule"]) == (14, 14, {})
    write_integrity(results, **{"audit-10": constant(2000), "audit-100": constant(2090, open=2900)})
    assert [audit["rule"] for audit in made().data("advice.audit")] == [{"least": 1, "most": 10}]


def test_advice_on_rules_is_by_the_rule_and_says_where_they_are(results, made):
    """TOMOYO passes each added rule; AppArmor none of them."""
    for module, most in (("tomoyo", 1000 + 9990 * 55), ("apparmor", 1005)):
        write_result(results, "rules", f"6.12-{module}-10", constant(1000))
        write_result(results, "rules", f"6.12-{module}-10000", constant(1000, fstatat=most))
    rules = {data["module"]: data for data in made().data("rules.advice")}
    assert rules["tomoyo"]["largest"]["call"] == "fstatat" and rules["tomoyo"]["largest"]["change"] > 500
    assert rules["tomoyo"]["passed"] == {"least": 55, "most": 55, "check": 0}
    assert (rules["apparmor"]["least"], rules["apparmor"]["most"], rules["apparmor"]["largest"]) == (10, 10000, None)


def test_a_rule_costs_by_the_check_or_by_its_kind(results, made):
    """Smack's calls make 2 and 3 checks, TOMOYO's ask for rules of two kinds."""
    for module, ticks in (("smack", (12, 18)), ("tomoyo", (8, 63))):
        stat, creat = (1000 + 9990 * each for each in ticks)
        write_result(results, "rules", f"6.12-{module}-10", constant(1000))
        write_result(results, "rules", f"6.12-{module}-10000", constant(1000, stat=stat, creat=creat))
    passed = {data["module"]: data["passed"] for data in made().data("rules.advice")}
    assert passed == {"smack": {"least": 12, "most": 18, "check": 6}, "tomoyo": {"least": 8, "most": 63, "check": 0}}


def test_advice_on_the_size_of_a_policy(results, made):
    write_result(results, "modules", "6.12-dac", constant(900), cell={"flavour": "dac"})
    write_result(results, "modules", "6.12-capability", constant(1000))
    write_result(results, "modules", "6.12-selinux-enforcing", constant(2000))
    write_result(results, "modules", "6.12-selinux-debian-enforcing", constant(2000, creat=3142))
    [data] = made().data("rules.policy")
    assert data["policy"] == "selinux-debian" and data["largest"] == {"call": "creat", "difference": 1142}
    assert (data["calls"], data["of"]) == (1, 14)


def test_an_order_that_changes_nothing_is_not_drawn(results, made):
    write_all(results)
    shown = made()
    assert [data["affected"] for data in shown.data("advice.order")] == [False]
    assert "instead of" not in (shown.folder / "advice.svg").read_text()
    write_result(results, "stacking", "6.12-tomoyo.selinux", constant(1320, open=1500))
    shown = made()
    assert "TOMOYO + SELinux instead of SELinux + TOMOYO" in (shown.folder / "advice.svg").read_text()
    [data] = shown.data("advice.order")
    assert data["affected"] and data["most"] == pytest.approx(180 / 1320)


def test_stacks_that_cost_the_same_are_shown_in_one_order(results, made):
    write_all(results)
    rows = [row[0] for row in made().rows]
    assert "SELinux + TOMOYO" in rows and "TOMOYO + SELinux" not in rows
    write_result(results, "stacking", "6.12-tomoyo.selinux", constant(1320, open=1500))
    assert "TOMOYO + SELinux" in [row[0] for row in made().rows]


def test_the_label_on_a_disk_is_measured_and_its_cause_is_not_claimed(results, made):
    """SELinux's creat costs +27 % on ext4, +69 % in a tmpfs, +283 % as published."""
    write_all(results)
    for place, base, selinux in (("ext4", 27810, 35270), ("modules", 10000, 16900)):
        end, state = ("-enforcing", {}) if place == "modules" else ("", {"filesystem": "ext4"})
        write_result(results, place, "6.12-capability", constant(base), state=state)
        write_result(results, place, f"6.12-selinux{end}", constant(selinux), state=state)
    shown = made()
    row = next(row for row in shown.rows if row[0] == "creat" and row[-1] == "*283 %*")
    assert row[1:3] == ["+7,460 (+26.8\u00a0%)", "+6,900 (+69.0\u00a0%)"]
    [data] = shown.data("ext4.selinux_why")
    assert [(each["disk"], each["difference"]) for each in data["creat"]] == [("on ext4", 7460), ("on tmpfs", 6900)]
    assert [each["change"] for each in data["creat"]] == pytest.approx([0.268, 0.69], abs=0.0005) and data["published"] == 2.83


def test_a_difference_smaller_than_the_spread_is_not_printed(results, made):
    """key/add: quartiles of 5,900 and 9,100, and 1,400 fewer at the median; net/socket is 500 more in each sample."""
    write_result(results, "modules", "6.12-dac", constant(1000), cell={"flavour": "dac"})
    base = constant(1000) | {"key/add": [5900, 5900, 7700, 9100, 9100], "net/socket": [4000] * 5}
    write_result(results, "modules", "6.12-capability", base)
    shifted = {"key/add": [5900, 5900, 6300, 9100, 9100], "net/socket": [4500] * 5}
    write_result(results, "modules", "6.12-tomoyo-enforcing", constant(1200) | shifted)
    shown = made()
    assert ["key/add", "within its spread"] in shown.rows and ["net/socket", "+500 (+12.5\u00a0%)"] in shown.rows
    [data] = shown.data("others.cost")
    assert (data["largest"]["call"], data["largest"]["module"], data["largest"]["difference"]) == ("net/socket", "TOMOYO", 500)
    assert "is not affected" not in shown.text
    assert shown.ratios("others")["key/add", "TOMOYO"]["within_spread"]
    assert not shown.ratios("others")["net/socket", "TOMOYO"]["within_spread"]


def test_what_mitigations_add_is_a_difference_of_differences(results, made):
    """Capability costs 186 with them on 6.1, and 100 without: 86 of them are for its indirect calls. On 6.12, none is."""
    for kver, on, off in (("6.1", 1186, 1000), ("6.12", 1110, 1010)):
        write_result(results, "kernels", f"{kver}-dac-latency", constant(1000), cell={"flavour": "dac"})
        write_result(results, "kernels", f"{kver}-capability-latency", constant(on))
        write_result(results, "mitigations", f"{kver}-dac-off", constant(900), cell={"flavour": "dac"})
        write_result(results, "mitigations", f"{kver}-capability-off", constant(off))
    shown = made()
    assert ["stat", "+86 (of +186)", "0 (of +110)"] in shown.rows
    assert shown.data("kernels.added") == [{"module": "capability", "sums": {"6.1": 1204, "6.12": 0}}]


def test_captions_name_the_kernel_and_pages_their_dates(shown):
    setting = {"runner": "qemu", "accelerator": "icount", "unit": "instructions", "filesystem": "tmpfs"}
    captions = [(each["kernels"], each["settings"], each["flavours"]["data"]["names"]) for each in shown.data("cells.where", "modules")]
    assert (["6.12.1"], [setting], ["lsm"]) in captions
    date = {"first": "2026-01-01", "last": "2026-01-01"}
    for name, text in shown.pages.items():
        measured = shown.data("method.measured", name)
        assert name == "README" or (len(measured) == 1 and date["last"] in text.rpartition("\n\n")[2]), name
    assert {"parts": {"openit": {"boots": 4} | date}} in shown.data("method.measured")


def test_the_method_agrees_with_the_pages(shown):
    method = shown.pages["method"]
    assert "random.trust_cpu=on" in method and "ext4" in method and "is not here" not in method


def test_the_archive_is_said_with_what_makes_it_again(shown):
    first = " ".join(shown.pages["README"].split())
    assert "evaluation.tar.gz" in first and "`make eval`" in first
    assert re.search(r"\[Redo the evaluation\]\([^)]*evaluation/README\.md\)", first)


def test_large_rises_are_factors(results, made):
    write_all(results)
    write_result(results, "rules", "6.12-landlock-10", constant(1000))
    write_result(results, "rules", "6.12-landlock-10000", constant(1000, open=74000))
    assert any("open, +73,000 (74 times)" in row for row in made().rows)


def test_modules_that_add_nothing_are_left_out_of_the_growth(results, made):
    """The second and the third one each need one instruction of a thousand more, the fourth a fifth."""
    stacks = ("", "capability", "capability,yama", "capability,yama,ipe", "capability,yama,ipe,tomoyo")
    for number, lsm in enumerate(stacks):
        took = constant((1000, 1100, 1101, 1102, 1300)[number])
        write_result(results, "growth", f"6.12-{number}", took, state={"lsm": lsm})
    shown = made()
    assert ["2: + Yama"] not in [row[:1] for row in shown.rows] and ["4: + TOMOYO"] in [row[:1] for row in shown.rows]
    [data] = shown.data("growth.grows")
    assert (data["left_out"], data["step"], data["last"]["difference"]) == (["Yama", "IPE"], "TOMOYO", 300)
    assert "×</text>" in (shown.folder / "plot-growth.svg").read_text(), "logarithmic: one module is much more than the others"


def test_plain_words_in_the_pages(shown):
    for name in ("README", "method", "kernels", "ext4", "others", "rules"):
        assert not re.search(r"\b(ours|theirs|costs \+\S+ % more)\b|Published (are|were) ", " ".join(shown.pages[name].split()), re.I), name


def test_a_call_with_two_modes_has_both(results, made):
    """EVM doubles creat in three fifths of the calls, and triples it in the others: +140 % stands for neither."""
    for size in ("", "-512"):
        creat = [2000] * 60 + [3000] * 40 if not size else [1280]
        for name, samples in ((f"selinux{size}", constant(1000)), (f"selinux.evm{size}", constant(1000) | {"creat": creat})):
            write_result(results, "ext4", f"6.12-{name}", samples, state={"filesystem": "ext4"})
    write_result(results, "ext4", "6.12-capability", constant(1000), state={"filesystem": "ext4"})
    shown = made()
    [row] = [row for row in shown.table("ext4-inodes")["rows"] if row[0] == "creat"]
    both, large = (cell.replace("\u00a0", " ") for cell in row[1:])
    assert both == "+1,000 (+100.0 %) in 60 %, +2,000 (+200.0 %) in 40 %" and large == "+280 (+28.0 %)"
    write_integrity(results, none=constant(1000), evm=constant(1000))
    [advice] = made().data("ext4.advice")
    assert [(each["change"], each["part"]) for each in advice["usual"]] == [(1.0, 0.6), (2.0, 0.4)]
    assert [each["change"] for each in advice["large"]] == [0.28]


def test_a_base_with_two_modes_has_the_difference_of_medians(results, made):
    base, other = constant(1000) | {"creat": [900, 900, 1100, 1100, 1100]}, constant(1000) | {"creat": [5000] * 3 + [7000] * 2}
    write_result(results, "ext4", "6.12-selinux", base, state={"filesystem": "ext4"})
    write_result(results, "ext4", "6.12-selinux.evm", other, state={"filesystem": "ext4"})
    [row] = [row for row in made().table("ext4-selinux-more")["rows"] if row[0] == "creat"]
    assert row[1].startswith("+3,900")


def test_each_of_the_fourteen_operations_counts_once():
    """Zhang, Liu and Jaeger have one rename."""
    assert len(FILES) == 14 and [row for row in FILES if "rename" in row] == ["rename"]


def test_the_floor_of_a_call_is_what_boots_with_the_same_work_differ_by(results, made):
    """creat takes 72 more after other work, and read 5 with the modules in another order; open the same."""
    write_all(results)
    write_result(results, "atomics", "6.12-capability", constant(1100, creat=1172))
    write_result(results, "stacking", "6.12-tomoyo.selinux", constant(1320, read=1325))
    shown = made()
    [data] = shown.data("method.sure_differences", "method")
    assert (data["floors"]["creat"], data["floors"]["read"], data["floors"]["open"]) == (72, 5, 0)
    said = " ".join(shown.pages["method"].split())
    assert "differ by 72 in creat, 5 in read at most, and by nothing in the 12 other calls." in said


def test_a_change_that_is_not_more_than_twice_the_floor_is_not_named(results, made):
    """Creat rises by 832, and two boots with the same work are 420 apart."""
    for creat, named in ((1100, True), (1520, False)):
        write_selinux(results, "6.12", 240)
        write_selinux(results, "7.3", 240, creat=2832)
        write_result(results, "modules", "6.12-capability", constant(1100))
        write_result(results, "atomics", "6.12-capability", constant(1100, creat=creat))
        said = [call for changed in made().data("kernels.changed") for call in changed["calls"]]
        assert any(call["data"]["call"] == "creat" for call in said) == named
