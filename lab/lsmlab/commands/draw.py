# SPDX-License-Identifier: GPL-2.0-only
"""Redraw the README's pictures in Documentation/pictures/.

scripts/lab draw             costs.svg and session.svg, from figures/run.json and session.json
scripts/lab draw --session   first run the commands in session.sh to renew session.json
"""

from __future__ import annotations

import argparse
import json

from lsmlab.places import REPO
from lsmlab.publish.pictures import FOLDER, PICTURES, SESSION, terminal


def commands(text: str) -> list[str]:
    """Return the commands of a shell script: each begins at a line without indentation, unless that closes a loop."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    blocks: list[str] = []
    for line in lines:
        if line[0].isspace() or line.startswith("done"):
            blocks[-1] += "\n" + line
        else:
            blocks.append(line)
    return blocks


def run_session() -> None:
    session = terminal.record(commands((FOLDER / "session.sh").read_text()), REPO)
    SESSION.write_text(json.dumps(session, indent=1, ensure_ascii=False) + "\n")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", action="store_true", help="run the session again")


def main(options: argparse.Namespace) -> None:
    if options.session:
        run_session()
    for picture, data, kind in PICTURES:
        picture.write_text(kind.svg(json.loads(data.read_text())))
