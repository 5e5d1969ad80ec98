# SPDX-License-Identifier: GPL-2.0-only
"""Numbers in documents are detected, compared with the output of commands, renewed, and reported if no command
wrote them.
"""

import json
import re
import subprocess

import pytest
from kernels import REPO

from lsmlab.publish.documents import Wrong, sources
from lsmlab.publish.documents.document import Document
from lsmlab.publish.documents.values import Figures

VALUES = {"off": 1.0, "on": 58.42, "bytes": 46272, "kernels": [{"lines": 176}], "change": -2.5}
PRINTED = """\
The monitor costs 1.00 instructions a hook call when off and 58.4 when on.

                 unpatched       off
    stat           2,953.4   2,957.4
    open           4,172.4   4,182.4
    creat         14,085.4  14,108.4
"""
CLAIM = "costs {cost/on:.1f} instructions a hook call"


@pytest.fixture
def figures(tmp_path):
    (tmp_path / "cost.json").write_text(json.dumps(VALUES))
    (tmp_path / "cost.txt").write_text(PRINTED)
    return Figures(tmp_path)


def document(text, *claims, stated=(), says="FLOOR = 80"):
    source = {"source": "userspace/report/lsmpmon_report/stats.py", "says": says}
    return Document("a.md", text, {"claims": claims, "stated": [{"text": text, **source} for text in stated]})


@pytest.mark.parametrize("claim, text", [
    (CLAIM, "It costs 58.4 instructions a hook call."),
    (CLAIM, "It costs\n58.4\n  instructions a hook\tcall."),
    ("{cost/bytes} bytes", "46,272 bytes"),
    ("{cost/bytes:d} bytes", "46272 bytes"),
    ("adds {cost/kernels/0/lines} lines", "adds 176 lines"),
    ("{cost/change:+.1f} %", "-2.5 %"),
    ("about {cost/bytes|KiB:.0f} KiB, {cost/bytes|MB:.2f} MB", "about 45 KiB, 0.05 MB"),
    ("| on | {cost/on:.0f} | {cost/off:.2f} |", "| on | 58 | 1.00 |"),
    ("about {cost/on:.0f} (58 %?) instructions", "about 58 (58 %?) instructions"),
])
def test_a_sentence_with_the_value_is_right(figures, claim, text):
    assert document(text, claim).complaints(figures) == []
    assert document(text, claim).renewed(figures) == text


def test_a_sentence_with_another_value_is_named_and_renewed(figures):
    stale = document("First line.\nIt costs 61.2\ninstructions a hook call.\n", CLAIM)
    assert stale.complaints(figures) == ["a.md:2: '61.2' should be '58.4'"]
    assert stale.renewed(figures) == "First line.\nIt costs 58.4\ninstructions a hook call.\n"


@pytest.mark.parametrize("claim, text, why", [
    (CLAIM, "It is costly.", "0 places"),
    ("{cost/on:.0f} instructions", "58 instructions, 58 instructions", "2 places"),
    ("costs {cost/onn}", "costs 1", "cost.json has no cost/onn"),
    ("costs {cost/kernels}", "costs 1", "not one value"),
    ("costs {none/on}", "costs 1", "none.json does not exist"),
    ("costs much", "costs much", "has no value"),
])
def test_a_claim_that_cannot_be_checked_is_an_error(figures, claim, text, why):
    with pytest.raises(Wrong, match=why):
        document(text, claim).complaints(figures)


MARKDOWN = """\
Text.

<!-- figures: cost.txt -->

    The monitor costs {} instructions a hook call when off and 58.4 when on.
    [a table]
        stat           2,953.4   2,957.4
        creat         14,085.4  14,108.4

More text.
"""
FENCED = """\
<!-- figures: cost.txt -->
```text
$ make overhead
The monitor costs {} instructions a hook call when off and 58.4 when on.
```
"""
RST = """\
.. figures: cost.txt

::

  The monitor costs {} instructions a hook call when off and 58.4 when on.

Text.
"""


@pytest.mark.parametrize("text", [MARKDOWN, FENCED, RST])
def test_output_is_as_the_command_printed_it(figures, text):
    assert document(text.format("1.00")).complaints(figures) == []
    stale = document(text.format("7.00"))
    line = text[:text.index("The monitor")].count("\n") + 1
    assert [complaint.split("'")[0] for complaint in stale.complaints(figures)] == [f"a.md:{line}: "]
    assert stale.renewed(figures) == text.format("1.00")


@pytest.mark.parametrize("line", ["    no such line 1.00", "    The monitor pays 1.00 instructions"])
def test_a_line_that_was_not_printed_is_an_error(figures, line):
    with pytest.raises(Wrong, match=f"a.md: cost.txt .*'{line.strip()}'"):
        document(f"<!-- figures: cost.txt -->\n\n{line}\n").complaints(figures)


def test_lines_in_another_order_are_an_error(figures):
    text = "<!-- figures: cost.txt -->\n\n    open 4,172.4 4,182.4\n    stat 2,953.4 2,957.4\n"
    with pytest.raises(Wrong, match=r"a.md: cost.txt .*'stat 2,953.4 2,957.4'"):
        document(text).complaints(figures)


def test_a_comment_without_output_is_an_error(figures):
    with pytest.raises(Wrong, match="no block follows"):
        document("<!-- figures: cost.txt -->\nText.\n").complaints(figures)


@pytest.mark.parametrize("words", ["takes 13 ns", "2,259 cycles", "+4.3 %", "is 1.9 MB large", "600 bytes", "7\ninstructions",
                                   "390 KiB", "3× more"])
def test_a_number_that_looks_measured_must_come_from_a_file(figures, words):
    complaints = document(f"One.\nIt {words} of text.").complaints(figures)
    assert len(complaints) == 1 and complaints[0].startswith("a.md:2: '")
    assert document(f"It {words} of text.", stated=[words]).complaints(figures) == []


@pytest.mark.parametrize("text", ["Linux 6.12", "16 file operations", "CPUS=2", "14 modules", "2 CPUs", "-n 5"])
def test_other_numbers_may_stand_anywhere(figures, text):
    assert document(text).complaints(figures) == []


@pytest.mark.parametrize("text, says, why", [
    ("Text.", "FLOOR = 80", "a.md: .*'95 %'"), ("95 %", "FLOOR = 4", "a.md: .*'FLOOR = 4'.*'95 %'"),
])
def test_a_number_must_stand_in_the_document_and_in_its_source(figures, text, says, why):
    with pytest.raises(Wrong, match=why):
        document(text, stated=["95 %"], says=says).complaints(figures)


def test_a_session_is_told_once(figures):
    assert Document("a.md", "It took 13 ns.", {"session": "so"}).complaints(figures) == []


def moved(lines):
    """Return which file lines say to have changed, how many of its values, and how many it has."""
    return [re.match(r"(\w+): (\d+) of (\d+) ", line).groups() for line in lines]


def test_what_is_kept_says_what_moved(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "results", lambda: {"cost": (json.dumps(VALUES), PRINTED)})
    assert moved(sources.keep(tmp_path)) == [("cost", "5", "5")]
    assert sources.keep(tmp_path) == []
    monkeypatch.setattr(sources, "results", lambda: {"cost": (json.dumps(VALUES | {"on": 61}), PRINTED)})
    assert moved(sources.keep(tmp_path)) == [("cost", "1", "5")]
    assert Figures(tmp_path).value("cost/on") == 61 and (tmp_path / "cost.txt").read_text() == PRINTED

def test_every_number_of_every_document():
    done = subprocess.run([REPO / "scripts/lab", "figures", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


FIRST = "# All\n\n471 boots.\n\n## Pages\n\n* [Modules](modules.md)\n* [Method](method.md)\n\nThe end.\n"


def write_report(folder, **pages):
    folder.mkdir()
    for name, text in pages.items():
        (folder / name.replace("__", ".")).write_text(text)


def test_a_part_with_a_page_of_its_own_is_published_beside_what_is_there(tmp_path):
    """Only complete parts of an evaluation of some parts are published: the old pages of the others stay."""
    write_report(tmp_path / "out", README__md=FIRST, modules__md="old", method__md="old")
    (tmp_path / "out/work-gone.svg").write_text("")
    links = FIRST.replace("* [Method]", "* [Work](work.md)\n* [Tails](tails.md)\n* [Method]").replace("471", "30")
    write_report(tmp_path / "new", README__md=links, modules__md="new", work__md="new", tails__md="new", complete="work\n")
    (tmp_path / "new/work-share.svg").write_text("<svg/>")
    sources.keep_report(tmp_path / "new", tmp_path / "out")
    assert {path.name: path.read_text() for path in (tmp_path / "out").iterdir()} == {
        "README.md": FIRST.replace("* [Method]", "* [Work](work.md)\n* [Method]"),
        "modules.md": "old", "method.md": "old", "work.md": "new", "work-share.svg": "<svg/>"}


ADVICE = "* Of work: it costs {}\n  in all, as [the page](work.md) says.\n* Of others, {}: [modules](modules.md).\n\n"


def test_what_the_first_page_says_of_a_part_is_published_with_it(tmp_path):
    for folder, advice in (("out", ADVICE.format("old", "old")), ("new", ADVICE.format("new", "new"))):
        write_report(tmp_path / folder, README__md=advice + FIRST.replace("* [Method]", "* [Work](work.md)\n* [Method]"),
                     modules__md="", method__md="", work__md="", complete="work\n")
    sources.keep_report(tmp_path / "new", tmp_path / "out")
    assert (tmp_path / "out/README.md").read_text().startswith(ADVICE.format("new", "old") + "# All")


def test_links_to_documents_lead_there_from_where_a_report_is_published(tmp_path):
    link = "[a study]({}case-studies/index.md), [work](work.md)"
    write_report(tmp_path / "new", README__md=link.format("../../Documentation/"), evaluation__json="{}")
    (tmp_path / "new/summary.json").write_text("{}")
    sources.keep_report(tmp_path / "new", tmp_path / "out")
    assert (tmp_path / "out/README.md").read_text() == link.format("../../")
    assert (sources.REPORT / "../../case-studies/index.md").is_file()


def test_a_complete_report_replaces_everything(tmp_path):
    write_report(tmp_path / "out", README__md=FIRST, gone__md="old")
    write_report(tmp_path / "new", README__md="new", evaluation__json="{}", summary__json="{}", complete="")
    sources.keep_report(tmp_path / "new", tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"README.md", "summary.json"}


def summary(number, *links):
    """Return the summary of a report in which all numbers are `number`."""
    pages = {part: {"tables": {f"{part}-sum": {"rows": [["a", number]]}}, "sentences": []} for part in ("work", "modules")}
    first = {"tables": {}, "sentences": [f"{number}: [page]({link}.md)" for link in links]}
    return {"tables": {f"{part}-sum": {"ratios": [{"change": number}]} for part in pages}, "pages": {"README": first} | pages}


def test_the_summary_of_a_part_is_published_with_it(tmp_path):
    for folder, number in (("out", "1 %"), ("new", "2 %")):
        write_report(tmp_path / folder, README__md=FIRST, work__md="", complete="work\n",
                     summary__json=json.dumps(summary(number, "work", "modules")))
    sources.keep_report(tmp_path / "new", tmp_path / "out")
    content, old, new = json.loads((tmp_path / "out/summary.json").read_text()), summary("1 %"), summary("2 %")
    for ours, theirs in (("work", new), ("modules", old)):
        assert content["pages"][ours] == theirs["pages"][ours]
        assert content["tables"][f"{ours}-sum"] == theirs["tables"][f"{ours}-sum"]
    assert content["pages"]["README"]["sentences"] == ["1 %: [page](modules.md)", "2 %: [page](work.md)"]


SECTION = "## My stack?\n\n<a id=\"stacks\"></a>**Stacks.**\n\nIt costs\n{0} in all.\n\nMore: [stacks](distributions.md).\n\n"


def first_of(*sections):
    """Return a first page with a link to the page of distributions."""
    link = "* [Stacks](distributions.md)\n* [Modules]"
    return FIRST.replace("## Pages", "".join(sections) + "## Which module?\n\nOthers.\n\n## Pages").replace("* [Modules]", link)


def first_summary(number):
    """Return the summary of a report whose first page has the section."""
    found = summary(number, "modules")
    found["pages"]["distributions"] = {"tables": {}, "sentences": []}
    found["pages"]["README"]["sentences"] += [f"It costs {number} in all.", "More: [stacks](distributions.md)."]
    found["pages"]["README"]["tables"] = {"stacks": {"rows": [["a", number]]}, "modules": {"rows": [["b", number]]}}
    return json.dumps(found)


@pytest.mark.parametrize("before", [first_of(SECTION.format("1 %")), first_of()], ids=["again", "first"])
def test_a_section_of_the_first_page_is_published_with_its_part(tmp_path, before):
    """The section comes before single modules, also where an older first page does not have it; the others stay."""
    write_report(tmp_path / "out", README__md=before.replace("Others.", "Old others."), modules__md="", method__md="")
    (tmp_path / "out/summary.json").write_text(first_summary("1 %"))
    write_report(tmp_path / "new", README__md=first_of(SECTION.format("2 %")), modules__md="", method__md="",
                 distributions__md="new", complete="distributions\n", summary__json=first_summary("2 %"))
    sources.keep_report(tmp_path / "new", tmp_path / "out")
    expected = first_of(SECTION.format("2 %")).replace("Others.", "Old others.")
    assert (tmp_path / "out/README.md").read_text() == expected
    assert expected.index("My stack?") < expected.index("Which module?") < expected.index("Pages")
    first = json.loads((tmp_path / "out/summary.json").read_text())["pages"]["README"]
    assert "It costs 2 % in all." in first["sentences"] and first["sentences"].count("More: [stacks](distributions.md).") == 1
    if "My stack?" in before:
        assert "It costs 1 % in all." not in first["sentences"]
    assert (first["tables"]["stacks"]["rows"], first["tables"]["modules"]["rows"]) == ([["a", "2 %"]], [["b", "1 %"]])
