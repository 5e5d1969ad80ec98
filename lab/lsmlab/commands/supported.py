# SPDX-License-Identifier: GPL-2.0-only
"""Print the supported versions of Linux, oldest first: those with a directory in patches/."""

from __future__ import annotations

import argparse

from lsmlab.kernel.tree import source


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes none."""


def main(_: argparse.Namespace) -> None:
    print(*source.supported(), sep="\n")
