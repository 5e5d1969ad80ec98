# SPDX-License-Identifier: GPL-2.0-only
"""Copies results of commands from build/ to Documentation/figures."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lsmlab.places import REPO
from lsmlab.publish.documents.report import SUMMARY
from lsmlab.publish.documents.values import leaves
from lsmpmon_report.evaluation.lines import lines

FOLDER = REPO / "Documentation/figures"
BUILD = REPO / "build"
# The report of the evaluation, where documents show it.
REPORT = REPO / "Documentation/evaluation/report"

FIRST = "README.md"
# An item of a list, with the lines that continue it.
ITEM = re.compile(r"^\* .*(?:\n  .*)*", re.M)
# A line of its list of pages, and the file in it.
LINK = re.compile(r"^\* \[.*\]\(.*\.md\)$", re.M)
LINK_TO = re.compile(r"\]\((.*)\)$")
# The path from a page in build/report/ to a document.
DOCUMENT = re.compile(r"\]\((?:\.\./)+Documentation/")
# Parts with a page of their own.
OWN_PAGE = ("rules", "work", "tails", "calls", "ext4", "openit", "distributions")
# Those of them with a section of the first page as well, which has a link to the page.
OWN_SECTION = ("distributions",)

# Commands that leave two files: values, and their output.
KEPT = {
    "run": BUILD / "run/uml/run",
    "overhead": BUILD / "overhead",
    "overhead-config": BUILD / "overhead-config",
    "overhead-llvm": BUILD / "overhead-llvm",
    "overhead-arm64": BUILD / "overhead-arm64",
    "peers": BUILD / "peers",
    "slopes": BUILD / "slopes/slopes",
    "stack": BUILD / "stack",
    "memory": BUILD / "memory",
    "built": BUILD / "built",
    "loading": BUILD / "loading",
    "evaluation": BUILD / "report/evaluation",
    "calls": BUILD / "report/calls",
}


def _with(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _seams() -> tuple[str, str]:
    """Run the command, which is fast, each time."""
    printed = subprocess.run([REPO / "scripts/seams"], stdout=subprocess.PIPE, text=True, check=True).stdout
    values: dict[str, dict[str, dict[str, int]]] = {}
    for kernel, added, removed, files, patch in (line.split(None, 4) for line in printed.splitlines()[1:]):
        row = {"added": int(added), "removed": int(removed), "files": int(files)}
        values.setdefault(kernel, {})["all" if patch == "all of them" else patch[5:]] = row
    return json.dumps(values, indent=1) + "\n", printed


def results() -> dict[str, tuple[str, str]]:
    """Return values as JSON and output by name, of the commands that have run here."""
    kept = {name: (_with(path, ".json").read_text(), _with(path, ".txt").read_text())
            for name, path in KEPT.items() if _with(path, ".json").is_file()}
    return kept | {"seams": _seams()}


def _moved(name: str, old: str, new: str) -> list[str]:
    """Return a line with the number of changed values, or nothing."""
    before, after = leaves(json.loads(old)) if old else {}, leaves(json.loads(new))
    moved = sum(before.get(way) != after.get(way) for way in before | after)
    return [f"{name}: {moved} of {len(after)} values moved"] if moved else []


def keep(folder: Path = FOLDER) -> list[str]:
    """Replace the files whose command has run. Return a line for each with changed values."""
    moved: list[str] = []
    for name, (values, printed) in results().items():
        path = folder / f"{name}.json"
        moved += _moved(name, path.read_text() if path.is_file() else "", values)
        path.write_text(values)
        path.with_suffix(".txt").write_text(printed)
    return moved


def keep_report(report: Path = BUILD / "report", out: Path = REPORT) -> None:
    """Replace the pages and plots of the evaluation.

    Only a complete run leaves figures beside them. Complete parts of another run that have a page of their own replace it.
    """
    if (report / "evaluation.json").is_file():
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        _copy([*report.glob("*.md"), *report.glob("*.svg"), report / SUMMARY], out)
    elif (report / "complete").is_file() and (out / FIRST).is_file():
        for part in set((report / "complete").read_text().split()) & set(OWN_PAGE):
            _sum_up_again(part, report, out)
            _keep_part(part, report, out)
            _say_again(part, report, out)
            if part in OWN_SECTION:
                _replace_section(part, report, out)
        _link(report, out)


def _keep_part(part: str, report: Path, out: Path) -> None:
    """Replace PART.md and its plots, PART-*.svg."""
    for old in out.glob(f"{part}-*.svg"):
        old.unlink()
    _copy([report / f"{part}.md", *report.glob(f"{part}-*.svg")], out)


def _say_again(part: str, report: Path, out: Path) -> None:
    """Copy the first page's words about a part, with a link to it, from the new report."""
    new, old = (_items(part, (folder / FIRST).read_text()) for folder in (report, out))
    if len(new) == len(old):
        text = (out / FIRST).read_text()
        for before, after in zip(old, new):
            text = text.replace(before, DOCUMENT.sub("](../../", after))
        (out / FIRST).write_text(text)


def _items(part: str, text: str) -> list[str]:
    return [item for item in ITEM.findall(text) if f"]({part}.md)" in item and not LINK.fullmatch(item)]


def _sections(text: str) -> list[str]:
    """Return what stands before the first heading of a page, and each section."""
    return re.split(r"^(?=## )", text, flags=re.M)


def _section(part: str, text: str) -> str:
    """Return the section of the first page that is about a part: it has a link to its page, and not in a list."""
    return next((each for each in _sections(text)[1:] if f"]({part}.md)" in ITEM.sub("", each)), "")


def _replace_section(part: str, report: Path, out: Path) -> None:
    """Replace the first page's section about a part; one that was not there comes before all others."""
    new, text = _section(part, (report / FIRST).read_text()), (out / FIRST).read_text()
    first, *others = _sections(text)
    kept = [each for each in others if each != _section(part, text)]
    (out / FIRST).write_text("".join([first, DOCUMENT.sub("](../../", new), *kept]))


def _said(part: str, folder: Path, page: Any) -> list[str]:
    """Return the sentences of a summary's first page about a part: those with a link to its page, and those of its section."""
    section = _section(part, (folder / FIRST).read_text()) if part in OWN_SECTION else ""
    shown = " ".join(section.split())
    return [each for each in page["sentences"] if f"]({part}.md)" in each or " ".join(each.split()) in shown]


def _tables_of(part: str, folder: Path, page: Any) -> dict[str, Any]:
    """Return the tables of the section of the first page about a part."""
    section = _section(part, (folder / FIRST).read_text()) if part in OWN_SECTION else ""
    return {name: table for name, table in page["tables"].items() if f'<a id="{name}"></a>' in section}


def _sum_up_again(part: str, report: Path, out: Path) -> None:
    """Copy the new summary's data of a part: its page, the differences in its tables, and what the first page says of it."""
    if not (out / SUMMARY).is_file():
        return
    new, old = (json.loads((folder / SUMMARY).read_text()) for folder in (report, out))
    old["pages"][part] = new["pages"][part]
    shown = tuple(new["pages"][part]["tables"])
    old["tables"].update({ident: table for ident, table in new["tables"].items() if ident in shown})
    ours, theirs = (content["pages"][Path(FIRST).stem] for content in (old, new))
    gone = _said(part, out, ours)
    ours["sentences"] = [each for each in ours["sentences"] if each not in gone] + _said(part, report, theirs)
    ours["tables"] = {name: table for name, table in ours["tables"].items() if name not in _tables_of(part, out, ours)}
    ours["tables"] |= _tables_of(part, report, theirs)
    (out / SUMMARY).write_text(lines(old) + "\n")


def _copy(paths: Iterable[Path], out: Path) -> None:
    """Copy pages, whose links to documents are still those of build/report."""
    for path in paths:
        (out / path.name).write_text(DOCUMENT.sub("](../../", path.read_text()))


def _link(report: Path, out: Path) -> None:
    """Let the first page link to each page that is there."""
    new = [line for line in LINK.findall((report / FIRST).read_text())
           if (to := LINK_TO.search(line)) and (out / to[1]).is_file()]
    text = (out / FIRST).read_text()
    old = LINK.findall(text)
    if old:
        (out / FIRST).write_text(text.replace("\n".join(old), "\n".join(new)))
