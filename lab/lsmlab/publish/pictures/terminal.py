# SPDX-License-Identifier: GPL-2.0-only
"""A session in a terminal: run and recorded, and drawn as an SVG that plays it."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict

from lsmpmon_report.drawing.svg import element, page, text

COLUMNS = 108
CHARACTER, LINE, PAD, BAR = 8.4, 18, 14, 28
# Seconds per key, and the longest pause to show.
TYPED, LONGEST, AFTER, STAY = 0.025, 1.2, 0.6, 6.0
MONO = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace'
# Newer browsers do not look at xml:space, older viewers not at the style.
SPACES = "text { white-space: pre }"
# A style for viewers who do not want movement.
STILL = "@media (prefers-reduced-motion: reduce) { text { animation: none !important } }"

# Seconds from the beginning, colour, text.
Event = tuple[float, str, str]


class Step(TypedDict):
    """A command, its duration, and when it wrote each line."""

    command: str
    seconds: float
    output: list[tuple[float, str]]


def _wrapped(text: str) -> list[str]:
    """Wrap lines as a terminal does, at any character."""
    return [text[at:at + COLUMNS] for at in range(0, len(text), COLUMNS)] or [""]


def _run(command: str, folder: Path) -> tuple[list[tuple[float, str]], float]:
    """Return the output of a command, which must succeed: [(seconds since its start, line)...], and its duration."""
    lines: list[tuple[float, str]] = []
    start = time.monotonic()
    env = dict(os.environ, COLUMNS=str(COLUMNS))
    with subprocess.Popen(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
        for line in child.stdout or ():
            text = line.rstrip("\n").expandtabs()
            lines += [(round(time.monotonic() - start, 2), part) for part in _wrapped(text)]
    if child.returncode:
        raise RuntimeError(f"status {child.returncode}: {command}")
    return lines, round(time.monotonic() - start, 2)


def record(commands: Iterable[str], folder: Path) -> list[Step]:
    """Run commands one after another; return their timed output."""
    steps: list[Step] = []
    for command in commands:
        output, seconds = _run(command, folder)
        steps.append({"command": command, "seconds": seconds, "output": output})
    return steps


def _events(session: list[Step]) -> tuple[list[Event], float]:
    """Return (when, colour, text) of each line of the screen, with long waits shortened, and the length of the session.

    The first frame is the last screen, for viewers that don't play the animation.
    """
    events: list[Event] = []
    now = STAY + AFTER
    for step in session:
        for number, line in enumerate(step["command"].splitlines()):
            now += TYPED * len(line)
            events.append((now, "typed", ("" if number else "$ ") + line))
        before = 0.0
        for when, line in step["output"]:
            now += min(when - before, LONGEST)
            before = when
            events += [(now, "ink", line[at:at + COLUMNS]) for at in range(0, len(line) or 1, COLUMNS)]
        now += min(step["seconds"] - before, LONGEST) + AFTER
    return events, now


def _line(number: int, event: Event, total: float) -> tuple[str, str]:
    when, colour, words = event
    percent = 100 * when / total
    y = BAR + PAD + LINE * number + 12
    css = (f"@keyframes l{number} {{ 0% {{ opacity: 1 }} {100 * STAY / total:.2f}% {{ opacity: 0 }} "
           f"{percent:.2f}%, 100% {{ opacity: 1 }} }}\n"
           f"#l{number} {{ animation: l{number} {total:.1f}s step-end infinite }}")
    return css, text(PAD, y, words, colour, id=f"l{number}", font_weight=600 if colour == "typed" else 400)


def svg(session: list[Step]) -> str:
    """Return an animation without a script; the same bytes for the same session."""
    events, total = _events(session)
    width, height = COLUMNS * CHARACTER + 2 * PAD, BAR + len(events) * LINE + 2 * PAD
    drawn = [_line(number, event, total) for number, event in enumerate(events)]
    frame = element("rect", fill="paper", stroke="rule", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=8)
    buttons = "".join(element("circle", fill="rule", cx=PAD + 6 + 18 * n, cy=16, r=5) for n in range(3))
    rules = [SPACES, STILL, *(rule for rule, _ in drawn)]
    label = f"A terminal session: {session[0]['command']}"
    return page(width, height, label, [frame, buttons, *(line for _, line in drawn)], style="\n".join(rules),
                font_family=MONO, font_size=14, **{"xml:space": "preserve"})
