# SPDX-License-Identifier: GPL-2.0-only
"""Print the supported versions of Linux, oldest first: those with a directory in patches/."""

from lsmlab.kernel.tree import source


def arguments(parser):
    """There are none."""


def main(_):
    print(*source.supported(), sep="\n")
