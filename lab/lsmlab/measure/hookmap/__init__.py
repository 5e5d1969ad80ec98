# SPDX-License-Identifier: GPL-2.0-only
"""Which hooks a system call may reach, and which it must, from a kernel's own code."""


class Failed(Exception):
    """There is no map; the text says why."""
