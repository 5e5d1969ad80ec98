# SPDX-License-Identifier: GPL-2.0-only
"""The programs that jobs run, which end with their jobs."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lsmlab.measure.pipeline.errors import Failed

# Seconds in which a program ends its guest after a signal.
PATIENCE = 60

_running: set[subprocess.Popen[str]] = set()
_lock = threading.Lock()
_stopping = threading.Event()


def end_with_jobs() -> None:
    """Let a signal that ends this program end its jobs, too."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda got, _: sys.exit(128 + got))


def end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """End a program that leads a session as Ctrl-C does, and kill it if it does not end."""
    for number, seconds in ((signal.SIGINT, PATIENCE), (signal.SIGKILL, None)):
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)


def _start(words: Sequence[str | Path], env: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start a program in a session of its own: a signal reaches it from end() only, and once."""
    with _lock:
        if _stopping.is_set():
            raise Failed("interrupted")
        process = subprocess.Popen(words, env=env, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        _running.add(process)
        return process


def run(words: Sequence[str | Path], env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program and return its status and its output. An interruption, stopping() or a signal ends it."""
    process = _start(words, env)
    try:
        printed, errors = process.communicate()
    finally:
        end(process)
        with _lock:
            _running.remove(process)
    return subprocess.CompletedProcess(words, process.returncode, printed, errors)


@contextlib.contextmanager
def stopping() -> Iterator[None]:
    """End all programs that run in other threads; inside of this context, starting one fails."""
    with _lock:
        _stopping.set()
        running = list(_running)
    try:
        for process in running:
            end(process)
        yield
    finally:
        _stopping.clear()
