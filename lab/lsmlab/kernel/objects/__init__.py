# SPDX-License-Identifier: GPL-2.0-only
"""Compiles our objects and those that the patches touch in many configurations, without building a kernel."""

from lsmlab.console import CommandError


class Failed(CommandError):
    """Something does not compile; the message says what."""
