# SPDX-License-Identifier: GPL-2.0-only
"""Stacks that people run, on their page and on the first: what is said follows from the results."""

import pytest

pytest.importorskip("numpy")

from evaluation_results import INFO, constant, record, write_result

MODULES = "module hook min max ave count cs_count sum\n"
DEBIAN, UBUNTU = "landlock,apparmor,tomoyo,bpf", "landlock,apparmor"


def write_cell(results, name, samples, lsm="", **more):
    cell = {"flavour": "dac" if "dac" in name else "patched", "lsm": lsm}
    state = {"lsm": f"capability,{lsm},ima,evm".replace(",,", ",")} | more.pop("state", {})
    write_result(results, "distributions", f"6.12-{name}", samples, cell=cell, state=state, **more)


def write_stacks(results):
    """Let Debian cost 30 % of 1,000, 10 of which are TOMOYO's and 250 AppArmor's, and Ubuntu 20 %; a kernel without LSM takes 800."""
    write_cell(results, "dac", constant(800))
    write_cell(results, "capability", constant(1000))
    proof = {"apparmor-unconfined": {"says": "profiles, and none of the benchmark", "allowed": "a", "denied": "b"}}
    write_cell(results, "debian", constant(1300, creat=2000), DEBIAN, proof=proof)
    write_cell(results, "ubuntu", constant(1200), UBUNTU, proof=proof)
    write_cell(results, "debian-without-tomoyo", constant(1290, creat=2000), "landlock,apparmor,bpf")
    write_cell(results, "debian-without-apparmor", constant(1050, creat=1500), "landlock,tomoyo,bpf")
    write_cell(results, "debian-without-bpf", constant(1300, creat=2000), "landlock,apparmor,tomoyo")


def write_steps(results):
    """Let the steps on overlayfs take 100, 400, 20 and 60 more than the one before."""
    at = {"filesystem": "overlayfs"}
    for name, value in {"dac": 1900, "capability": 2000, "host": 2100, "container": 2500, "container-seccomp": 2520,
                        "container-seccomp-userns": 2580}.items():
        write_cell(results, f"overlayfs-{name}", constant(value), DEBIAN, state=at)


def test_each_stack_is_over_capability_and_over_no_lsm(results, made):
    write_stacks(results)
    shown = made()
    assert shown.ratios("distributions")["open", "Debian"]["change"] == pytest.approx(0.3)
    assert shown.ratios("distributions-none")["open", "Debian"]["change"] == pytest.approx(500 / 800)
    assert shown.ratios("distributions-none")["open", "capability"]["base_file"] == "distributions/6.12-dac.json"
    assert shown.ratios("distributions")["open", "Debian"]["flavour"] == "patched"
    debian, ubuntu = shown.table("stacks")["rows"]
    assert "base: distributions/6.12-capability, distributions/6.12-dac (flavours patched and dac)" in shown.table("stacks")["where"]
    assert [each.replace("\u00a0", " ") for each in debian[:5]] == ["Debian", "+30.0 %", "creat, +1,000 (+100.0 %)", "14 of 14", "+62.5 %"]
    assert debian[5] == "AppArmor +250, TOMOYO +10" and ubuntu[5] == "–"


def test_stacks_come_before_single_modules(results, made):
    write_stacks(results)
    write_result(results, "modules", "6.12-capability", constant(1000))
    first = made().pages["README"]
    places = [first.index(text) for text in ("stack of my distribution", "(distributions-calls.svg)", "](distributions.md) has",
                                             "Which module costs what", "## Pages")]
    assert places == sorted(places)
    assert (made().folder / "distributions-calls.svg").read_text().startswith("<svg")


def test_a_module_pays_what_the_stack_takes_without_it_less(results, made):
    write_stacks(results)
    shown = made()
    added = {column: ratio["value"] - ratio["base"] for (row, column), ratio in shown.ratios("distributions-debian").items() if row == "creat"}
    assert added == {"AppArmor": 500, "TOMOYO": 0, "BPF LSM": 0}
    assert "BPF LSM: no call changes" in shown.table("distributions-debian")["where"]


def test_modules_that_only_one_of_two_lists_has_are_named(results, made):
    """Debian's list is Ubuntu's and more: 100 at the median call, 800 in a creat."""
    write_stacks(results)
    [data] = made().data("distributions.shorter", "README")
    assert (data["modules"], data["lsm"], data["median"]) == (["TOMOYO", "BPF LSM"], UBUNTU, 100)
    assert (data["largest"]["call"], data["largest"]["difference"], data["affected"]) == ("creat", 800, 14)


def test_a_container_is_compared_on_its_own_file_system(results, made):
    write_stacks(results)
    write_steps(results)
    shown = made()
    [data] = shown.data("distributions.contained", "README")
    assert data == {"stack": 100, "profile": 400, "seccomp": 20, "userns": 60}
    ratio = shown.ratios("distributions-container")["open", "container"]
    assert ratio["change"] == pytest.approx(0.29) and ratio["base_file"] == "distributions/6.12-overlayfs-capability.json"
    assert ["open", "1,000", "2,000"] in shown.table("distributions-overlayfs")["rows"]
    [row] = [row for row in shown.table("stacks")["rows"] if row[0] == "container"]
    assert row[5] == "a container's profile +400, the host's stack +100"


def test_the_cause_of_what_a_user_namespace_adds_is_switched_off(results, made):
    """A user namespace adds 900 on overlayfs, and nothing where files belong to who mounted it, without any module."""
    write_stacks(results)
    write_steps(results)
    assert not made().data("distributions.userns_why")
    at = {"filesystem": "overlayfs"}
    write_cell(results, "userns", constant(1050))
    write_cell(results, "overlayfs-userns", constant(2900), state=at)
    write_cell(results, "overlayfs-userns-root", constant(2000), state=at)
    shown = made()
    assert shown.data("distributions.userns_why") == [{"tmpfs": 50, "overlayfs": 900, "own": 0}]
    assert "root is root outside: no call changes" in shown.table("distributions-userns")["where"]


def test_auditing_is_said_of_both_who_have_it(results, made):
    write_stacks(results)
    for name, value in (("fedora", 1400), ("fedora-without-audit", 1393), ("android", 1500), ("android-without-audit", 1370)):
        write_cell(results, name, constant(value), "selinux")
    shown = made()
    assert shown.data("distributions.audited", "README") == [{"fedora": 7, "android": 130}]
    audit = {row[0]: row[3] for row in shown.table("distributions-what")["rows"]}
    assert audit["Debian"] == "off" and "never,task" in audit["Fedora"] and audit["Android"] == "on, no rules"


def test_the_callbacks_that_execute_most_are_named_with_their_module(results, made):
    """A callback of 100 instructions is called once in the rounds of one record, and three times in those of the other."""
    write_stacks(results)
    records = {name: record({"info": INFO, "modules": f"{MODULES}apparmor file_open 1 1 100 {64 * number} 0 {6400 * number}\n"
                             f"landlock file_open 1 1 20 64 0 1280\n"}, name) for name, number in (("open", 1), ("creat", 3))}
    write_cell(results, "debian-hooks", None, DEBIAN, records=records)
    rows = made().table("distributions-debian-callbacks")["rows"]
    assert rows == [["AppArmor, file_open", "4", "100", "400"], ["Landlock, file_open", "2", "20", "40"]]


def test_what_was_not_measured_is_said_and_nothing_stands_in(results, made):
    write_result(results, "modules", "6.12-capability", constant(1000))
    shown = made()
    assert "distributions" in shown.summary["pages"]["README"]["not_run"]
    assert "part `distributions` has no results" in shown.pages["distributions"]
    write_cell(results, "capability", constant(1000))
    write_cell(results, "debian", constant(1300), DEBIAN)
    shown = made()
    assert shown.table("stacks")["rows"][0][4:] == ["–", "–"]
    assert shown.summary["pages"]["distributions"]["not_run"] == ["distributions", "distributions"]
