# SPDX-License-Identifier: GPL-2.0-only
"""report --html and --folded: the numbers of the record, and nothing of it that could act in a page."""

import html.parser
import json
from collections import Counter

import pytest
from recorded import rows


class Page(html.parser.HTMLParser):
    """Which elements there are, what they refer to, and the data in it."""

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
    stacks = {(syscall, hook): ticks for syscall, hook, ticks in data["syscall_stacks"]}
    wanted = Counter()
    for row in rows(record, "syscalls"):
        wanted[row["syscall"], row["hook"]] += row["sum"]
    assert stacks == {key: value for key, value in wanted.items() if value}
    calls = Counter()
    for row in rows(record, "histogram"):
        calls[row["hook"]] += row["count"]
    assert {hook: sum(count for _, count in buckets) for hook, buckets in data["histograms"]} == \
        {hook: count for hook, count in calls.items() if count}
    assert data["total"].startswith("Hooks took ")


def test_the_page_needs_nothing_else(page, record):
    found = page(record)
    assert found.links == [] and found.policy.startswith("default-src 'none';")
    assert "http" not in found.text["style"] + found.text["script"]


EVIL = "</script><script>alert(1)</script><!--<img/src=x>"


def test_nothing_of_a_record_acts_in_the_page(page, apparmor, tmp_path):
    before = page(apparmor.write(tmp_path / "good.json")).elements
    apparmor.edit("verdicts", lambda text: text + f"{EVIL} allow 1 1 1 1 0 1\n")
    apparmor.edit("syscalls", lambda text: text + f"{EVIL} {EVIL} 1 1 1 1 0 1\n")
    apparmor.content["command"] = [EVIL]
    apparmor.content["about"]["kernel"] = EVIL
    found = page(apparmor.write(tmp_path / "evil.json"))
    assert found.elements == before
    data = json.loads(found.text["data"])
    assert data["command"] == [EVIL] and EVIL in {row["hook"] for row in data["hooks"]["rows"]}


def test_folded_is_each_stack_once(lsmpmon, record):
    done = lsmpmon("report", record, "--folded")
    found = [line.rsplit(" ", 1) for line in done.stdout.splitlines()]
    assert len({stack for stack, _ in found}) == len(found) and all(stack.count(";") == 1 for stack, _ in found)
    assert sum(int(ticks) for _, ticks in found) == sum(row["sum"] for row in rows(record, "syscalls"))


def test_folded_separators_are_no_part_of_names(lsmpmon, apparmor, tmp_path):
    apparmor.edit("syscalls", lambda text: text.splitlines()[0] + "\na;b c;d 1 1 1 1 0 7\n")
    done = lsmpmon("report", apparmor.write(tmp_path / "r.json"), "--folded")
    assert set(done.stdout.splitlines()) == {f"a?b;c?d {7 * len(apparmor.content['runs'])}"}
