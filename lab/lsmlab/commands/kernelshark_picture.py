# SPDX-License-Identifier: GPL-2.0-only
"""Take a picture of KernelShark with a trace open: hook calls as boxes, task by task.

KernelShark runs on a virtual screen (Xvfb) with only the settings given here.
Needs the Debian packages kernelshark, libkshark-dev, libglu1-mesa-dev, xvfb, scrot.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lsmlab.places import REPO

PLUGIN = "lsm_spans"
# Seconds: for KernelShark; between two looks at it; and for which it runs or waits for a processor meanwhile when it is done.
LONGEST, PAUSE, IDLE = 900, 2, 0.1
# Heights of the window's other parts, of one plot, and of the table below the plots.
MARGIN, PLOT, TABLE = 205, 56, 175


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("trace", type=Path, help="file written by trace-cmd record")
    parser.add_argument("picture", type=Path, help="file to write; its name ends in .png, .ppm or the like")
    parser.add_argument("begin", type=float, help="in seconds, as trace-cmd report has them")
    parser.add_argument("end", type=float)
    parser.add_argument("task", type=int, nargs="+", help="the tasks to plot, by number (PID)")
    parser.add_argument("--width", type=int, default=1100)
    parser.set_defaults(refuse=parser.error)


def check(chosen: argparse.Namespace) -> None:
    if not chosen.trace.is_file():
        chosen.refuse(f"no such file: {chosen.trace}")
    if chosen.begin >= chosen.end:
        chosen.refuse(f"{chosen.begin} to {chosen.end} is not a time span: the end must be later")


def build_plugin(folder: Path) -> Path:
    library = folder / f"plugin-{PLUGIN}.so"
    subprocess.run(["make", "-s", "-C", REPO / "userspace/kernelshark", f"O={folder}"], check=True)
    return library


def plugins(library: Path) -> dict[str, object]:
    return {"type": "kshark.config.plugins",
            "obj. files": [{"type": "kshark.config.library", "file": str(library),
                            "name": PLUGIN, "time": int(library.stat().st_mtime)}]}


def stream(trace: Path, tasks: list[int]) -> dict[str, object]:
    return {"type": "kshark.config.stream", "stream id": 0,
            "data": {"type": "kshark.config.data", "file": str(trace.resolve()),
                     "name": "top buffer", "time": int(trace.stat().st_mtime)},
            "filters": {"type": "kshark.config.filter", "filter mask": 7},
            "plugins": {"type": "kshark.config.plugins", "registered": [[PLUGIN, True]]},
            "CPUPlots": [], "TaskPlots": tasks}


def events_before(trace: Path, begin: float) -> int:
    """Return the row of the table at which the plots begin."""
    report = subprocess.run(["trace-cmd", "report", "-q", "-F", ".*", "-i", trace],
                            stdout=subprocess.PIPE, text=True, check=True).stdout
    times = re.findall(r"^ *.+-\d+ +\[\d+\].*? (\d+\.\d+): ", report, re.M)
    return sum(float(when) < begin for when in times)


def session(chosen: argparse.Namespace, library: Path, height: int) -> dict[str, object]:
    """Return a session file, as KernelShark's File / Sessions / Export Session writes it."""
    mark = {"isSet": False}
    span = [round(chosen.begin * 1e9), round(chosen.end * 1e9)]
    return {"type": "kshark.config.session", "MainWindow": [chosen.width, height],
            "Splitter": [height - TABLE, TABLE],
            "Model": {"type": "kshark.config.model", "range": span, "bins": chosen.width - 120},
            "data streams": [stream(chosen.trace, chosen.task)], "ComboPlots": [],
            "Markers": {"type": "kshark.config.markers", "markA": mark, "markB": mark,
                        "Active": "A"},
            "ViewTop": events_before(chosen.trace, chosen.begin), "ColorScheme": 0.75, "User Plugins": plugins(library)}


def environment(folder: Path) -> dict[str, str]:
    """Return an environment without the user's settings and without KernelShark's question about root."""
    (folder / "setting.ini").write_text("[General]\nnoRootWarn=true\n")
    names = ("KS_USER_CACHE_DIR", "HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")
    return dict(os.environ, **dict.fromkeys(names, str(folder)))


@contextmanager
def running(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Terminate the process at the end."""
    with process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def screen(width: int, height: int) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start an X server; yield it and its name."""
    ours, its = os.pipe()
    command = ["Xvfb", "-displayfd", str(its), "-screen", "0", f"{width}x{height}x24",
               "-nolisten", "tcp"]
    with running(subprocess.Popen(command, pass_fds=[its], stderr=subprocess.DEVNULL)) as server:
        os.close(its)
        with os.fdopen(ours) as number:
            yield server, f":{number.readline().strip()}"


def activity(*processes: subprocess.Popen[bytes]) -> float:
    """Return the seconds for which threads of the processes ran or wanted to: on a busy machine, a waiting one has
    not finished.
    """
    threads = [path for process in processes for path in Path(f"/proc/{process.pid}/task").glob("*/schedstat")]
    return sum(int(word) for path in threads for word in path.read_text().split()[:2]) / 1e9


def settle(kernelshark: subprocess.Popen[bytes], server: subprocess.Popen[bytes]) -> None:
    """Wait until both programs are idle: then everything is loaded and drawn."""
    before, until = float("inf"), time.monotonic() + LONGEST
    while time.monotonic() < until:
        now = activity(kernelshark, server)
        if kernelshark.poll() is not None:
            sys.exit(f"lsmpmon: kernelshark ended by itself, status {kernelshark.returncode}")
        if abs(now - before) < IDLE:
            return
        before = now
        time.sleep(PAUSE)
    sys.exit(f"lsmpmon: kernelshark was still busy after {LONGEST} s")


def main(chosen: argparse.Namespace) -> None:
    check(chosen)
    height = MARGIN + PLOT * len(chosen.task) + TABLE
    with tempfile.TemporaryDirectory() as name, screen(chosen.width, height) as (server, display):
        folder = Path(name)
        state = folder / "session.json"
        state.write_text(json.dumps(session(chosen, build_plugin(folder), height)))
        env = dict(environment(folder), DISPLAY=display)
        with running(subprocess.Popen(["kernelshark", "-s", state], env=env, stdout=sys.stderr)) as kernelshark:
            settle(kernelshark, server)
            subprocess.run(["scrot", "--overwrite", chosen.picture], env=env, check=True)
