# SPDX-License-Identifier: GPL-2.0-only
"""Derives from a kernel's own code which hooks a system call may reach, and which it must."""


class Failed(Exception):
    """There is no map; the text says why."""
