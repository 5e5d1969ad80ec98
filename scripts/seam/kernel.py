# SPDX-License-Identifier: GPL-2.0-only
"""A kernel tree, read as if some of its files were others."""

from pathlib import Path

from hooks import defs, sites
from kerneltree import Refused, source
from seam import carry


class Kernel:
    def __init__(self, folder, instead):
        """`instead` has the bytes of files by path."""
        self.folder, self.instead = Path(folder), instead

    def read(self, path):
        content = self.instead.get(path)
        content = (self.folder / path).read_bytes() if content is None else content
        return content.decode(errors="replace").replace("\r\n", "\n")

    def hooks(self):
        return defs.read(self.read(defs.PATH))

    def calls(self):
        """(the places that call a hook, why hooks are not measured, hooks that nothing calls)"""
        hooks, paths = self.hooks(), sites.files(self.folder)
        found = sites.Reader(self.read).sites(paths)
        unused = sites.unused(hooks, found, (self.read(path) for path in paths if path != defs.PATH))
        return found, sites.missed([name for name in hooks if name not in unused], found), unused


def edited(version, read):
    """(seam, the files that it edits)."""
    seam = carry.made(version, read)
    return seam, {path: text.bytes() for path, text in seam.texts.items()}


def proven(tree, version, read):
    """The files that the seam edits and a line on them; refuses if a call of a hook is not measured."""
    seam, files = edited(version, read)
    found, missed, unused = Kernel(tree, files).calls()
    if missed:
        raise Refused("not measured: " + "; ".join(missed))
    untested = "" if version in source.supported() else " (not among the tested versions)"
    return files, (f"Linux {source.release_of(tree)}{untested}: {seam.rules} rules, {seam.places} places, "
                   f"all {len(found)} hook calls measured" + "".join(f"; nothing calls {name}" for name in unused))
