# SPDX-License-Identifier: GPL-2.0-only
"""The files and seams of each patch, from patches/series.toml, checked."""

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from lsmlab import toml
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
    files: dict     # path in the kernel tree -> file here
    seams: list     # patch files
    version: str = ""                               # resolved for it; nothing: as the files are
    known: dict = field(default_factory=dict)       # see patches/series.toml


def seam_name(patch):
    """Its name in the table, without its number in a version's series."""
    return NUMBER.sub("", patch.stem)


def _mail(patch):
    """Author, subject and body from a seam's own header."""
    head, _, rest = patch.read_text().partition("\n\n")
    fields = dict(re.findall(r"^(From|Subject): (.*(?:\n .*)*)", head, re.M))
    subject = re.sub(r"^\[PATCH[^]]*\] *", "", fields["Subject"].replace("\n ", " "))
    return fields["From"], subject, rest.partition("\n---\n")[0].strip()


def _pick(row, files, seams):
    found = {path: content for path, content in files.items()
             if any(fnmatchcase(path, pattern) for pattern in row.get("files", ()))}
    return found, [patch for patch in seams if seam_name(patch) in row.get("seams", ())]


def _step(row, table, files, seams):
    found, patches = _pick(row, files, seams)
    if "subject" in row:
        signed = f"{row['body'].strip()}\n\nSigned-off-by: {table['author']}"
        return Step(table["author"], row["subject"], signed, found, patches)
    if len(patches) > 1 or found:
        raise Refused(f"{TABLE.name}: a patch with {row} needs a subject")
    return Step(*_mail(patches[0]), found, patches) if patches else None


def _once(kind, all_of_them, picked):
    """Check that each file and seam is in exactly one patch."""
    for name in all_of_them:
        times = picked.count(name)
        if times != 1:
            where = "in no patch" if not times else f"in {times} patches"
            raise Refused(f"{kind} {name} is {where} of {TABLE.name}")


def _stale(table, files, seams):
    """Check that everything in the table exists, in this version or another."""
    known = {seam_name(p) for version in source.supported() for p in source.patches(version)}
    known.update(map(seam_name, seams))
    for row in table["patch"]:
        for pattern in row.get("files", ()):
            if not any(fnmatchcase(path, pattern) for path in files):
                raise Refused(f"{TABLE.name}: there is no {pattern}")
        for name in row.get("seams", ()):
            if name not in known:
                raise Refused(f"{TABLE.name}: no kernel has a seam {name}")


def read():
    return toml.loads(TABLE.read_text())


def _wanted(table, version, path):
    """Whether a kernel of that version has a use for a file."""
    between = table["versions"].get(path, {})
    return (at_least(version, between.get("since", version))
            and not ("before" in between and at_least(version, between["before"])))


def _propose(table, version, step):
    """A patch as it is mailed: for one version."""
    step.files = {path: content for path, content in step.files.items()
                  if _wanted(table, version, path)}
    step.version, step.known = version, table["known"]
    return step


def steps(table, version, files=None, seams=None, whole=True):
    """The patches of a version's series, in order.

    Not `whole`: without what is only for all of it, and for this version only.
    """
    files = source.files() if files is None else files
    seams = source.patches(version) if seams is None else seams
    _stale(table, files, seams)
    found = [(_step(row, table, files, seams), row.get("only")) for row in table["patch"]]
    found = [(step, only) for step, only in found if step and (step.files or step.seams)]
    _once("file", files, [path for step, _ in found for path in step.files])
    _once("seam", map(seam_name, seams), [seam_name(p) for step, _ in found for p in step.seams])
    if whole:
        return [step for step, _ in found]
    return [_propose(table, version, step) for step, only in found if not only]

