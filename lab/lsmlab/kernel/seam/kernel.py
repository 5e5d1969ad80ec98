# SPDX-License-Identifier: GPL-2.0-only
"""A kernel tree with other content in some of its files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lsmlab.kernel.hooks import defs, others, sites
from lsmlab.kernel.seam import carry, vendor
from lsmlab.kernel.tree import Refused, source


class Kernel:
    def __init__(self, folder: Path | str, instead: Mapping[str, bytes]) -> None:
        """Take the tree; `instead` has the bytes of files by path."""
        self.folder, self.instead = Path(folder), instead

    def read(self, path: str) -> str:
        content = self.instead.get(path)
        content = (self.folder / path).read_bytes() if content is None else content
        return content.decode(errors="replace").replace("\r\n", "\n")

    def hooks(self) -> dict[str, defs.Hook]:
        return defs.read(self.read(defs.PATH))

    def calls(self) -> tuple[list[sites.Site], list[str], list[str]]:
        """Return the places that call a hook, why hooks are not measured, and hooks that nothing calls."""
        hooks, paths = self.hooks(), sites.files(self.folder)
        places = sites.Reader(self.read).sites(paths)
        unused = sites.unused(hooks, places, (self.read(path) for path in paths if path != defs.PATH))
        return places, sites.missed([name for name in hooks if name not in unused], places), unused

    def others(self) -> list[others.Call]:
        """Return the calls in functions security_*() that are no hooks, and not measured."""
        return others.find(self.read, sites.files(self.folder))


def _header(seam: carry.Seam, vendors: dict[str, str]) -> dict[str, bytes]:
    """Return the header for the vendor's calls, all of which have to be measured."""
    missing = set(vendors.values()) - {module for _, module in seam.vendor_calls}
    if missing:
        calls = " ".join(call for call, module in vendors.items() if module in missing)
        raise Refused(f"NAMED has {calls}, which no function security_*() of security/security.c calls")
    return {vendor.HEADER: vendor.header(seam.vendor_calls)}


def edited(version: str, read: source.Reader, vendors: dict[str, str] | None = None) -> tuple[carry.Seam, dict[str, bytes]]:
    """Return (seam, the files that it edits)."""
    seam = carry.made(version, read, vendors=vendors)
    files = {path: text.content() for path, text in seam.texts.items()}
    return seam, files | (_header(seam, vendors) if vendors else {})


def _unmeasured(tree: Path, kernel: Kernel, read: source.Reader) -> list[others.Call]:
    """Return the calls that are not of hooks, with their lines in the user's files, before the seam's edits."""
    left = {(call.path, call.function, call.name) for call in kernel.others()}
    paths = sites.files(tree)
    before = Kernel(tree, {path: content for path in paths for content in [read(path)] if content is not None})
    return [call for call in before.others() if (call.path, call.function, call.name) in left]


def _with(seam: carry.Seam) -> str:
    return f", with {len(seam.vendor_calls)} call{'s' * (len(seam.vendor_calls) > 1)} by name" if seam.vendor_calls else ""


def _effort(version: str) -> str:
    """Return a line about a version that is older than all tested ones."""
    oldest = source.supported()[0]
    if source.number(version) >= source.number(oldest):
        return ""
    return f"\nbest effort: nothing before Linux {oldest} is tested; see Documentation/reference/kernels.md"


def proven(tree: Path, version: str, read: source.Reader, vendors: dict[str, str] | None = None) -> tuple[dict[str, bytes], str]:
    """Return the files that the seam edits and a message about them; refuse if a call of a hook is not measured."""
    seam, files = edited(version, read, vendors)
    kernel = Kernel(tree, files)
    places, missed, unused = kernel.calls()
    if missed:
        raise Refused("not measured: " + "; ".join(missed))
    unknown = _unmeasured(tree, kernel, read)
    untested = "" if version in source.supported() else " (not among the tested versions)"
    return files, (f"Linux {source.release_of(tree)}{untested}: {seam.rules} rules, {seam.places} places, "
                   f"all {len(places)} hook calls measured{_with(seam)}{others.counted(unknown)}"
                   + "".join(f"; nothing calls {name}" for name in unused) + _effort(version)
                   + "".join(f"\n{call}: no hook, not measured" for call in unknown))
