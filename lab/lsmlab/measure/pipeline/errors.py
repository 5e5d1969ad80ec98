# SPDX-License-Identifier: GPL-2.0-only
"""The reasons why there is no result."""

from lsmlab.console import CommandError


class Failed(CommandError):
    """A job that should have worked, and is tried again the next time."""


class LeftOut(Exception):
    """A job that is impossible on this machine or kernel."""
