# SPDX-License-Identifier: GPL-2.0-only
"""The page: figures in, the same figures out; what is not there is named; it needs nothing else."""

import html.parser
import json
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("scipy")

from evaluation_results import COUNTS, constant, hooks, record, write_all, write_kernels, write_result, write_static
from lsmpmon_report.evaluation import page
from lsmpmon_report.evaluation.results import load_results
from lsmpmon_report.kernelfiles import FormatError

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(html.parser.HTMLParser):
    """Text of each element with an id, links, and whether tags are closed in their order."""

    def __init__(self, path):
        super().__init__()
        self.open, self.links, self.ids, self.rows, self.loads = [], [], [], [], []
        self.path = path
        self.text = path.read_text()
        self.feed(self.text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        assert len(known) == len(attributes), f"<{tag}> has an attribute twice"
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [known["id"]] if "id" in known else []
        self.links += [known["href"]] if "href" in known else []
        self.loads += [tag] if tag in ("script", "link", "img", "iframe", "object", "use") or "src" in known else []
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data):
        if self.rows and any(tag in ("td", "th") for tag in self.open):
            self.rows[-1][-1] += data


@pytest.fixture
def made(tmp_path):
    """made(): the page and the summary of what is in tmp_path/results."""

    def make(**options):
        page.write(tmp_path / "results", tmp_path / "out", **options)
        return Page(tmp_path / "out" / "index.html"), json.loads((tmp_path / "out" / "summary.json").read_text())

    return make


@pytest.fixture
def results(tmp_path):
    return tmp_path / "results"


def ratios(summary, table):
    return {(ratio["row"], ratio["column"]): ratio for ratio in summary["tables"][table]["ratios"]}


def test_a_known_ratio_comes_out(results, made):
    write_all(results)
    shown, summary = made()
    assert ratios(summary, "figure-2")["stat", "capability"]["change"] == pytest.approx(0.1)
    assert ratios(summary, "figure-6-hooks")["stat", "SELinux"]["change"] == pytest.approx(0.1)
    assert ratios(summary, "figure-6-policy")["stat", "SELinux"]["change"] == 0
    assert ratios(summary, "figure-6")["open", "SELinux"]["change"] == pytest.approx(1.0)
    assert ["open", "+100.0\u00a0%"] in [row[:2] for row in shown.rows]
    one = ratios(summary, "figure-6")["open", "SELinux"]
    assert (one["file"], one["base_file"]) == ("modules/6.12-selinux-on.json", "modules/6.12-capability.json")
    assert (one["unit"], one["runner"], one["accel"], one["exact"], one["noise"]) == (
        "instructions",
        "qemu",
        "icount",
        True,
        False,
    )


def test_the_first_page_names_what_costs_most(results, made):
    write_all(results)
    answers = made()[0].text.partition('<section id="answers"')[2].partition("</section>")[0]
    assert "open under SELinux, with a policy that decides: 2.0 times what capability alone costs (+100\u00a0%)" in answers
    assert "LSM with capability costs +10.0\u00a0%" in answers
    assert "file_open in TOMOYO, 200 ns a call (401 cycles on uml)." in answers


def test_it_needs_nothing_else(results, made):
    write_all(results)
    shown, _ = made()
    assert not shown.loads
    assert "url(" not in shown.text and "@import" not in shown.text and "://" not in shown.text
    assert len(shown.text) < 1_500_000


@pytest.mark.parametrize("copy", [False, True])
def test_every_link_leads_somewhere(tmp_path, results, made, copy):
    write_all(results)
    shown, _ = made(copy=copy)
    assert len(shown.ids) == len(set(shown.ids))
    for link in set(shown.links):
        if link.startswith("#"):
            assert link[1:] in shown.ids, link
        else:
            assert (tmp_path / "out" / link).is_file(), link
    assert any(link.startswith("results/" if copy else "../results/") for link in shown.links)


def test_each_table_says_runner_accelerator_and_unit(results, made):
    write_all(results)
    text = made()[0].text
    assert "runner qemu, accelerator icount, instructions, tmpfs" in text
    assert "runner uml, accelerator none, cycles, tmpfs" in text


@pytest.mark.parametrize("part", ["stacking", "integrity", "growth", "rules", "kernels", "openit", "static"])
def test_a_part_that_was_not_run_is_named(results, made, part):
    write_result(results, "modules", "6.12-dac", constant(1000))
    write_result(results, "modules", "6.12-capability", constant(1100))
    shown, summary = made()
    assert f"part <code>{part}</code> has no results for this" in shown.text
    assert any(row[0] == part and row[-1] == "not run" for row in shown.rows)
    assert set(summary["tables"]) == {"figure-2"}


def test_a_cell_that_was_not_run_is_named(results, made):
    write_all(results)
    assert "6.12-apparmor-on" in made()[0].text


@pytest.mark.parametrize(
    "write",
    [
        lambda d: write_static(d, "6.12"),
        write_kernels,
        lambda d: write_result(d, "quick", "6.12-capability", constant(9)),
    ],
)
def test_one_part_alone_makes_a_page(results, made, write):
    write(results)
    assert made()[0].text.count("<section") >= 7


def test_a_tree_of_ones_own_is_answered_for(results, made):
    """And nothing else takes place where nothing else was run."""
    for name, value, lsm in (("dac", 1000, ""), ("capability", 1010, "capability"), ("stack", 1200, "capability,yama")):
        others = {"mkdir": 1900} if name == "stack" else {}
        write_result(results, "yours", name, constant(value, **others), cell={"kver": "6.1"}, state={"lsm": lsm})
    records = {"stat": record(COUNTS)}
    write_result(results, "yours", "stack-hooks", records=records, cell={"kver": "6.1", "flavour": "patched"})
    shown, _ = made()
    answers = shown.text.partition('<section id="answers"')[2].partition("</section>")[0]
    assert "over dac (no LSM), capability (capability) costs +1.0\u00a0% at the median, +1.0\u00a0% at most (" in answers
    assert "stack (capability,yama) costs +20.0\u00a0% at the median, +90.0\u00a0% at most (mkdir)." in answers
    assert "Of its hooks, inode_getattr takes most: 128 calls of 60 instructions." in answers
    assert "Linux 6.1<" in shown.text and "tables of 2010" not in shown.text


def test_a_quick_run_stands_in_and_says_so(results, made):
    write_result(results, "quick", "6.12-dac", constant(1000))
    write_result(results, "quick", "6.12-capability", constant(1100))
    shown, summary = made()
    assert "A quick run" in shown.text
    assert ratios(summary, "figure-2")["stat", "capability"]["change"] == pytest.approx(0.1)


def test_other_machines_are_never_compared(results, made):
    write_result(results, "modules", "6.12-dac", constant(1000))
    write_result(results, "modules", "6.12-capability", constant(1100), cell={"accel": "kvm"}, state={"processor": "P"})
    shown, summary = made()
    assert "figure-2" not in summary["tables"]
    assert "it ran in another setting than modules/6.12-dac" in shown.text


def test_differences_inside_the_noise_are_called_so(results, made):
    noisy = {"stat": [100, 120, 90, 110, 105], "open": [1000, 1001, 1002, 1003, 1004]}
    write_result(results, "modules", "6.12-dac", noisy | {"creat": [5, 5, 5, 5, 5]})
    write_result(
        results,
        "modules",
        "6.12-capability",
        {"stat": [104, 118, 95, 108, 101], "open": [2000, 2001, 2002, 2003, 2004], "creat": [6] * 5},
    )
    shown, summary = made()
    found = ratios(summary, "figure-2")
    assert [found[row, "capability"]["noise"] for row in ("stat", "open", "creat")] == [True, False, False]
    assert [found[row, "capability"]["exact"] for row in ("stat", "open", "creat")] == [False, False, True]
    assert '<td class="noise"' in shown.text
    assert "stat" not in shown.text.partition("The framework:</b>")[2].partition("<a")[0]


def test_shares_and_observed_hooks(results, made):
    write_result(results, "modules", "6.12-selinux-on-hooks", records={"stat": record(COUNTS)})
    rows = made()[0].rows
    assert ["stat", "50.0\u00a0%", "–"] in rows
    assert ["stat", "inode_getattr", "2", "d", "1", "1", "1", "1"] in rows
    executed = next(row for row in rows if row[0] == "stat" and "inode_permission 50\u00a0%" in row)
    assert executed[1:3] == ["4", "100\u00a0%"]


def test_hook_times_are_converted(results, made):
    write_kernels(results)
    write_result(results, "modules", "6.12-capability", constant(9))
    rows = made()[0].rows
    assert ["inode_create", "25 (50)", "100 (200)", "200 (400)", "0.035", "19.037", "N/A", "N/A"] in rows
    close = next(row for row in rows if row[0] == "file_free_security")
    assert close[1:7] == ["10", "100", "0.100"] * 2


def test_hooks_of_sub_benchmarks_are_a_mean_call_of_all(results, made):
    """Cells that are exact do the work once, each sub-benchmark by itself."""
    for kernel, ticks in (("6.1", 300), ("6.12", 150)):
        records = {"stat": record({"result": hooks(file_open=100)}), "open": record({"result": hooks(file_open=ticks)})}
        write_result(results, "kernels", f"{kernel}-capability-exact", records=records)
    assert ["file_open", "200.0", "125.0"] in made()[0].rows


def test_the_same_results_give_the_same_page(results, made):
    write_all(results)
    assert made()[0].text == made()[0].text


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
    with pytest.raises(FormatError, match="6.12-broken.json"):
        page.write(results, tmp_path / "out")


def test_a_bad_table_in_a_record_is_named(tmp_path, results):
    write_result(results, "modules", "6.12-selinux-on-hooks", records={"stat": record({"result": "what is this\n"})})
    with pytest.raises(FormatError, match="6.12-selinux-on-hooks.json: stat/result"):
        page.write(results, tmp_path / "out")


def test_cycles_of_emulation_are_refused(tmp_path, results):
    write_result(results, "modules", "6.12-dac", constant(1000), cell={"accel": "tcg"})
    with pytest.raises(FormatError, match="6.12-dac.json: software emulation"):
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
    assert done.stderr.startswith(f"lsmpmon_report: {tmp_path}: no results in it") and done.stderr.count("\n") == 1
    write_all(results)
    done = command(results, "-o", tmp_path / "out")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path}/out/index.html\n", "")
    write(results / "rules" / "bad.json", "{")
    done = command(results, "-o", tmp_path / "out")
    assert done.returncode == 1 and f"{results}/rules/bad.json" in done.stderr


def test_boots_that_cannot_be_are_named_with_their_reason(tmp_path):
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels/6.1-landlock-1.json").write_text(json.dumps({
        "format": "lsmpmon-result", "version": 1, "key": "", "left_out": "Linux 6.1 on uml has no landlock",
        "cell": {"part": "kernels", "name": "6.1-landlock-1"},
    }))
    found = load_results(tmp_path, "results")
    assert found.cells == [] and [result.ident for result in found.absent] == ["kernels/6.1-landlock-1"]
