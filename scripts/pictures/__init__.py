# SPDX-License-Identifier: GPL-2.0-only
"""The pictures of the README, drawn from results that are kept."""

from pathlib import Path

from . import costs, terminal

REPO = Path(__file__).resolve().parents[2]
FOLDER = REPO / "Documentation/pictures"
# What `make figures` keeps of `make run`.
COSTS = REPO / "Documentation/figures/run.json"
# What a session printed.
SESSION = FOLDER / "session.json"
# (picture, what it is drawn from, what draws it)
PICTURES = ((FOLDER / "costs.svg", COSTS, costs), (FOLDER / "session.svg", SESSION, terminal))
