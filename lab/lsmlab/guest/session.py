# SPDX-License-Identifier: GPL-2.0-only
"""One guest from start to end: passes on its output and waits for its status."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import selectors
import signal
import subprocess
import time
from pathlib import Path

CHUNK = 1 << 16
PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


class TimedOut(Exception):
    """The guest reported no status in time."""


class Died(Exception):
    """The guest died or never started, and reported no status."""


def _die_with_parent() -> None:
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Channels:
    """Pipes from the guest, and the file for its kernel's log."""

    NAMES: tuple[str, ...] = ("stdout", "stderr", "status")

    def __init__(self, log: Path) -> None:
        self.read: dict[str, int] = {}
        self.write: dict[str, int] = {}
        for name in self.NAMES:
            self.read[name], self.write[name] = os.pipe()
        self.write["log"] = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)

    def close_write(self) -> None:
        for fd in self.write.values():
            os.close(fd)


class Spool(Channels):
    """A file for the output of a guest with an initramfs.

    With a pipe, the guest would wait for its reader in the host's time, and two boots would differ; a file never makes it
    wait.
    """

    NAMES = ()

    def __init__(self, log: Path, path: Path) -> None:
        super().__init__(log)
        self.write["stdout"] = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        self.read["stdout"] = os.open(path, os.O_RDONLY)


class Session:
    def __init__(self, words: list[str], env: dict[str, str] | None, channels: Channels, interactive: bool) -> None:
        self.channels = channels
        fds = tuple(channels.write.values())
        log = channels.write["log"]
        self.process = subprocess.Popen(
            words, env=env, pass_fds=fds, start_new_session=True, preexec_fn=_die_with_parent,
            stdin=None if interactive else subprocess.DEVNULL,
            stdout=None if interactive else log, stderr=log)
        channels.close_write()
        self.counts = {"stdout": 0, "stderr": 0}
        self.open = set(channels.read)
        self.status_text = b""

    def kill(self) -> None:
        """Kill the whole guest: its processes are one process group, which we made."""
        try:
            self._stop()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _stop(self) -> None:
        """Stop the guest before its processes are killed.

        User-Mode Linux would take the end of one of its processes for a fault, and say so in the log. It must not end before
        them, either: they would go on without it, as processes of this machine.
        """
        if self.process.returncode is None:
            os.kill(self.process.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def _take(self, name: str) -> bool:
        data = os.read(self.channels.read[name], CHUNK)
        if not data:
            self.open.discard(name)
        elif name == "status":
            self.status_text += data
        else:
            self._pass_on(name, data)
        return bool(data)

    def _pass_on(self, name: str, data: bytes) -> None:
        self.counts[name] += len(data)
        target = 1 if name == "stdout" else 2
        while data:
            data = data[os.write(target, data):]

    def _complete(self) -> int | None:
        """Return the status once all bytes that the guest wrote have arrived, and None before."""
        words = self.status_text.split()
        if not self.status_text.endswith(b"\n") or len(words) != 3:
            return None
        status, out, err = (int(word) for word in words)
        arrived = self.counts["stdout"] >= out and self.counts["stderr"] >= err
        return status if arrived else None

    def wait(self, timeout: float) -> int:
        """Wait for the command to end, and return its exit status."""
        deadline = time.monotonic() + timeout
        with selectors.DefaultSelector() as selector:
            for name, fd in self.channels.read.items():
                selector.register(fd, selectors.EVENT_READ, name)
            while self.open:
                ready = selector.select(min(3600, max(0, deadline - time.monotonic())))
                for key, _ in ready:
                    if not self._take(key.data):
                        selector.unregister(key.fd)
                status = self._complete()
                if status is not None:
                    return status
                if not ready and time.monotonic() >= deadline:
                    raise TimedOut(f"no answer from the guest in {timeout} s")
        raise Died(self._cause())

    def _cause(self) -> str:
        try:
            code = self.process.wait(5)
        except subprocess.TimeoutExpired:
            return "the guest closed its output and hangs"
        how = f"on signal {-code}" if code < 0 else f"with {code}"
        return f"the guest ended {how} and reported no status"


class InitrdSession(Session):
    """A guest with one channel, a Spool: what /init writes on the second serial
    line is stdout, up to EOT, the exit status in decimal and a newline. These bytes
    may also occur in plain output, so they mark the end only if nothing follows.
    """

    # Seconds between two reads of the guest's output.
    PAUSE = 0.05

    END = re.compile(rb"\x04([0-9]{1,3})\n\Z")
    MAY_END = re.compile(rb"\x04[0-9]{0,3}\n?\Z")

    def __init__(self, words: list[str], env: dict[str, str] | None, channels: Channels, interactive: bool) -> None:
        super().__init__(words, env, channels, interactive)
        self.held = b""

    def wait(self, timeout: float) -> int:
        deadline = time.monotonic() + timeout
        ended = False
        while not ended:
            if time.monotonic() >= deadline:
                raise TimedOut(f"no answer from the guest in {timeout} s")
            ended = self._ends_within(self.PAUSE)
            while self._take("stdout"):
                pass
        return self._status()

    def _ends_within(self, seconds: float) -> bool:
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _status(self) -> int:
        """Return the status from the end mark. If the guest sent none, pass on the bytes that were held back, and
        raise Died.
        """
        end = self.END.fullmatch(self.held)
        if not end:
            super()._pass_on("stdout", self.held)
            raise Died(self._cause())
        return int(end[1])

    def _pass_on(self, name: str, data: bytes) -> None:
        """Write output of the guest, except for bytes that may be the end mark, which are held back."""
        if name == "stdout":
            data = self.held + data
            end = self.MAY_END.search(data)
            self.held = end[0] if end else b""
            data = data[:len(data) - len(self.held)]
        super()._pass_on(name, data)
