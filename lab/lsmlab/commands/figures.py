# SPDX-License-Identifier: GPL-2.0-only
"""Copy the results of commands to Documentation/figures, and update the numbers in documents.

See Documentation/figures/README.md. With --check, write nothing; status 1 if a
number in a document differs from these files or is not in them.
"""

from __future__ import annotations

import argparse
import sys

from lsmlab import toml
from lsmlab.places import REPO
from lsmlab.publish.documents import Wrong, report, sources
from lsmlab.publish.documents.document import Document
from lsmlab.publish.documents.values import Figures

CLAIMS = sources.FOLDER / "claims.toml"
# Documents in which every number that looks measured must come from a file.
DOCUMENTS = ("README.md", "Documentation/*.md", "Documentation/*/*.md", "Documentation/*/*.rst", "Documentation/*/*/*.rst",
             "lsmpmon/Kconfig", "patches/[1-5].toml", "patches/series.toml", "userspace/man/*.1")
# These explain the method, with examples.
NOT_THESE = ("Documentation/figures/README.md",)


def documents() -> list[Document]:
    sections = toml.loads(CLAIMS.read_text())
    names = {path.relative_to(REPO).as_posix() for pattern in DOCUMENTS for path in REPO.glob(pattern)}
    gone = sorted(set(sections) - names)
    if gone:
        raise Wrong(f"{CLAIMS.name}: there is no document {gone[0]}")
    return [Document(name, (REPO / name).read_text(), sections.get(name, {})) for name in sorted(names.difference(NOT_THESE))]


def check(figures: Figures) -> list[str]:
    """Check each document, and report as much as possible."""
    complaints = []
    for document in documents():
        try:
            complaints += document.complaints(figures)
        except Wrong as error:
            complaints.append(str(error))
    return complaints + (report.complaints(sources.REPORT) if (sources.REPORT / report.SUMMARY).is_file() else [])


def renew() -> None:
    for line in sources.keep():
        print(line)
    sources.keep_report()
    figures = Figures(sources.FOLDER)
    for document in documents():
        try:
            differences, new = document.differences(figures), document.renewed(figures)
        except Wrong:
            continue    # the check, which comes next, reports it
        print(*differences, sep="\n", end="\n" if differences else "")
        if new != document.text:
            (REPO / document.name).write_text(new)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="write nothing; print what differs")


def update(options: argparse.Namespace) -> bool:
    if not options.check:
        renew()
    complaints = check(Figures(sources.FOLDER))
    print(*complaints, sep="\n", file=sys.stderr)
    return bool(complaints)


def main(options: argparse.Namespace) -> int:
    try:
        return update(options)
    except Wrong as error:
        print(f"figures: {error}", file=sys.stderr)
        return 1
