# SPDX-License-Identifier: GPL-2.0-only
"""Boot a kernel and run one shell command in it: the variable CMD or the
arguments. Passes on its stdout, stderr and exit status.

The other variables are as for make: KVER KDIR RUNNER ARCH ACCEL CPU FLAVOUR LSM
KARGS CPUS TIMEOUT SHARE INITRD. `--shell` starts a shell on the terminal instead.
With INITRD=FILE (lab/shell/make-initrd), that file is the guest's whole root and
its /init runs. What it writes to /dev/ttyS1, on arm64 to /dev/hvc0, is stdout, up
to EOT (004), the exit status in decimal and a newline.

Status 124: not finished within TIMEOUT seconds. 125: the guest could not boot,
died, or its kernel complained. 2: a variable was not accepted.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from lsmlab.console import say
from lsmlab.guest import accel, counted, kernel, log, qemu, uml
from lsmlab.guest.rundir import RunDirectory
from lsmlab.guest.session import Channels, Died, InitrdSession, Session, Spool, TimedOut
from lsmlab.guest.settings import BadSetting, Settings

TIMED_OUT, DIED = 124, 125
BROKEN_PIPE = 128 + signal.SIGPIPE


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--shell", action="store_true", help="a shell on this terminal")
    parser.add_argument("--check", action="store_true", help="only whether the variables are accepted")
    parser.add_argument("cmd", nargs="*", help="the command, instead of CMD")


def command_bytes(options: argparse.Namespace, settings: Settings) -> bytes:
    if options.shell and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadSetting("a shell needs a terminal; make exec CMD='...' does not")
    if options.shell or settings.initrd:
        return b""
    text = os.fsencode(" ".join(options.cmd)) or os.environb.get(b"CMD", b"")
    if not text:
        raise BadSetting("CMD is empty: the command to run in the guest")
    return text


@contextmanager
def terminal_kept() -> Iterator[str]:
    """Restore the terminal, which a killed guest leaves in its own mode."""
    if not sys.stdin.isatty():
        yield ""
        return
    before = termios.tcgetattr(0)
    size = shutil.get_terminal_size()
    try:
        yield f"rows {size.lines} cols {size.columns}"
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)


def start(settings: Settings, directory: Path, run: RunDirectory, logfile: Path, interactive: bool) -> Session:
    channels = Spool(logfile, run.path / "stdout") if settings.initrd else Channels(logfile)
    in_qemu = counted.command if settings.runner == "uml" else qemu.command
    command = uml.command if settings.accel == "none" else in_qemu
    words = command(settings, directory, run, channels.write, interactive)
    env = uml.environment(directory) if settings.accel == "none" else None
    kind = InitrdSession if settings.initrd else Session
    return kind(words, env, channels, interactive)


def end_badly(status: int, what: object, logfile: Path) -> int:
    """Report a failure. Its reason may be further up in the log than the last lines."""
    complaint = log.complaint(logfile)
    say(f"{what}; the last of its log ({logfile}):")
    if complaint and complaint not in log.tail(logfile):
        print(f"{complaint}\n...", file=sys.stderr)
    print(log.tail(logfile), file=sys.stderr)
    return status


def run_guest(settings: Settings, directory: Path, run: RunDirectory, interactive: bool) -> int:
    logfile = log.new(settings.runner)
    session = start(settings, directory, run, logfile, interactive)
    try:
        status = session.wait(10**9 if interactive else settings.timeout)
    except TimedOut as error:
        return end_badly(TIMED_OUT, error, logfile)
    except Died as error:
        return end_badly(DIED, error, logfile)
    except BrokenPipeError:
        return BROKEN_PIPE
    finally:
        session.kill()
    if log.complaint(logfile):
        return end_badly(DIED, "the guest's kernel complains", logfile)
    return status


def boot(options: argparse.Namespace) -> int:
    settings = Settings.from_environment()
    command = command_bytes(options, settings)
    if options.check:
        return 0
    directory = kernel.directory()
    if settings.runner == "qemu":
        settings.accel = accel.choose(settings, directory)
    with RunDirectory() as run, terminal_kept() as size:
        run.fill(settings, command, size if options.shell else "")
        return run_guest(settings, directory, run, options.shell)


def stop(number: int, _: object) -> NoReturn:
    sys.exit(128 + number)


def main(options: argparse.Namespace) -> int:
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGHUP, stop)
    try:
        return boot(options)
    except kernel.BuildFailed as error:
        return error.status
