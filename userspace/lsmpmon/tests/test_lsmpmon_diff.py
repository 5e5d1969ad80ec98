# SPDX-License-Identifier: GPL-2.0-only
"""Tests of lsmpmon diff with records whose difference is known."""

import json
import random
import re
import subprocess

import pytest
from recorded import HERE
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

HEADER = "hook verdict min max ave count cs_count sum\n"


def record(path, *runs, khz=1000000, runner="uml", boot=None, accelerator=None, command=None, timed=1, **tables):
    """Write a record. Each run has, by hook, calls and ticks of a mean call. One tick is a nanosecond."""
    written = []
    for run in runs:
        lines = [f"{hook} allow 1 {2 * ave} {ave} {count} 0 {count * ave}\n"
                 for hook, (count, ave) in run.items()]
        written.append({"files": {"info": f"clock: tsc\nclock_khz: {khz}\nmodules: capability\ntimed: {timed}\n",
                                  "verdicts": HEADER + "".join(lines), **tables}})
    path.write_text(json.dumps({"format": "lsmpmon-record", "version": 1, "runs": written,
                                **({"command": command} if command else {}),
                                "about": {key: value for key, value in (("runner", runner), ("boot", boot),
                                                                   ("accelerator", accelerator)) if value}}))
    return path


@pytest.fixture
def rows(view):
    def run(*words):
        shown = view("diff", *words)
        return {row["hook"]: row for row in [shown["total"], *shown["rows"]]}
    return run


def test_counts_costs_and_changes(rows, tmp_path):
    a = record(tmp_path / "a", {"capable": (10, 100), "file_open": (5, 40), "gone": (1, 7)})
    b = record(tmp_path / "b", {"capable": (20, 150), "file_open": (5, 40), "new": (2, 9)})
    by_hook = rows(a, b)
    row = by_hook["capable"]
    assert (row["count A"], row["count B"], row["ave A"], row["ave B"]) == (10, 20, 100, 150)
    assert (row["change"], row["sum A"], row["sum B"], row["added"]) == (50, 1000, 3000, 2000)
    assert by_hook["file_open"]["change"] == 0
    assert by_hook["gone"]["count B"] is by_hook["gone"]["change"] is by_hook["new"]["ave A"] is None
    assert (by_hook["gone"]["added"], by_hook["new"]["added"]) == (-7, 18)
    assert by_hook["(all)"]["sum A"] == 1207 and by_hook["(all)"]["sum B"] == 3218


def test_different_clocks_are_one_unit(rows, tmp_path):
    a = record(tmp_path / "a", {"capable": (10, 100)}, khz=1000000)
    b = record(tmp_path / "b", {"capable": (10, 300)}, khz=3000000)
    assert rows(a, b)["capable"]["change"] == 0
    assert rows(a, b, "--cycles")["capable"]["change"] == 200


def side(path, *boots, **words):
    """Write a directory of records, each of a boot of its own, from the mean call in each of its runs."""
    return side_of(path, *([{"capable": (10, ave)} for ave in runs] for runs in boots), **words)


def side_of(path, *boots, **words):
    """Write a directory of records, each of a boot of its own, from whole runs."""
    path.mkdir()
    for number, runs in enumerate(boots):
        record(path / f"{number}.json", *runs, boot=f"{path.name}{number}", **words)
    return path


def test_boots_are_samples_and_runs_are_not(rows, tmp_path):
    """Runs of a boot agree with each other: ten of them are no better evidence than one."""
    a, b = [100, 104, 98, 102], [118, 123, 116, 119]
    row = rows(side(tmp_path / "a", *([ave] * 10 for ave in a)), side(tmp_path / "b", *([ave] * 10 for ave in b)))
    welch = scipy_stats.ttest_ind(b, a, equal_var=False)
    interval = welch.confidence_interval()
    assert row["capable"]["change"] == pytest.approx(100 * (119 - 101) / 101, abs=0.001)
    assert row["capable"]["+-"] == pytest.approx(100 * (interval.high - interval.low) / 2 / 101, abs=0.001)
    # One hook; the row of all is a question of its own.
    assert row["capable"]["p"] == pytest.approx(welch.pvalue, rel=1e-6)
    assert row["capable"]["sure"] == "yes"


def test_one_boot_is_never_sure(rows, view, tmp_path):
    """The number of its runs and of its files does not matter."""
    a = record(tmp_path / "a", *({"capable": (10, ave)} for ave in (100, 101, 102)), boot="one")
    b = record(tmp_path / "b", *({"capable": (10, ave)} for ave in (200, 201, 202)), boot="two")
    c = record(tmp_path / "c", *({"capable": (10, ave)} for ave in (200, 201, 202)), boot="two")
    for words in ((a, b), (a, f"{b},{c}")):
        row = rows(*words)["capable"]
        assert row["sure"] is row["p"] is None and row["+-"] > 0
        assert any(note.startswith("One boot a side") for note in view("diff", *words)["notes"])


def test_several_files_are_a_side(rows, tmp_path):
    a, b = side(tmp_path / "a", [100], [101], [102]), side(tmp_path / "b", [200], [201], [202])
    row = rows(",".join(map(str, sorted(a.iterdir()))), b)["capable"]
    assert row == rows(a, b)["capable"] and row["sure"] == "yes"


def test_chance_is_not_sure(rows, tmp_path):
    a, b = side(tmp_path / "a", [100], [140], [90]), side(tmp_path / "b", [101], [150], [95])
    assert rows(a, b)["capable"]["sure"] == "no"


def test_a_coarse_clock_is_not_certainty(rows, tmp_path):
    """Times that are equal by the clock's ticks still have an error."""
    a, b = side(tmp_path / "a", [100], [100]), side(tmp_path / "b", [110], [110])
    assert rows(a, b)["capable"]["sure"] is None


def test_instructions_are_exact(rows, lsmpmon, tmp_path):
    a, b = (record(tmp_path / name, *[{"capable": (10, ave)}] * 2, runner="qemu", accelerator="icount")
            for name, ave in (("a", 1000), ("b", 1001)))
    assert rows(a, b)["capable"]["+-"] == 0
    assert lsmpmon("diff", a, b, "--fail-above", "0").returncode == 1
    assert lsmpmon("diff", a, b, "--fail-above", "1").returncode == 0


@pytest.mark.parametrize("boots, limit, status", [
    ([110, 111, 112], "7", 1), ([110, 111, 112], "10", 0), ([90, 91, 92], "0", 0), ([60, 120, 190], "5", 0),
])
def test_fail_above(lsmpmon, tmp_path, boots, limit, status):
    a = side(tmp_path / "a", [100], [101], [102])
    b = side(tmp_path / "b", *([ave] for ave in boots))
    assert lsmpmon("diff", a, b, "--fail-above", limit).returncode == status


def test_a_gate_that_chance_opens_is_refused(lsmpmon, tmp_path):
    a, b = (record(tmp_path / name, {"capable": (10, ave)}) for name, ave in (("a", 100), ("b", 300)))
    done = lsmpmon("diff", a, b, "--fail-above", "5")
    assert done.returncode == 2 and "several boots" in done.stderr


def test_totals_are_no_data_and_their_p_is_their_own(lsmpmon, view, tmp_path):
    """The number of hooks does not matter: the total is one comparison."""
    def boots(more):
        return [[{"capable": (10, 1000 + n), **{f"hook{i}": (10, 100 + (i * n) % 7) for i in range(30)},
                  "file_open": (1, 1000 + more)}] for n in (0, 8, 3)]
    a, b = side_of(tmp_path / "a", *boots(0)), side_of(tmp_path / "b", *boots(900))
    shown = view("diff", a, b)
    assert "(all)" not in {row["hook"] for row in shown["rows"]} and shown["total"]["hook"] == "(all)"

    def means(more):
        return [sum(count * ave for run in boot for count, ave in run.values()) /
                sum(count for run in boot for count, _ in run.values()) for boot in boots(more)]
    welch = scipy_stats.ttest_ind(means(900), means(0), equal_var=False)
    assert shown["total"]["p"] == pytest.approx(welch.pvalue, rel=1e-6)
    assert "(all)" not in lsmpmon("diff", a, b, "--csv").stdout
    for words in ((), ("--markdown",), ("--sort", "hook"), ("--top", "1")):
        lines = lsmpmon("diff", a, b, *words).stdout.splitlines()
        assert len([line for line in lines if re.match(r"(\| )?\(all\) +(\| )?\d", line)]) == 1


MODULES = "module hook min max ave count cs_count sum deny_count\n"


@pytest.mark.parametrize("limit", [(), ("--fail-above", "5")])
def test_missing_data_is_an_error(lsmpmon, tmp_path, limit):
    off, on = ({"features": f"module {state}\n", "modules": MODULES + line}
               for state, line in ((0, ""), (1, "capability capable 1 9 5 10 0 50 0\n")))
    a, b = (side(tmp_path / name, [100], [101], **off) for name in "ab")
    c = side(tmp_path / "c", [100], [101], **on)
    for first, second, named in ((a, b, "A"), (c, a, "B"), (a, c, "A")):
        done = lsmpmon("diff", first, second, "--by", "module", *limit)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{named} (" in done.stderr and "lsmpmon record -f module" in done.stderr
    assert lsmpmon("diff", c, c, "--by", "module", *limit).returncode == 0


@pytest.mark.parametrize("limit", [(), ("--fail-above", "5")])
def test_a_run_without_calls_is_an_error(lsmpmon, tmp_path, limit):
    a, b = side(tmp_path / "a", [100], [101]), side_of(tmp_path / "b", [{"capable": (10, 100)}], [{}])
    done = lsmpmon("diff", a, b, *limit)
    assert (done.returncode, done.stdout) == (2, "") and "run 2: no call was counted" in done.stderr


NOISE = (0, 11, 4)


def gate_sides(tmp_path, before, after):
    """Write three boots a side, whose mean calls vary by a percent and whose numbers of calls do not."""
    return (side_of(tmp_path / name, *([{hook: (count, ave + more) for hook, (count, ave) in hooks.items()}]
                                       for more in NOISE))
            for name, hooks in (("a", before), ("b", after)))


@pytest.mark.parametrize("after, message", [
    ({"capable": (10, 1000), "file_open": (50, 1000)}, None),
    ({"capable": (100, 1000), "file_open": (50, 1000)}, "capable: the time of a run +900.0 %, the calls of a run +900.0 %"),
    ({"capable": (10, 1000), "file_open": (50, 1000), "new": (1, 900)}, "new: the calls of a run new"),
    ({"capable": (10, 1000), "file_open": (50, 1500)}, "file_open: a mean call +49.8 %, the time of a run +49.8 %"),
    ({"capable": (10, 1000)}, None),
])
def test_a_gate_looks_at_totals(lsmpmon, tmp_path, after, message):
    a, b = gate_sides(tmp_path, {"capable": (10, 1000), "file_open": (50, 1000)}, after)
    done = lsmpmon("diff", a, b, "--fail-above", "30", "--width", "200")
    assert done.returncode == (1 if message else 0), done.stdout
    assert not message or f"Above the limit: {message}" in done.stdout


def test_few_calls_that_became_many_are_not_left_out(lsmpmon, tmp_path):
    a, b = gate_sides(tmp_path, {"capable": (2, 1000), "file_open": (50, 1000)},
                      {"capable": (90, 1000), "file_open": (50, 1000)})
    assert lsmpmon("diff", a, b, "--fail-above", "100", "--min-count", "20").returncode == 1


def test_exact_totals_are_gated(lsmpmon, tmp_path):
    a, b = (record(tmp_path / name, run, runner="qemu", accelerator="icount")
            for name, run in (("a", {"capable": (10, 100)}), ("b", {"capable": (10, 100), "new": (1, 1)})))
    assert lsmpmon("diff", a, b, "--fail-above", "5").returncode == 1
    assert lsmpmon("diff", b, a, "--fail-above", "5").returncode == 0


def test_calls_and_time_of_a_run_are_columns(rows, tmp_path):
    a = record(tmp_path / "a", {"capable": (10, 100), "gone": (1, 7)})
    b = record(tmp_path / "b", {"capable": (40, 50), "new": (2, 9)})
    by_hook = rows(a, b)
    assert (by_hook["capable"]["calls"], by_hook["capable"]["time"]) == (300, 100)
    assert by_hook["new"]["calls"] is by_hook["new"]["time"] is None
    assert by_hook["gone"]["calls"] == by_hook["gone"]["time"] == -100


@pytest.mark.parametrize("words, message", [
    ({"command": ["tar", "x"]}, 'commands: ["true"] in A, ["tar","x"] in B'),
    ({"features": "syscall 1\nmodule 1\n"}, "features: syscall in A, syscall,module in B"),
    ({"timed": 64}, "timed: 1 in A, 64 in B"),
    ({"filter": "s cat\no\np 12\n"}, "filters: p in A, s cat,p in B"),
])
def test_unlike_records_are_named_first_and_not_judged(lsmpmon, view, tmp_path, words, message):
    usual = {"command": ["true"], "features": "syscall 1\nmodule 0\n", "filter": "s\no\np 7\n"}
    a, c = (side(tmp_path / name, [100], [101], [102], **usual) for name in "ac")
    b = side(tmp_path / "b", [200], [201], [202], **{**usual, **words})
    shown = lsmpmon("diff", a, b)
    assert shown.returncode == 0 and message in shown.stderr
    assert message in view("diff", a, b)["notes"][0]
    done = lsmpmon("diff", a, b, "--fail-above", "5")
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr and "--unlike" in done.stderr
    assert lsmpmon("diff", a, b, "--fail-above", "5", "--unlike").returncode == 1
    same = lsmpmon("diff", a, c, "--fail-above", "5")
    assert (same.returncode, same.stderr) == (0, "")
    # The records of one side are compared, too.
    done = lsmpmon("diff", a, f"{c},{b}", "--fail-above", "5")
    assert done.returncode == 2 and message in done.stderr


def luck(chance, hooks, boots):
    """Yield the mean calls of boots of the same kernel.

    Boots differ by some percent in each hook, and runs within a boot by less.
    """
    for _ in range(boots):
        means = [10000 * (1 + chance.gauss(0, 0.08)) for _ in range(hooks)]
        yield [{f"hook{n}": (10, round(mean * (1 + chance.gauss(0, 0.01)))) for n, mean in enumerate(means)}
               for _ in range(10)]


def test_false_alarms_are_as_rare_as_stated(plain, tmp_path):
    """About five alarms at most are expected from 100 comparisons of 35 equal rows, at 5 % for the whole table.

    More than eleven come by chance in one of a hundred tests of a true 5 %, and this draws the same each time.
    """
    chance, alarms = random.Random(2026), 0
    for number in range(100):
        sides = []
        for name in "ab":
            sides.append(tmp_path / f"{number}{name}")
            sides[-1].mkdir()
            for boot, runs in enumerate(luck(chance, 35, 4)):
                record(sides[-1] / f"{boot}.json", *runs[:2], boot=f"{name}{boot}")
        done = subprocess.run([plain, "diff", *sides, "--json"], capture_output=True, check=True)
        alarms += any(row["sure"] == "yes" for row in json.loads(done.stdout)["rows"])
    assert alarms <= 11


def test_more_than_two_beside_the_first(view, tmp_path):
    paths = [record(tmp_path / name, {"capable": (10, ave)}) for name, ave in (("a", 100), ("b", 150), ("c", 50))]
    shown = view("diff", *paths)
    (row,) = [row for row in shown["rows"] if row["hook"] == "capable"]
    assert (row["ave A"], row["ave B"], row["ave C"]) == (100, 150, 50)
    assert (row["change B"], row["change C"], row["added C"]) == (50, -50, -500)
    assert set(shown["source"]) == {"a", "b", "c"}


def test_markdown_is_a_table(lsmpmon, tmp_path):
    a, b = (record(tmp_path / name, {"ca|p_*able": (10, ave)}) for name, ave in (("a", 100), ("b", 150)))
    lines = [line for line in lsmpmon("diff", a, b, "--markdown").stdout.splitlines() if line.startswith("|")]
    columns = re.split(r" (?<!\\)\| ", lines[0].strip("| "))
    assert columns[0] == "hook" and set(lines[1]) <= set("|-: ") and lines[1].count("|") == len(columns) + 1
    assert all(len(re.findall(r"(?<!\\)\|", line)) == len(columns) + 1 for line in lines)
    assert any(line.startswith(r"| ca\|p\_\*able |") and "+50.0%" in line for line in lines)


@pytest.fixture(scope="module")
def print_welch(tmp_path_factory):
    path = tmp_path_factory.mktemp("welch") / "print_welch"
    lib = HERE.parents[1] / "lib"
    sources = [HERE / "print_welch.c", HERE.parent / "welch.c", lib / "student.c"]
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{HERE.parent}", f"-I{lib}", "-o", path, *sources, "-lm"],
                   check=True)

    def run(*words):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True, check=True)
        return [float(word) for word in done.stdout.split()]
    return run


def test_welch_is_scipys(print_welch):
    chance = random.Random(23)
    for _ in range(200):
        a, b = ([chance.gauss(mean, scale) for _ in range(chance.randrange(2, 30))]
                for mean, scale in ((100, chance.choice((0.1, 10))), (chance.choice((100, 101, 200)), 5)))
        half, p = print_welch("welch", len(a), *map(repr, a), *map(repr, b))
        wanted = scipy_stats.ttest_ind(a, b, equal_var=False)
        interval = wanted.confidence_interval()
        assert p == pytest.approx(wanted.pvalue, rel=1e-9, abs=1e-15)
        assert half == pytest.approx((interval.high - interval.low) / 2, rel=1e-9)


def test_holm_is_statsmodels(print_welch):
    chance = random.Random(42)
    for _ in range(50):
        chances = [chance.random() ** 4 for _ in range(chance.randrange(1, 60))]
        assert print_welch("holm", *map(repr, chances)) == pytest.approx(multipletests(chances, method="holm")[1])


def test_rows_of_few_calls_are_left_out(lsmpmon, rows, tmp_path):
    a = record(tmp_path / "a", {"capable": (1, 100), "file_open": (50, 10)})
    b = record(tmp_path / "b", {"capable": (1, 900), "file_open": (50, 10)})
    assert set(rows(a, b, "--min-count", "10")) == {"(all)", "file_open"}


def test_different_runners_are_named(view, tmp_path):
    a = record(tmp_path / "a", {"capable": (1, 100)})
    b = record(tmp_path / "b", {"capable": (1, 100)}, runner="qemu")
    assert any("different runners: uml and qemu" in note for note in view("diff", a, b)["notes"])


def test_real_records_of_two_modules(rows):
    by_hook = rows(HERE / "data/6.12-uml-apparmor.json", HERE / "data/6.12-uml-selinux.json")
    assert by_hook["inode_permission"]["ave B"] > by_hook["inode_permission"]["ave A"]
    assert by_hook["inode_permission"]["sure"] is None and by_hook["inode_permission"]["+-"] > 0
