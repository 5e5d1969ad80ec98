# SPDX-License-Identifier: GPL-2.0-only
"""Tests of make cost: differences of known size are reported where they are, and wrong variables are refused."""

import json
import os
import re
import subprocess
from dataclasses import replace

import pytest
from kernels import REPO, environment, pristine
from pricing_files import PRINTED, Range, both, in_table, slower, with_nested, with_stat

from lsmlab.guest.settings import BadSetting
from lsmlab.measure.evaluation import spans
from lsmlab.measure.pricing import cycles, functions, measuring, patches, plant, run, selftest, series, settings, states, worktree

LANDLOCK = ("security/landlock/fs.c",)
TWENTY = (slower(20), *both("file_open", "landlock", 0, 20))


@pytest.fixture
def commits(tmp_path):
    return Range(tmp_path).add("base")


def only(step):
    change, = step["changes"]
    return change


def test_nothing_changed(commits):
    done = commits.add("a comment", files=LANDLOCK).report()
    assert done.returncode == 0 and re.match(r"1 of 1\b", done.stdout), done
    step, = commits.json()["steps"]
    assert (step["changes"], step["failed"]) == ([], {})


@pytest.mark.parametrize("number", [1, 3, 20, 200, -20])
def test_instructions_of_a_callback(commits, number):
    commits.add("planted", slower(number), *both("file_open", "landlock", 0, number), files=LANDLOCK)
    change = only(commits.json()["steps"][0])
    assert (change["benchmark"], change["stack"], change["before"], change["change"]) == ("open", "landlock", 5087, number)
    assert change["parts"] == [{"where": "landlock", "hook": "file_open", "change": number, "calls_before": 1, "calls_after": 1,
                                "kind": "code that the commit touches"}]


def test_the_answer_comes_first(commits):
    first = commits.add("landlock: walk twice", *TWENTY, files=LANDLOCK).report().stdout.splitlines()[0]
    assert first == commits.json()["answers"][0]
    for word in ("1 of 1", "`landlock: walk twice`", "open", "landlock", "+20 ", "+0.4 %", "file_open"):
        assert word in first


def test_instructions_of_the_framework(commits):
    commits.add("planted", slower(3), in_table("syscalls", ("open", "file_open"), 0, 3), files=("security/security.c",))
    part, = only(commits.json()["steps"][0])["parts"]
    assert (part["where"], part["change"], part["kind"]) == ("framework", 3, "code that the commit touches")


INNER = "current_getsecid_subj"


def test_a_call_inside_another_one_is_told_once(tmp_path):
    """The hook around the call, and the callback that made it, have its instructions in their spans, too."""
    plants = (slower(5), in_table("syscalls", ("open", INNER), 0, 5), *both("file_post_open", "ima", 0, 5),
              in_table("nested", (INNER, "file_post_open", "-"), 0, 5), in_table("nested_stack", (INNER, "file_post_open", "ima"), 0, 5))
    states = Range(tmp_path).add("base", with_nested)
    part, = only(states.add("planted", with_nested, *plants).json()["steps"][0])["parts"]
    assert (part["where"], part["hook"], part["change"]) == ("framework", INNER, 5)


def test_what_calls_another_hook_is_told_apart(tmp_path):
    plants = slower(3), *both("file_post_open", "ima", 0, 3)
    part, = only(Range(tmp_path).add("base", with_nested).add("planted", with_nested, *plants).json()["steps"][0])["parts"]
    assert (part["where"], part["hook"], part["change"]) == ("ima", "file_post_open", 3)


def test_a_header_may_be_anywhere(commits):
    commits.add("planted", *TWENTY, files=("include/linux/cred.h", "kernel/fork.c"))
    part, = only(commits.json()["steps"][0])["parts"]
    assert (part["where"], part["kind"]) == ("landlock", "a header that the commit touches")


def test_instructions_outside_of_hooks(commits):
    commits.add("planted", slower(-7), files=LANDLOCK)
    part, = only(commits.json()["steps"][0])["parts"]
    assert (part["where"], part["change"], part["kind"]) == ("outside of hooks", -7, "inlining or layout elsewhere")


@pytest.mark.parametrize("calls, kind", [(1, "1 more call"), (-2, "2 fewer calls")])
def test_calls_of_a_hook(commits, calls, kind):
    """An empty span of inode_permission reads the monitor's own cost there, which is not in any part."""
    ticks = 9 * calls
    plants = slower(5 * calls), in_table("syscalls", ("open", "inode_permission"), calls, ticks)
    commits.add("planted", *plants, files=("fs/namei.c",))
    parts = {part["where"]: part for part in only(commits.json()["steps"][0])["parts"]}
    assert parts["framework"]["kind"] == kind and parts["framework"]["calls_after"] == 5 + calls
    assert sum(part["change"] for part in parts.values()) == 5 * calls


def test_what_moves_is_told_though_the_sum_is_the_same(commits):
    commits.add("planted", *both("file_open", "landlock", 0, -20), files=LANDLOCK)
    change = only(commits.json()["steps"][0])
    assert change["change"] == 0 and sorted(part["change"] for part in change["parts"]) == [-20, 20]


def test_a_commit_that_does_not_build_is_a_row(commits):
    why = "a.c:1:2: error"
    commits.add("broken", failed=why).add("planted", *TWENTY, files=LANDLOCK)
    done, steps = commits.report(), commits.json()["steps"]
    assert done.returncode == 1 and re.search(rf"^.*\b1 of 2\b.*`broken`.*{why}", done.stdout, re.M)
    assert [step["failed"] for step in steps] == [{"": why}, {}]
    assert [step["changes"][0]["change"] for step in steps if step["changes"]] == [20]


def test_without_a_base_nothing_is_said_to_be_the_same(tmp_path):
    commits = Range(tmp_path).add("base", failed="it does not build").add("next")
    done, (step,) = commits.report(), commits.json()["steps"]
    assert done.returncode == 1 and "nothing changed" not in done.stdout
    assert set(step["failed"]) == {"landlock"} and step["changes"] == [] and step["failed"]["landlock"] in done.stdout


def test_the_whole_range_adds_up(commits):
    commits.add("one", *TWENTY).add("two", slower(25), *both("file_open", "landlock", 0, 25))
    assert [only(step)["change"] for step in (*commits.json()["steps"], commits.json()["whole"])] == [20, 5, 25]


@pytest.mark.parametrize("limit, status", [("19", 3), ("20", 0), ("0.3%", 3), ("1%", 0)])
def test_status_over_a_limit(commits, limit, status):
    done = commits.add("planted", *TWENTY).report("--fail-above", limit)
    assert done.returncode == status and (f"OVER {limit}: " in done.stdout) == (status == 3)
    over = json.loads(commits.report("--format", "json", "--fail-above", limit).stdout)["over"]
    assert [(each["benchmark"], each["stack"], each["change"]) for each in over] == [("open", "landlock", 20)] * (status == 3)


def test_a_check_for_b4(commits):
    commits.add("planted", *TWENTY)
    row, = json.loads(commits.report("--format", "b4", "--fail-above", "10").stdout)
    assert set(row) == {"tool", "status", "summary", "details"} and row["status"] == "fail"
    row, = json.loads(commits.report("--format", "b4").stdout)
    assert row["status"] == "warn" and row["summary"].startswith("open under landlock +20")
    commits.add("another", *TWENTY)
    row, = json.loads(commits.report("--format", "b4").stdout)
    assert row["summary"] == commits.json()["whole"]["answer"] and "+20 " in row["summary"]


@pytest.mark.parametrize("name, wanted", [("markdown", "| open | landlock | 5,087 | 5,107 | +20 | +0.4 % |"), ("html", "<td>5,107</td>")])
def test_formats(commits, name, wanted):
    assert wanted in commits.add("planted", *TWENTY).report("--format", name).stdout


@pytest.mark.parametrize("name", ["text", "markdown", "html", "json"])
def test_what_came_of_the_self_test_is_shown(commits, name):
    assert "all was found" in commits.add("planted", *TWENTY).report("--format", name).stdout


def test_functions_are_shown(commits):
    commits.add("planted", *TWENTY)
    for part, number in (("state0", 100), ("state1", 120)):
        path = functions.path_of(commits.folder / "results", part, "landlock", "open")
        path.parent.mkdir()
        path.write_text(json.dumps({"functions": {"hook_file_open": number, "vfs_open": 5}}))
    assert only(commits.json()["steps"][0])["functions"] == {"hook_file_open": 20}
    assert "+20  by function: hook_file_open" in commits.report().stdout


def timed(commits, *sides):
    """Record cycles of file_open in each boot, beside those of a hook that did not change, in a commit with 20
    instructions more.
    """
    commits.add("planted", *TWENTY, files=LANDLOCK)
    for side, boots in zip(cycles.SIDES, sides):
        for number, value in enumerate(boots, 1):
            rows = f"file_open {value} 9999 {value} 64 0\ninode_permission 9 9 9 1 0\n"
            commits.add_cycles("landlock", "open", side, number, rows)
    return commits


def test_cycles_are_compared_over_boots(commits):
    timed(commits, [119, 120, 121, 120, 120] * 2, [139, 140, 142, 140, 140] * 2)
    hook, = only(commits.json()["steps"][0])["cycles"]
    assert (hook["hook"], hook["boots"], hook["before"], hook["after"]) == ("file_open", 10, 100, 120) and not hook["noise"]
    assert 18 <= hook["percent"]["low"] < hook["percent"]["change"] == 20 < hook["percent"]["high"] <= 23
    for name in ("text", "markdown", "html"):
        assert "file_open: 100 to 120, +20.0 %" in commits.report("--format", name).stdout


def test_cycles_that_do_not_differ_are_said_not_to(commits):
    timed(commits, [119, 131, 121, 126, 124] * 2, [131, 120, 126, 120, 124] * 2)
    hook, = only(commits.json()["steps"][0])["cycles"]
    assert hook["hook"] == "file_open" and hook["noise"] and "inode_permission" not in commits.report().stdout


def test_few_boots_have_no_interval(commits):
    timed(commits, [119, 120, 121], [139, 140, 142])
    assert "+20.0 % (3 boots" in commits.report().stdout
    assert only(commits.json()["steps"][0])["cycles"][0]["percent"] == {"change": 20, "low": None, "high": None}


def test_cycles_of_another_range_are_not_mixed_in(commits):
    """Kept results after another state, or of more boots than this run takes, are not used."""
    timed(commits.add("between"), [120, 121, 120], [140, 141, 140])
    commits.add_cycles("landlock", "open", "before", 3, "file_open 500 9999 500 64 0\n", back=2)
    hook, = only(commits.json()["steps"][1])["cycles"]
    assert (hook["before"], hook["after"], hook["boots"]) == (100.5, 120, 2)
    commits.cycles = {("open", "landlock"): 2}
    hook, = only(commits.json()["steps"][1])["cycles"]
    assert (hook["before"], hook["after"], hook["boots"]) == (100.5, 120.5, 2)
    commits.cycles = {}
    assert only(commits.json()["steps"][1])["cycles"] == []


def test_cycles_of_one_boot_are_not_compared(commits):
    assert only(timed(commits, [120], [140]).json()["steps"][0])["cycles"] == []


@pytest.mark.parametrize("plant, message", [
    (slower(-5080), r"\bopen .* 7\b"),
    (lambda kind, text: text.replace("[open] close", "[close]").replace("\nclose ", "\nelsewhere "), r"\bopen .* hook in close\b"),
])
def test_a_benchmark_that_measures_nothing_is_an_error(commits, plant, message):
    done = commits.add("planted", plant).report()
    assert done.returncode == 1 and re.search(message, done.stdout), done


def test_functions_of_a_span():
    wrong = ["span 3", "401000 2", "ffffffff81000012 1"]
    by_length = spans.spans([*wrong, "span 3", "ffffffff81000000 1", "ffffffff81000012 2", "span 1", "401000 1"])
    symbols = spans.Symbols(["ffffffff81000010 t hook.cold", "ffffffff81000000 T f", "ffffffff81000020 D data"])
    assert symbols.functions(by_length[3]) == {"hook": 2, "f": 1} and symbols.functions(by_length[1]) == {spans.USER: 1}


def git(folder, *words):
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    return subprocess.run(["git", "-C", folder, *who, *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


@pytest.fixture
def tree(tmp_path):
    """Make three commits of a folder that looks like a kernel."""
    folder = tmp_path / "linux"
    (folder / "security").mkdir(parents=True)
    (folder / "Makefile").write_text("VERSION = 6\nPATCHLEVEL = 12\n")
    (folder / "security/Kconfig").write_text("")
    git(folder, "init", "-q", "-b", "main")
    for number in range(3):
        (folder / "security/a.c").write_text(f"int a = {number};\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", f"a: {number}")
    return folder


def test_a_range_is_its_base_and_each_commit(tree):
    assert [(state.subject, state.files) for state in states.of_range(tree, "main~2..main")] == [
        ("a: 0", ()), ("a: 1", ("security/a.c",)), ("a: 2", ("security/a.c",))]


@pytest.mark.parametrize("text", ["main", "main..", "gone..main", "main..main", "main...main~1"])
def test_bad_ranges_are_named(tree, text):
    with pytest.raises(BadSetting, match=text.replace(".", r"\.")):
        states.of_range(tree, text)


def test_two_directories(tree, tmp_path):
    after = tmp_path / "after"
    subprocess.run(["cp", "-a", tree, after], check=True)
    (after / "security/a.c").write_text("int a;\n")
    before, changed = states.of_folders(tree, after)
    assert changed.files == ("security/a.c",) and before.ident != changed.ident


@pytest.fixture
def checkout(tree, tmp_path, monkeypatch):
    monkeypatch.setattr(worktree, "CACHE", tmp_path / "cache")
    return worktree.Worktree(tree)


def test_only_what_differs_is_checked_out(tree, checkout):
    first, *_, last = states.of_range(tree, "main~2..main")
    checkout.put(first)
    before = (checkout.tree / "Makefile").stat().st_mtime_ns
    checkout.put(last)
    assert (checkout.tree / "security/a.c").read_text() == "int a = 2;\n"
    assert (checkout.tree / "Makefile").stat().st_mtime_ns == before
    assert git(tree, "status", "--short") == "" and len(git(tree, "worktree", "list").splitlines()) == 1


def test_a_sparse_repository_is_checked_out_whole(tree, checkout):
    git(tree, "sparse-checkout", "set", "--no-cone", "/Makefile")
    assert not (tree / "security").exists()
    checkout.put(states.head(tree))
    assert (checkout.tree / "security/a.c").exists()


def test_an_interrupted_checkout_is_repaired(tree, checkout):
    first, *_, last = states.of_range(tree, "main~2..main")
    checkout.put(first)
    (checkout.tree / "security/a.c").write_text("int a = 2;\n")
    (checkout.tree / "security/new.c").write_text("")
    (checkout.folder / "index.lock").write_text("")
    checkout.put(first)
    assert (checkout.tree / "security/a.c").read_text() == "int a = 0;\n" and not (checkout.tree / "security/new.c").exists()
    checkout.put(last)


def test_what_was_planted_is_taken_out_again(tree, checkout):
    (tree / "security/landlock").mkdir()
    (tree / "fs").mkdir()
    (tree / "security/landlock/fs.c").write_text(FS)
    (tree / "fs/stat.c").write_text(STAT)
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "places")
    base = states.head(tree)
    checkout.put(selftest.planted(base))
    assert (checkout.tree / "fs/stat.c").read_text().count("security_inode_getattr") == 2
    checkout.put(base)
    assert (checkout.tree / "fs/stat.c").read_text() == STAT and (checkout.tree / "security/landlock/fs.c").read_text() == FS


FS = "static int f(int x)\n{\n\treturn 0;\n}\nLSM_HOOK_INIT(file_open, f),\n"
STAT = "\tretval = security_inode_getattr(path);\n"


@pytest.fixture
def places(tmp_path):
    for name, text in (("security/landlock/fs.c", FS), ("fs/stat.c", STAT)):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_what_is_planted(places):
    plant.plant(places)
    assert (places / "security/landlock/fs.c").read_text() == FS.replace("{\n", '{\n\tasm volatile(".rept 20; nop; .endr");\n')
    assert (places / "fs/stat.c").read_text() == 2 * STAT


@pytest.mark.parametrize("name, text, message", [
    ("security/landlock/fs.c", "", "has no callback for file_open"), ("fs/stat.c", "", "has 0 places"), ("fs/stat.c", 2 * STAT, "has 2 places"),
])
def test_a_source_without_a_place_is_named(places, name, text, message):
    (places / name).write_text(text)
    with pytest.raises(plant.NoPlace, match=f"{name} {message}"):
        plant.plant(places)


def test_every_kernel_has_a_place(version, tmp_path):
    for name in plant.FILES:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text((pristine(version) / name).read_text())
    plant.plant(tmp_path)
    assert [len((tmp_path / name).read_text().splitlines()) for name in plant.FILES] == [
        1 + len((pristine(version) / name).read_text().splitlines()) for name in plant.FILES]


def mail(tree, commit):
    return subprocess.run(["git", "-C", tree, "format-patch", "-1", "--stdout", commit], stdout=subprocess.PIPE, check=True).stdout


def test_a_mailed_patch_is_its_commit(tree):
    """The number and version in its subject do not matter."""
    for commit in ("main", "main~1"):
        sent = mail(tree, commit).replace(b"[PATCH]", b"[PATCH v3 2/5]")
        assert patches.commit_of(sent, tree) == states.git(tree, "rev-parse", commit)


@pytest.mark.parametrize("edit, message", [
    (lambda text: b"", "has 0 patches"), (lambda text: text + text, "has 2 patches"),
    (lambda text: text.replace(b"int a", b"int b"), "last 500 commits"),
])
def test_what_is_no_patch_of_the_tree_is_refused(tree, edit, message):
    with pytest.raises(BadSetting, match=message):
        patches.commit_of(edit(mail(tree, "main")), tree)


def test_of_commits_with_the_same_patch_the_newest_is_meant(tree):
    """Here it was reverted and applied again."""
    for _ in range(2):
        git(tree, "revert", "--no-edit", "main")
    assert patches.commit_of(mail(tree, "main~2"), tree) == states.git(tree, "rev-parse", "main")


@pytest.mark.parametrize("status, wanted", [("pass", None), ("warn", "WARNING: open +20"), ("fail", "ERROR: open +20")])
def test_b4_reads_words_of_checkpatch(status, wanted):
    assert patches.line_of({"status": status, "summary": "open +20"}) == wanted


def test_cost_patch_says_which_variable_is_not_accepted(tree):
    done = subprocess.run([REPO / "scripts/cost-patch"], input=mail(tree, "main"), env=environment(LSM="a;b"),
                          capture_output=True, cwd=tree)
    assert done.returncode == 2 and done.stdout == b"" and done.stderr.startswith(b"lsmpmon: LSM='a;b' is not accepted"), done


def test_variables_on_a_command_line():
    assert settings.variables(["LSM=landlock selinux", "FAIL_ABOVE=1%"]) == {"LSM": "landlock selinux", "FAIL_ABOVE": "1%"}


@pytest.mark.parametrize("word", ["LSM", "KDIR=/", "FORMAT=html", "=1"])
def test_other_words_on_a_command_line_are_named(word):
    with pytest.raises(BadSetting, match=f"'{word}'.*NAME=VALUE.*LSM"):
        settings.variables([word])


def tracking(folder, text):
    path = folder / "tracking.json"
    path.write_text(text)
    return path


def test_a_series_under_review_is_its_branch(tree):
    """The last commit is b4's own, and those before the first are not of the series."""
    git(tree, "branch", "b4/review/20260101-a")
    about = {"first-patch-commit": git(tree, "rev-parse", "main~1"), "change-id": "20260101-a"}
    text = series.range_of(tracking(tree, json.dumps({"series": about})))
    assert [state.subject for state in states.of_range(tree, text)] == ["a: 0", "a: 1"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"series": {"change-id": "a"}}'])
def test_a_series_that_b4_does_not_know_is_refused(tmp_path, text):
    with pytest.raises(BadSetting, match=r"B4_TRACKING_FILE='.*tracking.json' is not accepted"):
        series.range_of(tracking(tmp_path, text))


def test_cost_series_needs_a_review(tree):
    done = subprocess.run([REPO / "scripts/cost-series"], env=environment(), capture_output=True, text=True, cwd=tree)
    assert done.returncode == 2 and done.stderr.startswith("lsmpmon: B4_TRACKING_FILE='' "), done


def change(total, *parts):
    names = ("where", "hook", "change", "calls_before", "calls_after")
    return {"change": total, "parts": [dict(zip(names, part)) for part in parts]}


FOUND = {"open": change(20, ("landlock", "file_open", 20, 1, 1)),
         "stat": change(31, ("outside of hooks", "", 23, 0, 0), ("framework", "inode_getattr", 8, 1, 2))}


def test_the_self_test_passes():
    selftest.verify(FOUND)


@pytest.mark.parametrize("name, other", [
    ("open", change(21, ("landlock", "file_open", 21, 1, 1))),
    ("open", change(20, ("outside of hooks", "", 20, 0, 0))),
    ("open", change(20, ("landlock", "file_open", 20, 1, 1), ("framework", "file_open", 1, 1, 1), ("outside of hooks", "", -1, 0, 0))),
    ("open", change(20, ("landlock", "file_open", 20, 1, 2))),
    ("stat", change(31, ("framework", "inode_getattr", 8, 1, 3))),
    ("stat", change(31, ("framework", "inode_getattr", 8, 1, 2), ("framework", "inode_permission", 8, 1, 2))),
    ("stat", change(31, ("outside of hooks", "", 31, 0, 0))),
    ("stat/deep", change(1, ("outside of hooks", "", 1, 0, 0))),
])
def test_the_self_test_fails(name, other):
    with pytest.raises(selftest.Failed, match=name.split("/")[0]):
        selftest.verify({**FOUND, name: other})


@pytest.fixture
def self_test(tree, measured, tmp_path, monkeypatch):
    """Return a function that runs the self test with saved output of guests, changed by `plants` in the planted
    state.
    """
    *_, options = measured
    for name, text in (("security/landlock/fs.c", FS), ("fs/stat.c", STAT)):
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text(text)
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "places")
    base = states.head(tree)
    monkeypatch.setattr(selftest, "FOLDER", tmp_path / "selftest")
    monkeypatch.setattr(selftest, "RANGE", tmp_path / "selftest/range.json")

    def printed(plants, boot, *rest):
        kind, = boot.measures
        text = with_stat(kind, PRINTED[kind])
        for plant_in in plants if boot.part != base.ident else ():
            text = plant_in(kind, text)
        return text

    def tested(*plants):
        monkeypatch.setattr(measuring.guest, "boot", lambda *words: printed(plants, *words))
        test = selftest.measuring(replace(options, states=[base]), lambda text: None, lambda text: None)
        test.prepare()
        selftest.run(test)
    return tested


CALL_MORE = in_table("syscalls", ("open", "inode_getattr"), 1, 9, benchmark="stat")


def test_the_self_test_from_its_beginning_to_its_end(self_test):
    self_test(*TWENTY, CALL_MORE)


@pytest.mark.parametrize("plants, message", [
    ((), "it changed nothing"), ((CALL_MORE,), "it changed stat"), (TWENTY, "it changed open"),
    ((slower(21), *TWENTY[1:], CALL_MORE), r"found \+21"),
])
def test_the_self_test_fails_in_the_end(self_test, plants, message):
    with pytest.raises(selftest.Failed, match=message):
        self_test(*plants)


def test_the_self_test_misses_what_is_not_there():
    with pytest.raises(selftest.Failed, match="it changed open"):
        selftest.verify({"open": FOUND["open"]})


def test_a_directory_is_copied_with_the_time_of_now(tree, tmp_path, checkout):
    """A file there may be older than the object of another state's, and make would keep that object."""
    after = tmp_path / "after"
    subprocess.run(["cp", "-a", tree, after], check=True)
    (after / "security/a.c").write_text("int b = 2;\n")
    os.utime(after / "security/a.c", (0, 0))
    before, changed = states.of_folders(tree, after)
    checkout.put(before)
    times = {name: (checkout.tree / name).stat().st_mtime_ns for name in ("Makefile", "security/a.c")}
    checkout.put(changed)
    assert (checkout.tree / "security/a.c").read_text() == "int b = 2;\n" and not (checkout.tree / ".git").exists()
    assert (checkout.tree / "security/a.c").stat().st_mtime_ns > times["security/a.c"]
    assert (checkout.tree / "Makefile").stat().st_mtime_ns == times["Makefile"]


@pytest.fixture
def measured(tree, tmp_path, monkeypatch):
    """Return a function that measures with saved output of guests; a state named in `broken` does not build."""
    made, broken = [], set()
    (tmp_path / "config").write_text("CONFIG_SECURITY_LANDLOCK=y\n")

    def build(variables):
        part = variables["LSMPMON_SOURCE"]
        made.append((part, variables["FLAVOUR"]))
        if part in broken:
            raise measuring.kernel.Failed("its kernel does not build: a.c:1: error")
        return tmp_path

    monkeypatch.setattr(worktree, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(run.Initrds, "get_tools", lambda self: None)
    monkeypatch.setattr(run.Initrds, "make", lambda self: None)
    monkeypatch.setattr(run.Initrds, "of", lambda self, cell: (None, "files"))
    monkeypatch.setattr(measuring.kernel, "build", build)
    monkeypatch.setattr(measuring.guest, "boot", lambda boot, *rest: PRINTED[boot.measures[0]])
    options = settings.Settings(tree, states.of_range(tree, "main~2..main"), ["landlock"], ["open"], 51, [])

    def measure(**changes):
        made.clear()
        measurement = measuring.Measuring(replace(options, **changes), lambda text: None, lambda text: None)
        measurement.prepare()
        measurement.run()
        return measurement
    return measure, made, broken, options


def test_what_is_measured_is_not_measured_again(measured):
    measure, made, _, options = measured
    measure()
    assert sorted(made) == sorted((state.ident, flavour) for state in options.states for flavour in ("unpatched", "monitor"))
    measure()
    assert made == []
    (run.RESULTS / options.states[1].ident / "landlock-callbacks.json").unlink()
    measure()
    assert made == [(options.states[1].ident, "monitor")]


def test_a_header_makes_the_estimate_longer(measured):
    """There are two kernels of each of three states, as the first in their tree; then one commit changes a header."""
    *_, options = measured
    base, one, two = options.states

    def minutes(*states):
        measurement = measuring.Measuring(replace(options, states=states), print, print)
        return measuring.estimate([measurement])

    text = "6 kernels to build and 6 boots: about {} minutes on two idle processors"
    assert minutes(base, one, two) == text.format(13)
    assert minutes(base, replace(one, files=("include/linux/fs.h",)), two) == text.format(22)


def test_a_failure_is_kept_apart_and_tried_again(measured):
    measure, made, broken, options = measured
    broken.add(options.states[1].ident)
    assert measure().failed == {options.states[1].ident: {"": "its kernel does not build: a.c:1: error"}}
    broken.clear()
    assert measure().failed == {} and {part for part, _ in made} == {options.states[1].ident}


@pytest.fixture
def booted(measured, monkeypatch):
    """Return the boots on User-Mode Linux, in their order."""
    boots = []

    def boot(cell, *rest):
        if cell.runner == "uml":
            boots.append((cell.part, cell.boot))
        return PRINTED.get(cell.measures[0], "==> state/kernel\n6.12\n")

    monkeypatch.setattr(measuring.guest, "boot", boot)
    monkeypatch.setattr(measuring.guest, "require_modules", lambda cell, directory: None)
    return boots


def test_cycles_are_measured_in_turns(measured, booted):
    measure, _, _, options = measured
    base, one, two = (state.ident for state in options.states)
    wanted = {"cycles": [("open", "landlock")], "boots": 2}
    measure(**wanted)
    assert booted == [(base, 1), (one, 1), (base, 2), (one, 2), (one, 1), (two, 1), (one, 2), (two, 2)]
    booted.clear()
    measure(**wanted)
    assert booted == []
    (run.RESULTS / two / "cycles/landlock-open-before-2.json").unlink()
    measure(**wanted)
    assert booted == [(one, 2)]


def test_cycles_of_what_does_not_build_are_left_out(measured, booted):
    measure, _, broken, options = measured
    base, one, two = (state.ident for state in options.states)
    broken.add(one)
    measure(cycles=[("open", "landlock")], boots=1)
    assert booted == [(base, 1), (two, 1)]


def test_a_kernel_that_fails_on_user_mode_linux_keeps_its_instructions(measured, booted, monkeypatch):
    measure, *_, options = measured
    build = measuring.kernel.build

    def no_uml(variables):
        if variables["RUNNER"] == "uml":
            raise measuring.kernel.Failed("its kernel does not build: b.c:1: error")
        return build(variables)

    monkeypatch.setattr(measuring.kernel, "build", no_uml)
    failed = measure(cycles=[("open", "landlock")], boots=1).failed
    reasons = {"landlock": "no cycles: its kernel does not build: b.c:1: error"}
    assert failed == {state.ident: reasons for state in options.states} and not booted


def test_a_boot_that_fails_says_what_its_guest_said(measured, monkeypatch):
    def failing(*_):
        raise measuring.guest.Failed("status 1 in the guest\nlandlock: no rule\nopen: interrupted 100 times")

    measure, _, _, options = measured
    monkeypatch.setattr(measuring.guest, "boot", failing)
    why = {"landlock": "status 1 in the guest: open: interrupted 100 times"}
    assert measure().failed == {state.ident: why for state in options.states}


@pytest.mark.parametrize("output, reason", [
    ("  CC a.o\nsecurity/a.c:3:5: error: 'x' undeclared\nmake: *** [a.o] Error 1\n", "security/a.c:3:5: error: 'x' undeclared"),
    (f"{measuring.kernel.CACHE}/trees/kdir-1-unpatched/security/a.c:3:5: error: no\n", "security/a.c:3:5: error: no"),
    ("lsmpmon: refused, nothing is changed: rule 'x' finds no place\n", "rule 'x' finds no place"),
    ("ld: b.o: undefined reference to `y'\n", "ld: b.o: undefined reference to `y'"),
    ("lsmpmon: no space\n", "no space"),
])
def test_why_a_kernel_does_not_build(output, reason):
    assert measuring.kernel.reason(output) == reason


@pytest.mark.parametrize("script, variables, named", [
    ("cost", {}, "nothing is given"),
    ("cost", {"KDIR": "/gone", "RANGE": "a..b"}, "KDIR='/gone'"),
    ("cost", {"BEFORE": "/"}, "BEFORE='/'"),
    ("cost", {"BEFORE": "/", "AFTER": "/"}, "BEFORE='/'"),
    ("cost", {"KDIR": "/", "RANGE": "a..b", "PROFILE": "many"}, "PROFILE='many'"),
])
def test_bad_variables_are_named(script, variables, named):
    done = subprocess.run([REPO / f"scripts/{script}", "--check"], env=environment(**variables), capture_output=True, text=True)
    assert done.returncode == 2 and named in done.stderr


@pytest.mark.parametrize("name, value", [("LSM", "selinux,smack"), ("LSM", "a;b"), ("SAMPLES", "4"), ("FUNCTIONS", "open"),
                                         ("FUNCTIONS", "open*/landlock"), ("FUNCTIONS", "open/tomoyo"), ("FUNCTIONS", "stat/depth-1/landlock"),
                                         ("CYCLES", "open"), ("BOOTS", "1"), ("LLVM", "yes")])
def test_bad_words_are_named(tree, monkeypatch, name, value):
    monkeypatch.setenv("KDIR", str(tree))
    monkeypatch.setenv("RANGE", "main~1..main")
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSetting, match="is not accepted"):
        settings.Settings.from_environment()


def test_no_cycles_of_a_kernel_that_llvm_builds(tree, monkeypatch):
    for name, value in {"KDIR": str(tree), "RANGE": "main~1..main", "CYCLES": "open/landlock", "LLVM": "-19"}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(BadSetting, match=r"LLVM='-19' is not accepted with CYCLES"):
        settings.Settings.from_environment()


def test_the_self_test_is_switched_by_name(monkeypatch):
    monkeypatch.setenv("SELFTEST", "off")
    with pytest.raises(BadSetting, match=r"SELFTEST='off'.*yes.*no"):
        selftest.wanted()


@pytest.mark.parametrize("words, named", [(["open", ">3"], "'open'"), (["open/landlock", "3"], "LIMIT '3'"), ([], "required")])
def test_a_misused_bisection_ends(words, named):
    """The status is 255, since git takes 1 to 127 as an answer."""
    done = subprocess.run([REPO / "scripts/cost-bisect", *words], env=environment(), capture_output=True, text=True, cwd=REPO)
    assert done.returncode == 255 and named in done.stderr, done
