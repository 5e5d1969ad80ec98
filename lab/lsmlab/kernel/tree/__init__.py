# SPDX-License-Identifier: GPL-2.0-only
"""Puts lsmpmon into a kernel tree and takes it out again, atomically."""


class Refused(Exception):
    """The operation is impossible on this tree, which is unchanged."""
