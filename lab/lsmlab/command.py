# SPDX-License-Identifier: GPL-2.0-only
"""The command `lab`, which runs the module of a subcommand with its arguments."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import signal
import sys
from types import ModuleType

from lsmlab.console import CommandError, progress, say

# The commands that make and people call, a line each. The module is commands/NAME.py; only that of the command is loaded,
# so that commands that need only Python's own library work without the packages of requirements.txt.
COMMANDS = {
    "tree": "put lsmpmon into a kernel tree, or take it out again",
    "exec": "run a command, or a shell, in a guest",
    "run": "what the hooks of each module cost",
    "peers": "what it costs to count hooks with other tools",
    "slopes": "fit each system call's latency to the delay of a permission check",
    "repeatability": "how far apart the medians of several boots are",
    "lmbench": "lmbench-hook beside the real LMbench",
    "map-counts": "count pairs of a system call and a hook, to check the map against",
    "overhead": "what the monitor itself costs",
    "memory": "how much memory each module and its policy take",
    "built": "what modules cost that are built in and off, and enabled without rules",
    "loading": "how long the policy of each module takes to load",
    "processors": "what calls and hooks cost where several processors make the same ones",
    "eval": "measure the cells of the evaluation, and write its report",
    "map": "which hooks system calls may reach, and which they must",
    "cost": "the exact price of each commit of a series",
    "cost-bisect": "whether a system call costs too much at HEAD, for git bisect run",
    "cost-patch": "what one patch of a series costs, for b4 prep --check",
    "cost-series": "what a series costs that you review, for b4 review",
    "series": "lsmpmon as a series of mails",
    "series-steps": "check that each step of the series builds",
    "matrix": "compile lsmpmon in many configurations",
    "stack": "what a measured hook call adds to the kernel's stack",
    "patches": "write patches/VERSION/ again, from the rules",
    "hooks-count": "count hooks and lines of code in a kernel's source",
    "hooks-diff": "which hooks differ between two trees, and whether each call is measured",
    "supported": "print the versions of Linux that are tested",
    "figures": "renew the numbers in documents by what was measured last",
    "draw": "draw the README's pictures again",
    "kernelshark-picture": "take a picture of KernelShark with a trace open",
    "job": "do one job of a graph; Snakemake calls it",
    "work-input": "make the files that tar, Git and a compiler work with in the evaluation",
    "times": "keep the times of what lsmpmon is in a tree; build-kernel calls it",
    "layout": "print a linker script for the same kernel in another layout; build-kernel calls it",
    "count-tests": "print the closing line of make check",
}
# What to install, by the module that is missing.
TOML = "Python 3.11, or tomli (Debian's python3-tomli) or pip of 2021 with an older one"
NEEDED = {"tomllib": TOML, "tomli": TOML, "lsmpmon_report": "the report: scripts/lab finds it in userspace/report"}
MISUSED = 2
# Errors of a disk that takes no more.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


def listed() -> str:
    width = max(map(len, COMMANDS))
    return "commands:\n" + "\n".join(f"  {name:{width}}  {line}" for name, line in COMMANDS.items())


def general() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lab", usage="lab COMMAND ...", epilog=listed(),
                                     description="The laboratory of lsmpmon; lab COMMAND --help tells more.",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    return parser


def options_of(name: str, module: ModuleType, words: list[str]) -> argparse.Namespace:
    """Return the options of a command's arguments; a command may have a status of its own for wrong ones."""
    parser = argparse.ArgumentParser(prog=f"lab {name}", description=module.__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    module.arguments(parser)
    try:
        return parser.parse_args(words)
    except SystemExit as end:
        raise SystemExit(getattr(module, "MISUSED", MISUSED) if end.code == MISUSED else end.code) from None


def main(words: list[str] | None = None) -> None:
    words = sys.argv[1:] if words is None else words
    # Options of a command look like ours, so argparse gets only what is before it.
    name = general().parse_args(words[:1]).command
    try:
        module = importlib.import_module(f"lsmlab.commands.{name.replace('-', '_')}")
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        say(f"lab {name} needs {NEEDED[error.name]}; this is Python {sys.version.split()[0]}")
        sys.exit(MISUSED)
    sys.exit(done(module, options_of(name, module, words[1:])))


def done(module: ModuleType, options: argparse.Namespace) -> int | str | None:
    """Run a command and return its status.

    An error that is meant for the user is printed, and so is one of the disk; Ctrl-C ends the command, and so does a reader,
    such as head, that closes its pipe. This is one way for all.
    """
    try:
        status: int | str | None = module.main(options)
        sys.stdout.flush()
        return status
    except CommandError as error:
        progress("")
        say(error)
        return error.status
    except BrokenPipeError:
        # Python would complain again at exit, where it flushes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno not in FULL:
            raise
        progress("")
        say(f"{error.strerror}{f': {error.filename}' if error.filename else ''}")
        return CommandError.status
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
