# SPDX-License-Identifier: GPL-2.0-only
import json
import pathlib
import re
import subprocess
import sys

import pytest

from lsmpmon_report import table
from lsmpmon_report.kernelfiles import FormatError
from lsmpmon_report.runs import load


def rendered(*directories):
    return table.render([load(directory) for directory in directories])


def most(text):
    """Return what the first paragraph is of: the most expensive hook, whose it is, and the numbers that it has."""
    first = " ".join(text.split("\n\n")[0].split())
    hook, module = re.match(r"[^:]+: (\w+) in (\w+)", first).groups()
    return hook, module, re.findall(r"\d+(?:[.,]\d+)*", first)


def test_least_minimum_and_median_average_of_the_repetitions(save):
    """One repetition that the machine disturbed does not move the figures."""
    run = load(save("smack", [{"file_open": (50, 60, 9)}, {"file_open": (45, 9000, 9)}, {"file_open": (55, 62, 9)}]))
    cost = run.costs["file_open"]
    assert (cost.min, cost.ave, cost.calls) == (45, 62, 9)


def test_a_hook_in_only_some_repetitions_is_kept(save):
    assert load(save("smack", [{"bpf_map": (1, 2, 3)}, {}])).costs["bpf_map"].calls == 3


def test_the_most_expensive_hook_is_named_first(save):
    text = rendered(
        save("capability", [{"inode_create": (50, 52, 1000)}]),
        save("selinux", [{"inode_create": (300, 400, 1000), "file_open": (90, 100, 1000)}]),
    )
    hook, module, numbers = most(text)
    assert (hook, module) == ("inode_create", "selinux") and numbers[:4] == ["200", "400", "10.0", "40"]


def test_a_hook_called_once_is_not_ranked(save):
    text = rendered(save("selinux", [{"sb_mount": (90000, 90000, 1), "file_open": (90, 100, 1000)}]))
    assert text.startswith("Most expensive: file_open")
    assert text.index("file_open", text.index("Average")) < text.index("sb_mount", text.index("Average"))


def test_calls_with_a_context_switch_inside_are_calls_too(save):
    directory = save("smack", [{"file_open": (50, 60, 9)}])
    (directory / "1" / "result").write_text("hook min max ave count cs_count\nfile_open 50 90 60 9 2\n")
    assert load(directory).costs["file_open"].calls == 11


def test_each_module_is_in_the_ranking(save):
    """The most expensive hook of each is there, after those that are most expensive of all."""
    runs = [
        load(save("tomoyo", [{f"path_{n}": (900, 1000 + n, 1000) for n in range(20)}])),
        load(save("smack", [{"file_open": (90, 100, 1000), "file_ioctl": (90, 99, 1000)}])),
    ]
    ranking = table.render(runs, top=3).split("Average")[0].splitlines()
    modules = [line.split()[1] for line in ranking if line.startswith(("path_", "file_"))]
    assert modules == ["tomoyo", "tomoyo", "tomoyo", "smack"]
    smack = next(number for number, line in enumerate(ranking) if line.split()[1:2] == ["smack"])
    assert ranking[smack].startswith("file_open ") and not re.search(r"\d", ranking[smack - 1]), "below a line of its own"


def test_what_capability_alone_costs_too_is_not_the_modules(save):
    """IMA is on under every column: its file_post_open is not Smack's."""
    text = rendered(
        save("capability", [{"file_post_open": (200, 240, 1000)}]),
        save("smack", [{"file_post_open": (200, 250, 1000), "file_open": (90, 100, 1000)}]),
    )
    assert most(text)[:2] == ("file_post_open", "capability")
    assert not [line for line in text.splitlines() if line.split()[:2] == ["file_post_open", "smack"]]


HOOKS = """hook modules objects
file_post_open ima file
path_mknod - path,dentry
inode_post_setattr ima,evm dentry
file_open smack file
mmap_file capability,ima file
mmap_addr capability -
"""


def test_a_hook_is_credited_to_who_implements_it(save):
    """The time of file_post_open under capability is IMA's, and that of a hook that nobody implements is nobody's."""
    saved = [
        save("capability", [{"file_post_open": (200, 240, 1000), "path_mknod": (50, 60, 1000), "mmap_addr": (9, 55, 1000)}]),
        save("smack", [{"file_post_open": (200, 350, 1000), "file_open": (90, 100, 1000)}]),
        save("landlock", [{"inode_post_setattr": (90, 101, 1000), "mmap_file": (90, 99, 1000)}]),
    ]
    for directory in saved:
        (directory / "hooks").write_text(HOOKS)
    text = rendered(*saved)
    assert most(text)[:2] == ("file_post_open", "ima") and most(text)[2][:2] == ["120", "240"]
    ranking = [line.split()[:2] for line in text.split("Average")[0].splitlines()]
    assert ranking[ranking.index(["hook", "module"]) + 1:-1] == [
        ["file_post_open", "ima"], ["inode_post_setattr", "ima,evm"], ["file_open", "smack"], ["mmap_file", "several"],
        ["mmap_addr", "capability"]]
    found = json.loads(table.to_json([load(saved[0])]))
    assert found["modules"]["capability"]["hooks"]["file_post_open"]["modules"] == ["ima"]
    assert found["modules"]["capability"]["hooks"]["path_mknod"]["modules"] == []


def test_the_sum_is_over_all_calls(save):
    text = rendered(save("smack", [{"file_open": (50, 200, 10000), "bpf_map": (1, 50, 20000)}]))
    (row,) = [line for line in text.splitlines() if line.startswith("all calls, in millions")]
    assert row.split()[-1] == "3.00"


def test_a_hook_never_called_is_a_dash(save):
    text = rendered(
        save("capability", [{"path_mknod": (50, 52, 1000)}]), save("selinux", [{"file_open": (90, 100, 1000)}])
    )
    (row,) = [line for line in text.splitlines() if line.startswith("path_mknod") and line.endswith("-")]
    assert row.split() == ["path_mknod", "52", "-"]


def test_a_module_without_a_policy_is_marked(save):
    text = rendered(save("smack", [{"file_open": (50, 52, 1000)}], policy="none"))
    assert "smack*" in text and "(no policy)" in text
    assert "smack*" not in rendered(save("smack", [{"file_open": (50, 52, 1000)}]))


def test_emulated_cycles_are_not_shown(save):
    text = rendered(save("selinux", [{"file_open": (777, 888, 1000)}], runner="qemu", accel="tcg"))
    assert "777" not in text and "888" not in text and "Most expensive" not in text
    assert "1,000" in text and "mean nothing" in text


def test_under_icount_the_unit_is_instructions(save):
    text = rendered(save("selinux", [{"file_open": (90, 100, 1000)}], runner="qemu", accel="icount"))
    assert "ave 100 instructions" in text and " ns" not in text and "cycles" not in text


@pytest.fixture
def coarse(save):
    """Return a run on a clock of 19.2 MHz, by which an empty span reads 0."""
    def save_run(module, hooks, **about):
        directory = save(module, [hooks], **about)
        info = directory / "info"
        info.write_text(info.read_text().replace("clock: tsc", "clock: cntvct").replace("khz: 2000000", "khz: 19200")
                        .replace("overhead: 40", "overhead: 0").replace("overhead_min: 38", "overhead_min: 0")
                        + "clock_step: 1\n")
        return directory
    return save_run


def test_an_empty_span_of_no_tick_is_no_measure(coarse):
    text = rendered(coarse("selinux", {"file_open": (3, 7, 1000), "file_free": (0, 1, 1000)}))
    assert most(text) == ("file_open", "selinux", ["365", "7"])
    rows = [line.split() for line in text.split("Average")[0].splitlines() if line.startswith("file_")]
    assert rows == [["file_open", "selinux", "156", "365", "3", "7", "-", "1,000"],
                    ["file_free", "selinux", "<52", "52", "0", "1", "-", "1,000"]]
    assert re.search(r"\bsteps\b.*\b52 ns", text)
    assert json.loads(table.to_json([load(coarse("smack", {"file_open": (3, 7, 1000)}))]))["unit"] == "ticks"


def test_the_step_is_said_of_few_steps_only(coarse, save):
    assert "steps" not in rendered(coarse("selinux", {"file_open": (5, 12, 1000)}))
    assert "steps" not in rendered(save("smack", [{"file_open": (0, 12, 1000)}]))
    assert "steps" not in rendered(coarse("tomoyo", {"file_open": (0, 12, 1000)}, runner="qemu", accel="tcg"))
    assert "steps" not in rendered(coarse("yama", {"file_open": (0, 12, 1000)}, runner="qemu", accel="icount"))


def test_lost_calls_are_said(save):
    directory = save("selinux", [{"file_open": (90, 100, 1000)}])
    (directory / "info").write_text((directory / "info").read_text().replace("lost: 0", "lost: 12"))
    assert re.search(r"^LOST\b.*\bselinux: 12\b", rendered(directory), re.M)


def test_eighty_columns_for_six_modules(save):
    names = "capability selinux apparmor tomoyo smack landlock".split()
    hooks = {"inode_post_create_tmpfile": (1234, 5678, 99000), "file_open": (9, 10, 1000)}
    work = "1000 rounds of each of lmbench-hook's 16 sub-benchmarks, in tmpfs, on paths of 4 components"
    text = rendered(*[save(name, [hooks], work=work) for name in names])
    assert max(len(line) for line in text.splitlines()) <= 80


@pytest.mark.parametrize(
    "name, content, says",
    [
        ("info", "clock_khz: 1\n", "'overhead: None'"),
        ("info", "clock_khz: fast\noverhead: 1\n", "'clock_khz: fast'"),
        ("1/result", "", "empty"),
        ("1/result", "hook\n", "min, ave, count, cs_count"),
    ],
)
def test_a_bad_file_is_named(save, name, content, says):
    directory = save("smack", [{"file_open": (9, 10, 1000)}])
    (directory / name).write_text(content)
    with pytest.raises(FormatError, match=says) as error:
        load(directory)
    assert str(directory / name) in str(error.value)


def test_no_results_at_all(tmp_path):
    with pytest.raises(FormatError, match=str(tmp_path)):
        load(tmp_path)


def test_the_command_fails_in_one_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "lsmpmon_report", "table", str(tmp_path)],
        capture_output=True, text=True, check=False, cwd=table.__file__.rsplit("/", 2)[0],
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and str(tmp_path) in done.stderr


def test_a_recording_of_real_runs():
    """User-Mode Linux, 6.12.117; what no recording made by hand has: widths, hooks of one repetition only."""
    data = pathlib.Path(__file__).parent / "data" / "uml"
    runs = [load(data / module) for module in ("capability", "tomoyo")]
    text = table.render(runs)
    assert most(text)[:2] == ("path_rename", "tomoyo")
    assert runs[0].costs["inode_permission"].calls == 83000
    assert re.search(r": capability, ima, evm\.$", text, re.M), "on under every column"
    assert max(len(line) for line in text.splitlines()) <= 80


def test_the_figures_of_the_table_as_json(save):
    runs = [load(save("smack", [{"file_open": (50, 60, 9)}])), load(save("tomoyo", [{"path_mkdir": (100, 300, 7)}]))]
    found = json.loads(table.to_json(runs))
    assert found["unit"] == "cycles" and found["modules"]["smack"]["empty_span"] == runs[0].empty
    assert found["modules"]["tomoyo"]["hooks"] == {
        "path_mkdir": {"calls": 7, "min": 100, "ave": 300, "min_ns": runs[1].info.ns(100), "ave_ns": runs[1].info.ns(300)}
    }
