# SPDX-License-Identifier: GPL-2.0-only
"""report --html and --folded have the numbers of the record, and nothing of it that could act in a page."""

import html.parser
import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from recorded import HERE, Record, counts, has_times, times

CONTAINERS = HERE / "data/6.12-uml-containers.json"


class Page(html.parser.HTMLParser):
    """A page: its elements, what they refer to, and the data in it."""

    def __init__(self, path):
        super().__init__()
        self.elements, self.links, self.inside, text = Counter(), [], None, path.read_text()
        self.text = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements[tag] += 1
        self.inside = dict(attrs).get("id") or tag
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"]
        self.links += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.text[self.inside] = self.text.get(self.inside, "") + data


@pytest.fixture
def page(lsmpmon, tmp_path):
    def make(record, *words):
        done = lsmpmon("report", record, "--html", tmp_path / "page.html", *words)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        return Page(tmp_path / "page.html")
    return make


def test_the_page_has_the_numbers_of_the_record(page, view, record):
    data = json.loads(page(record).text["data"])
    assert data["hooks"]["rows"] == view("report", record)["rows"]
    assert data["syscalls"]["rows"] == view("report", record, "--by", "syscall")["rows"]
    stacks, wanted = Counter(), times(record, "syscalls", "syscall", "hook")
    for names, ticks in data["stacks"]:
        stacks[tuple(names[:2])] += ticks
    assert stacks == {key: value for key, value in wanted.items() if value}
    calls = counts(record, "histogram", of=["own" if has_times(record) else "count"])
    assert {hook: sum(count for _, count in buckets) for hook, buckets in data["histograms"]} == \
        {hook: count for hook, count in calls.items() if count}
    assert data["total"].startswith("Hooks took ") and data["total"] in view("report", record)["notes"]
    assert any(note.startswith("The rows add up to ") for note in data["modules"]["notes"])


# Enough of a browser to run the script of the page: it prints the texts of all elements of one kind.
BROWSER = """
const texts = [];
class Node {
	constructor(name, text) { this.name = name; this.style = {}; this.textContent = text; }
	set textContent(text) { texts.push([this.name, text]); }
	setAttribute() {}
	append() {}
	replaceChildren() {}
	addEventListener() {}
}
globalThis.document = {
	createElement: name => new Node(name),
	getElementById: () => ({ textContent: DATA }),
	querySelector: () => new Node("main"),
};
"""


def texts_of(written, element):
    """Return the texts that the script writes into elements of this name."""
    if not shutil.which("node"):
        pytest.skip("node is not there, which runs the script of the page: scripts/deps --tests gets it where there is apt-get")
    script = f"const DATA = {json.dumps(written.text['data'])};{BROWSER}{written.text['script']}"
    script += f"\nconsole.log(JSON.stringify(texts.filter(([name, text]) => name === {element!r} && text !== undefined)))"
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [text for _, text in json.loads(done.stdout)]


def test_less_than_a_step_of_the_clock_is_said_so(page, lsmpmon, coarse):
    """The page says so as the tables do: the shortest calls of this record took no tick."""
    written = page(coarse)
    data, cells = json.loads(written.text["data"]), iter(texts_of(written, "td"))
    below, times = "<52", [column["name"] for column in data["hooks"]["columns"] if "step" in column]
    assert {"min", "max"} <= set(times) and not {"ave", "sum"} & set(times)
    rows = data["hooks"]["rows"]
    columns = [column["name"] for column in data["hooks"]["columns"]
               if not column.get("spare") or any(row[column["name"]] for row in rows)]
    for row in rows:
        shown = {name: next(cells) for name in columns}
        assert [name for name in times if shown[name] == below] == [name for name in times if row[name] == 0]
    assert 0 in [row["min"] for row in data["hooks"]["rows"]] and below in lsmpmon("report", coarse, "--width", "200").stdout
    assert "<52 ns" in texts_of(written, "span")


@pytest.mark.parametrize("by", ["comm", "cgroup"])
def test_the_page_tells_who_pays(page, view, by):
    data = json.loads(page(CONTAINERS).text["data"])
    assert data[f"{by}s"]["rows"] == view("report", CONTAINERS, "--by", by)["rows"] != []


def test_the_page_needs_nothing_else(page, record):
    written = page(record)
    assert written.links == [] and written.policy.startswith("default-src 'none';")
    assert "http" not in written.text["style"] + written.text["script"]


EVIL = "</script><script>alert(1)</script><!--<img/src=x>"


def test_nothing_of_a_record_acts_in_the_page(page, apparmor, tmp_path):
    before = page(apparmor.write(tmp_path / "good.json")).elements
    apparmor.edit("verdicts", lambda text: text + f"{EVIL} allow 1 1 1 1 0 1\n")
    apparmor.edit("syscalls", lambda text: text + f"{EVIL} {EVIL} 1 1 1 1 0 1\n")
    apparmor.content["command"] = [EVIL]
    apparmor.content["about"]["kernel"] = EVIL
    written = page(apparmor.write(tmp_path / "evil.json"))
    assert written.elements == before
    data = json.loads(written.text["data"])
    assert EVIL in data["title"][0] and EVIL in data["title"][1] and EVIL in {row["hook"] for row in data["hooks"]["rows"]}


def test_folded_is_each_stack_once(lsmpmon, record):
    stacks = folded(lsmpmon, record)
    assert sum(stacks.values()) == times(record, "syscalls").total()
    assert all(len(stack) in (2, 3) for stack in stacks)


def test_folded_has_the_modules_of_each_hook(lsmpmon):
    stacks = folded(lsmpmon, CONTAINERS)
    wanted = counts(CONTAINERS, "stacks", "syscall", "hook", "module", of=["sum"])
    hooks = counts(CONTAINERS, "syscalls", "syscall", "hook", of=["sum"])
    assert {stack: ticks for stack, ticks in stacks.items() if len(stack) == 3} == wanted
    assert len(wanted) > 50 and {module for *_, module in wanted} >= {"apparmor", "capability", "ima"}
    for stack, ticks in hooks.items():
        inside = sum(more for key, more in wanted.items() if key[:2] == stack)
        assert stacks.get(stack, 0) == ticks - inside >= 0


# flamegraph.pl and speedscope read a line so: names up to the last blank, then a number.
FOLDED = re.compile(r"([^; ]+(?:;[^; ]+)*) ([1-9][0-9]*)")


def folded(lsmpmon, record):
    done = lsmpmon("report", record, "--folded")
    lines = [FOLDED.fullmatch(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and lines and all(lines), done.stdout
    stacks = {tuple(line[1].split(";")): int(line[2]) for line in lines}
    assert len(stacks) == len(lines)
    return stacks


FLAMEGRAPH = Path("/usr/share/perl5/Devel/NYTProf/flamegraph.pl")
# The page shows for a frame its name, its ticks with commas, and its share.
FRAME = re.compile(r"<title>(.+) \(([\d,]+) samples, [\d.]+%\)</title>")


def test_flamegraph_draws_all_of_it(lsmpmon, tmp_path):
    if not FLAMEGRAPH.exists():
        pytest.skip("flamegraph.pl is not there: scripts/deps --tests gets it where there is apt-get")
    wanted, path = folded(lsmpmon, CONTAINERS), tmp_path / "folded"
    path.write_text(lsmpmon("report", CONTAINERS, "--folded").stdout)
    done = subprocess.run(["perl", FLAMEGRAPH, "--minwidth=0", path], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
    drawn = Counter()
    for name, ticks in FRAME.findall(done.stdout):
        drawn[name] += int(ticks.replace(",", ""))
    expected = Counter({"all": sum(wanted.values())})
    for stack, ticks in wanted.items():
        for name in stack:
            expected[name] += ticks
    assert drawn == expected


def many_rows(columns):
    """Return rows of 20,000 system calls, each twice and far apart, the last ones first."""
    rows = [f"s{i} {columns} 1 1 1 1 0 {i + 1}" for i in range(20000)]
    return lambda text: "\n".join([text.splitlines()[0], *reversed(rows), *rows]) + "\n"


def test_folded_takes_as_many_rows_as_there_are(lsmpmon, tmp_path):
    record = Record(CONTAINERS)
    record.edit("syscalls", many_rows("hook"))
    record.edit("stacks", many_rows("hook module"))
    stacks = folded(lsmpmon, record.write(tmp_path / "r.json"))
    runs = len(record.content["runs"])
    assert stacks == {(f"s{i}", "hook", "module"): 2 * runs * (i + 1) for i in range(20000)}


def test_folded_says_what_it_lacks(lsmpmon, apparmor, tmp_path):
    done = lsmpmon("report", apparmor.write(tmp_path / "r.json"), "--folded")
    assert "no modules" in done.stderr and "-f syscall,stack" in done.stderr
    assert "no modules" not in lsmpmon("report", CONTAINERS, "--folded").stderr


def test_folded_separators_are_no_part_of_names(lsmpmon, apparmor, tmp_path):
    apparmor.edit("syscalls", lambda text: text.splitlines()[0] + "\na;b c;d 1 1 1 1 0 7\n")
    done = lsmpmon("report", apparmor.write(tmp_path / "r.json"), "--folded")
    assert set(done.stdout.splitlines()) == {f"a?b;c?d {7 * len(apparmor.content['runs'])}"}


# A frame as wide as a screen, and what of each table is in it: the names of columns that end inside.
SCREEN = """<!DOCTYPE html><body><iframe src="page.html" style="width:{width}px;height:900px;border:0"></iframe><p id="seen"></p>
<script>
document.querySelector("iframe").addEventListener("load", event => {{
	const inside = event.target.contentDocument, seen = () => [...inside.querySelectorAll("table")].map(table =>
		[...table.querySelectorAll("th")].filter(cell => cell.offsetParent &&
			cell.getBoundingClientRect().right <= inside.documentElement.clientWidth).map(cell => cell.textContent));
	const before = seen(), all = [...inside.querySelectorAll("th")].length;
	inside.querySelectorAll("input").forEach(box => box.click());
	const after = [...inside.querySelectorAll("th")].filter(cell => cell.offsetParent).length;
	document.querySelector("#seen").textContent = JSON.stringify({{ before, all, after,
		wider: inside.documentElement.scrollWidth - inside.documentElement.clientWidth }});
}});
</script>"""


@pytest.mark.parametrize("width", [360, 500, 1280])
def test_narrow_screens_show_sum_and_share(page, tmp_path, width):
    """All else of a table is there on demand, and nothing makes the page wider than the screen."""
    if not shutil.which("chromium"):
        pytest.skip("chromium is not there: scripts/deps --tests gets it where there is apt-get")
    page(CONTAINERS)
    (tmp_path / "screen.html").write_text(SCREEN.format(width=width))
    words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--window-size=1400,1000",
             "--virtual-time-budget=5000", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom",
             (tmp_path / "screen.html").as_uri()]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    seen = json.loads(html.unescape(re.search(r'<p id="seen">(.*?)</p>', done.stdout)[1]))
    assert len(seen["before"]) >= 3 and all({"sum", "share"} <= set(names) for names in seen["before"]), seen
    assert seen["wider"] <= 0 and seen["after"] == seen["all"]
    assert all(("count" in names) == (width >= 720) for names in seen["before"])
