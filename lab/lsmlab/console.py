# SPDX-License-Identifier: GPL-2.0-only
"""Messages of commands to their user, on stderr: stdout is for results."""

import sys


class CommandError(Exception):
    """An error that a command prints in a line, and the status with which it then ends."""

    status = 1


def say(text: object) -> None:
    """Print a line, also if stderr is a pipe."""
    print(f"lsmpmon: {text}", file=sys.stderr, flush=True)


def progress(text: str) -> None:
    """Show a line on a terminal that the next one replaces; nothing in a pipe."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
