# SPDX-License-Identifier: GPL-2.0-only
"""Write patches/VERSION/ again: what the rules make of the kernel of that version, KVER; and
add what its functions security_*() call to kernel/hooks/known.txt.

Each patch of its series keeps its message. Those of common/ are for all kernels, and
stay as they are; tests/test_rules.py compares them.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsmlab.guest.settings import KVER
from lsmlab.kernel.hooks import others, sites
from lsmlab.kernel.objects.tree import pristine
from lsmlab.kernel.seam import carry
from lsmlab.kernel.seam.kernel import Kernel
from lsmlab.kernel.series.plan import seam_name
from lsmlab.kernel.tree import Refused, source
from lsmlab.kernel.tree.staging import Staging
from lsmlab.places import REPO


def states(staging: Staging, tree: Path, patches: Iterable[Path]) -> Iterator[tuple[Path, bytes]]:
    """Yield (patch, its diff) for each, by the rules of its seam."""
    version, before = source.version_of(tree), "0"
    done: set[str] = set()
    for number, patch in enumerate(patches, start=1):
        done.add(seam_name(patch))
        seam = carry.made(version, source.reader(tree), lambda rule: rule.seam in done)
        for path, text in seam.texts.items():
            for state in (before, str(number)):
                if not (staging.state(state) / path).is_file():
                    staging.put(state, path, tree / path)
            (staging.state(str(number)) / path).write_bytes(text.content())
        yield patch, re.sub(rb"^index .*\n", b"", staging.diff(before, str(number)), flags=re.M)
        before = str(number)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes variables only."""


def write() -> None:
    version = os.environ.get("KVER") or KVER
    tree, folder = pristine(version), REPO / "patches" / version
    others.remember(others.names(Kernel(tree, {}).read, sites.files(tree)))
    with Staging() as staging:
        for patch, diff in states(staging, tree, source.patches(version)):
            if patch.parent == folder:
                message = patch.read_bytes().partition(b"\n---\n")[0]
                patch.write_bytes(message + b"\n---\n" + diff)


def main(_: argparse.Namespace) -> int:
    try:
        write()
    except Refused as error:
        print(f"patches: {error}", file=sys.stderr)
        return 2
    return 0
