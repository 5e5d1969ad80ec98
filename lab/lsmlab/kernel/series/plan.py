# SPDX-License-Identifier: GPL-2.0-only
"""The files and seams of each patch, from patches/series.toml, checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from lsmlab import toml
from lsmlab.kernel.series.growth import Item
from lsmlab.kernel.series.resolve import at_least
from lsmlab.kernel.tree import Refused, source
from lsmlab.places import REPO

TABLE = REPO / "patches/series.toml"
NUMBER = re.compile(r"^\d+-")


@dataclass
class Step:
    """One patch of the series."""

    author: str
    subject: str
    body: str
    files: dict[str, Path]                                  # path in the kernel tree -> file here
    seams: list[Path]                                       # patch files
    version: str = ""                                       # the one version it is for; empty: for all
    known: dict[str, str] = field(default_factory=dict)     # see patches/series.toml
    grows: dict[str, Sequence[Item]] = field(default_factory=dict)     # path -> what later patches add to that file


def seam_name(patch: Path) -> str:
    """Return the name of a seam in the table, without its number in a version's series."""
    return NUMBER.sub("", patch.stem)


def _mail(patch: Path) -> tuple[str, str, str]:
    """Return author, subject and body from a seam's own header."""
    head, _, rest = patch.read_text().partition("\n\n")
    fields = dict(re.findall(r"^(From|Subject): (.*(?:\n .*)*)", head, re.M))
    subject = re.sub(r"^\[PATCH[^]]*\] *", "", fields["Subject"].replace("\n ", " "))
    return fields["From"], subject, rest.partition("\n---\n")[0].strip()


def _pick(row: toml.Table, files: dict[str, Path], seams: list[Path]) -> tuple[dict[str, Path], list[Path]]:
    picked = {path: content for path, content in files.items()
              if any(fnmatchcase(path, pattern) for pattern in row.get("files", ()))}
    return picked, [patch for patch in seams if seam_name(patch) in row.get("seams", ())]


def pick_step(row: toml.Table, table: toml.Table, files: dict[str, Path], seams: list[Path]) -> Step | None:
    picked, patches = _pick(row, files, seams)
    if "subject" in row:
        signed = f"{row['body'].strip()}\n\nSigned-off-by: {table['author']}"
        return Step(table["author"], row["subject"], signed, picked, patches)
    if len(patches) > 1 or picked:
        raise Refused(f"{TABLE.name}: a patch with {row} needs a subject")
    return Step(*_mail(patches[0]), picked, patches) if patches else None


def check_once(kind: str, all_of_them: Iterable[str], picked: list[str], table: str = TABLE.name) -> None:
    """Check that each file and seam is in exactly one patch."""
    for name in all_of_them:
        times = picked.count(name)
        if times != 1:
            where = "in no patch" if not times else f"in {times} patches"
            raise Refused(f"{kind} {name} is {where} of {table}")


def check_stale(table: toml.Table, files: Iterable[str], seams: list[Path], name: str = TABLE.name) -> None:
    """Check that everything in the table exists, in this version or another."""
    existing = {seam_name(p) for version in source.supported() for p in source.patches(version)}
    existing.update(map(seam_name, seams))
    for row in table["patch"]:
        for pattern in row.get("files", ()):
            if not any(fnmatchcase(path, pattern) for path in files):
                raise Refused(f"{name}: there is no {pattern}")
        for seam in row.get("seams", ()):
            if seam not in existing:
                raise Refused(f"{name}: no kernel has a seam {seam}")


def read(path: Path = TABLE) -> toml.Table:
    return toml.loads(path.read_text())


def _wanted(table: toml.Table, version: str, path: str) -> bool:
    """Say whether a kernel of that version has a use for a file."""
    between = table["versions"].get(path, {})
    return (at_least(version, between.get("since", version))
            and not ("before" in between and at_least(version, between["before"])))


def propose(table: toml.Table, version: str, step: Step) -> Step:
    """Make a step the patch that is mailed, which is for one version."""
    step.files = {path: content for path, content in step.files.items()
                  if _wanted(table, version, path)}
    step.version, step.known = version, table["known"]
    return step


def steps(table: toml.Table, version: str, files: dict[str, Path] | None = None, seams: list[Path] | None = None,
          whole: bool = True) -> list[Step]:
    """Return the patches of a version's series, in order.

    Unless `whole`, patches that only the whole series has are left out, and code of other versions.
    """
    files = source.files() if files is None else files
    seams = source.patches(version) if seams is None else seams
    check_stale(table, files, seams)
    rows = [(pick_step(row, table, files, seams), row.get("only")) for row in table["patch"]]
    kept = [(step, only) for step, only in rows if step and (step.files or step.seams)]
    check_once("file", files, [path for step, _ in kept for path in step.files])
    check_once("seam", map(seam_name, seams), [seam_name(p) for step, _ in kept for p in step.seams])
    if whole:
        return [step for step, _ in kept]
    return [propose(table, version, step) for step, only in kept if not only]
