# SPDX-License-Identifier: GPL-2.0-only
"""Copies results of commands from build/ to Documentation/figures."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

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
OWN_PAGE = ("rules", "work", "tails", "ext4", "openit")

# Commands that leave two files: values, and their output.
KEPT = {
    "run": BUILD / "run/uml/run",
    "overhead": BUILD / "overhead",
    "overhead-llvm": BUILD / "overhead-llvm",
    "peers": BUILD / "peers",
    "slopes": BUILD / "slopes/slopes",
    "stack": BUILD / "stack",
    "memory": BUILD / "memory",
    "evaluation": BUILD / "report/evaluation",
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
            _keep_part(part, report, out)
            _say_again(part, report, out)
            _sum_up_again(part, report, out)
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


def _sum_up_again(part: str, report: Path, out: Path) -> None:
    """Copy the new summary's data of a part: its page, the differences in its tables, and the first page's words."""
    if not (out / SUMMARY).is_file():
        return
    new, old = (json.loads((folder / SUMMARY).read_text()) for folder in (report, out))
    old["pages"][part] = new["pages"][part]
    shown = tuple(new["pages"][part]["tables"])
    old["tables"].update({ident: table for ident, table in new["tables"].items() if ident in shown})
    first, link = Path(FIRST).stem, f"]({part}.md)"
    kept = [sentence for sentence in old["pages"][first]["sentences"] if link not in sentence]
    old["pages"][first]["sentences"] = kept + [sentence for sentence in new["pages"][first]["sentences"] if link in sentence]
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
