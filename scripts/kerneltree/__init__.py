# SPDX-License-Identifier: GPL-2.0-only
"""Puts lsmpmon into a kernel tree and takes it out again, all or nothing."""


class Refused(Exception):
    """The tree is not one that this can be done to; it is as it was."""
