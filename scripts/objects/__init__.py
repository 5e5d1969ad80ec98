# SPDX-License-Identifier: GPL-2.0-only
"""Compiles what lsmpmon is and touches, in many configurations, and no kernel."""


class Failed(Exception):
    """Something does not compile; the text says what."""
