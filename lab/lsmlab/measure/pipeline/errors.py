# SPDX-License-Identifier: GPL-2.0-only
"""Why there is no result."""

from lsmlab.console import Told


class Failed(Told):
    """Something that should have worked; it is tried again the next time."""


class LeftOut(Exception):
    """Something that is impossible on this machine or kernel."""
