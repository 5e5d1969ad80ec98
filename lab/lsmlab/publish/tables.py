# SPDX-License-Identifier: GPL-2.0-only
"""The tables of the report, printed by the program that people have for results of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from lsmlab.places import REPO


def show(words: Sequence[str], results: Path, *more: Path) -> int:
    """Print the output of `lsmpmon_report WORDS RESULTS`, or of more results, and return its status.

    A copy of the table and its figures are kept in files that are named as the results are, .txt and .json.
    """
    copy, figures = results.with_suffix(".txt"), results.with_suffix(".json")
    command = [sys.executable, "-m", "lsmpmon_report", *words, "--json", figures, *(more or [results])]
    env = dict(os.environ, PYTHONPATH=str(REPO / "userspace/report"))
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True)
    copy.write_text(done.stdout)
    try:
        print(done.stdout, end="", flush=True)
    except BrokenPipeError:
        # The reader, such as head, has closed the pipe. Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return done.returncode
