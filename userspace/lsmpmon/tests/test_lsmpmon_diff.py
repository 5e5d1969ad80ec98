# SPDX-License-Identifier: GPL-2.0-only
"""What diff says of records whose difference is known."""

import json
import random
import re
import subprocess

import pytest
from recorded import HERE
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

HEADER = "hook verdict min max ave count cs_count sum\n"


def record(path, *runs, khz=1000000, runner="uml", boot=None, accelerator=None, **tables):
    """Each run: by hook, calls and ticks of a mean call. One tick is a nanosecond."""
    found = []
    for run in runs:
        lines = [f"{hook} allow 1 {2 * ave} {ave} {count} 0 {count * ave}\n"
                 for hook, (count, ave) in run.items()]
        found.append({"files": {"info": f"clock: tsc\nclock_khz: {khz}\nmodules: capability\n",
                                "verdicts": HEADER + "".join(lines), **tables}})
    path.write_text(json.dumps({"format": "lsmpmon-record", "version": 1, "runs": found,
                                "about": {key: value for key, value in (("runner", runner), ("boot", boot),
                                                                   ("accelerator", accelerator)) if value}}))
    return path


@pytest.fixture
def rows(view):
    def run(*words):
        return {row["hook"]: row for row in view("diff", *words)["rows"]}
    return run


def test_counts_costs_and_changes(rows, tmp_path):
    a = record(tmp_path / "a", {"capable": (10, 100), "file_open": (5, 40), "gone": (1, 7)})
    b = record(tmp_path / "b", {"capable": (20, 150), "file_open": (5, 40), "new": (2, 9)})
    found = rows(a, b)
    row = found["capable"]
    assert (row["count A"], row["count B"], row["ave A"], row["ave B"]) == (10, 20, 100, 150)
    assert (row["change"], row["sum A"], row["sum B"], row["more"]) == (50, 1000, 3000, 2000)
    assert found["file_open"]["change"] == 0
    assert found["gone"]["count B"] is found["gone"]["change"] is found["new"]["ave A"] is None
    assert (found["gone"]["more"], found["new"]["more"]) == (-7, 18)
    assert found["(all)"]["sum A"] == 1207 and found["(all)"]["sum B"] == 3218


def test_different_clocks_are_one_unit(rows, tmp_path):
    a = record(tmp_path / "a", {"capable": (10, 100)}, khz=1000000)
    b = record(tmp_path / "b", {"capable": (10, 300)}, khz=3000000)
    assert rows(a, b)["capable"]["change"] == 0
    assert rows(a, b, "--cycles")["capable"]["change"] == 200


def side(path, *boots):
    """A directory of records, each of a boot of its own; of each, the mean call in each of its runs."""
    path.mkdir()
    for number, runs in enumerate(boots):
        record(path / f"{number}.json", *({"capable": (10, ave)} for ave in runs), boot=f"{path.name}{number}")
    return path


def test_boots_are_samples_and_runs_are_not(rows, tmp_path):
    """Runs of a boot agree with each other: ten of them say no more than one."""
    a, b = [100, 104, 98, 102], [118, 123, 116, 119]
    row = rows(side(tmp_path / "a", *([ave] * 10 for ave in a)), side(tmp_path / "b", *([ave] * 10 for ave in b)))
    welch = scipy_stats.ttest_ind(b, a, equal_var=False)
    interval = welch.confidence_interval()
    assert row["capable"]["change"] == pytest.approx(100 * (119 - 101) / 101, abs=0.001)
    assert row["capable"]["+-"] == pytest.approx(100 * (interval.high - interval.low) / 2 / 101, abs=0.001)
    # One hook and the row of all are two tests of the same.
    assert row["capable"]["p"] == pytest.approx(2 * welch.pvalue, rel=1e-6)
    assert row["capable"]["sure"] == "yes"


def test_one_boot_is_never_sure(rows, view, tmp_path):
    """However many runs, in however many files."""
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
    """Times that are equal by the clock's ticks are not without error."""
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


def luck(chance, hooks, boots):
    """The same kernel: boots differ by some percent in each hook, runs within a boot by less."""
    for _ in range(boots):
        means = [10000 * (1 + chance.gauss(0, 0.08)) for _ in range(hooks)]
        yield [{f"hook{n}": (10, round(mean * (1 + chance.gauss(0, 0.01)))) for n, mean in enumerate(means)}
               for _ in range(10)]


def test_false_alarms_are_as_rare_as_stated(plain, tmp_path):
    """The same on both sides: at 5 % for the whole table, 100 comparisons of 35 rows have about five alarms at most;
    more than eleven come by chance in one of a hundred tests of a true 5 %, and this draws the same each time.
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
    assert (row["change B"], row["change C"], row["more C"]) == (50, -50, -500)
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
    sources = [HERE / "print_welch.c", HERE.parent / "welch.c", HERE.parent / "student.c"]
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{HERE.parent}", "-o", path, *sources, "-lm"],
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
        assert p == pytest.approx(wanted.pvalue, rel=1e-6, abs=1e-15)
        assert half == pytest.approx((interval.high - interval.low) / 2, rel=1e-6)


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
    found = rows(HERE / "data/6.12-uml-apparmor.json", HERE / "data/6.12-uml-selinux.json")
    assert found["inode_permission"]["ave B"] > found["inode_permission"]["ave A"]
    assert found["inode_permission"]["sure"] is None and found["inode_permission"]["+-"] > 0
