# SPDX-License-Identifier: GPL-2.0-only
"""Copies results of commands from build/ to Documentation/figures."""

import html
import json
import re
import subprocess

from documents import REPO, Wrong
from documents.values import leaves

FOLDER = REPO / "Documentation/figures"
BUILD = REPO / "build"
EVALUATION = REPO / "Documentation/evaluation/index.html"

# Commands that leave two files: values, and their output.
KEPT = {
    "run": BUILD / "run/uml/run",
    "overhead": BUILD / "overhead",
    "peers": BUILD / "peers",
    "slopes": BUILD / "slopes/slopes",
}


def _with(path, suffix):
    return path.with_name(path.name + suffix)


def _seams():
    """Run the command, which is fast, each time."""
    printed = subprocess.run([REPO / "scripts/seams"], stdout=subprocess.PIPE, text=True, check=True).stdout
    values = {}
    for kernel, added, removed, files, patch in (line.split(None, 4) for line in printed.splitlines()[1:]):
        row = {"added": int(added), "removed": int(removed), "files": int(files)}
        values.setdefault(kernel, {})["all" if patch == "all of them" else patch[5:]] = row
    return json.dumps(values, indent=1) + "\n", printed


def _evaluation():
    """Values from the committed report, which other documents quote."""
    page = EVALUATION.read_text()
    medians = re.search(r"At the median of the (\d+) file operations: (.*?)\.\s*<", page, re.S)
    words = " ".join(html.unescape(re.sub(r"<[^>]*>", "", medians[2])).split())
    found = {name.strip(" ,"): float(value.replace("−", "-"))
             for name, value in re.findall(r"(.*?)\s([+−][\d.]+) %", words)}
    if not found:
        raise Wrong(f"{EVALUATION.name} has no medians of modules on its first page")
    return json.dumps({"operations": int(medians[1]), "median": found}, indent=1, ensure_ascii=False) + "\n", words + "\n"


def found():
    """Values as JSON and output by name, of the commands that have run here."""
    there = {name: tuple(_with(path, suffix).read_text() for suffix in (".json", ".txt"))
             for name, path in KEPT.items() if _with(path, ".json").is_file()}
    return there | {"seams": _seams(), "evaluation": _evaluation()}


def _moved(name, old, new):
    """A line with the number of changed values, or nothing."""
    before, after = leaves(json.loads(old)) if old else {}, leaves(json.loads(new))
    moved = sum(before.get(way) != after.get(way) for way in before | after)
    return [f"{name}: {moved} of {len(after)} values moved"] if moved else []


def keep(folder=FOLDER):
    """Replace the files whose command has run. Returns a line for each with changed values."""
    moved = []
    for name, (values, printed) in found().items():
        path = folder / f"{name}.json"
        moved += _moved(name, path.read_text() if path.is_file() else "", values)
        path.write_text(values)
        path.with_suffix(".txt").write_text(printed)
    return moved
